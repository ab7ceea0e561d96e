"""Random things to do to a history, one after the other, of kinds that are given."""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from tests.histories.course import Course
from tests.histories.deeds import Deed, What
from tests.histories.drawn import DAYS, LATER, Entry, draw_result

__all__ = ["Played", "Step", "Traces", "draw_later", "draw_steps"]

_TRIES = 50


@dataclass(frozen=True)
class Traces:
    """Somebody has left words in all tables, and may have an account. One result was corrected because of them."""

    who: int
    other: int
    has_account: bool
    match: int | None
    result: Entry | None


@dataclass(frozen=True)
class Played:
    """What is played later, by now."""

    entries: tuple[Entry, ...]


Step = Deed | Traces | Played


def draw_steps(dice: random.Random, course: Course, kinds: Sequence[What]) -> list[Step]:
    """Draw what is done, of each kind in turn and with what must be before it; the course goes on by it.

    A kind that has nothing to do, as a second taking back of one file, is left out.
    """
    steps: list[Step] = []
    for kind in kinds:
        steps += _DRAWING[kind](dice, course, kind)
    return steps


def draw_later(course: Course) -> list[Step]:
    """What is played later."""
    return [Played(tuple(course.play_later()))]


def _merge(dice: random.Random, course: Course, _kind: What) -> list[Step]:
    for _ in range(_TRIES):
        who, into = dice.sample(range(course.history.people), 2)
        if _can_merge(course, who, into):
            return _merged(dice, course, who, into)
    return []


def _can_merge(course: Course, who: int, into: int) -> bool:
    if not course.deleted.isdisjoint((who, into)):
        return False
    receiving = {into for into, _since in course.merged.values()}
    return who not in course.merged and into not in course.merged and who not in receiving


def _merged(dice: random.Random, course: Course, who: int, into: int) -> list[Step]:
    since = dice.uniform(0, DAYS) if dice.random() < 0.5 else None
    course.merge(who, into, since)
    return [Deed(what=What.MERGE, who=who, into=into, since=since)]


def _unmerge(dice: random.Random, course: Course, kind: What) -> list[Step]:
    steps = [] if course.merged else _merge(dice, course, kind)
    who = dice.choice(sorted(course.merged))
    course.unmerge(who)
    return [*steps, Deed(what=What.UNMERGE, who=who)]


def _annul(dice: random.Random, course: Course, _kind: What) -> list[Step]:
    if not (counting := course.counting()):
        return []
    entry = course.entries[dice.choice(counting)]
    who = dice.choice(course.players(entry))
    since = dice.uniform(0, entry.day) if dice.random() < 0.7 else None
    until = dice.uniform(entry.day + 0.01, LATER[1]) if dice.random() < 0.7 else None
    early, late = (0.0 if since is None else since), (1e9 if until is None else until)
    course.annul(course.chosen(who, early, late))
    return [Deed(what=What.ANNUL, who=who, since=since, until=until)]


def _correct(dice: random.Random, course: Course, _kind: What) -> list[Step]:
    if not (counting := course.counting()):
        return []
    index = dice.choice(counting)
    result = draw_result(dice, course.entries[index])
    course.correct(index, result)
    return [Deed(what=What.CORRECT, match=index, result=result)]


def _archive(dice: random.Random, _course: Course, _kind: What) -> list[Step]:
    return [Deed(what=What.ARCHIVE, thing=dice.choice(("game", "ladder", "track")))]


def _restore(dice: random.Random, course: Course, kind: What) -> list[Step]:
    (archived,) = _archive(dice, course, kind)
    assert isinstance(archived, Deed)
    return [archived, Deed(what=What.RESTORE, thing=archived.thing)]


def _take_back(_dice: random.Random, course: Course, _kind: What) -> list[Step]:
    if not course.has_file:
        return []
    course.take_back()
    return [Deed(what=What.TAKE_BACK)]


def _delete(dice: random.Random, course: Course, kind: What) -> list[Step]:
    if course.deleted:
        return []
    free = [who for who in range(course.history.people) if who not in course.merged]
    who, other = dice.sample(free, 2)
    own = course.chosen(who, 0.0, 1e9)
    match = dice.choice(own) if own else None
    result = None if match is None else draw_result(dice, course.entries[match])
    if match is not None and result is not None:
        course.correct(match, result)
    steps: list[Step] = [Traces(who, other, kind is not What.DELETE_PLAYER, match, result)]
    # The account may come along, or wait; of a player alone what is the other's stays.
    pair = (other, who) if kind is What.DELETE_PLAYER or dice.random() < 0.5 else (who, other)
    if dice.random() < 0.3 and _can_merge(course, *pair):
        steps += _merged(dice, course, *pair)
    course.deleted = frozenset(pair)
    return [*steps, Deed(what=kind, who=who)]


_DRAWING: Mapping[What, Callable[[random.Random, Course, What], list[Step]]] = {
    What.MERGE: _merge,
    What.UNMERGE: _unmerge,
    What.ANNUL: _annul,
    What.CORRECT: _correct,
    What.ARCHIVE: _archive,
    What.RESTORE: _restore,
    What.TAKE_BACK: _take_back,
    What.DELETE_OWN: _delete,
    What.DELETE_ACCOUNT: _delete,
    What.DELETE_PLAYER: _delete,
}
