"""All sections of a queue's settings by name, in the order of the operator's form."""

from matchmaking.pairing.settings.condition_sections import (
    Chance,
    Exchange,
    Language,
    Region,
    Rules,
    Style,
)
from matchmaking.pairing.settings.match_sections import Bootstrap, Buckets, Maps, Teams
from matchmaking.pairing.settings.standing import Avoided, Conduct, Rematch
from ratings.systems.parameters import ParameterSet

__all__ = [
    "SECTIONS",
    "Avoided",
    "Bootstrap",
    "Buckets",
    "Chance",
    "Conduct",
    "Exchange",
    "Language",
    "Maps",
    "Region",
    "Rematch",
    "Rules",
    "Style",
    "Teams",
]

SECTIONS: dict[str, type[ParameterSet]] = {
    "exchange": Exchange,
    "chance": Chance,
    "language": Language,
    "region": Region,
    "style": Style,
    "rules": Rules,
    "rematch": Rematch,
    "avoided": Avoided,
    "conduct": Conduct,
    "teams": Teams,
    "maps": Maps,
    "buckets": Buckets,
    "bootstrap": Bootstrap,
}
