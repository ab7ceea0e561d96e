"""Who is online: some dozens, coming and going; and never nobody for a person who waits."""

import asyncio
import math
import random
from collections.abc import Coroutine, Sequence
from dataclasses import dataclass, field
from typing import Any

import structlog

from demo.league import GAME, PLANS, ROUNDS_IN
from demo.models import SimulatedPlayer
from demo.play.asking_people import people_asking
from demo.play.challenging import Challenging, answer_person
from demo.play.client import RefusalError
from demo.play.gathering import Gathering
from demo.play.grouping import Grouping
from demo.play.player import SimulatedLife, World
from demo.play.rounds import RoundGoing
from demo.play.truth import Persona
from demo.play.waiting_people import people_waiting
from demo.play.waking import Listeners
from matchmaking.models import Queue
from ratings.models import Mode

__all__ = ["Crowd", "load_roster", "open_queues", "paired_queues"]

log = structlog.get_logger(__name__)

_LOOK_EVERY = 2.0  # seconds
_SWING = 900.0  # seconds from few to many and back
_GAMES = (3, 12)  # a visit, from – to
_ARRIVES = 3.0  # seconds until a player who was sent to somebody has begun to search
_WITH_A_FRIEND = 0.08
_SHARE = {Mode.RANKED: 1.0, Mode.NORMAL: 0.4}  # how much queues are liked
_GATHERS = 0.04  # the chance that a room is opened, at each look
_MOST_ROOMS = 4
_CHALLENGES = 0.06  # the chance that somebody is challenged, at each look
_MOST_CHALLENGES = 6
_GROUPS = 0.08  # the chance that somebody looks after its groups, at each look
_TO_ROUNDS = 0.15  # the chance that somebody would join a round, at each look
_MOST_IN_ROUNDS = 12
_MORE = 2  # come to a room beside those who have seats in it
_GUESTS = 8  # of whom a person's room is filled
_SPARE = 40  # offline players of whom some may gather
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
    _rooms: set[asyncio.Task[None]] = field(default_factory=set)
    _challenges: set[asyncio.Task[None]] = field(default_factory=set)
    _groups: set[asyncio.Task[None]] = field(default_factory=set)
    _in_rounds: set[asyncio.Task[None]] = field(default_factory=set)
    _answers: dict[object, asyncio.Task[None]] = field(default_factory=dict)
    _listeners: Listeners = field(init=False)

    def __post_init__(self) -> None:
        self._listeners = Listeners(self.world, self.luck)

    def __len__(self) -> int:
        return len(self._online)

    async def live(self) -> None:
        """Come and go until cancelled; then end the searches under way. Raises RefusalError for a bad key."""
        try:
            while True:
                await self._come_and_go()
                await asyncio.sleep(_LOOK_EVERY / self.world.hurry)
        finally:
            others = self._rooms | self._challenges | self._groups | self._in_rounds
            others |= {*self._answers.values()}
            for other in others:
                other.cancel()
            await asyncio.gather(*others, return_exceptions=True)
            everyone = list(self._online.values())
            searching = self._searches()
            for _life, task in everyone:
                task.cancel()
            await asyncio.gather(*(task for _life, task in everyone), return_exceptions=True)
            searching |= self._searches()  # those that were just being begun
            if goodbyes := [asyncio.create_task(self._cancel(ticket)) for ticket in searching]:
                await asyncio.wait(goodbyes, timeout=_GOODBYE)  # if the site still listens

    async def _come_and_go(self) -> None:
        """Forget who has left; send players to people who wait; bring some of those who are missing."""
        for name, (life, task) in list(self._online.items()):
            if task.done():
                del self._online[name]
                task.result()  # what went wrong with one is wrong with all
                await self._listeners.goes_home(life.me, life.queue)
        # Everyone who waits and is a person gets a player of about their strength, and another if need be. One at a
        # time: two of the same strength would find each other first.
        guests = await people_waiting()
        for guest in guests:
            nearest = self._free(guest.near)
            coming = [
                (life, arrived)
                for life, arrived in self._sent.get(guest.ticket, ())
                if life.ticket is not None or not self.world.is_over(arrived)
            ]
            if nearest and len(coming) < guest.others:
                life = self._bring(nearest, queue=guest.queue)
                coming.append((life, self.world.later(_ARRIVES)))
            self._sent[guest.ticket] = coming
        waiting = {guest.ticket for guest in guests}
        self._sent = {ticket: sent for ticket, sent in self._sent.items() if ticket in waiting}
        # Half of those who are missing: the rest comes later, so that nobody sees them arrive in step.
        now = asyncio.get_running_loop().time()
        swing = (1.0 + math.sin(2 * math.pi * now / _SWING)) / 2
        missing = round(self.fewest + (self.most - self.fewest) * swing) - len(self)
        for _ in range(math.ceil(missing / 2)):
            if offline := self._offline():
                habits = [persona.activity for persona in offline]
                two = self.luck.choices(offline, habits, k=2)
                is_pair = self.world.paired and self.luck.random() < _WITH_A_FRIEND
                self._bring(two[0], friend=two[1] if is_pair and two[0] != two[1] else None)

        for persona, queue in await self._listeners.woken():
            if persona.id not in self._online and queue in self.world.queues:
                self._bring(persona, queue=queue)
        self._gather()
        self._challenge()
        self._group()
        self._go_to_round()
        await self._answer_people()

    def _gather(self) -> None:
        """Let some open a room at times, where enough are offline for that."""
        if self._is_idle(self._rooms, _MOST_ROOMS, _GATHERS):
            return
        shapes = {one.slug: one.match_format for one in PLANS if one.slug in self.world.queues}
        if not shapes:
            return
        offline, ladder = self._offline(), self.luck.choice(sorted(shapes))
        # Some more, for those whom the room does not let in.
        coming = shapes[ladder].size * shapes[ladder].teams + _MORE
        if len(offline) < max(_SPARE, coming):
            return
        players = self.luck.sample(offline, coming)
        luck = self._luck_of(players[0])
        self._rooms.add(
            self._send(players, luck, Gathering(self.world, ladder, players, luck).spend())
        )

    def _challenge(self) -> None:
        """Let one challenge another at times, where enough are offline for that."""
        if self._is_idle(self._challenges, _MOST_CHALLENGES, _CHALLENGES):
            return
        duels = [
            one.slug
            for one in PLANS
            if (one.match_format.size, one.match_format.teams) == (1, 2)
            and one.slug in self.world.queues
        ]
        offline = self._offline()
        if not duels or len(offline) < _SPARE:
            return
        first, second = self.luck.sample(offline, 2)
        luck = self._luck_of(first)
        asked = Challenging(self.world, self.luck.choice(duels), first, second, luck)
        self._challenges.add(self._send([first, second], luck, asked.spend()))

    def _go_to_round(self) -> None:
        """Let somebody join the next round at times, if it begins soon."""
        if self._is_idle(self._in_rounds, _MOST_IN_ROUNDS, _TO_ROUNDS):
            return
        offline = self._offline()
        if len(offline) >= _SPARE and ROUNDS_IN in self.world.queues:
            player = self.luck.choice(offline)
            luck = self._luck_of(player)
            going = RoundGoing(self.world, ROUNDS_IN, player, luck)
            self._in_rounds.add(self._send([player], luck, going.spend()))

    async def _answer_people(self) -> None:
        """Answer what people ask of simulated players, each once at a time."""
        for key, task in [one for one in self._answers.items() if one[1].done()]:
            del self._answers[key]
            task.result()
        asked = await people_asking()
        for challenge, _ladder, name in asked.challenges:
            if ("challenge", challenge) not in self._answers and name in self.world.roster:
                persona = self.world.roster[name]
                luck = self._luck_of(persona)
                answer = answer_person(self.world, challenge, persona, luck)
                self._answers["challenge", challenge] = asyncio.create_task(answer)
        for name, person in asked.friends:
            if ("friend", name, person) not in self._answers:
                self._answers["friend", name, person] = asyncio.create_task(
                    self._befriend(name, person)
                )
        for room, ladder in asked.rooms:
            offline = self._offline()
            if ("room", room) not in self._answers and offline:
                guests = self.luck.sample(offline, min(len(offline), _GUESTS))
                luck = self._luck_of(guests[0])
                coming = Gathering(self.world, ladder, guests, luck, room=room)
                self._answers["room", room] = self._send(guests, luck, coming.spend())

    async def _befriend(self, name: str, person: int) -> None:
        await self.world.pause(self.luck.uniform(3.0, 20.0))
        try:
            await self.world.api.post("me/friends", player=name, friend=person)
        except RefusalError as refusal:
            if refusal.is_of_the_key:
                raise
            log.info("demo.no_friend", why=refusal.code)

    def _is_idle(self, tasks: set[asyncio.Task[None]], most: int, chance: float) -> bool:
        """Whether nothing more of this kind begins now. Forgets what is over, and tells what went wrong in it."""
        for task in [one for one in tasks if one.done()]:
            tasks.discard(task)
            task.result()
        return len(tasks) >= most or self.luck.random() >= chance

    def _luck_of(self, persona: Persona) -> random.Random:
        """That of a player's next visit, the same in each run."""
        visit = self._visits[persona.id] = self._visits.get(persona.id, 0) + 1
        return random.Random(f"{self.world.seed}:{persona.id}:{visit}")  # noqa: S311 - a simulation

    def _send(
        self, players: Sequence[Persona], luck: random.Random, what: Coroutine[Any, Any, None]
    ) -> asyncio.Task[None]:
        """Let these be online for something else than searching, until it is over."""
        task = asyncio.create_task(what)
        for one in players:
            self._online[one.id] = SimulatedLife(self.world, one, luck), task
        return task

    def _group(self) -> None:
        """Let one who is offline look after its groups at times."""
        if self._is_idle(self._groups, 1, _GROUPS):
            return
        offline = self._offline()
        if len(offline) < _SPARE:
            return
        luck = random.Random(self.luck.random())  # noqa: S311 - a simulation
        grouping = Grouping(self.world, self.luck.choice(offline), luck)
        self._groups.add(asyncio.create_task(grouping.spend()))

    def _offline(self) -> list[Persona]:
        """Who could come. Those who have given up never do."""
        roster = self.world.roster.values()
        return [one for one in roster if one.activity > 0 and one.id not in self._online]

    def _bring(
        self, persona: Persona, *, queue: str = "", friend: Persona | None = None
    ) -> SimulatedLife:
        luck = self._luck_of(persona)
        life = SimulatedLife(self.world, persona, luck, friend=friend)
        task = asyncio.create_task(life.spend(luck.randint(*_GAMES), at_once_in=queue))
        for one in (persona, friend):
            if one is not None:
                self._online[one.id] = life, task
        return life

    def _free(self, near: Sequence[str]) -> Persona | None:
        """The first of these who is offline, or anybody."""
        offline = {one.id: one for one in self._offline()}
        return next((offline[one] for one in (*near, *offline) if one in offline), None)

    def _searches(self) -> set[int]:
        """Tickets of those who are online."""
        lives = (life for life, _task in self._online.values())
        return {life.ticket for life in lives if life.ticket is not None}

    async def _cancel(self, ticket: int) -> None:
        try:
            await self.world.api.post(f"tickets/{ticket}/cancel")
        except RefusalError as refusal:
            log.info("demo.not_cancelled", ticket=ticket, why=refusal.code)


def load_roster() -> dict[str, Persona]:
    """The simulated players by their id in the game."""
    rows = SimulatedPlayer.objects.filter(player__game__slug=GAME).order_by("pk")
    columns = rows.values_list("player__external_id", "strength", "activity", "manners")
    return {row[0]: Persona(*row) for row in columns}


def open_queues() -> dict[str, float]:
    """Short names of the league's open queues, and how much each is liked."""
    plans = [plan.slug for plan in PLANS]
    queues = Queue.objects.filter(slug__in=plans, is_open=True).select_related("ladder")
    return {queue.slug: _SHARE[Mode(queue.ladder.mode)] for queue in queues.order_by("pk")}


def paired_queues() -> list[str]:
    """Short names of the open queues in which two friends can play together."""
    plans = [plan.slug for plan in PLANS if plan.match_format.size > 1]
    queues = Queue.objects.filter(slug__in=plans, is_open=True).order_by("pk")
    return list(queues.values_list("slug", flat=True))
