"""What a run is about to write.

Rows of the ledger are columns, named as in RatingChange: `player` is an id, `cause` a match's id or a period's number;
moments are int64 microseconds since 2000.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ratings.runs.load import Matches
from ratings.runs.state import State
from ratings.systems import Changes, Ratings
from ratings.systems.arrays import Ints

__all__ = ["Ledger", "Outcome", "PeriodRow", "join", "match_rows", "period_rows"]

Ledger: TypeAlias = dict[str, NDArray[Any]]


@dataclass(frozen=True, slots=True)
class PeriodRow:
    """A closed period in which matches counted."""

    number: int
    version_id: int
    first_seq: int
    last_seq: int
    games: int
    players: int
    new_players: int
    mean: float
    spread: float


@dataclass(frozen=True, slots=True)
class Outcome:
    """Ratings, ledger and position after a chunk.

    ledger  columns of one length, named as in RatingChange; `cause` is a match's id or a period's number,
            `player` an id, moments are int64 microseconds since 2000
    """

    matches: int
    state: State
    ledger: Mapping[str, NDArray[Any]]
    periods: tuple[PeriodRow, ...]
    rated_seq: int
    closed_periods: int
    pool_grown_from: int | None

    @property
    def players(self) -> int:
        """How many ratings the chunk changed."""
        return int(self.state.touched.sum())


def period_rows(
    players: Ints, number: int, at: int, before: Ratings, after: Ratings, changes: Changes
) -> Ledger:
    """One row a player: sums of expected and actual score, the mean weight of a game."""
    n = len(players)
    games = after.games - before.games
    status = np.zeros(n, dtype=np.int16)
    status[changes.player] = changes.status_before  # the same in all of a player's rows
    rows: Ledger = {
        "player": players,
        "cause": np.full(n, number, dtype=np.int64),
        "at": np.full(n, at, dtype=np.int64),
        "games": games.astype(np.int32),
        "expected": np.bincount(changes.player, changes.expected, n),
        "actual": np.bincount(changes.player, changes.actual, n),
        "weight": np.bincount(changes.player, changes.weight, n) / games,
        "value_before": before.value,
        "value_after": after.value,
        "status_before": status,
    }
    for name in ("deviation", "volatility"):
        if (old := getattr(before, name)) is not None:
            rows |= {f"{name}_before": old, f"{name}_after": getattr(after, name)}
    if changes.worth is not None:
        rows["worth"] = np.zeros(n)
        rows["worth"][changes.player] = changes.worth  # the same in all of a player's rows
    return rows


def match_rows(players: Ints, matches: Matches, changes: Changes) -> Ledger:
    """One row for each player of each match, in the sequence."""
    rows: Ledger = {
        "player": players[changes.player],
        "cause": matches.id[changes.game],
        "at": matches.counts_at[changes.game],
        "games": np.ones(len(changes), dtype=np.int32),
        "expected": changes.expected,
        "actual": changes.actual,
        "weight": changes.weight,
        "value_before": changes.value_before,
        "value_after": changes.value_after,
        "status_before": changes.status_before.astype(np.int16),
    }
    if changes.deviation_before is not None and changes.deviation_after is not None:
        rows["deviation_before"] = changes.deviation_before
        rows["deviation_after"] = changes.deviation_after
    return rows


def join(parts: list[Ledger]) -> Ledger:
    """Put rows of several events one after the other."""
    if not parts:
        return {}
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
