"""The rating systems by name."""

from typing import Any

from ratings.systems.base import System
from ratings.systems.declaration import Declaration
from ratings.systems.elo import Elo
from ratings.systems.elo_normal import EloNormal
from ratings.systems.frags import Frags
from ratings.systems.glicko import Glicko
from ratings.systems.glicko2 import Glicko2
from ratings.systems.parameters import Parameter
from ratings.systems.trueskill import TrueSkill
from ratings.systems.zonestats import ZoneStats

__all__ = [
    "REFERENCE_SYSTEM",
    "USUAL_FOR_DUELS",
    "USUAL_FOR_EVENTS",
    "USUAL_FOR_TEAMS",
    "UnknownSystemError",
    "create",
    "declaration_of",
    "names",
    "parameters_of",
]

_SYSTEMS = {
    system.declaration.name: system
    for system in (Elo, EloNormal, Glicko, Glicko2, Frags, TrueSkill, ZoneStats)
}

# What rates a new ladder unless somebody says otherwise.
USUAL_FOR_DUELS = Glicko.declaration.name
USUAL_FOR_EVENTS = Frags.declaration.name
USUAL_FOR_TEAMS = TrueSkill.declaration.name
# Settings that suit any system once they are scaled are written down in the points of this one.
REFERENCE_SYSTEM = Elo.declaration.name


class UnknownSystemError(ValueError):
    """No rating system has this name."""


def names() -> tuple[str, ...]:
    """The names that `create` knows."""
    return tuple(_SYSTEMS)


def declaration_of(name: str) -> Declaration:
    """What a system declares of itself; raises UnknownSystemError."""
    declaration: Declaration = _system(name).declaration
    return declaration


def parameters_of(name: str) -> tuple[Parameter, ...]:
    """What can be tuned of a system; raises UnknownSystemError."""
    return declaration_of(name).parameters.described()


def create(name: str, **parameters: object) -> System:
    """Make a system; parameters left out take their defaults.

    Raises UnknownSystemError, or ParameterError naming the parameter, its value and its range.
    """
    system = _system(name)
    made: System = system(system.declaration.parameters.build(parameters))
    return made


def _system(name: str) -> Any:
    if name not in _SYSTEMS:
        raise UnknownSystemError(f"rating system {name!r}: must be one of {', '.join(_SYSTEMS)}")
    return _SYSTEMS[name]
