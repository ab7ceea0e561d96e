"""The conditions that a queue's settings ask for, and what tickets dislike in each other by all of them."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from matchmaking.pairing.condition import Condition, Use, Widening
from matchmaking.pairing.conditions.conduct_like import ConductLike
from matchmaking.pairing.conditions.language import Language
from matchmaking.pairing.conditions.map_shared import MapShared
from matchmaking.pairing.conditions.rating_gap import RatingGap
from matchmaking.pairing.conditions.region import Region
from matchmaking.pairing.conditions.rules_wish import RulesWish
from matchmaking.pairing.conditions.style import Style
from matchmaking.pairing.conditions.tied import Avoid, Rematch
from matchmaking.pairing.conditions.win_chance import WinChance
from matchmaking.pairing.model.plan import Plan
from matchmaking.pairing.settings import Settings
from matchmaking.pairing.tickets import Tickets
from ratings.systems.arrays import Floats, Ints

__all__ = ["build", "conditions_of", "costs_of"]

_OFF = "off"
_SURE = 0.5  # the distance of a sure match from an even one
_HUNDRED = 100.0  # milliseconds


def build(plan: Plan) -> tuple[Condition, ...]:
    """The condition of the rating first, the others in the order of the settings."""
    settings = plan.settings
    return (
        RatingGap.of(plan),
        *_chance(plan),
        *_region(settings),
        *_of(settings.language, Language),
        *_of(settings.style, Style),
        *_of(settings.rules, RulesWish),
        *_of(settings.rematch, Rematch),
        *_of(settings.avoided, Avoid),
        *_of(settings.conduct, ConductLike, high=settings.conduct.high),
        *((MapShared(maps=len(settings.game_maps)),) if settings.game_maps else ()),
    )


def conditions_of(plan: Plan) -> tuple[Condition, ...]:
    """Every condition in use: of the rating first, then of the settings, then the game's own."""
    return (*build(plan), *plan.extra)


def _of(section: Any, kind: type[Condition], **further: Any) -> tuple[Condition, ...]:
    """A condition as its section says; none where it is off."""
    if section.use == _OFF:
        return ()
    given = {"use": Use(section.use), "after": section.after, "seconds": section.seconds}
    return (kind(**{**given, **further}),)


def _chance(plan: Plan) -> tuple[Condition, ...]:
    if plan.system is None:
        return ()
    section = plan.settings.chance
    return _of(
        section,
        WinChance,
        widening=_widening(section),
        seconds=section.seconds / _SURE,
        system=plan.system,
        side_points=0.0 if plan.hides_strength else plan.side_points,
    )


def _region(settings: Settings) -> tuple[Condition, ...]:
    section = settings.region
    return _of(section, Region, widening=_widening(section), seconds=section.seconds / _HUNDRED)


def _widening(section: Any) -> Widening:
    return Widening(start=section.start, per_second=section.per_second, cap=section.cap)


def costs_of(
    tickets: Tickets, conditions: Sequence[Condition], first: Ints, second: Ints
) -> Floats:
    """Seconds that each two would wait to avoid each other, all conditions together."""
    cost = np.zeros(len(first))
    for condition in conditions:
        if condition.seconds and not condition.is_idle(tickets):
            cost += condition.bound(tickets).cost(tickets, first, second)
    return cost
