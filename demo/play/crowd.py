"""Who is online: some dozens, coming and going; and never nobody for a person who waits."""

import asyncio
import math
import random
from collections.abc import Sequence
from dataclasses import dataclass, field

import structlog

from demo.play.client import RefusalError
from demo.play.hearing import people_waiting
from demo.play.player import SimulatedLife, World
from demo.play.verdicts import Persona

__all__ = ["Crowd"]

log = structlog.get_logger(__name__)

_LOOK_EVERY = 2.0  # seconds
_SWING = 900.0  # seconds from few to many and back
_GAMES = (3, 12)  # a visit, from – to
_ARRIVES = 3.0  # seconds until a player who was sent to somebody has begun to search
_WITH_A_FRIEND = 0.08
_GOODBYE = 5.0  # seconds to end the searches under way


@dataclass(slots=True)
class Crowd:
    """Keeps between `fewest` and `most` players online."""

    world: World
    luck: random.Random
    fewest: int = 40
    most: int = 80
    _online: dict[str, tuple[SimulatedLife, asyncio.Task[None]]] = field(default_factory=dict)
    _visits: dict[str, int] = field(default_factory=dict)
    _sent: dict[int, list[tuple[SimulatedLife, float]]] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self._online)

    async def live(self) -> None:
        """Come and go until cancelled; then end the searches under way. Raises RefusalError for a bad key."""
        try:
            while True:
                self._see_who_left()
                await self._welcome_people()
                self._bring_some()
                await asyncio.sleep(_LOOK_EVERY / self.world.hurry)
        finally:
            await self._go_home()

    def _see_who_left(self) -> None:
        for name, (_life, task) in list(self._online.items()):
            if task.done():
                del self._online[name]
                task.result()  # what went wrong with one is wrong with all

    def _wanted(self) -> int:
        """How many should be online now."""
        now = asyncio.get_running_loop().time()
        swing = (1.0 + math.sin(2 * math.pi * now / _SWING)) / 2
        return round(self.fewest + (self.most - self.fewest) * swing)

    def _bring_some(self) -> None:
        """Half of those who are missing: the rest comes later, so that nobody sees them arrive in step."""
        missing = self._wanted() - len(self)
        for _ in range(math.ceil(missing / 2)):
            if offline := self._offline():
                habits = [persona.activity for persona in offline]
                two = self.luck.choices(offline, habits, k=2)
                is_pair = self.world.paired and self.luck.random() < _WITH_A_FRIEND
                self._bring(two[0], friend=two[1] if is_pair and two[0] != two[1] else None)

    def _offline(self) -> list[Persona]:
        """Who could come. Those who have given up never do."""
        cast = self.world.cast.values()
        return [one for one in cast if one.activity > 0 and one.id not in self._online]

    def _bring(
        self, persona: Persona, *, queue: str = "", friend: Persona | None = None
    ) -> SimulatedLife:
        visit = self._visits[persona.id] = self._visits.get(persona.id, 0) + 1
        luck = random.Random(f"{self.world.seed}:{persona.id}:{visit}")  # noqa: S311 - a simulation
        life = SimulatedLife(self.world, persona, luck, friend=friend)
        task = asyncio.create_task(life.spend(luck.randint(*_GAMES), at_once_in=queue))
        for one in (persona, friend):
            if one is not None:
                self._online[one.id] = life, task
        return life

    async def _welcome_people(self) -> None:
        """Send a player of about their strength to everyone who waits and is a person, and another if need be.

        One at a time: two of the same strength would find each other first.
        """
        guests = await people_waiting()
        for guest in guests:
            nearest = self._free(guest.near)
            sent = [one for one in self._sent.get(guest.ticket, ()) if self._still_comes(*one)]
            if nearest and len(sent) < guest.others:
                life = self._bring(nearest, queue=guest.queue)
                sent.append((life, self.world.later(_ARRIVES)))
            self._sent[guest.ticket] = sent
        waiting = {guest.ticket for guest in guests}
        self._sent = {ticket: sent for ticket, sent in self._sent.items() if ticket in waiting}

    def _free(self, near: Sequence[str]) -> Persona | None:
        """The first of these who is offline, or anybody."""
        offline = {one.id: one for one in self._offline()}
        return next((offline[one] for one in (*near, *offline) if one in offline), None)

    def _still_comes(self, life: SimulatedLife, arrived: float) -> bool:
        """Whether somebody who was sent still searches, or is about to."""
        return life.ticket is not None or not self.world.is_over(arrived)

    async def _go_home(self) -> None:
        """Everyone stops; whoever was searching says so, if the site still listens."""
        everyone = list(self._online.values())
        searching = self._searches()
        for _life, task in everyone:
            task.cancel()
        await asyncio.gather(*(task for _life, task in everyone), return_exceptions=True)
        searching |= self._searches()  # those that were just being begun
        goodbyes = [asyncio.create_task(self._cancel(ticket)) for ticket in searching]
        if goodbyes:
            await asyncio.wait(goodbyes, timeout=_GOODBYE)

    def _searches(self) -> set[int]:
        """Tickets of those who are online."""
        lives = (life for life, _task in self._online.values())
        return {life.ticket for life in lives if life.ticket is not None}

    async def _cancel(self, ticket: int) -> None:
        try:
            await self.world.api.post(f"tickets/{ticket}/cancel")
        except RefusalError as refusal:
            log.info("demo.not_cancelled", ticket=ticket, why=refusal.code)
