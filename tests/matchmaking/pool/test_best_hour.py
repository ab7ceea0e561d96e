"""When searching is best: golden half hours by the clocks of a zone, and silence where too little is known."""

from datetime import timedelta
from zoneinfo import ZoneInfo

import pytest

from matchmaking.models import Ticket, TicketState
from matchmaking.pool.best_hour import LEAST, best_hours
from matchmaking.pool.near import Near, searching_now
from ratings.models import Mode
from tests.matchmaking.hall import NOON, Hall, make_hall

pytestmark = pytest.mark.django_db

UTC = ZoneInfo("UTC")


def let_search(
    hall: Hall, days_ago: int, hour: float, wait: float, number: int, state: str
) -> None:
    """Searches that began at an hour so many days before noon of today, and ended after a wait."""
    began = NOON - timedelta(days=days_ago) + timedelta(hours=hour - 12)
    Ticket.objects.bulk_create(
        Ticket(
            queue=hall.queue,
            state=state,
            waiting_since=began,
            seen_at=began,
            ended_at=began + timedelta(seconds=wait),
        )
        for _ in range(number)
    )


def evening(hall: Hall, days_ago: int, hour: float, wait: float, number: int = 5) -> None:
    let_search(hall, days_ago, hour, wait, number, TicketState.MATCHED)


def test_the_shortest_waits_of_today_and_of_the_week() -> None:
    hall = make_hall(0)
    for weeks in (1, 2):
        evening(hall, 7 * weeks, 19.5, 120)
        evening(hall, 7 * weeks, 20.0, 90)
        evening(hall, 7 * weeks, 8.0, 10)  # that time of today is over
        evening(hall, 7 * weeks - 2, 21.75, 60)
    with hall.at_now():
        best = best_hours(hall.queue.pk, UTC, NOON)
    assert best.known == 4
    assert best.today is not None
    assert (best.today.weekday, f"{best.today.at:%H:%M}", best.today.wait) == (
        NOON.isoweekday(), "20:00", 90.0,
    )  # fmt: skip
    assert best.week is not None
    assert (f"{best.week.at:%H:%M}", best.week.wait, best.week.searches) == ("08:00", 10.0, 10)


def test_by_the_clocks_of_a_zone() -> None:
    hall = make_hall(0)
    for weeks in (1, 2):
        evening(hall, 7 * weeks, 23.5, 60)
    with hall.at_now():
        kathmandu = best_hours(hall.queue.pk, ZoneInfo("Asia/Kolkata"), NOON)
    assert kathmandu.week is not None
    # 23:30 in Greenwich is five o'clock of the next day there.
    assert f"{kathmandu.week.at:%H:%M}" == "05:00"
    assert kathmandu.week.weekday == NOON.isoweekday() % 7 + 1
    assert kathmandu.today is None


def test_too_few_on_one_day_or_mostly_in_vain_is_not_told() -> None:
    hall = make_hall(0)
    evening(hall, 7, 18, 10, LEAST * 3)  # one evening says nothing of others
    for weeks in (1, 2):
        evening(hall, 7 * weeks, 19, 10, LEAST // 2 - 1)
        evening(hall, 7 * weeks, 20, 10, 10)
        let_search(hall, 7 * weeks, 20, 300, 11, TicketState.EXPIRED)
    evening(hall, 35, 19, 10, LEAST)  # longer ago than four weeks
    with hall.at_now():
        best = best_hours(hall.queue.pk, UTC, NOON)
    assert (best.today, best.week, best.known) == (None, None, 0)


def test_who_searches_now_and_who_of_them_is_near() -> None:
    hall = make_hall(7, gap_start=100, gap_per_second=0)
    hall.rate({0: 1500, 1: 1590, 2: 1601, 3: 1450, 4: 1420})
    hall.join(0, 2, 5)

    def near(number: int | None) -> tuple[int, Near | None]:
        found = searching_now(hall.queue, None if number is None else hall.players[number].pk)
        return found.players, found.near

    assert near(None) == (3, None)
    assert near(6) == (3, None)  # has no rating
    assert near(0) == (3, Near.NOBODY)
    hall.join(1)
    assert near(0) == (4, Near.SOME)
    hall.join(3, 4)
    assert near(0) == (6, Near.SEVERAL)


def test_on_normal_ladders_nobody_is_told_who_is_near() -> None:
    hall = make_hall(2, mode=Mode.NORMAL)
    hall.rate({0: 1500, 1: 1500})
    hall.join(0, 1)
    found = searching_now(hall.queue, hall.players[0].pk)
    assert (found.players, found.near) == (2, None)
