"""Matches around one ticket after another, oldest first: what all strategies but filters share."""

from matchmaking.pairing.gathering.assembling import assemble
from matchmaking.pairing.gathering.demands import Demands, always_held
from matchmaking.pairing.gathering.filling import Filler
from matchmaking.pairing.gathering.lots import draw_lots
from matchmaking.pairing.gathering.row import Row
from matchmaking.pairing.gathering.turns import take_turns

__all__ = [
    "Demands",
    "Filler",
    "Row",
    "always_held",
    "assemble",
    "draw_lots",
    "take_turns",
]
