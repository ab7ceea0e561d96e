"""In which rooms players are, for those to whom they show it."""

from collections import defaultdict
from collections.abc import Collection, Mapping

from people.presence import At, Doing
from rooms.models import RoomMember, RoomState

__all__ = ["rooms_of"]


def rooms_of(player_ids: Collection[int]) -> Mapping[int, list[Doing]]:
    """The live rooms of players, by player; the address of those that others may look into. One query."""
    found: defaultdict[int, list[Doing]] = defaultdict(list)
    here = RoomMember.objects.filter(player__in=player_ids, live=True).select_related("room")
    for one in here:
        room = one.room
        address = room.get_absolute_url() if room.state == RoomState.OPEN else ""
        found[one.player_id].append(Doing(At.ROOM, room.name, address, room.pk, one.joined_at))
    return found
