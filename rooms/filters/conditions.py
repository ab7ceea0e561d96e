"""The conditions of a room: those of queues, and some that only rooms have. Mathematics: arrays in, arrays out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from matchmaking.pairing.condition import Condition, Use, Widening
from matchmaking.pairing.conditions import Language
from matchmaking.pairing.conditions.alike import Alike
from matchmaking.pairing.conditions.conduct_like import ConductLike
from matchmaking.pairing.conditions.region import Region
from matchmaking.pairing.conditions.rules import OptionalRules
from matchmaking.pairing.conditions.style import Style
from matchmaking.pairing.conditions.tied import Avoid
from matchmaking.pairing.conditions.win_chance import WinChance
from matchmaking.pairing.tickets import Tickets
from ratings.systems.arrays import Floats, Ints
from ratings.systems.base import System

__all__ = ["Asked", "Established", "RatingRange", "conditions_of"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingRange(Condition):
    """Points by which a rating lies outside what the room, the ticket of id 0, asks for."""

    low: float = -np.inf
    high: float = np.inf

    def distance(self, tickets: Tickets, one: Ints, other: Ints) -> Floats:
        rating = tickets.rating.take(other)
        outside = np.maximum(np.maximum(self.low - rating, rating - self.high), 0.0)
        return np.where(tickets.id.take(one) == 0, outside, 0.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Established(Condition):
    """Distance 1 from a room to whoever is not established. Trait `established`, 1 or 0."""

    def distance(self, tickets: Tickets, one: Ints, other: Ints) -> Floats:
        is_asked = tickets.id.take(one) == 0
        refused: Floats = (is_asked & (tickets.traits["established"].take(other) == 0)).astype(
            np.float64
        )
        return refused


@dataclass(frozen=True, slots=True, kw_only=True)
class Country(Alike):
    """As of tags: one of the room's countries, or none told. Trait `country`."""

    trait: ClassVar[str] = "country"


@dataclass(frozen=True, slots=True, kw_only=True)
class AgeGroup(Alike):
    """One of the room's age groups, or none told. Trait `age_group`."""

    trait: ClassVar[str] = "age_group"


_OF_PROFILES = {"tags": Alike, "countries": Country, "age_groups": AgeGroup}


@dataclass(frozen=True, slots=True)
class Asked:
    """A condition with the filter it stands for. `is_neutral`: whoever is refused by it is told nothing of why."""

    name: str
    condition: Condition
    is_neutral: bool = False


def conditions_of(
    filters: Mapping[str, Any],
    *,
    system: System | None,
    own: Sequence[Condition],
    side_points: float = 0.0,
) -> list[Asked]:
    """What a room with these filters asks, in the order in which reasons are told; block lists always, and last.

    system  predicts results; None: nobody can say, and no chance is asked
    own     conditions of the game's own

    Trait `conduct` is 1 of players whom bad conduct has meet their like first, else 0.
    """
    must = Use.MUST
    asked: list[Asked] = []
    if rating := filters.get("rating"):
        asked.append(Asked("rating", RatingRange(**rating)))
    if (chance := filters.get("chance")) is not None and system is not None:
        widening = Widening(start=chance)
        condition = WinChance(widening=widening, system=system, side_points=side_points)
        asked.append(Asked("chance", condition))
    if filters.get("established"):
        asked.append(Asked("established", Established()))
    if filters.get("languages"):
        asked.append(Asked("languages", Language(use=must)))
    if filters.get("regions"):
        # Without a latency any will do, as long as the region is one that the player accepts.
        most = filters.get("latency", 1e6)
        asked.append(Asked("regions", Region(use=must, widening=Widening(start=most))))
    if filters.get("styles"):
        asked.append(Asked("styles", Style(use=must)))
    if filters.get("rules"):
        asked.append(Asked("rules", OptionalRules(use=must)))
    for name, alike in _OF_PROFILES.items():
        if filters.get(name):
            asked.append(Asked(name, alike(use=must)))
    if filters.get("own"):
        asked += [Asked("own", condition) for condition in own]
    if filters.get("conduct"):
        asked.append(Asked("conduct", ConductLike(use=must, high=1.0), is_neutral=True))
    return [*asked, Asked("avoided", Avoid(use=must), is_neutral=True)]
