"""The shooter ladder: duels by frags, and streams of frags, suicides, captures and team kills."""

from ratings.systems.frags.competitors import Competitor, by_clan, by_player, by_role
from ratings.systems.frags.deathmatch import Deathmatch, LadderRow, Move
from ratings.systems.frags.events import (
    decay,
    expect,
    score_against_team,
    score_event,
    suicide,
    team_kill,
)
from ratings.systems.frags.frag import EVENT_WEIGHTS, Frag, Side
from ratings.systems.frags.game import strength_of_play
from ratings.systems.frags.parameters import FragsParameters
from ratings.systems.frags.roles import Overall, overall
from ratings.systems.frags.system import Frags

__all__ = [
    "EVENT_WEIGHTS",
    "Competitor",
    "Deathmatch",
    "Frag",
    "Frags",
    "FragsParameters",
    "LadderRow",
    "Move",
    "Overall",
    "Side",
    "by_clan",
    "by_player",
    "by_role",
    "decay",
    "expect",
    "overall",
    "score_against_team",
    "score_event",
    "strength_of_play",
    "suicide",
    "team_kill",
]
