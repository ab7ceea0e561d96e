"""Elo's system: logistic expectation, K by status and rating, stages inside an event."""

from ratings.systems.elo.curve import Chances, outcome_chances
from ratings.systems.elo.draws_and_side import DrawsAndSide, ahead_before, estimate_draws_and_side
from ratings.systems.elo.parameters import EloParameters
from ratings.systems.elo.system import Elo

__all__ = [
    "Chances",
    "DrawsAndSide",
    "Elo",
    "EloParameters",
    "ahead_before",
    "estimate_draws_and_side",
    "outcome_chances",
]
