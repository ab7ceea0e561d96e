"""The shooter's servers while the demo runs: each tells the site what happens there, as a real one would."""

import asyncio
import random
import time
from dataclasses import dataclass

import structlog

from demo.arena.fight import Event, Fight
from demo.arena.setting import SERVERS, ServerPlan, strengths
from demo.play.client import Client, RefusalError

__all__ = ["Arena"]

log = structlog.get_logger(__name__)

_FRAGS = (20, 45)
_LONGEST = 300.0  # seconds of a match
_BETWEEN = (1.5, 5.0)  # seconds from one message to the next
_PAUSE = (8.0, 25.0)  # seconds between two matches
_AT_ONCE = 3  # events of a message
_PUT_OFF = 30.0  # seconds until a server that was refused begins another match


@dataclass(slots=True)
class Arena:
    """All servers. `hurry`: so many times as fast as usual."""

    api: Client
    seed: int = 1
    hurry: float = 1.0

    async def live(self) -> None:
        """Let matches follow each other on every server, without end. Raises RefusalError where the key is not good."""
        tasks = [asyncio.create_task(self._run(plan)) for plan in SERVERS]
        try:
            await asyncio.gather(*tasks)
        finally:
            for task in tasks:
                task.cancel()

    async def _run(self, plan: ServerPlan) -> None:
        luck = random.Random(f"{self.seed}:{plan.slug}")  # noqa: S311 - a simulation
        while True:
            try:
                await self._play(plan, luck)
            except RefusalError as refusal:
                if refusal.is_of_the_key:
                    raise
                log.info("demo.match_refused", server=plan.slug, why=refusal.code)
                await self._pause(_PUT_OFF)
            await self._pause(luck.uniform(*_PAUSE))

    async def _play(self, plan: ServerPlan, luck: random.Random) -> None:
        # No match of an earlier start has this name: what was interrupted is ended by silence.
        fight = Fight(plan, f"live-{time.time_ns() // 1_000_000}", strengths(), luck)
        loop = asyncio.get_running_loop()
        frags, until = luck.randint(*_FRAGS), loop.time() + _LONGEST / self.hurry
        await self._tell(plan, fight.begin())
        while fight.frags < frags and loop.time() < until:
            await self._pause(luck.uniform(*_BETWEEN))
            events = [one for _ in range(luck.randint(1, _AT_ONCE)) for one in fight.go_on()]
            await self._tell(plan, events)
        await self._tell(plan, fight.end())

    async def _tell(self, plan: ServerPlan, events: list[Event]) -> None:
        """Tell the site; where the match is over for it, there is no use in going on. Raises RefusalError."""
        answer = await self.api.post(f"servers/{plan.slug}/events", events=events)
        for refused in answer.get("refused", []):
            raise RefusalError(200, refused)

    async def _pause(self, seconds: float) -> None:
        await asyncio.sleep(seconds / self.hurry)
