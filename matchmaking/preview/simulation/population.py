"""Who comes to a queue, and populations on the scale of a rating system."""

import math
from dataclasses import dataclass, replace

from matchmaking.pairing.settings.defaults import Scale
from ratings.systems.base import System

__all__ = ["Population", "is_usual", "on_scale_of"]

_MOST_TICKETS = 1_000_000
_MOST_GROUPS = 62
_NAMES = ("rating", "spread", "deviation")


@dataclass(frozen=True, slots=True, kw_only=True)
class Population:
    """Tickets that come one after another, independently of each other (a Poisson stream).

    arrivals       tickets a second
    seconds        how long the queue is watched; it is empty at the start
    rating         mean of the ratings, rating points
    spread         their standard deviation
    deviation      rating deviation of everybody, where the ladder's system has one
    languages      how many players speak each language, as shares of any sum; none: nobody names one
    no_language    share of the players who name no language although there are some
    regions        the same for regions; a message to the next region takes 60 ms longer than home
    several        share of the tickets that name a second language, and of those that accept every region
    parties        how many tickets are of 1, 2, 3, … players, as shares of any sum
    patience       seconds after which tickets give up, on average (exponential); None: never
    sweep_every    seconds between two sweeps

    Raises ValueError when a figure is out of its range.
    """

    arrivals: float = 1.0
    seconds: float = 3600.0
    rating: float = 1500.0
    spread: float = 300.0
    deviation: float = 80.0
    languages: tuple[float, ...] = ()
    no_language: float = 0.0
    regions: tuple[float, ...] = ()
    several: float = 0.0
    parties: tuple[float, ...] = (1.0,)
    patience: float | None = None
    sweep_every: float = 1.0

    def __post_init__(self) -> None:
        for name in ("arrivals", "seconds", "sweep_every"):
            self._check(name, getattr(self, name) > 0, "must be a number above 0")
        for name in ("spread", "deviation"):
            self._check(name, getattr(self, name) >= 0, "must be 0 or more")
        self._check("rating", abs(self.rating) <= 1e6, "must be a rating")
        for name in ("no_language", "several"):
            self._check(name, 0 <= getattr(self, name) <= 1, "must be from 0 to 1")
        for name in ("languages", "regions", "parties"):
            shares = getattr(self, name)
            right = all(math.isfinite(share) and share >= 0 for share in shares)
            if not right or (shares and not sum(shares) > 0) or len(shares) > _MOST_GROUPS:
                expected = f"must be at most {_MOST_GROUPS} shares of 0 or more, not all 0"
                raise ValueError(f"{name} is {shares}: {expected}")
        if not self.parties:
            raise ValueError("parties is empty: must say how many tickets are of 1, 2, … players")
        if self.patience is not None:
            self._check("patience", self.patience > 0, "must be None or a number above 0")
        if self.arrivals * self.seconds > _MOST_TICKETS:
            tickets = f"arrivals × seconds is {self.arrivals * self.seconds:g}"
            raise ValueError(f"{tickets}: must be {_MOST_TICKETS} tickets at most")

    @property
    def sweeps(self) -> int:
        """How many sweeps there are."""
        return int(self.seconds / self.sweep_every)

    def _check(self, name: str, is_right: bool, expected: str) -> None:
        value = getattr(self, name)
        if not (is_right and math.isfinite(value)):
            raise ValueError(f"{name} is {value}: {expected}")


_USUAL = Population()


def is_usual(population: Population) -> bool:
    """Whether the ratings of the population are those by default."""
    return all(getattr(population, name) == getattr(_USUAL, name) for name in _NAMES)


def on_scale_of(system: System | None, population: Population) -> Population:
    """The population with the ratings that a population has by default, as they are on the scale of the system."""
    scale = Scale.of(system)
    return replace(
        population,
        rating=scale.ratings((_USUAL.rating,))[0],
        spread=scale.points(_USUAL.spread),
        deviation=scale.points(_USUAL.deviation),
    )
