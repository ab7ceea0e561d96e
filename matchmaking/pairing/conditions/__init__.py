"""What tickets can demand of each other: a file for each condition, with all that the site knows of it."""

from matchmaking.pairing.condition import Condition
from matchmaking.pairing.conditions.alike import Alike
from matchmaking.pairing.conditions.conduct_like import ConductLike
from matchmaking.pairing.conditions.hold import Hold
from matchmaking.pairing.conditions.language import Language
from matchmaking.pairing.conditions.map_shared import MapShared
from matchmaking.pairing.conditions.rating_gap import RatingGap
from matchmaking.pairing.conditions.region import Region
from matchmaking.pairing.conditions.rules import OptionalRules
from matchmaking.pairing.conditions.style import Style
from matchmaking.pairing.conditions.taste import Taste
from matchmaking.pairing.conditions.tied import Avoid, Rematch
from matchmaking.pairing.conditions.win_chance import WinChance
from matchmaking.pairing.preference import PreferenceDeclaration

__all__ = [
    "BUILT_IN",
    "PREFERENCES",
    "Hold",
    "Language",
    "MapShared",
    "RatingGap",
    "Rematch",
]

# In the order of pages and of the API. A new condition is added here, and nowhere else.
BUILT_IN: tuple[type[Condition], ...] = (
    RatingGap,
    WinChance,
    Language,
    Region,
    Style,
    OptionalRules,
    Alike,
    Rematch,
    Avoid,
    ConductLike,
    MapShared,
    Hold,
    Taste,
)
PREFERENCES: dict[str, PreferenceDeclaration] = {
    preference.name: preference for kind in BUILT_IN for preference in kind.preferences
}
