"""What a ladder's leaderboard would be if players saw another of its tracks, beside what it is.

Both are computed from the ratings as of one moment, in arrays: two queries a track, however many players there are.
"""

from dataclasses import dataclass
from datetime import datetime

import numpy as np

from foundation.postgresql.bulk import fetch_columns, real, whole
from leaderboards.boards.listing import ListingRule, age_to, judge, order_values, rule_of
from ratings.models import Player, RatingTrack, Status
from ratings.systems import Ratings
from ratings.systems.arrays import Bools, Floats, Ints

__all__ = ["BoardPreview", "ComparedTrack", "Moved", "PreviewRow", "preview_board"]

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
class ComparedTrack:
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
class PreviewRow:
    """One of the first players then; `before` and `value_before`: rank and rating as of now, None off the board.

    Of boards by the conservative rating that is the value."""

    player: Player
    rank: int
    value: float
    before: int | None
    value_before: float | None

    @property
    def movement(self) -> int | None:
        """Places gained, or lost."""
        return None if self.before is None else self.before - self.rank


@dataclass(frozen=True, slots=True)
class Moved:
    """Players who are on both boards: half of them move `median` places or fewer, none more than `most`."""

    players: int
    median: float
    most: int


@dataclass(frozen=True, slots=True)
class BoardPreview:
    """The first players then; and, where something is shown now, who moves, comes (joining) and goes (leaving)."""

    present: ComparedTrack | None
    wanted: ComparedTrack
    top: tuple[PreviewRow, ...]
    moved: Moved | None
    joining: int
    leaving: int


@dataclass(frozen=True, slots=True, eq=False)
class _Board:
    """Ratings of a track by player, in the order of their ids; `rank` of the listed ones, else 0."""

    rule: ListingRule
    player: Ints
    value: Floats
    listed: Bools
    rank: Ints
    provisional: int

    def compared(self, track: RatingTrack) -> ComparedTrack:
        new = self.rule.system.initial(1)
        return ComparedTrack(
            track=track,
            start=float(new.value[0]),
            deviation=None if new.deviation is None else float(new.deviation[0]),
            rated=len(self.player),
            provisional=self.provisional,
            listed=int(self.listed.sum()),
        )

    def ranks_of(self, players: Ints) -> tuple[Ints, Floats]:
        """Ranks and ratings of players; 0 and nan of those who are not listed."""
        rank, value = np.zeros(len(players), dtype=np.int64), np.full(len(players), np.nan)
        found = np.searchsorted(self.player, players)
        known = np.flatnonzero(found < len(self.player))
        known = known[self.player[found[known]] == players[known]]
        known = known[self.listed[found[known]]]
        rank[known], value[known] = self.rank[found[known]], self.value[found[known]]
        return rank, value


def preview_board(
    present: RatingTrack | None, wanted: RatingTrack, *, now: datetime
) -> BoardPreview:
    """Compare the board of `wanted` with that of `present`, which is shown now. Their ladder should be loaded."""
    after = _read(wanted, now)
    before = _read(present, now) if present is not None else None
    order = np.lexsort((after.player, -after.value))
    first = order[after.listed[order]][:TOP]
    players = after.player[first]
    ranks, values = np.zeros(len(first), dtype=np.int64), np.zeros(len(first))
    moved = None
    if before is not None:
        ranks, values = before.ranks_of(players)
        then, _value = after.ranks_of(before.player[before.listed])
        moves = np.abs(before.rank[before.listed] - then)[then > 0]
        if len(moves):
            median, most = float(np.median(moves)), int(moves.max())
            moved = Moved(players=len(moves), median=median, most=most)
    people = Player.objects.in_bulk(players.tolist())
    top = tuple(
        PreviewRow(
            player=people[player],
            rank=int(after.rank[index]),
            value=float(after.value[index]),
            before=rank or None,
            value_before=value if rank else None,
        )
        for index, player, rank, value in zip(
            first.tolist(), players.tolist(), ranks.tolist(), values.tolist(), strict=True
        )
    )
    return BoardPreview(
        present=before.compared(present) if before is not None and present is not None else None,
        wanted=after.compared(wanted),
        top=top,
        moved=moved,
        joining=_missing(after, before),
        leaving=_missing(before, after) if before is not None else 0,
    )


def _read(track: RatingTrack, now: datetime) -> _Board:
    found = fetch_columns(_COLUMNS, _SOURCE, {"track": track.pk})
    order = np.argsort(found["player"])
    column = {name: values[order] for name, values in found.items()}
    deviation, volatility = (
        None if np.isnan(column[name]).any() else column[name]
        for name in ("deviation", "volatility")
    )
    ratings = Ratings(column["value"], deviation, volatility, column["games"], column["counted"])
    rule, as_of = rule_of(track), column["as_of"]
    judged = judge(
        rule, ratings, as_of=as_of, last_played=column["last_played"], now=now.timestamp()
    )
    _aged, status = age_to(rule, ratings, as_of=as_of, now=now.timestamp())
    value, listed = order_values(rule, ratings), judged.listed
    # 1 + how many listed have more; 0 of those who are not listed
    rising = np.sort(value[listed])
    more = len(rising) - np.searchsorted(rising, value, side="right")
    return _Board(
        rule=rule,
        player=column["player"],
        value=value,
        listed=listed,
        rank=np.where(listed, more + 1, 0),
        provisional=int((status != Status.ESTABLISHED).sum()),
    )


def _missing(board: _Board, other: _Board | None) -> int:
    """How many are listed on one and not on the other."""
    players = board.player[board.listed]
    return len(players) if other is None else int((other.ranks_of(players)[0] == 0).sum())
