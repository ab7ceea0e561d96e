"""The rating systems by name."""

from dataclasses import dataclass
from typing import Any

from ratings.systems.elo import Elo, EloParameters
from ratings.systems.elo_normal import EloNormal, EloNormalParameters
from ratings.systems.frags import Frags, FragsParameters
from ratings.systems.glicko import Glicko, GlickoParameters
from ratings.systems.glicko2 import Glicko2, Glicko2Parameters
from ratings.systems.parameters import Parameter, ParameterSet
from ratings.systems.protocol import System
from ratings.systems.trueskill import TrueSkill, TrueSkillParameters
from ratings.systems.zonestats import ZoneStats, ZoneStatsParameters

__all__ = ["UnknownSystemError", "create", "names", "parameters_of"]


class UnknownSystemError(ValueError):
    """No rating system has this name."""


@dataclass(frozen=True, slots=True)
class _Entry:
    system: Any
    parameters: type[ParameterSet]


_SYSTEMS = {
    "elo": _Entry(Elo, EloParameters),
    "elo_normal": _Entry(EloNormal, EloNormalParameters),
    "glicko": _Entry(Glicko, GlickoParameters),
    "glicko2": _Entry(Glicko2, Glicko2Parameters),
    "frags": _Entry(Frags, FragsParameters),
    "trueskill": _Entry(TrueSkill, TrueSkillParameters),
    "zonestats": _Entry(ZoneStats, ZoneStatsParameters),
}


def names() -> tuple[str, ...]:
    """The names that `create` knows."""
    return tuple(_SYSTEMS)


def parameters_of(name: str) -> tuple[Parameter, ...]:
    """What can be tuned of a system; raises UnknownSystemError."""
    return _entry(name).parameters.described()


def create(name: str, **parameters: object) -> System:
    """Make a system; parameters left out take their defaults.

    Raises UnknownSystemError, or ParameterError naming the parameter, its value and its range.
    """
    entry = _entry(name)
    system: System = entry.system(entry.parameters.build(parameters))
    return system


def _entry(name: str) -> _Entry:
    if name not in _SYSTEMS:
        raise UnknownSystemError(f"rating system {name!r}: must be one of {', '.join(_SYSTEMS)}")
    return _SYSTEMS[name]
