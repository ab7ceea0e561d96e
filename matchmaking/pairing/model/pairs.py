"""What a sweep found, and why."""

from dataclasses import dataclass

import numpy as np

from matchmaking.pairing.model.rules import Rules
from matchmaking.pairing.tickets import Tickets
from ratings.systems.arrays import Floats, Ints

__all__ = ["Pairs", "Reasons", "explain"]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Pairs:
    """m pairs and the tickets left over, as positions in the `Tickets` that were paired.

    first   int64 (m,), whoever of the pair has waited longer; the longest wait of all comes first
    second  int64 (m,), the other one
    gap     float64 (m,), rating points between the two
    left    int64, positions of those who wait on, who has waited longest first
    """

    first: Ints
    second: Ints
    gap: Floats
    left: Ints

    def __len__(self) -> int:
        return len(self.first)

    @property
    def share(self) -> float:
        """Share of the tickets that found a partner, 0 to 1; 1.0 where nobody waited."""
        matched = 2 * len(self)
        return matched / (matched + self.left.size) if matched + self.left.size else 1.0


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Reasons:
    """Why each pair was allowed; a row for each pair, the columns are first and second.

    gap        float64 (m,), rating points between the two, within both tolerances
    tolerance  float64 (m, 2), rating points each accepted by then
    waited     float64 (m, 2), seconds
    """

    gap: Floats
    tolerance: Floats
    waited: Floats


def explain(tickets: Tickets, rules: Rules, pairs: Pairs) -> Reasons:
    """What the record of these pairs needs: the figures they were allowed by."""
    waited = tickets.waited[np.stack((pairs.first, pairs.second), axis=1)]
    return Reasons(gap=pairs.gap, tolerance=rules.tolerances(waited), waited=waited)
