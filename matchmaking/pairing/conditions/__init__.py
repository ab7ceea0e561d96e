"""What tickets can demand of each other, one file a condition."""

from matchmaking.pairing.conditions.build import build
from matchmaking.pairing.conditions.conduct_like import ConductLike
from matchmaking.pairing.conditions.language import Language
from matchmaking.pairing.conditions.map_shared import MapShared
from matchmaking.pairing.conditions.rating_gap import RatingGap
from matchmaking.pairing.conditions.region import Region
from matchmaking.pairing.conditions.rules_wish import RulesWish
from matchmaking.pairing.conditions.style import Style
from matchmaking.pairing.conditions.tied import Avoid, Rematch
from matchmaking.pairing.conditions.win_chance import WinChance

__all__ = [
    "Avoid",
    "ConductLike",
    "Language",
    "MapShared",
    "RatingGap",
    "Region",
    "Rematch",
    "RulesWish",
    "Style",
    "WinChance",
    "build",
]
