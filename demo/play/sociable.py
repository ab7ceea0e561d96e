"""What simulated players do besides playing: they write a line, say whom they enjoyed playing with, report who left,
and ask people to be friends.
"""

import random
from collections.abc import Sequence
from typing import Any

import structlog

from demo.play.api_answers import MatchAnswer
from demo.play.client import Client, RefusalError
from demo.play.taste import enjoys, tags_for
from demo.play.truth import MatchTruth, Persona

__all__ = ["AFTER", "BEFORE", "IN_PARTY", "IN_ROOM", "after_match", "write"]

log = structlog.get_logger(__name__)

BEFORE = ("gl hf", "Hi!", "Good luck.", "Let's go", "Have fun")
AFTER = ("gg", "Well played!", "Close one.", "gg wp", "That was fun.", "Next time I'll get you.")
IN_ROOM = (
    "Hi all",
    "Anyone for a quick one?",
    "Ready when you are",
    "Who's missing?",
    "New here, be nice :)",
)
IN_PARTY = ("One more?", "Twin Lanterns again?", "I'll follow you.", "Brb, tea.")  # fmt: skip
# Chances, after each match.
_SAYS_HOW_IT_WAS, _REPORTS, _BEFRIENDS, _WRITES = 0.4, 0.15, 0.3, 0.5


async def write(
    api: Client, place: str, number: int, player: str, lines: Sequence[str], luck: random.Random
) -> None:
    """Write a line into a party, a room or a match. Raises RefusalError for a bad key only."""
    await _try(api.post(f"talk/{place}/{number}", player=player, text=luck.choice(lines)))


async def after_match(
    api: Client,
    me: Persona,
    number: int,
    match: MatchAnswer,
    truth: MatchTruth,
    others: Sequence[Persona],
    luck: random.Random,
) -> None:
    """Say at times how it was with one of the others, and what is to be said of who left; of people, befriend some.

    `others`: the simulated ones; whoever else is in the match is a person. Raises RefusalError for a bad key only.
    """
    people = [one for one in match.players if one != me.id and one not in {it.id for it in others}]
    if people and luck.random() < _WRITES:
        await write(api, "match", number, me.id, AFTER, luck)
    if others and luck.random() < _SAYS_HOW_IT_WAS:
        other = luck.choice(others)
        enjoyed = enjoys(me, other, luck) and other.id != truth.leaver
        said = {"enjoyed": enjoyed, "tags": tags_for(enjoyed=enjoyed, luck=luck)}
        await _try(api.put(f"me/feedback/{match.ids[other.id]}", player=me.id, **said))
    if truth.leaver in match.ids and truth.leaver != me.id and luck.random() < _REPORTS:
        left = {"reported": match.ids[truth.leaver], "kind": "left", "match": number}
        await _try(api.post("player-reports", player=me.id, **left))
    for person in people:
        if luck.random() < _BEFRIENDS:
            await _try(api.post("me/friends", player=me.id, friend=match.ids[person]))


async def _try(asked: Any) -> None:
    """Do it; where it is not to be had, it is left."""
    try:
        await asked
    except RefusalError as refusal:
        if refusal.is_of_the_key:
            raise
        log.info("demo.not_said", why=refusal.code)
