"""A simulated player in a round: joins it beforehand, is there when it begins, and plays what comes of it."""

import random
from dataclasses import dataclass
from datetime import UTC, datetime

import structlog

from demo.play.client import RefusalError
from demo.play.player import SimulatedLife, World
from demo.play.truth import Persona

__all__ = ["RoundGoing"]

log = structlog.get_logger(__name__)

_SOON = 300.0  # seconds before it begins within which somebody joins a round
_BEGINS = (1.0, 4.0)  # seconds, from – to: when one looks what has come of it


@dataclass(slots=True)
class RoundGoing:
    """One player, and the queue whose next round it joins."""

    world: World
    queue: str
    player: Persona
    luck: random.Random

    async def spend(self) -> None:
        """Join, wait, and play. Raises RefusalError for a bad key only."""
        try:
            rounds = (await self.world.api.get(f"queues/{self.queue}/rounds"))["results"]
            if not rounds or self._until(rounds[0]["starts_at"]) > _SOON:
                return
            entry = await self.world.api.post(
                f"rounds/{rounds[0]['id']}/join", player=self.player.id
            )
        except RefusalError as refusal:
            if refusal.is_of_the_key:
                raise
            log.info("demo.round", queue=self.queue, why=refusal.code)
            return
        # The site's clock, which nobody hurries.
        wait = self._until(entry["starts_at"]) + self.luck.uniform(*_BEGINS)
        await self.world.pause(wait * self.world.hurry)
        life = SimulatedLife(self.world, self.player, self.luck)
        await life.spend(1, at_once_in=self.queue)  # goes on with the search that has begun

    @staticmethod
    def _until(moment: str) -> float:
        return (datetime.fromisoformat(moment) - datetime.now(UTC)).total_seconds()
