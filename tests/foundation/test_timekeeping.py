"""A clock that jumps: seen against the last heartbeat and the machine's own clock, and believed again in time."""

from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from django.db import connection

from foundation import clock, timekeeping
from foundation.models import ClockPause, Heartbeat
from foundation.timekeeping import clock_jumps

pytestmark = pytest.mark.django_db
DAY = 86_400.0
_look = clock_jumps.look


class Clocks:
    """Both clocks, moved at will: `wait` lets time pass, `jump` sets the one of the database."""

    def __init__(self) -> None:
        self.base, _ = clock_jumps._read()
        self.wall = self.uptime = 1000.0
        self.name = "this boot"

    def read(self) -> tuple[datetime, float]:
        return self.base + timedelta(seconds=self.wall), self.uptime

    def look(self) -> clock_jumps.Look:
        at, uptime = self.read()
        return replace(_look(), at=at, uptime=uptime)

    def wait(self, seconds: float) -> None:
        self.wall += seconds
        self.uptime += seconds

    def jump(self, seconds: float) -> None:
        self.wall += seconds

    def boot(self, *, away: float) -> None:
        self.wall += away
        self.uptime, self.name = 10.0, f"{self.name} again"


@pytest.fixture
def clocks(monkeypatch: pytest.MonkeyPatch) -> Clocks:
    clocks = Clocks()
    monkeypatch.setattr(clock_jumps, "_read", clocks.read)
    monkeypatch.setattr(clock_jumps, "look", clocks.look)
    monkeypatch.setattr(clock_jumps, "machine", lambda: clocks.name)
    assert timekeeping.is_steady()
    return clocks


def pass_time(clocks: Clocks, seconds: float, *, steps: int = 40) -> None:
    """Let time pass under the eyes of whoever looks regularly."""
    for _ in range(steps):
        clocks.wait(seconds / steps)
        timekeeping.is_steady()


def test_steady_time_is_steady(clocks: Clocks) -> None:
    pass_time(clocks, 400 * DAY)
    clocks.jump(200)  # set right by a little
    assert timekeeping.is_steady()
    assert Heartbeat.objects.count() == 1


def test_a_clock_that_runs_ahead_ends_nothing(clocks: Clocks) -> None:
    pass_time(clocks, 600)
    before = clocks.read()[0]
    clocks.wait(3)
    clocks.jump(400 * DAY)
    assert timekeeping.closing_time() <= before
    found = timekeeping.pause()
    assert found is not None
    assert found.off_by == pytest.approx(400 * DAY, abs=10)


def test_it_goes_on_at_once_when_the_clock_is_back(clocks: Clocks) -> None:
    clocks.jump(400 * DAY)
    assert not timekeeping.is_steady()
    pass_time(clocks, 1200)
    clocks.jump(-400 * DAY)
    assert timekeeping.is_steady()
    assert not ClockPause.objects.exists()


def test_it_goes_on_after_an_hour_of_steady_time(clocks: Clocks) -> None:
    clocks.jump(-30 * DAY)  # it was ahead for long, and is set right
    assert not timekeeping.is_steady()
    pass_time(clocks, 3000)
    assert not timekeeping.is_steady()
    clocks.jump(5 * DAY)  # another: the hour begins anew
    pass_time(clocks, 3500)
    assert not timekeeping.is_steady()
    pass_time(clocks, 200)
    assert timekeeping.is_steady()
    pass_time(clocks, 10 * DAY)
    assert timekeeping.is_steady()


def test_it_goes_on_at_an_operators_word(clocks: Clocks) -> None:
    clocks.jump(400 * DAY)
    assert not timekeeping.is_steady()
    trusted = timekeeping.trust()
    assert trusted is not None
    assert timekeeping.is_steady()
    assert timekeeping.trust() is None


def test_a_machine_that_slept_is_believed(clocks: Clocks) -> None:
    """Its own clock goes on while it sleeps; so it does while the site is stopped."""
    clocks.wait(40 * DAY)
    assert timekeeping.is_steady()


def test_a_machine_that_was_booted_is_believed_unless_it_was_away_for_long(clocks: Clocks) -> None:
    clocks.boot(away=6 * DAY)
    assert timekeeping.is_steady()
    clocks.boot(away=60 * DAY)
    assert not timekeeping.is_steady()
    pass_time(clocks, 3700)
    assert timekeeping.is_steady()


def test_a_machine_that_boots_into_the_past_is_not_believed(clocks: Clocks) -> None:
    clocks.boot(away=-DAY)
    assert not timekeeping.is_steady()


def test_another_machine_counts_the_hour_when_the_first_is_gone(clocks: Clocks) -> None:
    clocks.jump(400 * DAY)
    assert not timekeeping.is_steady()
    clocks.boot(away=60)
    assert not timekeeping.is_steady()  # the first may be looking still
    pass_time(clocks, 4000)
    assert timekeeping.is_steady()


def test_a_time_that_is_given_is_believed(clocks: Clocks) -> None:
    clocks.jump(400 * DAY)
    moment = clock.now() + timedelta(days=1000)
    with clock.at(moment):
        assert timekeeping.closing_time() == moment
        assert timekeeping.is_steady()


def test_the_real_clocks_agree() -> None:
    assert timekeeping.is_steady()
    assert timekeeping.is_steady()
    with connection.cursor() as cursor:
        cursor.execute("UPDATE foundation_heartbeat SET at = at - interval '400 days'")
    assert not timekeeping.is_steady()
