"""A room as somebody sees it: for pages and the API. Holds no ratings."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from foundation import clock
from ratings.models import Player
from rooms.models import LIVE, MapChoice, Room, RoomMember, RoomState
from rooms.places import Place, place_of
from rooms.start import strikers, whose_turn

__all__ = ["RoomSeen", "TeamSeen", "may_see", "room_seen"]


@dataclass(frozen=True, slots=True)
class SeatSeen:
    """A seat; `member` None for a free one."""

    number: int
    member: RoomMember | None

    @property
    def number_text(self) -> str:
        """The number as a text, for names of elements."""
        return str(self.number)


@dataclass(frozen=True, slots=True)
class TeamSeen:
    """A team: its seats, or whom its captain has picked."""

    number: int
    seats: Sequence[SeatSeen]


@dataclass(frozen=True, slots=True)
class RoomSeen:
    """A room now. `code`: for members alone; `turn`: who picks or strikes out, with the seconds left for it."""

    room: Room
    place: Place
    members: Sequence[RoomMember]
    turn: int | None
    seconds_left: float
    now: datetime

    @property
    def seated(self) -> list[RoomMember]:
        """In the order of seats."""
        sitting = [one for one in self.members if one.seat is not None]
        return sorted(sitting, key=lambda one: one.seat or 0)

    @property
    def watchers(self) -> list[RoomMember]:
        """Who looks on."""
        return [one for one in self.members if one.seat is None]

    @property
    def free(self) -> int:
        """How many seats are free."""
        return self.room.seats - len(self.seated)

    @property
    def has_fixed_teams(self) -> bool:
        """Whether seats are already teams."""
        return bool(self.room.team_choice == "seated") or self.room.team_size == 1

    @property
    def teams(self) -> list[TeamSeen]:
        """Teams as they are known by now: by seats, or as picked so far; else all seats as one."""
        room = self.room
        by_seat = {one.seat: one for one in self.seated}
        if room.state in LIVE and room.state != RoomState.OPEN and self._is_picked:
            picked = sorted(self.seated, key=lambda one: one.picked or 0)
            teams = [[one for one in picked if one.team == n] for n in range(room.team_count)]
            return [
                TeamSeen(n, [SeatSeen(one.seat or 0, one) for one in its])
                for n, its in enumerate(teams)
            ]
        size = room.team_size if self.has_fixed_teams else room.seats
        return [
            TeamSeen(n, [SeatSeen(s, by_seat.get(s)) for s in range(n * size, (n + 1) * size)])
            for n in range(room.seats // size)
        ]

    @property
    def unpicked(self) -> list[RoomMember]:
        """Whom captains can pick still."""
        if self.room.state != RoomState.DRAFTING:
            return []
        return [one for one in self.seated if one.team is None]

    @property
    def maps_left(self) -> list[str]:
        """Maps that can be voted for, or struck out still."""
        if self.room.map_choice not in (MapChoice.VOTE, MapChoice.VETO):
            return []
        return [name for name in self.place.maps if name not in self.room.struck]

    @property
    def captains(self) -> list[int]:
        """Who picks, or strikes out maps."""
        if self.room.state == RoomState.OPEN:
            return []
        return strikers(self.room, self.seated)

    @property
    def _is_picked(self) -> bool:
        return any(one.team is not None for one in self.seated)

    def votes(self, name: str) -> int:
        """How many want this map."""
        return sum(one.vote == name for one in self.seated)

    def own(self, player_id: int | None) -> RoomMember | None:
        """The member who is this player."""
        return next((one for one in self.members if one.player_id == player_id), None)

    @property
    def shown(self) -> tuple[object, ...]:
        """What a page shows of it: other values, another page."""
        names = [(one.player_id, one.player.name) for one in self.members]
        return self.room.pk, self.room.revision, self.room.state, names, self.turn


def room_seen(room: Room) -> RoomSeen:
    """A room as it is now, read by the caller with ladder, game and host. Four queries."""
    here = RoomMember.objects.filter(room=room, live=True).select_related("player")
    members = list(here.order_by("joined_at", "pk"))
    now = clock.now()
    seated = sorted((one for one in members if one.seat is not None), key=lambda one: one.seat or 0)
    left = (room.turn_ends_at - now).total_seconds() if room.turn_ends_at else 0.0
    return RoomSeen(
        room=room,
        place=place_of(room.ladder),
        members=members,
        turn=whose_turn(room, seated),
        seconds_left=max(0.0, left),
        now=now,
    )


def may_see(room: Room, player: Player | None) -> bool:
    """Whether a player may look into a room: of the same game while it is open, of what comes after its members alone,
    and those whose match it became. One query at most.
    """
    if player is None or player.game_id != room.game_id:
        return False
    if room.state == RoomState.OPEN:
        return True
    was_there = RoomMember.objects.filter(room=room, player=player)
    if room.state in LIVE:
        return was_there.filter(live=True).exists()
    return was_there.filter(removed=False).exists()
