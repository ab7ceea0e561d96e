"""An act by a process that is killed between two statements; afterwards promises hold, and others go on."""

import os
import random
import re
import signal
import traceback
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any
from unittest.mock import patch

from django.db import connection

from foundation import wakeups
from tests.histories.killed import end, own_backend
from tests.matchmaking.machine.promises import Watcher
from tests.matchmaking.machine.world import PLAYERS
from tests.processes import hear, running, say
from tests.together.deeds import ACTS, OWN, Act
from tests.together.promises import QUESTIONS, SETTLED, got_in, places_and_cooling
from tests.together.scenes import FREED, SCENES
from tests.together.world import Gathering, make_gathering

__all__ = ["Kills", "Tally", "kill_many"]

_HOURS = 3 * 3600
_BEFORE, _AFTER = 6, 6  # random acts
_WRITES = re.compile(r"\b(INSERT|UPDATE|DELETE)\b")
# What workers do, again and again.
_WORK = (
    Act("tend rooms"),
    Act("settle challenges"),
    Act("hold rounds"),
    Act("judge"),
    Act("settle"),
    *(Act("sweep", queue=number) for number in range(4)),
    Act("rate"),
)


@dataclass
class Tally:
    """How many kills of one kind hit a transaction that had written, or something else, and how many did harm."""

    inside: int = 0
    elsewhere: int = 0
    wrong: int = 0


@dataclass
class Kills:
    """What came of them. `hit`: what was being done; `wrong`: what was found, in words."""

    tallies: dict[str, Tally] = field(default_factory=lambda: {name: Tally() for name in SCENES})
    hit: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)

    @property
    def inside(self) -> int:
        """How many hit a transaction that had written."""
        return sum(one.inside for one in self.tallies.values())

    @property
    def elsewhere(self) -> int:
        """How many hit anything else."""
        return sum(one.elsewhere for one in self.tallies.values())


def kill_many(*, kills: int, seed: int, told: Callable[[str], None] = lambda _words: None) -> Kills:
    """So many kills, in each scene as many, each in a world of its own. The database is as it was afterwards."""
    found, names = Kills(), sorted(SCENES)
    if not kills:
        return found
    world = make_gathering()
    watchers = [Watcher(connection.get_connection_params(), its) for its in (QUESTIONS, SETTLED)]
    try:
        with patch.object(wakeups, "_send"):  # nobody hears it: what workers do is done here
            for number in range(kills):
                told(f"kill {number + 1} of {kills}")
                dice = random.Random(f"kill {seed} {number}")
                _Kill(found, world, watchers, dice, names[number % len(names)]).do()
    finally:
        for watcher in watchers:
            watcher.close()
        world.clean()
    return found


class _Kill:
    """One world, one process that dies in it, and all that is done before and after."""

    def __init__(
        self,
        found: Kills,
        world: Gathering,
        watchers: Sequence[Watcher],
        dice: random.Random,
        scene: str,
    ) -> None:
        self.found, self.world, self.dice, self.scene = found, world, dice, scene
        self.promised, self.settled = watchers
        self.done: list[Act | float | str] = []
        self.seen = places_and_cooling(world.now)

    def do(self) -> None:
        """Do it all, and note what is wrong."""
        tally = self.found.tallies[self.scene]
        self.world.clean()
        try:
            words = self._through(tally)
        except Exception:  # of whatever kind: it is what was found
            words = traceback.format_exc()
        words = "; ".join([words, *self.world.wrong]) if self.world.wrong else words
        self.world.wrong.clear()
        if words:
            tally.wrong += 1
            self.found.wrong.append(f"{self.scene}: {words}\n  {self.done}")

    def _through(self, tally: Tally) -> str:
        world, dice = self.world, self.dice
        self.seen = places_and_cooling(world.now)
        *steps, last = SCENES[self.scene](*(dice.randrange(n) for n in (PLAYERS, PLAYERS, 4, 4)))
        assert isinstance(last, Act)
        freed = FREED if dice.random() < 0.8 else ()
        for step in [*self._random_acts(_BEFORE), *freed, *steps]:
            self._take(step)
        if words := self._broken():
            return f"before anybody was killed: {words}"
        aims = 2 * self.found.inside <= self.found.inside + self.found.elsewhere
        is_inside = self._strike([last, *self._random_acts(40)], aimed=aims)
        tally.inside += is_inside
        tally.elsewhere += not is_inside
        if words := self._broken():
            return f"when it was dead: {words}"
        for step in [last, *self._random_acts(_AFTER)]:
            self._take(step)
            if words := self._broken():
                return f"when others went on: {words}"
        for _ in range(2):  # what begins in the first has ended in the second
            world.seconds += _HOURS
            for step in _WORK:
                self._take(step)
        return self._broken() or "; ".join(self.settled.broken(world.told()))

    def _take(self, step: Act | float) -> None:
        self.done.append(step)
        if isinstance(step, Act):
            step.do(self.world)
            self.world.seconds += 0.001
        else:
            self.world.seconds += step

    def _random_acts(self, number: int) -> list[Act]:
        dice = self.dice
        kinds = [*OWN, *OWN, *ACTS]  # what only this world knows twice as often
        return [
            Act(
                dice.choice(kinds),
                dice.randrange(PLAYERS),
                dice.randrange(PLAYERS),
                dice.randrange(4),
                dice.randrange(4),
            )
            for _ in range(number)
        ]

    def _broken(self) -> str:
        before, self.seen = self.seen, places_and_cooling(self.world.now)
        found = self.promised.broken(self.world.told())
        return "; ".join([*found, *got_in(before, self.seen)])

    def _strike(self, acts: Sequence[Act], *, aimed: bool) -> bool:
        """Kill a process that does these; True if it was in a transaction that had written."""
        behind = self.dice.randint(1, 8 if aimed else 30)
        with running(_act, self.world.for_process(), acts, behind, aimed) as child:
            backend = child.hear()
            doing = ""
            while (said := child.hear()) is not None:  # what it begins; None when it stops itself
                doing = said
            self.done.append(f"killed at: {doing}")
            self.found.hit[doing] += 1
            return end(child, backend)


def _act(world: Gathering, acts: Sequence[Act], behind: int, aimed: bool) -> None:
    """In the process: do these, and stop behind so many statements; `aimed`: of those that follow a writing one in
    their transaction.
    """
    left, has_written = behind, False

    def count(execute: Callable[..., Any], sql: Any, *given: Any) -> Any:
        nonlocal left, has_written
        result = execute(sql, *given)
        if not connection.in_atomic_block or "idle_in_transaction_session_timeout" in str(sql):
            has_written = False
        has_written = has_written or bool(_WRITES.search(str(sql)))
        left -= has_written or not aimed
        if left == 0:
            say(None)
            os.kill(os.getpid(), signal.SIGSTOP)
        return result

    with patch.object(wakeups, "_send"):
        say(own_backend())
        with connection.execute_wrapper(count):
            for act in acts:
                say(act.what)
                act.do(world)
    say(None)
    hear()
