"""A hall whose players gather in rooms, and what holds of rooms at any moment."""

from collections import Counter
from typing import Any

from foundation.refusals import RefusedError
from matchmaking.models import TicketMember
from ratings.models import Participant
from rooms import coming, lifecycle, start
from rooms.models import LIVE, Room, RoomMember, RoomState
from tests.matchmaking.hall import Hall, make_hall

__all__ = ["Lounge", "check_rooms", "make_lounge", "refusal_of"]


class Lounge:
    """A hall with its players by number, who do things in rooms."""

    def __init__(self, hall: Hall) -> None:
        self.hall = hall
        self.numbers = {player.pk: number for number, player in enumerate(hall.players)}

    def open(self, host: int, **settings: Any) -> Room:
        with self.hall.at_now():
            return lifecycle.open_room(
                player=self.hall.players[host],
                ladder=self.hall.ladder,
                settings={"name": "Room", **settings},
            )

    def join(self, room: Room, *numbers: int, **how: Any) -> Room:
        with self.hall.at_now():
            for number in numbers:
                coming.join(room_id=room.pk, player=self.hall.players[number], **how)
        return self.reload(room)

    def watch(self, room: Room, number: int) -> Room:
        with self.hall.at_now():
            return coming.watch(room_id=room.pk, player=self.hall.players[number])

    def leave(self, room: Room, number: int) -> Room:
        with self.hall.at_now():
            return lifecycle.leave(room_id=room.pk, player=self.hall.players[number])

    def remove(self, room: Room, number: int) -> Room:
        room = self.reload(room)
        with self.hall.at_now():
            return lifecycle.remove(
                room_id=room.pk, by=room.host, player=self.hall.players[number].pk
            )

    def ready(self, room: Room, *numbers: int) -> Room:
        with self.hall.at_now():
            for number in numbers:
                player = self.hall.players[number]
                lifecycle.set_ready(room_id=room.pk, player=player, is_ready=True)
        return self.reload(room)

    def start(self, room: Room, *captains: int) -> Room:
        room = self.reload(room)
        chosen = [self.hall.players[number].pk for number in captains]
        with self.hall.at_now():
            start.start(room_id=room.pk, by=room.host, captains=chosen)
        return self.reload(room)

    def pick(self, room: Room, by: int, number: int) -> Room:
        players = self.hall.players
        with self.hall.at_now():
            start.pick(room_id=room.pk, by=players[by], player=players[number].pk)
        return self.reload(room)

    def strike(self, room: Room, by: int, name: str) -> Room:
        with self.hall.at_now():
            start.strike(room_id=room.pk, by=self.hall.players[by], map_name=name)
        return self.reload(room)

    def reload(self, room: Room) -> Room:
        return Room.objects.select_related("ladder__game", "host").get(pk=room.pk)

    def seats(self, room: Room) -> dict[int, int]:
        """Who sits where, by number."""
        here = RoomMember.objects.filter(room=room, live=True, seat__isnull=False)
        return {
            seat or 0: self.numbers[player]
            for seat, player in here.order_by("seat").values_list("seat", "player")
        }

    def teams(self, room: Room) -> list[set[int]]:
        """The teams of the match that a room became, by number."""
        found: dict[int, set[int]] = {}
        rows = Participant.objects.filter(match=self.reload(room).match_id)
        for team, player in rows.values_list("team", "player"):
            found.setdefault(team, set()).add(self.numbers[player])
        return [found[team] for team in sorted(found)]


def make_lounge(players: int = 8, *, size: int = 1, **options: Any) -> Lounge:
    """A lounge of a ladder with two teams of `size`."""
    return Lounge(make_hall(players, team_size=size, **options))


def refusal_of(error: RefusedError) -> tuple[str, Any]:
    """Code and reason."""
    return error.code, error.extra.get("reason")


def check_rooms() -> None:
    """What holds at any moment, between any two transactions."""
    seated = Counter[int]()
    for room in Room.objects.prefetch_related("members"):
        here = [one for one in room.members.all() if one.live]
        assert bool(here) == (room.state in LIVE), "somebody is in each live room, and in no other"
        assert not here or room.host_id in {one.player_id for one in here}, "the host is in it"
        seats = [one.seat for one in here if one.seat is not None]
        assert len(seats) == len(set(seats)) <= room.seats, "no seat twice, and no room over-full"
        assert not any(one.live and one.removed for one in room.members.all())
        seated.update(one.player_id for one in here if one.seat is not None)
        assert (room.match_id is not None) == (room.state == RoomState.STARTED), "one start"
        if room.match_id is not None:
            played = Participant.objects.filter(match=room.match_id).count()
            assert played == room.seats, "nobody was lost on the way"
    assert all(times == 1 for times in seated.values()), "nobody in two rooms"
    searching = set(TicketMember.objects.filter(live=True).values_list("player", flat=True))
    assert not searching & set(seated), "nobody in a room and in a search"
