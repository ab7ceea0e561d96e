"""Random histories to which something is done: undisturbed, or by a process that is killed on the way."""

import random
import traceback
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any
from unittest.mock import patch

from accounts.models import AuditEntry
from foundation import wakeups
from ratings.models import Rating, RatingChange
from tests.emptying import empty_tables, rows_by_table
from tests.histories.chains import Step, Traces, draw_later, draw_steps
from tests.histories.course import Course
from tests.histories.deeds import Deed, What
from tests.histories.drawn import DAYS, LATER, History, draw_history
from tests.histories.killed import strike
from tests.histories.traces import TELLING, holding
from tests.histories.world import World, difference, record
from tests.ratings.arena import late
from tests.ratings.replays import rate_all

__all__ = ["KINDS", "Report", "attempt", "try_history", "try_kill"]

KINDS = tuple(What)
_NOW = DAYS + 0.5  # days: when things are done
_AFTERWARDS = LATER[1] + 0.5  # and when what is later was played
_ACTIONS = {
    What.MERGE: "player.merged",
    What.UNMERGE: "player.unmerged",
    What.ANNUL: "matches.annulled",
    What.CORRECT: "match.corrected",
    What.TAKE_BACK: "importedfile.taken_back",
    What.DELETE_OWN: "user.person_deleted",
    What.DELETE_ACCOUNT: "user.person_deleted",
    What.DELETE_PLAYER: "player.person_deleted",
}


@dataclass
class Tally:
    """What came of one kind of deed: how many histories it was done in, and how many of these came out wrong; how
    many kills hit a transaction that had written, or something else, and how often each thing was found.
    """

    histories: int = 0
    wrong: int = 0
    inside: int = 0
    elsewhere: int = 0
    found: Counter[str] = field(default_factory=Counter)


@dataclass
class Report:
    """What came of it all. `wrong`: what was found, in words."""

    tallies: dict[What, Tally] = field(default_factory=lambda: {kind: Tally() for kind in KINDS})
    histories: int = 0
    matches: int = 0
    wrong: list[str] = field(default_factory=list)

    @property
    def kills(self) -> int:
        """How many there were."""
        return sum(one.inside + one.elsewhere for one in self.tallies.values())

    @property
    def kills_inside(self) -> int:
        """How many of them in a transaction of the deed that had written."""
        return sum(one.inside for one in self.tallies.values())


def attempt(
    *, histories: int, kills: int, seed: int, told: Callable[[str], None] = lambda _words: None
) -> Report:
    """Make so many histories and kills, of each kind as many, and compare. The database is empty afterwards."""
    report = Report()
    with patch.object(wakeups, "_send"):  # nobody hears it: what workers do is done here
        for number in range(histories):
            told(f"history {number + 1} of {histories}")
            dice = random.Random(f"history {seed} {number}")
            more = dice.choices(KINDS, k=dice.choice((0, 0, 1, 2)))
            try_history(report, dice, [KINDS[number % len(KINDS)], *more])
        for number in range(kills):
            told(f"kill {number + 1} of {kills}")
            try_kill(report, random.Random(f"kill {seed} {number}"), KINDS[number % len(KINDS)])
        empty_tables()
    return report


def try_history(report: Report, dice: random.Random, kinds: Sequence[What]) -> None:
    """One history, and deeds of these kinds in turn; what is found then is noted in the report."""
    # What is archived is restored, for else its board is gone.
    kinds = [What.RESTORE if kind is What.ARCHIVE else kind for kind in kinds]
    history = _history_for(dice, kinds)
    course = Course(history)
    begin = dice.randint(0, len(kinds))
    steps = [
        *draw_steps(dice, course, kinds[:begin]),
        *draw_later(course),
        *draw_steps(dice, course, kinds[begin:]),
    ]
    done = {step.what for step in steps if isinstance(step, Deed)}
    report.histories += 1
    empty_tables()
    try:
        words = _live_through(report, dice, course, steps)
    except Exception:  # of whatever kind: it is what was found
        words = traceback.format_exc()
    for what in done:
        report.tallies[what].histories += 1
        report.tallies[what].wrong += bool(words)
    _note(report, done, steps, words)


def _live_through(
    report: Report, dice: random.Random, course: Course, steps: Sequence[Step]
) -> str:
    """Do it all, and say what is wrong afterwards."""
    world, now = record(course.history, course.history.entries, slug="go"), _NOW
    report.matches += len(world.matches)
    rate_all(day=now)
    for step in steps:
        before = _ledger()
        with late(now):
            world.take(step)
        if not isinstance(step, Deed):
            now = now if isinstance(step, Traces) else _AFTERWARDS
        elif step.what.changes_nothing and _ledger() != before:
            return f"{step.what.value}: ratings or their ledger have changed"
        elif step.what.is_deletion and (left := _left_over()):
            return f"{step.what.value}: left over in {left}"
        if dice.random() < 0.5:
            rate_all(day=now)
    return _judge(world, course, replays=any(_changes_nothing(step) for step in steps))


def _judge(world: World, course: Course, *, replays: bool) -> str:
    """Hold what came of it against a history that was so from the start; with a replay of all afterwards."""
    world.settle()
    clean = record(course.history, course.told(), slug="clean", at_once=True)
    clean.settle()
    found = difference(world, clean, off_boards=course.merged)
    if not found and replays:
        world.replay()
        found = difference(world, clean, off_boards=course.merged)
        return found and f"after another replay {found}"
    return found


def _changes_nothing(step: Step) -> bool:
    return isinstance(step, Deed) and step.what.changes_nothing


def try_kill(report: Report, dice: random.Random, kind: What) -> None:
    """One history, and one deed by a process that is killed at a random moment; then what is found is judged."""
    history = _history_for(dice, [kind])
    course = Course(history)
    steps: list[Step] = []
    while not steps:
        steps = draw_steps(dice, course, [kind])
    tally = report.tallies[kind]
    empty_tables()
    try:
        found, words = _kill(report, dice, course, steps)
    except Exception:  # of whatever kind: it is what was found
        found, words = "wrong", traceback.format_exc()
    tally.found["wrong" if words else found] += 1
    _note(report, {kind}, steps, words)


def _kill(
    report: Report, dice: random.Random, course: Course, steps: Sequence[Step]
) -> tuple[str, str]:
    """Kill, and say whether nothing or all of the deed was there, and what is wrong."""
    *before, deed = steps
    assert isinstance(deed, Deed)
    world = record(course.history, course.history.entries, slug="go")
    rate_all(day=_NOW)
    with late(_NOW):
        for step in before:
            world.take(step)
    rows, known = rows_by_table(), _entries(deed)
    is_inside = strike(
        deed,
        world.place,
        day=_NOW,
        dice=dice,
        aimed=2 * report.kills_inside <= report.kills,
    )
    tally = report.tallies[deed.what]
    tally.inside += is_inside
    tally.elsewhere += not is_inside
    found = "nothing" if rows_by_table() == rows else "all"
    words, told = "", _entries(deed) - known
    if found == "all" and told != 1:
        words = f"the audit log tells of it {told} times; "
    with late(_NOW):
        if found == "nothing":  # and nothing is in its way
            world.take(deed)
        if deed.what is What.ARCHIVE:
            world.take(Deed(what=What.RESTORE, thing=deed.thing))
    if deed.what.is_deletion and (left := _left_over()):
        words += f"left over in {left}; "
    return found, words + _judge(world, course, replays=deed.what.changes_nothing)


def _history_for(dice: random.Random, kinds: Sequence[What]) -> History:
    while True:
        history = draw_history(dice)
        if What.TAKE_BACK not in kinds or any(one.in_file for one in history.entries):
            return history


def _ledger() -> list[Any]:
    rows: list[Any] = [*Rating.objects.order_by("pk").values_list()]
    return [*rows, *RatingChange.objects.order_by("pk").values_list()]


def _entries(deed: Deed) -> int:
    """How often the audit log says that something of the kind was done."""
    action = _ACTIONS.get(deed.what, deed.thing and f"{deed.thing}.{deed.what.value}d")
    return AuditEntry.objects.filter(action=action).count()


def _left_over() -> list[str]:
    return holding(*TELLING)


def _note(report: Report, done: set[What], steps: Sequence[Step], words: str) -> None:
    if words:
        names = ", ".join(sorted(what.value for what in done))
        report.wrong.append(f"{names}: {words}\n  {steps}")
