"""Leaving a room, whoever's doing it is, and its end."""

from collections.abc import Collection
from datetime import datetime

from events.kinds import Kind
from rooms.held import HeldRoom
from rooms.models import RoomMember, RoomState
from rooms.told import end_turns

__all__ = ["TURN", "close_held", "part", "reopen"]

TURN = ("turn_began_at", "turn_ends_at")


def part(
    held: HeldRoom,
    gone: Collection[int],
    now: datetime,
    kind: Kind = Kind.ROOM_LEFT,
    *,
    removed: bool = False,
) -> None:
    """Take players out. The room is open again where it was starting, somebody else is host where the host is gone,
    and it closes with the last one.
    """
    room = held.room
    rows = RoomMember.objects.filter(room=room, player__in=gone, live=True)
    rows.update(live=False, left_at=now, removed=removed, is_ready=False)
    sat = any(one.player_id in gone and one.seat is not None for one in held.members)
    held.members = [one for one in held.members if one.player_id not in gone]
    if not held.members:
        close_held(held, now, gone)
        return
    if sat:
        held.nobody_is_ready()  # that was for playing with those who have gone
    columns: list[str] = []
    if sat and room.state != RoomState.OPEN:
        columns += reopen(held, gone)
    if room.host_id in gone:
        seated = [one for one in held.members if one.seat is not None]
        room.host_id = (seated or held.members)[0].player_id
        columns.append("host")
    held.save(now, *columns)
    held.tell(kind, gone)


def close_held(held: HeldRoom, now: datetime, others: Collection[int] = ()) -> None:
    """Close a room: everybody is out of it. `others`: who have just left, and are told as well."""
    room, everyone = held.room, [*held.players, *others]
    RoomMember.objects.filter(room=room, live=True).update(live=False, left_at=now)
    room.state = RoomState.CLOSED
    # This transaction may have begun before the one that opened the room.
    room.ended_at = max(now, room.created_at)
    room.turn_began_at = room.turn_ends_at = None
    held.members = []
    end_turns(room, everyone)
    held.save(now, "state", "ended_at", *TURN)
    held.tell(Kind.ROOM_CLOSED, everyone)


def reopen(held: HeldRoom, gone: Collection[int] = ()) -> list[str]:
    """Let a room be open again, without what was picked and struck out; the columns that changed. `gone`: who have just
    left it.
    """
    room = held.room
    end_turns(room, [*held.players, *gone])
    room.state, room.struck = RoomState.OPEN, []
    room.turn_began_at = room.turn_ends_at = None
    for one in held.members:
        one.team = one.picked = None
    RoomMember.objects.filter(room=room).exclude(team=None).update(team=None, picked=None)
    return ["state", "struck", *TURN]
