"""Keeping standings up with ratings, rules and time. Whatever is due is decided by rows, under the board's lock.

Everything here is correct when run never, once, twice or twice at once: it brings a board to what its ratings say.
"""

from collections.abc import Sequence

import structlog
from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Greatest

from events.kinds import Kind
from events.live import broadcast
from events.models import Event
from foundation import clock
from foundation.postgresql.connections import is_database_away
from foundation.postgresql.lease import hold_firmly
from foundation.postgresql.locks import Lock, try_hold
from foundation.timekeeping import AHEAD, closing_time
from leaderboards.boards.listing import bucket_width_of, rule_by
from leaderboards.boards.write import (
    DAILY,
    apply_ratings,
    compare,
    compare_by_ledger,
    hide_due,
    is_comparison_due,
)
from leaderboards.models import Board, RankBucket, Standing
from ratings.models import Ladder, ParameterVersion, RatingTrack, TrackState
from ratings.models.tracks import has_board, public_when_shown
from ratings.tracks.parameters import current_version

__all__ = ["broadcast_board", "flip_due", "follow", "prepare", "refresh", "refresh_due", "relist"]

log = structlog.get_logger(__name__)

BATCH = 10_000


def follow(events: Sequence[Event]) -> None:
    """Refresh the boards of the tracks that these events tell of, and of those that they replaced.

    Where another track is shown now, open pages learn of it: its board was complete before.
    """
    tracks = {event.payload.get(name) for event in events for name in ("track", "replaced")}
    for track_id in sorted(int(pk) for pk in tracks if pk is not None):
        _refresh_alone(track_id)
    if switched := {event.payload["ladder"] for event in events if event.payload.get("shown")}:
        boards = Board.objects.public().filter(track__ladder__in=switched)
        for board in boards.select_related("track__ladder"):
            broadcast_board(board.track.ladder)


@transaction.atomic
def refresh(track_id: int) -> int:
    """Bring the board of a track up to what its ratings and its rules say; returns how many standings that took.

    A track that is not public, rates maps or characters apart, or is gone, has no board: one that it had is taken
    away. The board of a track that will be shown is left alone: see `prepare`.
    """
    hold_firmly(Lock.BOARD, track_id)
    track = _tracks().filter(pk=track_id).first()
    if track is None or not (track.has_board or _will_be_public(track)):
        Standing.objects.filter(track_id=track_id).delete()
        RankBucket.objects.filter(track_id=track_id).delete()
        Board.objects.filter(pk=track_id).delete()
        return 0
    return _bring_up(track) if track.has_board else 0


@transaction.atomic
def prepare(track_id: int) -> int:
    """Bring up the board of a track that will be shown, so that it is there when the track takes its place."""
    hold_firmly(Lock.BOARD, track_id)
    track = _tracks().filter(pk=track_id).first()
    return _bring_up(track) if track is not None and _will_be_public(track) else 0


@transaction.atomic
def relist(track_id: int) -> int:
    """Decide anew for every player of a track who is listed; returns how many there are."""
    hold_firmly(Lock.BOARD, track_id)
    Board.objects.filter(pk=track_id).update(rule_version=0)
    return refresh(track_id)


def refresh_due() -> int:
    """Refresh every board that is behind its ratings, its rules or its comparison, however that came about."""
    return sum(_refresh_alone(track_id) for track_id in _due_tracks())


def flip_due() -> int:
    """Hide the players whose time on a leaderboard is over; returns how many.

    A board that another task refreshes is left to it. Nobody's time ends by a clock that jumped.
    """
    now = closing_time()
    due = Standing.objects.filter(track_id=OuterRef("pk"), listed_until__lte=now)
    boards = Board.objects.filter(Exists(due)).order_by("pk")
    hidden = 0
    for track_id in boards.values_list("pk", flat=True):
        while batch := _flip_batch(track_id):
            hidden += batch
    return hidden


def _tracks() -> QuerySet[RatingTrack]:
    return RatingTrack.objects.select_related("ladder", "replaces")


def _will_be_public(track: RatingTrack) -> bool:
    """Whether the track is asked for, or a replay, that will take the place of a public one."""
    replaced = track.replaces if track.state == TrackState.REPLAY else None
    is_next = track.shown_next or (replaced is not None and replaced.shown)
    return is_next and track.is_public_when_shown


def _refresh_alone(track_id: int) -> int:
    """Refresh one board; what is wrong with it is logged and does not hold up the others."""
    try:
        return refresh(track_id)
    except Exception as error:
        if is_database_away(error):  # no other board fares better
            raise
        log.exception("board.failed", track=track_id)
        return 0


def _bring_up(track: RatingTrack) -> int:
    now, version = clock.now(), current_version(track)
    rule = rule_by(track, version)
    board, is_new = Board.objects.get_or_create(
        track=track, defaults={"bucket_width": bucket_width_of(rule.system)}
    )
    is_due = is_new or is_comparison_due(board, track, now)
    judged_at = closing_time()
    # The rule by which players are listed, and what the board was brought up with last.
    in_force = {
        "rule_version": version.number,
        "rule_inactive_after_days": track.ladder.inactive_after_days,
        "rule_lists_provisional": track.ladder.lists_provisional,
        "rule_board_by": track.board_by,
    }
    is_other_rule = any(getattr(board, name) != value for name, value in in_force.items())
    # Players were hidden by a time that has not come where the clock ran ahead.
    is_ahead = board.judged_to is not None and board.judged_to > judged_at + AHEAD
    is_behind = is_new or is_other_rule or is_ahead
    if not (is_due or is_behind or track.revision > board.revision):
        return 0
    # An empty board has been compared with nothing: the first ratings on it are compared once they are written.
    is_first = is_new or not Standing.objects.filter(track=track).exists()
    # What it was in another order says nothing of who has moved.
    is_reordered = board.rule_board_by != track.board_by
    is_due = is_due or is_first or is_reordered
    is_jump = is_first or is_reordered or track.closed_periods > board.compared_period + 1
    if is_due and not is_jump:
        compare(board, track, now)
    since = -1 if is_behind else board.revision
    written = apply_ratings(board, rule, since=since, upto=track.revision, now=judged_at)
    if is_due and is_jump:
        if track.closed_periods:
            compare_by_ledger(board, rule, track, now)
        else:
            compare(board, track, now)
    noted = {"revision": track.revision, "updated_at": clock.now(), "judged_to": judged_at}
    for name, value in {**noted, **in_force}.items():
        setattr(board, name, value)
    board.save()
    broadcast_board(track.ladder)
    log.info("board.refreshed", track=track.pk, revision=track.revision, standings=written)
    return written


def broadcast_board(ladder: Ladder) -> None:
    """Let open pages know that the ladder's board is another."""
    topics = [f"ladder:{ladder.pk}", f"game:{ladder.game_id}", "site"]
    broadcast(topics, Kind.STANDINGS_UPDATED, ladder=ladder.pk)


def _due_tracks() -> list[int]:
    """Tracks whose board is not what it should be. One query."""
    newest = ParameterVersion.objects.filter(track=OuterRef("pk")).order_by("-number")
    is_next = Q(shown_next=True) | Q(state=TrackState.REPLAY, replaces__shown=True)
    will_be = public_when_shown() & is_next
    is_compared_daily = Q(
        period_days__isnull=True,
        board__compared_to__lte=clock.now() - DAILY,
        board__updated_at__gt=F("board__compared_to"),
    )
    is_behind = (
        Q(board__isnull=True, revision__gt=0)
        | Q(board__revision__lt=F("revision"))
        | Q(board__compared_period__lt=F("closed_periods"))
        | ~Q(board__rule_version=F("newest"))
        | ~Q(board__rule_inactive_after_days=F("ladder__inactive_after_days"))
        | ~Q(board__rule_lists_provisional=F("ladder__lists_provisional"))
        | ~Q(board__rule_board_by=F("board_by"))
        | Q(board__judged_to__gt=closing_time() + AHEAD)
        | is_compared_daily
    )
    tracks = RatingTrack.objects.annotate(newest=Subquery(newest.values("number")[:1]))
    ours = tracks.filter(newest__isnull=False)
    is_left_over = ~has_board() & ~will_be & Q(board__isnull=False)
    due = ours.filter((has_board() & is_behind) | is_left_over)
    return list(due.order_by("pk").values_list("pk", flat=True))


@transaction.atomic
def _flip_batch(track_id: int) -> int:
    """Hide one batch; 0 when there is none, or another process is at the board."""
    if not try_hold(Lock.BOARD, track_id):
        return 0
    board = Board.objects.filter(pk=track_id).first()
    if board is None:
        return 0
    now = closing_time()
    Board.objects.filter(pk=track_id).update(judged_to=Greatest("judged_to", now))
    return hide_due(board, now=now, most=BATCH)
