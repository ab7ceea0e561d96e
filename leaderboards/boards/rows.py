"""Rows of a leaderboard: standings with everything a page shows of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

import numpy as np

from leaderboards.boards.listing import ListingRule, age_to, to_arrays
from leaderboards.boards.ranks import RowsBefore
from leaderboards.models import Standing
from ratings.models import Status
from ratings.models.ratings import share_of_games

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
    clan_tag: str
    value: float
    deviation: float | None
    conservative: float | None  # what the board is ordered by; None: by the rating
    rated_deviation: (
        float | None
    )  # as of the last match or period, of which the conservative rating is made
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
        return share_of_games(self.wins, self.games)

    @property
    def pk(self) -> int:
        """The player's number."""
        return self.player_id

    @property
    def leave_share(self) -> float | None:
        """Games left early."""
        return share_of_games(self.leaves, self.games)


def build_rows(
    standings: Sequence[Standing],
    above: RowsBefore,
    rule: ListingRule,
    now: datetime,
    *,
    is_conservative: bool,
) -> tuple[Row, ...]:
    """Rows of standings that follow each other, with rating and player loaded; `above`: what comes before the first.

    `is_conservative`: they are in the order of conservative ratings.
    """
    if not standings:
        return ()
    ratings = [standing.rating for standing in standings]
    seconds = np.array([rating.as_of.timestamp() for rating in ratings])
    stored = ((it.value, it.deviation, it.volatility, it.games, it.counted) for it in ratings)
    arrays = to_arrays(*zip(*stored, strict=True))
    aged, statuses = age_to(rule, arrays, as_of=seconds, now=now.timestamp())
    deviations = [None] * len(aged) if aged.deviation is None else aged.deviation.tolist()
    plays_since = now - timedelta(days=rule.inactive_after_days)
    # The rank of a row is 1 + how many have more points: of all rows, and of the listed ones.
    ahead, listed_ahead = above.ahead, above.listed_ahead
    better, listed_better = above.better, above.listed_better
    value, rows = standings[0].order_value, []
    for standing, deviation, status in zip(standings, deviations, statuses.tolist(), strict=True):
        if standing.order_value != value:
            value, better, listed_better = standing.order_value, ahead, listed_ahead
        ahead += 1
        listed_ahead += standing.listed
        rating, player = standing.rating, standing.player
        before = standing.previous_rank if standing.listed else None
        then = standing.previous_value
        rows.append(
            Row(
                rank=better + 1,
                movement=None if before is None else before - (listed_better + 1),
                player_id=standing.player_id,
                name=player.name,
                looks_alike=player.looks_alike,
                clan_tag=player.clan_tag,
                value=rating.value if is_conservative else standing.order_value,
                deviation=deviation,
                conservative=standing.order_value if is_conservative else None,
                rated_deviation=rating.deviation,
                points=None if then is None else standing.order_value - then,
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
        )
    return tuple(rows)
