"""Rooms as other parts of the site ask of them: whether somebody has a seat, and what ends it."""

from collections.abc import Sequence
from contextlib import suppress

from django.utils.translation import gettext as _

from challenges.refusals import CannotChallengeError
from foundation.archiving import Archivable
from foundation.postgresql.transactions import briefly
from foundation.refusals import RefusedError
from ratings.merging.merge import Followed
from ratings.models import Game, Ladder, Player, Sanction, SuspendedFrom
from rooms import lifecycle
from rooms.held import hold_room, room_of
from rooms.models import Room, RoomMember
from rooms.parting import close_held
from rooms.refusals import InRoomError

__all__ = [
    "check_coming",
    "check_searching",
    "end",
    "find",
    "follow_archived",
    "follow_merge",
    "follow_sanction",
]


def check_searching(asking: int, players: Sequence[int]) -> None:
    """Raise InRoomError where one of these players, who are about to search, has a seat in a room. One query."""
    seated = RoomMember.objects.filter(player__in=players, live=True, seat__isnull=False)
    for player, room in seated.values_list("player", "room"):
        raise InRoomError(player, room, is_own=player == asking)


def check_coming(asking: int, players: Sequence[int]) -> None:
    """Refuse that these two come together for a challenge where one has a seat in a room: the other is told no more."""
    seated = RoomMember.objects.filter(player__in=players, live=True, seat__isnull=False)
    for player, room in seated.values_list("player", "room"):
        if player == asking:
            raise InRoomError(player, room)
        raise CannotChallengeError(player)


def find(player: Player) -> list[str]:
    """The player's room, in words. One query."""
    room = room_of(player.pk)
    return [_("room %(number)d") % {"number": room.pk}] if room else []


def end(player: Player) -> None:
    """Leave the room."""
    if (room := room_of(player.pk)) is not None:
        with suppress(RefusedError):  # it has ended meanwhile
            lifecycle.leave(room_id=room.pk, player=player)


def follow_sanction(sanction: Sanction) -> None:
    """Take the seat of somebody who is suspended from searching, or from everything."""
    what = sanction.suspended_from
    if sanction.lifted_at is None and what in {SuspendedFrom.SEARCHING, SuspendedFrom.ALL}:
        end(sanction.player)


def follow_archived(thing: Archivable) -> None:
    """Close the rooms of a ladder or game that was archived; one opened at the same moment is closed by the clock."""
    path = {Game: "game", Ladder: "ladder"}.get(type(thing))
    if path is None or thing.archived_at is None:
        return
    rooms = Room.objects.filter(**{path: thing.pk, "ended_at": None}).order_by("pk")
    for pk in rooms.values_list("pk", flat=True):
        with suppress(RefusedError), briefly() as now:
            close_held(hold_room(pk), now)


def follow_merge(followed: Followed) -> None:
    """Whoever was removed from a live room stays out of it as the player who now counts for both."""
    if followed.is_undone:
        return
    player, into = followed.merge.merged_id, followed.merge.into_id
    removed = RoomMember.objects.filter(player=player, removed=True, room__ended_at=None)
    RoomMember.objects.bulk_create(
        (
            RoomMember(
                room_id=one.room_id,
                player_id=into,
                live=False,
                removed=True,
                seats=one.seats,
                left_at=one.left_at,
            )
            for one in removed
        ),
        ignore_conflicts=True,
    )
