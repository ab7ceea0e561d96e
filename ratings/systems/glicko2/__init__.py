"""Glicko-2: ratings with a deviation and a volatility, computed by period."""

from ratings.systems.glicko2.parameters import Glicko2Parameters
from ratings.systems.glicko2.system import Glicko2
from ratings.systems.glicko2.volatility import Settled, settle_volatility

__all__ = ["Glicko2", "Glicko2Parameters", "Settled", "settle_volatility"]
