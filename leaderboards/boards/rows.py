"""Rows of a leaderboard: standings with everything a page shows of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

import numpy as np

from leaderboards.boards.listing import Rule, age_to
from leaderboards.boards.places import Place
from leaderboards.models import Standing
from ratings.models import Rating, Status
from ratings.systems import Ratings
from ratings.systems.arrays import Floats

__all__ = ["Row", "build_rows"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One player on a page. Shares are from 0 to 1, None without a game; the deviation is as of now.

    Players with equal ratings share a rank, and the next rank is left out: 1, 2, 2, 4.
    """

    rank: int
    movement: (
        int | None
    )  # places gained since the last comparison; None: not listed then, or not now
    player_id: int
    name: str
    looks_alike: bool
    value: float
    deviation: float | None
    points: float | None  # won or lost since the last comparison; None: not rated then
    games: int
    wins: int
    draws: int
    losses: int
    leaves: int
    last_played_at: datetime
    status: Status
    listed: bool
    inactive: bool

    @property
    def provisional(self) -> bool:
        """Whether the rating carries the mark of an uncertain one."""
        return self.status != Status.ESTABLISHED

    @property
    def is_new(self) -> bool:
        """Whether the player is listed now and was not when the board was compared last."""
        return self.listed and self.movement is None

    @property
    def win_share(self) -> float | None:
        """Games won."""
        return self.wins / self.games if self.games else None

    @property
    def pk(self) -> int:
        """The player's number."""
        return self.player_id

    @property
    def leave_share(self) -> float | None:
        """Games left early."""
        return self.leaves / self.games if self.games else None


def build_rows(
    standings: Sequence[Standing], first: Place, rule: Rule, now: datetime
) -> tuple[Row, ...]:
    """Rows of standings that follow each other, with rating and player loaded; `first` is the first one's place."""
    if not standings:
        return ()
    ratings = [standing.rating for standing in standings]
    aged, status = age_to(rule, to_arrays(ratings), as_of=_seconds(ratings), now=now.timestamp())
    plays_since = now - timedelta(days=rule.inactive_after_days)
    deviations = [None] * len(aged) if aged.deviation is None else aged.deviation.tolist()
    ranks = _ranks(standings, first)
    return tuple(
        _row(*columns, plays_since)
        for columns in zip(standings, ranks, deviations, status.tolist(), strict=True)
    )


def to_arrays(ratings: Sequence[Rating]) -> Ratings:
    """Stored ratings as arrays for the core."""
    return Ratings(
        value=np.array([rating.value for rating in ratings]),
        deviation=_optional([rating.deviation for rating in ratings]),
        volatility=_optional([rating.volatility for rating in ratings]),
        games=np.array([rating.games for rating in ratings], dtype=np.int64),
        counted=np.array([rating.counted for rating in ratings], dtype=np.int64),
    )


def _row(
    standing: Standing,
    ranks: tuple[int, int],
    deviation: float | None,
    status: int,
    plays_since: datetime,
) -> Row:
    rating, (rank, listed_rank) = standing.rating, ranks
    before = standing.previous_rank if standing.listed else None
    return Row(
        rank=rank,
        movement=None if before is None else before - listed_rank,
        player_id=standing.player_id,
        name=standing.player.name,
        looks_alike=standing.player.looks_alike,
        value=standing.order_value,
        deviation=deviation,
        points=_points(standing),
        games=rating.games,
        wins=rating.wins,
        draws=rating.draws,
        losses=rating.losses,
        leaves=rating.leaves,
        last_played_at=rating.last_played_at,
        status=Status(status),
        listed=standing.listed,
        inactive=rating.last_played_at <= plays_since,
    )


def _ranks(standings: Sequence[Standing], first: Place) -> list[tuple[int, int]]:
    """Rank of each row among the rows of its board, and among the listed ones: 1 + how many have more points."""
    ranks, ahead, listed_ahead = [], first.ahead, first.listed_ahead
    better, listed_better = first.better, first.listed_better
    value = standings[0].order_value
    for standing in standings:
        if standing.order_value != value:
            value, better, listed_better = standing.order_value, ahead, listed_ahead
        ranks.append((better + 1, listed_better + 1))
        ahead += 1
        listed_ahead += standing.listed
    return ranks


def _points(standing: Standing) -> float | None:
    before = standing.previous_value
    return None if before is None else standing.order_value - before


def _seconds(ratings: Sequence[Rating]) -> Floats:
    return np.array([rating.as_of.timestamp() for rating in ratings])


def _optional(column: list[float | None]) -> Floats | None:
    return None if None in column else np.array(column, dtype=np.float64)
