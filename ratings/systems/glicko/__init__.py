"""Glicko's system: ratings with a deviation, computed by period."""

from ratings.systems.glicko.parameters import GlickoParameters, forgetting_constant
from ratings.systems.glicko.system import Glicko

__all__ = ["Glicko", "GlickoParameters", "forgetting_constant"]
