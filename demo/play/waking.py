"""Simulated players who went home and want to be told when somebody searches; an alert brings some of them back."""

import random
from dataclasses import dataclass, field

import structlog

from demo.play.client import RefusalError
from demo.play.player import World
from demo.play.truth import Persona

__all__ = ["Listeners"]

log = structlog.get_logger(__name__)

_LISTENS = 0.2  # the chance that somebody who goes home switches alerts on
_COMES = 0.6  # and that one who is told comes
_LOOKS_AT = 3  # of whom one asks at each look
_MOST = 30
_HOURS = 2


@dataclass(slots=True)
class Listeners:
    """Who listens, by their ids. Raises RefusalError for a bad key only."""

    world: World
    luck: random.Random
    _listening: dict[str, Persona] = field(default_factory=dict)

    async def goes_home(self, persona: Persona, queue: str) -> None:
        """Let somebody who has played in a queue listen now and then."""
        if not queue or len(self._listening) >= _MOST or self.luck.random() >= _LISTENS:
            return
        for near in ("close", "anybody"):  # where ratings are hidden only the second is taken
            try:
                await self.world.api.put(
                    f"me/alerts/{queue}", player=persona.id, near=near, until="hours", hours=_HOURS
                )
            except RefusalError as refusal:
                if refusal.code == "nearness_hidden":
                    continue
                _check(refusal)
                return
            self._listening[persona.id] = persona
            return

    async def woken(self) -> list[tuple[Persona, str]]:
        """Those of some listeners who were told and come, with the queue in which somebody searches."""
        coming: list[tuple[Persona, str]] = []
        names = sorted(self._listening)
        for name in self.luck.sample(names, min(_LOOKS_AT, len(names))):
            try:
                told = await self.world.api.get("me/notices", player=name, unread="true")
                alerts = [one for one in told["results"] if one["group"] == "alerts"]
                if not alerts:
                    continue
                ids = [one["id"] for one in alerts]
                await self.world.api.post("me/notices/read", player=name, ids=ids)
            except RefusalError as refusal:
                _check(refusal)
                continue
            if self.luck.random() < _COMES:
                coming.append((self._listening.pop(name), alerts[0]["facts"]["slug"]))
        return coming


def _check(refusal: RefusalError) -> None:
    if refusal.is_of_the_key:
        raise refusal
    log.info("demo.no_alerts", why=refusal.code)
