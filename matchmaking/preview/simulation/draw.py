"""Tickets drawn from a crowd."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from matchmaking.pairing.model.plan import Plan
from matchmaking.pairing.model.seats import Seats, strengths
from matchmaking.pairing.tickets import Tickets
from matchmaking.preview.simulation.population import Crowd
from ratings.systems.arrays import Floats, Ints

__all__ = ["Arrivals", "draw_arrivals"]

# Friends differ less than strangers: so much of the spread lies between parties, the rest within.
_BETWEEN = 0.8
_HOME_MS, _HOME_SPREAD_MS, _STEP_MS = 20.0, 30.0, 60.0


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Arrivals:
    """n tickets in the order in which they come; every array has length n.

    at         float64, seconds since the start
    gives_up   float64, seconds since the start; inf: never
    rating     float64, rating points; of a party what it counts for
    deviation  float64, rating points; nan where the ladder's system has none
    seats      the players
    traits     what conditions and buckets read, by name
    """

    at: Floats
    gives_up: Floats
    rating: Floats
    deviation: Floats
    seats: Seats
    traits: dict[str, NDArray[Any]]
    _starts: Ints = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_starts", self.seats.starts)

    def __len__(self) -> int:
        return len(self.at)

    def tickets(self, waiting: Ints, now: float) -> Tickets:
        """Those of `waiting`, numbers in ascending order, as they are at a moment."""
        return Tickets(
            id=waiting,
            player=self.seats.player[self._starts[waiting]],
            rating=self.rating[waiting],
            deviation=self.deviation[waiting],
            waited=now - self.at[waiting],
            traits={name: column[waiting] for name, column in self.traits.items()},
            seats=self._seats_of(waiting),
        )

    def _seats_of(self, waiting: Ints) -> Seats:
        counts = self._starts[waiting + 1] - self._starts[waiting]
        first = np.repeat(self._starts[waiting] - (np.cumsum(counts) - counts), counts)
        rows = first + np.arange(counts.sum())
        return Seats(
            ticket=np.repeat(np.arange(len(waiting)), counts),
            player=self.seats.player[rows],
            rating=self.seats.rating[rows],
            deviation=self.seats.deviation[rows],
            roles=self.seats.roles[rows],
        )


def draw_arrivals(crowd: Crowd, plan: Plan, random: np.random.Generator) -> Arrivals:
    """Draw the tickets of a crowd. Parties larger than a team of the plan do not come: the others
    come in their place, and where there are no others, players who are alone.

    The same generator gives the same tickets for every plan of the same teams, so that strategies
    are compared on the same crowd.
    """
    n = int(random.poisson(crowd.arrivals * crowd.seconds))
    at = np.sort(random.uniform(0, crowd.seconds, n))
    patience = crowd.patience or np.inf
    waits = random.standard_exponential(n)
    seats = _draw_seats(crowd, plan, n, random)
    rating, deviation = strengths(seats, plan.settings.teams.party_bonus)
    return Arrivals(
        at=at,
        gives_up=at + patience * waits,
        rating=rating,
        deviation=deviation,
        seats=seats,
        traits={**_draw_languages(crowd, n, random), **_draw_regions(crowd, n, random)},
    )


def _draw_seats(crowd: Crowd, plan: Plan, n: int, random: np.random.Generator) -> Seats:
    parties = crowd.parties[: plan.team_size]
    sizes = 1 + _draw_groups(parties if sum(parties) else (1.0,), n, random)
    ticket = np.repeat(np.arange(n), sizes)
    alone = sizes[ticket] == 1
    between, within = random.standard_normal(n)[ticket], random.standard_normal(len(ticket))
    share = np.where(alone, 1.0, _BETWEEN)
    scattered = np.sqrt(share) * between + np.sqrt(1 - share) * within
    deviation = crowd.deviation if plan.uses_deviation else np.nan
    return Seats(
        ticket=ticket,
        player=np.arange(len(ticket)),
        rating=crowd.rating + crowd.spread * scattered,
        deviation=np.full(len(ticket), deviation),
        roles=np.zeros(len(ticket), dtype=np.int64),
    )


def _draw_languages(crowd: Crowd, n: int, random: np.random.Generator) -> dict[str, NDArray[Any]]:
    if not crowd.languages:
        return {}
    one, other = (1 << _draw_groups(crowd.languages, n, random) for _ in range(2))
    named = np.where(random.random(n) < crowd.several, one | other, one)
    return {"languages": np.where(random.random(n) < crowd.no_language, 0, named)}


def _draw_regions(crowd: Crowd, n: int, random: np.random.Generator) -> dict[str, NDArray[Any]]:
    """Regions lie in a row; whoever accepts only home may still be told how long elsewhere takes."""
    if not crowd.regions:
        return {}
    count = len(crowd.regions)
    home = _draw_groups(crowd.regions, n, random)
    away = np.abs(home[:, np.newaxis] - np.arange(count))
    own = _HOME_MS + _HOME_SPREAD_MS * random.random(n)
    accepts_all = random.random(n) < crowd.several
    return {
        "regions": np.where(accepts_all, (1 << count) - 1, 1 << home),
        "latency": own[:, np.newaxis] + _STEP_MS * away,
    }


def _draw_groups(shares: tuple[float, ...], n: int, random: np.random.Generator) -> Ints:
    """A group for each, by shares."""
    chance = np.array(shares, dtype=np.float64)
    groups: Ints = random.choice(len(chance), size=n, p=chance / chance.sum()).astype(np.int64)
    return groups
