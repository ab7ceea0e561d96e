"""Tickets made for tests, and Hypothesis strategies for them."""

from collections.abc import Sequence

import numpy as np
from hypothesis import strategies as st
from numpy.typing import ArrayLike

from matchmaking.pairing import Pairs, Plan, Rules, Tickets
from matchmaking.pairing.conditions import RatingGap
from matchmaking.pairing.settings import Settings
from matchmaking.pairing.strategies.filters import pair_by

__all__ = ["QUEUES", "RULES", "by_rating", "pair_by_rating", "reorder", "waiting"]


def waiting(ratings: ArrayLike, waited: ArrayLike | None = None) -> Tickets:
    """Tickets 10, 11, … of players 100, 101, … with these ratings; nobody has waited unless said."""
    n = np.size(ratings)
    return Tickets(
        id=10 + np.arange(n),
        player=100 + np.arange(n),
        rating=np.array(ratings, dtype=np.float64),
        deviation=np.full(n, np.nan),
        waited=np.array(np.zeros(n) if waited is None else waited, dtype=np.float64),
    )


def reorder(tickets: Tickets, order: Sequence[int]) -> Tickets:
    """The same tickets in another order."""
    columns = ("id", "player", "rating", "deviation", "waited")
    return Tickets(**{name: getattr(tickets, name)[list(order)] for name in columns})


def by_rating(rules: Rules) -> Plan:
    """A queue that asks for nothing but ratings, and is never paired exactly."""
    sections = ("language", "region", "style", "rules", "rematch", "avoided", "conduct")
    off: dict[str, dict[str, object]] = {name: {"use": "off"} for name in sections}
    settings = Settings.build("filters", {**off, "exchange": {"exact_up_to": 0}})
    return Plan(rules=rules, settings=settings)


def pair_by_rating(tickets: Tickets, rules: Rules) -> Pairs:
    """The pairs that filters find in such a queue."""
    return pair_by(tickets, (RatingGap.of(by_rating(rules)),))


# Few values, so that ratings and waits are often equal, and any values, so that sums are rounded.
_RATINGS = st.integers(0, 12).map(lambda step: 1000 + 50.0 * step) | st.floats(900, 1700)
_WAITS = st.integers(0, 6).map(lambda step: 20.0 * step) | st.floats(0, 120)


@st.composite
def _queues(draw: st.DrawFn, *, largest: int) -> Tickets:
    rows = draw(st.lists(st.tuples(_RATINGS, _WAITS), max_size=largest))
    tickets = waiting([rating for rating, _ in rows], [waited for _, waited in rows])
    return reorder(tickets, draw(st.permutations(range(len(rows)))))


def QUEUES(*, largest: int = 40) -> st.SearchStrategy[Tickets]:  # noqa: N802
    """Queues of up to `largest` tickets."""
    return _queues(largest=largest)


@st.composite
def _rules(draw: st.DrawFn) -> Rules:
    start = draw(st.sampled_from([0.0, 10.0, 50.0, 100.0]) | st.floats(0, 200))
    per_second = draw(st.sampled_from([0.0, 0.5, 1.0, 5.0]) | st.floats(0, 10))
    above = draw(st.none() | st.floats(0, 400))
    return Rules(
        gap_start=start, gap_per_second=per_second, gap_cap=None if above is None else start + above
    )


RULES = _rules()
