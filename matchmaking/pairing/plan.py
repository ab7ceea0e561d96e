"""What a queue demands of a match, its conditions, and what else a strategy needs to know besides who waits."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from matchmaking.pairing.arrivals import ArrivalRates
from matchmaking.pairing.condition import Condition, Widening
from matchmaking.pairing.conditions import BUILT_IN
from matchmaking.pairing.settings import Settings
from matchmaking.pairing.tickets import Tickets
from ratings.systems.arrays import Floats, Ints
from ratings.systems.base import System

__all__ = ["Plan", "Rules", "conditions_of", "costs_of"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """How far apart two ratings may be, and how waiting widens it; the optional rules of play are something else.

    gap_start       rating points that somebody accepts who has just begun to wait
    gap_per_second  rating points more for every second of waiting
    gap_cap         the most that waiting can lead to; None: no limit

    Raises ValueError when a figure is negative or not finite, or the cap is below the start.
    """

    gap_start: float
    gap_per_second: float
    gap_cap: float | None = None

    def __post_init__(self) -> None:
        try:
            _ = self.widening
        except ValueError as error:
            raise ValueError(f"gap_{error}") from error

    @property
    def widening(self) -> Widening:
        """The same as what a condition accepts."""
        return Widening(start=self.gap_start, per_second=self.gap_per_second, cap=self.gap_cap)

    def tolerances(self, waited: Floats) -> Floats:
        """Rating points that tickets accept after `waited` seconds; same shape as `waited`."""
        return self.widening.tolerances(waited)


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """How a queue looks for matches.

    settings        what the operator has chosen
    rules           how far apart two ratings may be
    team_count      teams of a match, 2 or more
    team_size       players of a team, 1 or more
    system          the ladder's rating system, which predicts results; None: nobody can say
    uses_deviation  whether its ratings carry a deviation
    side_points     rating points that playing the first side is worth; 0: nothing, or unknown
    hides_strength  whether nobody may learn who is weaker: sides go by lot then
    is_grown        False while the pool is so new that everybody is to meet everybody
    extra           conditions of the game's own
    arrivals        how many tickets come at which rating; None: unknown, and no pair is held back
    has_feedback    whether players of the game have said with whom they enjoyed playing
    high_conduct    from which conduct score on players meet each other first, and in how many days
    conduct_fades_in  a score counts half: the game's rules of conduct say both

    Raises ValueError when there are fewer than two teams or nobody in a team.
    """

    settings: Settings = field(default_factory=Settings)
    rules: Rules = field(default_factory=lambda: Rules(gap_start=100.0, gap_per_second=5.0))
    team_count: int = 2
    team_size: int = 1
    system: System | None = None
    uses_deviation: bool = False
    side_points: float = 0.0
    hides_strength: bool = False
    is_grown: bool = True
    extra: tuple[Condition, ...] = ()
    arrivals: ArrivalRates | None = None
    has_feedback: bool = False
    high_conduct: float = 1.0
    conduct_fades_in: float = 14.0

    def __post_init__(self) -> None:
        for name, least in (("team_count", 2), ("team_size", 1)):
            if (given := getattr(self, name)) < least:
                raise ValueError(f"{name} is {given}: must be {least} or more")

    @property
    def is_duel(self) -> bool:
        """Whether one player meets one."""
        return self.team_count == 2 and self.team_size == 1

    @property
    def mixes(self) -> bool:
        """Whether the pool is still to be mixed evenly before it is matched fairly."""
        return self.settings.bootstrap.until > 0 and not self.is_grown


def conditions_of(plan: Plan) -> tuple[Condition, ...]:
    """Every condition in use: of the rating first, the others that widen, the rest, then the game's own.

    Costs are added up in this order, to the last bit, and records list conditions in it.
    """
    wanted = (kind for kind in BUILT_IN if kind.is_on(plan.settings))
    built = (kind.of(plan) for kind in sorted(wanted, key=lambda kind: not kind.widens))
    return (*(condition for condition in built if condition is not None), *plan.extra)


def costs_of(
    tickets: Tickets, conditions: Sequence[Condition], first: Ints, second: Ints
) -> Floats:
    """Seconds that each two would wait to avoid each other, all conditions together."""
    cost = np.zeros(len(first))
    for condition in conditions:
        if condition.seconds and not condition.is_idle(tickets):
            cost += condition.bound(tickets).cost(tickets, first, second)
    return cost
