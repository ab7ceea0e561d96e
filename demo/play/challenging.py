"""A challenge of a simulated player, by another or by a person: accepted or not, played, and a rematch now and then."""

import asyncio
import random
from dataclasses import dataclass
from typing import Any

import structlog

from demo.play.client import RefusalError
from demo.play.player import SimulatedLife, World
from demo.play.truth import Persona

__all__ = ["Challenging", "answer_person"]

log = structlog.get_logger(__name__)

NOTES = ("", "", "", "Quick one?", "You owe me one.", "Best of one", "Before bed?")
# Seconds, from – to.
_THINKS = (2.0, 25.0)
_LOOKS = (2.0, 4.0)  # between two looks at what was agreed
_ACCEPTS, _UNRATED, _AGAIN = 0.8, 0.3, 0.5  # chances
_MOST_MATCHES = 3


@dataclass(slots=True)
class Challenging:
    """Who challenges whom on which ladder."""

    world: World
    ladder: str
    challenger: Persona
    challenged: Persona
    luck: random.Random

    async def spend(self) -> None:
        """Ask, answer, and play what comes of it. Raises RefusalError for a bad key only."""
        try:
            match = await self._ask()
            for _round in range(_MOST_MATCHES):
                if match is None:
                    return
                await self._play(match)
                match = await self._again(match)
        except RefusalError as refusal:
            _note(refusal)

    async def _ask(self) -> int | None:
        """The match that comes of a challenge; None where it is declined."""
        api = self.world.api
        other = await api.get(f"players/by-external-id/{self.challenged.id}")
        made = await api.post(
            "challenges",
            player=self.challenger.id,
            ladder=self.ladder,
            challenged=other["id"],
            rated=self.luck.random() >= _UNRATED,
            note=self.luck.choice(NOTES),
        )
        await self.world.pause(self.luck.uniform(*_THINKS))
        if self.luck.random() >= _ACCEPTS:
            await api.post(f"challenges/{made['id']}/decline", player=self.challenged.id)
            return None
        return await self._come(await self._post(made["id"], "accept", self.challenged))

    async def _come(self, asked: dict[str, Any]) -> int | None:
        """Be there, where the other has had to wait."""
        if asked["state"] == "accepted":
            asked = await self._post(asked["id"], "here", self.challenger)
        match: int | None = asked["match"]
        return match

    async def _play(self, match: int) -> None:
        both = (self.challenger, self.challenged)
        lives = [SimulatedLife(self.world, one, self.luck) for one in both]
        await asyncio.gather(*(life.play_out(match) for life in lives))

    async def _again(self, match: int) -> int | None:
        """Another one with the sides swapped; None where one of them has had enough."""
        if self.luck.random() >= _AGAIN:
            return None
        asked: dict[str, Any] = {}
        for one in (self.challenged, self.challenger):
            asked = await self.world.api.post(f"matches/{match}/rematch", player=one.id)
        return await self._come(asked)

    async def _post(self, challenge: int, verb: str, who: Persona) -> dict[str, Any]:
        return await self.world.api.post(f"challenges/{challenge}/{verb}", player=who.id)


async def answer_person(
    world: World, challenge: int, challenged: Persona, luck: random.Random
) -> None:
    """Accept what a person has asked for, or decline it now and then; be there, and play. Raises RefusalError for a
    bad key only.
    """
    await world.pause(luck.uniform(*_THINKS))
    path = f"challenges/{challenge}"
    try:
        if luck.random() >= _ACCEPTS:
            await world.api.post(f"{path}/decline", player=challenged.id)
            return
        asked = await world.api.post(f"{path}/accept", player=challenged.id)
        while asked["state"] == "accepted":  # the person is still busy, or away
            if not asked["here"]["challenged"]:
                await world.api.post(f"{path}/here", player=challenged.id)
            await world.pause(luck.uniform(*_LOOKS))
            asked = await world.api.get(path)
        if asked["match"] is not None:
            await SimulatedLife(world, challenged, luck).play_out(asked["match"])
    except RefusalError as refusal:
        _note(refusal)


def _note(refusal: RefusalError) -> None:
    """It does not come about; only a bad key is everybody's matter."""
    if refusal.is_of_the_key:
        raise refusal
    log.info("demo.challenge", why=refusal.code)
