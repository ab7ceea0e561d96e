"""Reading leaderboards: pages, ranks, counts. Every function starts from what is public.

Order: rating, or conservative rating, downwards, then player id upwards. Players with equal ones share a rank and the
next rank is left out (1, 2, 2, 4); a *position* counts rows one by one. What is not public (a ladder of normal mode, a
track that is not shown) reads like a board without players. Whoever has read the board along with its track, as
`leaderboards.visibility.shown_tracks` does, gives that instead of the track, and it is not read again.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Exists, Q, Sum

from foundation import clock
from leaderboards.boards.cursors import Cursor
from leaderboards.boards.listing import rule_of
from leaderboards.boards.ranks import (
    PlayerRank,
    RowsBefore,
    find_position,
    ranks_of_player,
    rows_before,
)
from leaderboards.boards.rows import Row, build_rows
from leaderboards.models import Board, RankBucket, Standing
from leaderboards.models.standings import StandingQuerySet
from ratings.models import RatingTrack
from ratings.tracks.periods import calendar_of

__all__ = [
    "Counts",
    "Cursor",
    "Page",
    "Period",
    "Row",
    "Summary",
    "around",
    "at_rank",
    "counts",
    "page",
    "ranks_on",
    "summary",
]

SIZE = 50


@dataclass(frozen=True, slots=True)
class Page:
    """Rows in order; cursors to read on (`after=page.next`) and back (`before=page.previous`), None at an end.

    `first_rank` is the rank of the first row, None on an empty page.
    """

    rows: tuple[Row, ...] = ()
    next: Cursor | None = None
    previous: Cursor | None = None
    first_rank: int | None = None


@dataclass(frozen=True, slots=True)
class Counts:
    """How many players are rated, and why some are not listed: `total` = `listed` + `inactive` + `provisional`."""

    listed: int = 0
    total: int = 0
    inactive: int = 0
    provisional: int = 0


@dataclass(frozen=True, slots=True)
class Period:
    """A rating period, counted from 0."""

    number: int
    starts_at: datetime
    ends_at: datetime


@dataclass(frozen=True, slots=True)
class Summary:
    """How fresh a board is. `next_update` is None where each match is rated at once, and before the first match."""

    updated_at: datetime | None = None
    next_update: datetime | None = None
    last_closed: Period | None = None
    compared_to: datetime | None = None


def page(
    of: RatingTrack | Board,
    *,
    after: Cursor | None = None,
    before: Cursor | None = None,
    everyone: bool = False,
    size: int = SIZE,
) -> Page:
    """The page after a cursor, before one, or the first. `everyone` includes players that are hidden."""
    if after is not None and before is not None:
        raise ValueError("both after and before are given: give one of them, or neither")
    board = _board_of(of)
    if board is None:
        return Page()
    listing = _listing(board, everyone)
    if before is not None:
        found = list(_above(listing, before)[: size + 1])
        kept = found[:size][::-1]
        return _build(board, kept, everyone, has_previous=len(found) > size, has_next=True)
    if after is not None:
        listing = _below(listing, after)
    return _page_from(board, listing, everyone, size, has_previous=after is not None)


def at_rank(
    of: RatingTrack | Board, rank: int, *, everyone: bool = False, size: int = SIZE
) -> Page:
    """The page that begins with the row at this position, from 1; empty when the board is shorter.

    Where players share a rank the row there may have a smaller one: in 1, 2, 2, 4 position 3 has rank 2.
    """
    if rank < 1:
        raise ValueError(f"rank {rank} does not exist: must be 1 or more")
    board = _board_of(of)
    found = None if board is None else find_position(board, rank, everyone=everyone)
    if board is None or found is None:
        return Page()
    last = Cursor(found.value, found.player_id - 1)  # of nobody, but right before that row
    listing = _below(_listing(board, everyone), last)
    return _page_from(board, listing, everyone, size, before=found.before, has_previous=rank > 1)


def around(
    of: RatingTrack | Board, player_id: int, *, everyone: bool = False, size: int = SIZE
) -> Page | None:
    """The page with a player in its middle, or with the one it was merged into; None when neither is on this board, or
    it is hidden there.
    """
    board = _board_of(of)
    if board is None:
        return None
    listing = _listing(board, everyone)
    standing = listing.filter(player_id=player_id).first()
    if standing is None:  # nor has anybody who was merged into another
        standing = listing.filter(player__merged=player_id).first()
    if standing is None:
        return None
    here, half = _cursor(standing), size // 2
    above = list(_above(listing, here)[: half + 1])
    below = list(_below(listing, here)[: size - half])
    kept = [*reversed(above[:half]), standing, *below[: size - half - 1]]
    return _build(
        board,
        kept,
        everyone,
        has_previous=len(above) > half,
        has_next=len(below) > size - half - 1,
    )


def ranks_on(tracks: Iterable[RatingTrack], player_id: int) -> dict[int, PlayerRank]:
    """The player's rank on the board of each track, and how many are listed there. One query for any number."""
    public = Board.objects.public().filter(pk__in=[track.pk for track in tracks])
    return ranks_of_player(public, player_id)


def counts(of: RatingTrack | Board) -> Counts:
    """How many players there are, from sums over the buckets. One query, and one more for the board of a track."""
    board = _board_of(of)
    if board is None:
        return Counts()
    sums = RankBucket.objects.filter(track_id=board.pk).aggregate(
        of_listed=Sum("listed", default=0),
        of_all=Sum("total", default=0),
        of_inactive=Sum("inactive", default=0),
    )
    listed, total, inactive = (int(sums[name]) for name in ("of_listed", "of_all", "of_inactive"))
    return Counts(listed, total, inactive, provisional=total - listed - inactive)


def summary(of: RatingTrack | Board) -> Summary:
    """When the board was brought up to date, and when it will be next."""
    if isinstance(of, Board):
        board, track = of, of.track
    elif (found := _public_board(of)) is not None:
        board, track = found, found.track
    elif RatingTrack.objects.public().filter(pk=of.pk).exists():
        # Without a board yet, a track that may be shown has its periods all the same.
        board, track = None, of
    else:
        return Summary()
    closing = _period(track, track.closed_periods)
    return Summary(
        updated_at=board.updated_at if board else None,
        next_update=closing.ends_at if closing else None,
        last_closed=_period(track, track.closed_periods - 1),
        compared_to=board.compared_to if board else None,
    )


def _public_board(track: RatingTrack) -> Board | None:
    return Board.objects.public().select_related("track__ladder").filter(pk=track.pk).first()


def _board_of(of: RatingTrack | Board) -> Board | None:
    return of if isinstance(of, Board) else _public_board(of)


def _listing(board: Board, everyone: bool) -> StandingQuerySet:
    # Asked once, not joined: by what little may be known of so small tables, the plan would be one for a few rows.
    is_public = Exists(RatingTrack.objects.public().filter(pk=board.pk))
    standings = Standing.objects.filter(is_public, track_id=board.pk)
    shown = standings if everyone else standings.filter(listed=True)
    return shown.select_related("rating", "player").order_by("-order_value", "player_id")


def _below(listing: StandingQuerySet, cursor: Cursor) -> StandingQuerySet:
    # the first condition, though it follows from the second, is what the index can begin from
    return listing.filter(
        Q(order_value__lt=cursor.value) | Q(player_id__gt=cursor.player_id),
        order_value__lte=cursor.value,
    )


def _above(listing: StandingQuerySet, cursor: Cursor) -> StandingQuerySet:
    """The rows above, nearest first."""
    return listing.filter(
        Q(order_value__gt=cursor.value) | Q(player_id__lt=cursor.player_id),
        order_value__gte=cursor.value,
    ).order_by("order_value", "-player_id")


def _page_from(
    board: Board,
    listing: StandingQuerySet,
    everyone: bool,
    size: int,
    *,
    before: RowsBefore | None = None,
    has_previous: bool,
) -> Page:
    found = list(listing[: size + 1])
    has_next = len(found) > size
    return _build(
        board, found[:size], everyone, before, has_previous=has_previous, has_next=has_next
    )


def _build(
    board: Board,
    kept: Sequence[Standing],
    everyone: bool,
    before: RowsBefore | None = None,
    *,
    has_previous: bool,
    has_next: bool,
) -> Page:
    """A page of these rows; `before` whom it begins after, where that has been counted already."""
    if not kept:
        return Page()
    above, top = before or RowsBefore(0, 0, 0, 0), kept[0]
    if has_previous and before is None:
        above = rows_before(board, top.order_value, top.player_id, everyone=everyone)
    is_conservative = board.deviations > 0
    rule, now = rule_of(board.track), clock.now()
    rows = build_rows(kept, above, rule, now, is_conservative=is_conservative)
    return Page(
        rows=rows,
        next=_cursor(kept[-1]) if has_next else None,
        previous=_cursor(top) if has_previous else None,
        first_rank=rows[0].rank,
    )


def _cursor(standing: Standing) -> Cursor:
    return Cursor(standing.order_value, standing.player_id)


def _period(track: RatingTrack, number: int) -> Period | None:
    """Period `number` of a track that has periods and has begun."""
    calendar = calendar_of(track)
    if calendar is None or number < 0:
        return None
    return Period(number, calendar.starts_at(number), calendar.ends_at(number))
