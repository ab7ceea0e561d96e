"""A simulated player and its groups: it makes one, takes what is suggested, joins others, and wants one by lot."""

import random
from dataclasses import dataclass
from typing import Any

import structlog

from demo.play.client import RefusalError
from demo.play.player import World
from demo.play.truth import Persona

__all__ = ["NAMES", "Grouping"]

log = structlog.get_logger(__name__)

NAMES = (
    "Evening regulars",
    "Sunday league",
    "Late but awake",
    "Coffee break crew",
    "Slow starters",
    "Old maps club",
    "No hard feelings",
    "The second wind",
)
_MOST_GROUPS = 3  # of one player
_MAKES, _IS_OPEN, _WANTS_A_DRAW, _SHOWS, _LEAVES = 0.3, 0.8, 0.3, 0.7, 0.1  # chances
_NOT_NOW = {
    "group_full", "group_not_open", "groups_off", "not_found", "not_in_group", "people_list_full", "player_not_open",
    "random_groups_off", "suspended", "too_many_groups", "unknown_group",
}  # fmt: skip


@dataclass(slots=True)
class Grouping:
    """One player's look at its groups."""

    world: World
    me: Persona
    luck: random.Random

    async def spend(self) -> None:
        """Do what comes to mind. Raises RefusalError for a bad key, and for what should not be refused."""
        own = (await self.world.api.get("groups", player=self.me.id))["results"]
        if own and self.luck.random() < _LEAVES:
            await self._try(f"groups/{self.luck.choice(own)['id']}/leave")
        elif len(own) < _MOST_GROUPS:
            await self._come_into_one(is_first=not own)
        if self.luck.random() < _WANTS_A_DRAW:
            await self._try("me/random-group")

    async def _come_into_one(self, *, is_first: bool) -> None:
        """A group that is suggested, else an open one, else one of its own."""
        if is_first and self.luck.random() < _MAKES:
            access = "open" if self.luck.random() < _IS_OPEN else "invited"
            await self._try("groups", name=self.luck.choice(NAMES), access=access)
            return
        api = self.world.api
        suggested = await api.patch("me/suggestions", player=self.me.id, wanted=True)
        if suggested["players"]:
            friend = self.luck.choice(suggested["players"])["player"]["id"]
            await self._try("me/friends", friend=friend)
        found = (
            suggested["groups"]
            or (await api.get("groups", player=self.me.id, list="open"))["results"]
        )
        room = [one for one in found if one["size"] < one["most"]]
        if not room:
            await self._try("groups", name=self.luck.choice(NAMES), access="open")
            return
        group = self.luck.choice(room)["id"]
        if await self._try(f"groups/{group}/join") and self.luck.random() < _SHOWS:
            await self._try(f"groups/{group}/show", shows=True)

    async def _try(self, path: str, **body: object) -> dict[str, Any] | None:
        """Post; None where that is not to be had now."""
        try:
            return await self.world.api.post(path, player=self.me.id, **body)
        except RefusalError as refusal:
            if refusal.code not in _NOT_NOW:
                raise
            log.info("demo.group", path=path, why=refusal.code)
        return None
