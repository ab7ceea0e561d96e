"""Elo's system with normal performances."""

from ratings.systems.elo_normal.parameters import EloNormalParameters
from ratings.systems.elo_normal.system import EloNormal

__all__ = ["EloNormal", "EloNormalParameters"]
