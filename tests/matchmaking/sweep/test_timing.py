"""A queue that holds pairs back: rates are learned from its tickets, and the sweep does what it says."""

import pytest

from matchmaking import tasks
from matchmaking.models import TicketState
from matchmaking.queues.settings import settings_of
from matchmaking.sweep.arrivals import read_arrivals
from matchmaking.sweep.pairing_context import PairingContext
from matchmaking.sweep.why_waiting import why_waiting
from matchmaking.sweep.why_words import why_in_words
from tests.matchmaking.hall import Hall, make_hall

pytestmark = pytest.mark.django_db

HOLDS = {"timing": {"holds": True, "at_most": 60}, "rematch": {"use": "off"}}


def hall_of(number: int, **settings: object) -> Hall:
    """Players from 1000 on, ten points apart, of whom nobody is too far away."""
    hall = make_hall(number, gap_start=5000, gap_per_second=0, settings={**HOLDS, **settings})
    hall.rate({one: 1000.0 + 10 * one for one in range(number)})
    return hall


def let_come_and_go(hall: Hall, *numbers: int) -> None:
    for number in numbers:
        hall.join(number)
        hall.wait(10)
        hall.cancel(number)


def expected(hall: Hall) -> float | None:
    with hall.at_now():
        context = PairingContext.of(hall.queue)
        rates = context.plan.arrivals
        return None if rates is None else float(rates.per_second.max())


def test_rates_are_learned_from_recent_tickets() -> None:
    hall = hall_of(40)
    let_come_and_go(hall, *range(19))
    assert expected(hall) is None
    let_come_and_go(hall, 19)
    # 20 tickets within 200 s and 190 points: about one in 2,000 s at each point.
    busy = expected(hall)
    assert busy is not None
    assert 1 / 4000 < busy < 1 / 1500
    hall.wait(3600)
    later = expected(hall)
    assert later is not None
    assert later < busy / 10
    hall.wait(2 * 3600)
    assert expected(hall) is None


def test_a_far_pair_is_held_and_let_go() -> None:
    hall = hall_of(40)
    let_come_and_go(hall, *range(0, 40, 2))
    hall.join(1, 39)
    assert hall.sweep().offers == 0
    with hall.at_now():
        why = why_waiting(hall.tickets[1])
    said = why_in_words(why, shows_sanctions=True)
    assert "1 of 1 fit but for the time" in "\n".join(said.verdict)
    row = next(row for row in said.rows if row.name == "Time to match")
    assert (row.alone, row.left) == (1, 0)
    assert why.findings is not None
    first = why.findings.first
    assert first is not None
    # What is said is what happens; only the rates change a little while nobody comes.
    assert 10 < first.seconds <= 60
    hall.wait(60)
    hall.beat(1, 39)
    assert hall.sweep().offers == 1
    assert hall.states(1, 39) == [TicketState.OFFERED] * 2


def test_a_near_pair_is_not() -> None:
    hall = hall_of(40)
    let_come_and_go(hall, *range(0, 40, 2))
    hall.join(20, 21)
    assert hall.sweep().offers == 1


def test_a_queue_that_holds_nobody_reads_nothing() -> None:
    hall = hall_of(2, timing={})
    context = PairingContext.of(hall.queue)
    assert context.plan.arrivals is None
    settings = settings_of(hall.queue)
    assert read_arrivals(hall.queue, settings, hall.track, context.plan.system) is None


def test_a_queue_that_holds_is_swept_four_times_a_second(monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[tuple[int, float]] = []

    def note(given: tuple[int], *, countdown: float = 0.0, **_options: object) -> None:
        sent.append((given[0], countdown))

    monkeypatch.setattr(tasks.run_queue, "apply_async", note)
    for holds in (True, False):
        hall = hall_of(2, timing={"holds": holds})
        hall.join(0)
        sent.clear()
        tasks.run_queues()
        own = [later for queue, later in sent if queue == hall.queue.pk]
        assert own == ([0.0, 0.25, 0.5, 0.75] if holds else [0.0])
