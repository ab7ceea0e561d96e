"""What a ladder's leaderboard would be if players saw another of its tracks, beside what it is.

Both are computed from the ratings as of one moment, in arrays: two queries a track, however many players there are.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

import numpy as np

from foundation.bulk import fetch_columns, real, whole
from leaderboards.boards.listing import Rule, age_to, judge
from leaderboards.boards.listing_rule import rule_of
from ratings.models import Player, RatingTrack, Status
from ratings.systems import Ratings
from ratings.systems.arrays import Bools, Floats, Ints

__all__ = ["Line", "Moved", "Outlook", "Side", "foresee"]

TOP = 10
_COLUMNS = {
    "player": whole("rating.player_id"),
    "value": real("rating.value"),
    "deviation": real("coalesce(rating.deviation, 'NaN')"),
    "volatility": real("coalesce(rating.volatility, 'NaN')"),
    "games": whole("rating.games"),
    "counted": whole("rating.counted"),
    "as_of": real("extract(epoch FROM rating.as_of)::float8"),
    "last_played": real("extract(epoch FROM rating.last_played_at)::float8"),
}
_SOURCE = "ratings_rating AS rating WHERE rating.track_id = %(track)s"


@dataclass(frozen=True, slots=True)
class Side:
    """One of the tracks: what newcomers begin with, how many players it has rated, and how sure it is of them.

    deviation    of newcomers; None where the system has none
    provisional  of the rated players, those who are not established as of now
    listed       on the leaderboard
    """

    track: RatingTrack
    start: float
    deviation: float | None
    rated: int
    provisional: int
    listed: int


@dataclass(frozen=True, slots=True)
class Line:
    """One of the first players then; `before` and `value_before`: place and rating as of now, None off the board."""

    player: Player
    rank: int
    value: float
    before: int | None
    value_before: float | None

    @property
    def places(self) -> int | None:
        """Places gained, or lost."""
        return None if self.before is None else self.before - self.rank


@dataclass(frozen=True, slots=True)
class Moved:
    """Players who are on both boards: half of them move `median` places or fewer, none more than `most`."""

    players: int
    median: float
    most: int


@dataclass(frozen=True, slots=True)
class Outlook:
    """The first players then; and, where something is shown now, who moves, comes (joining) and goes (leaving)."""

    present: Side | None
    wanted: Side
    top: tuple[Line, ...]
    moved: Moved | None
    joining: int
    leaving: int


@dataclass(frozen=True, slots=True, eq=False)
class _Board:
    """Ratings of a track by player, in the order of their ids; `rank` of the listed ones, else 0."""

    rule: Rule
    player: Ints
    value: Floats
    listed: Bools
    rank: Ints
    provisional: int

    def side(self, track: RatingTrack) -> Side:
        new = self.rule.system.initial(1)
        return Side(
            track=track,
            start=float(new.value[0]),
            deviation=None if new.deviation is None else float(new.deviation[0]),
            rated=len(self.player),
            provisional=self.provisional,
            listed=int(self.listed.sum()),
        )

    def places_of(self, players: Ints) -> tuple[Ints, Floats]:
        """Ranks and ratings of players; 0 and nan of those who are not listed."""
        rank, value = np.zeros(len(players), dtype=np.int64), np.full(len(players), np.nan)
        found = np.searchsorted(self.player, players)
        known = np.flatnonzero(found < len(self.player))
        known = known[self.player[found[known]] == players[known]]
        known = known[self.listed[found[known]]]
        rank[known], value[known] = self.rank[found[known]], self.value[found[known]]
        return rank, value


def foresee(present: RatingTrack | None, wanted: RatingTrack, *, now: datetime) -> Outlook:
    """Compare the board of `wanted` with that of `present`, which is shown now. Their ladder should be loaded."""
    after = _read(wanted, now)
    before = _read(present, now) if present is not None else None
    order = np.lexsort((after.player, -after.value))
    first = order[after.listed[order]][:TOP]
    return Outlook(
        present=before.side(present) if before is not None and present is not None else None,
        wanted=after.side(wanted),
        top=tuple(_lines(after, before, first)),
        moved=_moved(before, after) if before is not None else None,
        joining=_missing(after, before),
        leaving=_missing(before, after) if before is not None else 0,
    )


def _read(track: RatingTrack, now: datetime) -> _Board:
    found = fetch_columns(_COLUMNS, _SOURCE, {"track": track.pk})
    order = np.argsort(found["player"])
    column = {name: values[order] for name, values in found.items()}
    has = {name: not np.isnan(column[name]).any() for name in ("deviation", "volatility")}
    ratings = Ratings(
        column["value"],
        column["deviation"] if has["deviation"] else None,
        column["volatility"] if has["volatility"] else None,
        column["games"],
        column["counted"],
    )
    rule, as_of = rule_of(track), column["as_of"]
    judged = judge(
        rule, ratings, as_of=as_of, last_played=column["last_played"], now=now.timestamp()
    )
    _aged, status = age_to(rule, ratings, as_of=as_of, now=now.timestamp())
    return _Board(
        rule=rule,
        player=column["player"],
        value=column["value"],
        listed=judged.listed,
        rank=_ranks(column["value"], judged.listed),
        provisional=int((status != Status.ESTABLISHED).sum()),
    )


def _ranks(value: Floats, listed: Bools) -> Ints:
    """1 + how many listed have more; 0 of those who are not listed."""
    rising = np.sort(value[listed])
    more = len(rising) - np.searchsorted(rising, value, side="right")
    return np.where(listed, more + 1, 0)


def _lines(after: _Board, before: _Board | None, first: Ints) -> Iterable[Line]:
    players = after.player[first]
    nowhere = np.zeros(len(first), dtype=np.int64), np.zeros(len(first))
    ranks, values = before.places_of(players) if before is not None else nowhere
    people = Player.objects.in_bulk(players.tolist())
    for place, player, rank, value in zip(
        first.tolist(), players.tolist(), ranks.tolist(), values.tolist(), strict=True
    ):
        yield Line(
            player=people[player],
            rank=int(after.rank[place]),
            value=float(after.value[place]),
            before=rank or None,
            value_before=value if rank else None,
        )


def _moved(before: _Board, after: _Board) -> Moved | None:
    """None where nobody is on both."""
    players = before.player[before.listed]
    then, _value = after.places_of(players)
    moved = np.abs(before.rank[before.listed] - then)[then > 0]
    if not len(moved):
        return None
    return Moved(players=len(moved), median=float(np.median(moved)), most=int(moved.max()))


def _missing(board: _Board, other: _Board | None) -> int:
    """How many are listed on one and not on the other."""
    players = board.player[board.listed]
    return len(players) if other is None else int((other.places_of(players)[0] == 0).sum())
