"""Whom simulated players enjoy playing with: a hidden taste, always the same for the same two. Pure.

It is for the site to find out from what they say. Players are of a few kinds, and each kind likes some of them.
"""

import random

from demo.play.truth import Persona

__all__ = ["enjoys", "tags_for"]

_KINDS = 4
_LIKED, _OTHERS = 0.85, 0.35  # chances to enjoy it
_RUDE = 0.6  # manners below which somebody is rude to play with
_NICE, _BAD = ("friendly", "team_player", "competitive"), ("obscene", "nonsense", "aggressive")


def enjoys(me: Persona, other: Persona, luck: random.Random) -> bool:
    """Whether one enjoyed this match with the other: mostly as their kinds say, and rarely with somebody rude."""
    is_liked = (_kind(other.id) - _kind(me.id)) % _KINDS < _KINDS // 2
    chance = (_LIKED if is_liked else _OTHERS) * (1.0 if other.manners >= _RUDE else 0.3)
    return luck.random() < chance


def tags_for(*, enjoyed: bool, luck: random.Random) -> list[str]:
    """What is said beside yes and no: mostly nothing."""
    return [luck.choice(_NICE if enjoyed else _BAD)] if luck.random() < 0.3 else []


def _kind(player: str) -> int:
    return random.Random(f"kind:{player}").randrange(_KINDS)  # noqa: S311 - a simulation, repeatable
