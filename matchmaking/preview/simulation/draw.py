"""Tickets drawn from a population."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from matchmaking.pairing.plan import Plan
from matchmaking.pairing.tickets import Members, Tickets, strengths
from matchmaking.preview.simulation.population import Population
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
    members    the players
    traits     what conditions and buckets read, by name
    """

    at: Floats
    gives_up: Floats
    rating: Floats
    deviation: Floats
    members: Members
    traits: dict[str, NDArray[Any]]
    _starts: Ints = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_starts", self.members.starts)

    def __len__(self) -> int:
        return len(self.at)

    def tickets(self, waiting: Ints, now: float) -> Tickets:
        """Those of `waiting`, numbers in ascending order, as they are at a moment."""
        counts = self._starts[waiting + 1] - self._starts[waiting]
        first = np.repeat(self._starts[waiting] - (np.cumsum(counts) - counts), counts)
        rows = first + np.arange(counts.sum())
        return Tickets(
            id=waiting,
            player=self.members.player[self._starts[waiting]],
            rating=self.rating[waiting],
            deviation=self.deviation[waiting],
            waited=now - self.at[waiting],
            traits={name: column[waiting] for name, column in self.traits.items()},
            members=Members(
                ticket=np.repeat(np.arange(len(waiting)), counts),
                player=self.members.player[rows],
                rating=self.members.rating[rows],
                deviation=self.members.deviation[rows],
                roles=self.members.roles[rows],
            ),
        )


def draw_arrivals(population: Population, plan: Plan, random: np.random.Generator) -> Arrivals:
    """Draw the tickets of a population. Parties larger than a team of the plan do not come: the others
    come in their place, and where there are no others, players who are alone.

    The same generator gives the same tickets for every plan of the same teams, so that strategies
    are compared on the same population.
    """
    n = int(random.poisson(population.arrivals * population.seconds))
    at = np.sort(random.uniform(0, population.seconds, n))
    gives_up = at + (population.patience or np.inf) * random.standard_exponential(n)
    parties = population.parties[: plan.team_size]
    sizes = 1 + _draw_groups(parties if sum(parties) else (1.0,), n, random)
    ticket = np.repeat(np.arange(n), sizes)
    between, within = random.standard_normal(n)[ticket], random.standard_normal(len(ticket))
    share = np.where(sizes[ticket] == 1, 1.0, _BETWEEN)
    scattered = np.sqrt(share) * between + np.sqrt(1 - share) * within
    members = Members(
        ticket=ticket,
        player=np.arange(len(ticket)),
        rating=population.rating + population.spread * scattered,
        deviation=np.full(len(ticket), population.deviation if plan.uses_deviation else np.nan),
        roles=np.zeros(len(ticket), dtype=np.int64),
    )
    traits: dict[str, NDArray[Any]] = {}
    if population.languages:
        one, other = (1 << _draw_groups(population.languages, n, random) for _ in range(2))
        named = np.where(random.random(n) < population.several, one | other, one)
        traits["languages"] = np.where(random.random(n) < population.no_language, 0, named)
    # Regions lie in a row; whoever accepts only home may still be told how long elsewhere takes.
    if population.regions:
        count = len(population.regions)
        home = _draw_groups(population.regions, n, random)
        away = np.abs(home[:, np.newaxis] - np.arange(count))
        own = _HOME_MS + _HOME_SPREAD_MS * random.random(n)
        accepts_all = random.random(n) < population.several
        traits["regions"] = np.where(accepts_all, (1 << count) - 1, 1 << home)
        traits["latency"] = own[:, np.newaxis] + _STEP_MS * away
    rating, deviation = strengths(members, plan.settings.teams.party_bonus)
    return Arrivals(
        at=at,
        gives_up=gives_up,
        rating=rating,
        deviation=deviation,
        members=members,
        traits=traits,
    )


def _draw_groups(shares: tuple[float, ...], n: int, random: np.random.Generator) -> Ints:
    """A group for each, by shares."""
    chance = np.array(shares, dtype=np.float64)
    groups: Ints = random.choice(len(chance), size=n, p=chance / chance.sum()).astype(np.int64)
    return groups
