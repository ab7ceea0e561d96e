"""Matches around one ticket after another, oldest first: what all strategies but filters share."""

from matchmaking.pairing.maps_and_sides.lots import draw_lots
from matchmaking.pairing.strategies.assembling import assemble
from matchmaking.pairing.strategies.filling import Filler
from matchmaking.pairing.strategies.held_conditions import Demands, always_held
from matchmaking.pairing.strategies.row import Row
from matchmaking.pairing.strategies.turns import take_turns

__all__ = [
    "Demands",
    "Filler",
    "Row",
    "always_held",
    "assemble",
    "draw_lots",
    "take_turns",
]
