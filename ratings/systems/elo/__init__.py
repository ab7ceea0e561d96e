"""Elo's system: logistic expectation, K by status and rating, stages inside an event."""

from ratings.systems.elo.parameters import EloParameters
from ratings.systems.elo.system import Elo

__all__ = ["Elo", "EloParameters"]
