"""A room held still, with who is in it. Locks: a party's row, the room's row, rows of players, then a match's."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from events.kinds import Kind
from matchmaking.broadcasts import broadcast_to_players
from rooms.models import LIVE, Room, RoomMember, RoomState
from rooms.refusals import NotHostError, NotInRoomError, RoomNotOpenError, RoomOverError

__all__ = ["HeldRoom", "hold_room", "room_of"]


@dataclass(slots=True)
class HeldRoom:
    """A room that nobody else changes before this transaction ends; its live members, the longest first."""

    room: Room
    members: list[RoomMember]

    @property
    def seated(self) -> list[RoomMember]:
        """Who plays, in the order of seats."""
        return sorted(
            (one for one in self.members if one.seat is not None), key=lambda one: one.seat or 0
        )

    @property
    def is_full(self) -> bool:
        """Whether every seat is taken."""
        return len(self.seated) == self.room.seats

    @property
    def players(self) -> list[int]:
        """Ids of all who are in it."""
        return [one.player_id for one in self.members]

    @property
    def free_seats(self) -> list[int]:
        """In their order."""
        taken = {one.seat for one in self.seated}
        return [seat for seat in range(self.room.seats) if seat not in taken]

    def member(self, player_id: int) -> RoomMember:
        """The member who is this player. Raises NotInRoomError."""
        for one in self.members:
            if one.player_id == player_id:
                return one
        raise NotInRoomError(player_id)

    def check_host(self, player_id: int) -> None:
        """Raise NotInRoomError and NotHostError unless the player is the host."""
        self.member(player_id)
        if player_id != self.room.host_id:
            raise NotHostError(self.room.host_id)

    def check_open(self) -> None:
        """Raise RoomNotOpenError while captains pick or strike out maps."""
        if self.room.state != RoomState.OPEN:
            raise RoomNotOpenError(self.room.pk, self.room.state)

    def nobody_is_ready(self) -> None:
        """Take back that members are ready: that was for something else."""
        for one in self.members:
            one.is_ready = False
        RoomMember.objects.bulk_update(self.members, ["is_ready"])

    def save(self, now: datetime, *columns: str) -> None:
        """Write these columns of the room, that something has been done, and that pages show something else."""
        self.room.active_at = max(now, self.room.active_at)
        self.room.revision += 1
        self.room.save(update_fields=["active_at", "revision", *columns])

    def tell(self, kind: Kind, others: Iterable[int] = (), **ids: int) -> None:
        """Let members, and `others`, hear that something has changed; and the servers of the game."""
        everyone = dict.fromkeys([*self.players, *others])
        broadcast_to_players(self.room.game_id, everyone, kind, room=self.room.pk, **ids)


def hold_room(room_id: int) -> HeldRoom:
    """Lock a live room, inside a transaction. Raises RoomOverError, also for a room that never was."""
    rooms = Room.objects.select_for_update(no_key=True, of=("self",)).select_related("ladder__game")
    room = rooms.filter(pk=room_id).first()
    if room is None:
        raise RoomOverError(room_id, RoomState.CLOSED)
    if room.state not in LIVE:
        raise RoomOverError(room_id, room.state, room.match_id)
    members = RoomMember.objects.filter(room=room, live=True).select_related("player")
    return HeldRoom(room, list(members.order_by("joined_at", "pk")))


def room_of(player_id: int) -> Room | None:
    """The live room of a player; None without one. One query."""
    members = RoomMember.objects.filter(player=player_id, live=True)
    member = members.select_related("room__ladder__game").first()
    return member.room if member else None
