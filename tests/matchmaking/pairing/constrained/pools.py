"""Pools made for tests: tickets with traits, conditions of all kinds, and Hypothesis strategies."""

from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from hypothesis import strategies as st

from matchmaking.pairing import Rules, Tickets
from matchmaking.pairing.arrivals import ArrivalRates
from matchmaking.pairing.condition import Condition, Use, Widening
from matchmaking.pairing.plan import Plan
from matchmaking.pairing.settings import Settings
from matchmaking.pairing.tickets import Ties
from ratings.systems import create
from ratings.systems.arrays import Bools, Floats, Ints
from tests.matchmaking.pairing.queues import QUEUES

__all__ = ["PLANS", "POOLS", "Picky", "accepting", "costs", "reordered", "with_traits"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Picky(Condition):
    """A game's own: each wants the other's number to be a little above its own, by the clock."""

    reads: ClassVar[tuple[str, ...]] = ("number",)

    def distance(self, tickets: Tickets, one: Ints, other: Ints) -> Floats:
        number = tickets.traits["own.number"]
        ahead: Floats = (number.take(other) - number.take(one)) % 12.0
        return ahead


def with_traits(tickets: Tickets, **further: Any) -> Tickets:
    """The tickets with traits, and ties given as lists of (one, other, value)."""
    ties = {
        name: Ties(
            one=np.array([one for one, _, _ in rows], dtype=np.int64),
            other=np.array([other for _, other, _ in rows], dtype=np.int64),
            value=np.array([value for _, _, value in rows], dtype=np.float64),
        )
        for name, rows in further.items()
        if name in ("avoided", "met")
    }
    traits = {name: np.array(column) for name, column in further.items() if name not in ties}
    return replace(tickets, traits={**tickets.traits, **traits}, ties={**tickets.ties, **ties})


def reordered(tickets: Tickets, order: list[int]) -> Tickets:
    """The same tickets, their traits and ties in another order."""
    place = np.argsort(order)
    names = ("id", "player", "rating", "deviation", "waited")
    return Tickets(
        **{name: getattr(tickets, name)[order] for name in names},
        traits={name: column[order] for name, column in tickets.traits.items()},
        ties={
            name: Ties(one=place[tie.one], other=place[tie.other], value=tie.value)
            for name, tie in tickets.ties.items()
        },
    )


def accepting(tickets: Tickets, conditions: tuple[Condition, ...]) -> Bools:
    """(n, n) who accepts whom, asked one by one of every condition in both directions."""
    n = len(tickets)
    allowed = ~np.eye(n, dtype=np.bool_)
    one, other = (index.ravel() for index in np.indices((n, n)))
    for condition in conditions:
        tolerance = condition.tolerances(tickets)
        there = condition.distance(tickets, one, other).reshape(n, n) <= tolerance[:, np.newaxis]
        allowed &= there & there.T
    return allowed


def costs(tickets: Tickets, conditions: tuple[Condition, ...]) -> Floats:
    """(n, n) seconds that each two would wait to avoid each other."""
    n = len(tickets)
    one, other = (index.ravel() for index in np.indices((n, n)))
    total = np.zeros(n * n)
    for condition in conditions:
        total += condition.cost(tickets, one, other)
    return total.reshape(n, n)


_LATENCY = st.sampled_from([20.0, 60.0, 120.0, 300.0, np.nan, np.inf])
_USES = st.sampled_from(["off", "must", "drop", "prefer"])


@st.composite
def _pools(draw: st.DrawFn, largest: int) -> Tickets:
    tickets = draw(QUEUES(largest=largest))
    n = len(tickets)

    def column(values: st.SearchStrategy[Any]) -> list[Any]:
        return draw(st.lists(values, min_size=n, max_size=n))

    bits: dict[str, Any] = {
        name: np.array(column(st.sampled_from([0, 1, 2, 4, 3])), dtype=np.int64)
        for name in ("languages", "regions", "styles", "styles_wanted", "rules", "maps_vetoed")
        if draw(st.booleans())
    }
    if draw(st.booleans()):
        rows = column(st.lists(_LATENCY, min_size=3, max_size=3))
        bits["latency"] = np.array(rows, dtype=np.float64).reshape(n, 3)
    conduct = column(st.sampled_from([0.0, 0.0, 0.5, 1.0, 7.0]))
    number = np.array(column(st.integers(0, 12)), dtype=np.float64)
    pairs = st.tuples(st.integers(0, max(n - 1, 0)), st.integers(0, max(n - 1, 0)))
    tied = draw(st.lists(pairs, max_size=2 * n)) if n > 1 else []
    rows = [(one, other, 1.0 / (1 + one % 3)) for one, other in tied if one != other]
    return with_traits(
        tickets, conduct=conduct, **bits, **{"own.number": number}, avoided=rows[::3], met=rows[1:]
    )


def POOLS(*, largest: int = 25) -> st.SearchStrategy[Tickets]:  # noqa: N802
    """Tickets with traits of all kinds."""
    return _pools(largest)


@st.composite
def _plans(draw: st.DrawFn, exact_up_to: int, holds: bool) -> Plan:
    sections = ("language", "region", "style", "rules", "rematch", "avoided", "conduct", "chance")
    given: dict[str, dict[str, Any]] = {name: {"use": draw(_USES)} for name in sections}
    given["chance"] |= {"start": 0.1, "seconds": draw(st.sampled_from([0, 30]))}
    given["exchange"] = {
        "exact_up_to": exact_up_to,
        "faster_at_extremes": draw(st.sampled_from([0, 0.5])),
    }
    if draw(st.booleans()):
        given["maps"] = {"names": "Canyon\nRiver +15"}
    given["timing"] = {
        "holds": holds and draw(st.booleans()),
        "at_most": draw(st.sampled_from([20, 3600])),
    }
    rates = ArrivalRates(
        rating=np.array([1000.0, 1300.0, 1600.0]), per_second=np.array([1e-4, 1e-2, 1e-3])
    )
    own = Picky(
        use=draw(st.sampled_from(Use)), after=40, widening=Widening(start=6, per_second=0.1)
    )
    return Plan(
        settings=Settings.build("filters", given),
        rules=Rules(gap_start=draw(st.sampled_from([50.0, 200.0])), gap_per_second=2, gap_cap=500),
        system=create(draw(st.sampled_from(["elo", "glicko2", "trueskill"]))),
        side_points=draw(st.sampled_from([0.0, 30.0])),
        extra=draw(st.sampled_from([(), (replace(own, seconds=0.5),)])),
        arrivals=draw(st.sampled_from([None, rates])),
    )


def PLANS(*, exact_up_to: int = 0, holds: bool = True) -> st.SearchStrategy[Plan]:  # noqa: N802
    """Plans with conditions of every kind and use; `holds`: of queues that hold pairs back, too."""
    return _plans(exact_up_to, holds)
