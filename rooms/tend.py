"""What the clock does in rooms: turns that are over, seats of players who have gone silent, rooms in which nobody does
anything any more, and members whose match has begun elsewhere.
"""

from collections import defaultdict
from contextlib import suppress
from datetime import timedelta

from foundation import clock, timekeeping
from foundation.postgresql.transactions import briefly
from foundation.refusals import RefusedError
from matchmaking.playing import playing_of
from ratings.models import Game
from rooms.held import hold_room
from rooms.models import Room, RoomMember
from rooms.parting import close_held, part
from rooms.places import lobby_of
from rooms.start import take_turn, turn_is_over

__all__ = ["beat", "tend_rooms"]

_MOST = 200  # of each kind in one go


def tend_rooms() -> int:
    """Do what is due in all rooms; returns how often something was."""
    done = 0
    over = timekeeping.deadlines().are_over(began="turn_began_at", ends="turn_ends_at")
    turns = Room.objects.filter(over, ended_at=None).order_by("turn_ends_at")
    for pk in turns.values_list("pk", flat=True)[:_MOST]:
        done += _end_turn(pk)
    live = Room.objects.filter(ended_at=None)
    for game in live.order_by("game").values_list("game", flat=True).distinct():
        done += _tend_game(game)
    return done


def beat(player_id: int) -> None:
    """Note a sign of life of a player in a room: pages and games give one while they look."""
    RoomMember.objects.filter(player=player_id, live=True).update(seen_at=clock.now())


def _tend_game(game_id: int) -> int:
    lobby = lobby_of(game_id)
    live = Room.objects.filter(game=game_id, ended_at=None)
    if Game.objects.in_use().filter(pk=game_id).exists():
        unused = live.filter(ladder__archived_at__isnull=False)
        idle = live.filter(_silent("active_at", timedelta(minutes=lobby.idle_minutes)))
        due = unused | idle
    else:
        due = live
    done = 0
    for pk in due.values_list("pk", flat=True)[:_MOST]:
        done += _close_idle(pk, lobby.idle_minutes)
    here = RoomMember.objects.filter(room__game=game_id, live=True)
    silent = here.filter(_silent("seen_at", timedelta(seconds=lobby.silent_seconds)))
    playing = here.filter(seat__isnull=False, player__participations__playing=True)
    gone: defaultdict[int, set[int]] = defaultdict(set)
    for room, player in [
        *silent.values_list("room", "player")[:_MOST],
        *playing.values_list("room", "player")[:_MOST],
    ]:
        gone[room].add(player)
    for room, players in sorted(gone.items()):
        done += _free_seats(room, players, timedelta(seconds=lobby.silent_seconds))
    return done


def _silent(column: str, after: timedelta) -> object:
    return timekeeping.deadlines().have_been_silent(since=column, after=after)


def _end_turn(pk: int) -> bool:
    with suppress(RefusedError), briefly() as now:
        held = hold_room(pk)
        if turn_is_over(held, now):
            take_turn(held, now)
            return True
    return False


def _close_idle(pk: int, minutes: int) -> bool:
    """Close a room in which nothing has happened still, or whose ladder or game is out of use."""
    time = timekeeping.deadlines()
    with suppress(RefusedError), briefly() as now:
        held = hold_room(pk)
        active_at = held.room.active_at
        is_idle = time.is_over(began=active_at, ends=active_at + timedelta(minutes=minutes))
        if held.room.ladder.is_archived or is_idle:
            close_held(held, now)
            return True
    return False


def _free_seats(pk: int, players: set[int], after: timedelta) -> bool:
    """Take out those who are silent still, or play elsewhere."""
    time = timekeeping.deadlines()
    with suppress(RefusedError), briefly() as now:
        held = hold_room(pk)
        playing = playing_of(players)
        gone = {
            one.player_id
            for one in held.members
            if one.player_id in players
            and (
                time.is_over(began=one.seen_at, ends=one.seen_at + after)
                or (one.seat is not None and one.player_id in playing)
            )
        }
        if gone:
            part(held, gone, now)
            return True
    return False
