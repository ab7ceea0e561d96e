"""The short form; and that it finds what goes wrong."""

import random

import pytest

from foundation import wakeups
from ratings.merging import merge as merging
from ratings.models import Player
from tests.forms import often
from tests.histories.course import Course
from tests.histories.deeds import What
from tests.histories.drawn import DAYS, draw_history
from tests.histories.telling import tell
from tests.histories.trial import Report, attempt, try_history
from tests.histories.world import difference, record
from tests.ratings.replays import rate_all

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _unheard(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever wakes workers; what they do is done by the trial."""
    monkeypatch.setattr(wakeups, "_send", lambda *_given: None)


def test_each_becomes_one_that_was_so_and_a_kill_leaves_all_or_nothing() -> None:
    report = attempt(histories=often(2, 20), kills=often(3, 20), seed=2)
    assert report.wrong == []
    assert (report.histories, report.kills) == (often(2, 20), often(3, 20))
    assert "Wrong: nothing." in list(tell(report))


def test_what_is_not_replayed_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(merging, "ask_for_replays", lambda _first: [])
    report = Report()
    try_history(report, random.Random(1), [What.MERGE])
    assert len(report.wrong) == report.tallies[What.MERGE].wrong == 1


@pytest.mark.full
def test_half_a_merge_is_found() -> None:
    course = Course(draw_history(random.Random(3)))
    world = record(course.history, course.history.entries, slug="go")
    rate_all(day=DAYS)
    into, player = (world.place.player(number) for number in (0, 1))
    Player.objects.filter(pk=player.pk).update(merged_into=into)
    course.merge(1, 0, None)
    clean = record(course.history, course.told(), slug="clean", at_once=True)
    for one in (world, clean):
        one.settle()
    assert difference(world, clean, off_boards=course.merged)
