"""Sweepers that are stopped or killed anywhere: the sweep goes on without them, and nothing is done twice."""

import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

import psycopg
import pytest
from django.db import connection

from foundation import clock
from matchmaking.models import Offer, OfferTicket, Queue, Ticket
from matchmaking.offers import answer as offers
from matchmaking.sweep import lease
from matchmaking.sweep import run as sweep
from matchmaking.tickets import lifecycle
from tests.countdown import kill_after, steps_to_kill_after
from tests.emptying import put_back, rows_by_table
from tests.lasting import lift_limits
from tests.matchmaking.hall import Hall, make_hall
from tests.matchmaking.offers.test_at_once import are_alone, join
from tests.processes import Running, hear, running, say, wait_until

pytestmark = pytest.mark.django_db(transaction=True)

PAST = datetime(2000, 1, 1, tzinfo=UTC)


def computing(queue: int) -> sweep.SweepReport:
    """Stop while it computes: after reading, before writing."""
    find_matches = sweep.__dict__["find_matches"]

    def stopped(*arguments: Any) -> Any:
        os.kill(os.getpid(), signal.SIGSTOP)
        return find_matches(*arguments)

    sweep.__dict__["find_matches"] = stopped
    return sweep.run_queue(queue)


def computing_for_long(queue: int) -> sweep.SweepReport:
    lease_for_long()
    return computing(queue)


def lease_for_long() -> None:
    """However long the test is held up, what this process leases stays its own."""
    lease.__dict__["SECONDS"] = 600.0


def writing(queue: int) -> sweep.SweepReport:
    """Stop in the writing transaction: offers are written, nothing is committed."""

    def stopping(execute: Callable[..., Any], sql: str, *arguments: Any) -> Any:
        result = execute(sql, *arguments)
        if "SET state = 'offered'" in sql:
            os.kill(os.getpid(), signal.SIGSTOP)
        return result

    with connection.execute_wrapper(stopping):
        return sweep.run_queue(queue)


def writing_for_long(queue: int) -> sweep.SweepReport:
    """However long the process is held up, its session is not ended for it."""
    lease_for_long()
    with connection.execute_wrapper(lift_limits):
        return writing(queue)


def killed_when_told(queue: int) -> None:
    """For each number heard, let a fork sweep that is killed just after so many statements; say how that ended."""
    with connection.execute_wrapper(lift_limits):
        while True:
            say(kill_after(hear(), partial(sweep.run_queue, queue)))


def go_on(process: Running) -> sweep.SweepReport:
    """Let a stopped process go on to its end; what came of it."""
    process.send_signal(signal.SIGCONT)
    report: sweep.SweepReport = process.hear()
    return report


def sweep_until_it_works(hall: Hall) -> int:
    """Sweep each tenth of a second until it has the lease; how many offers that one made."""
    reports: list[sweep.SweepReport] = []

    def attempt() -> bool:
        reports.append(sweep.run_queue(hall.queue.pk))
        time.sleep(0.1)
        return reports[-1].leased

    wait_until(attempt)
    return reports[-1].offers


@pytest.mark.full
def test_stopped_while_it_computes() -> None:
    hall = make_hall(2)
    join(hall, 0, 1)
    with running(computing, hall.queue.pk) as process:
        process.wait_until_stopped()
        assert sweep_until_it_works(hall) == 1
        offer = Offer.objects.get()
        assert not go_on(process).leased
    assert Offer.objects.get() == offer
    hall.check()


def test_stopped_while_it_computes_and_nobody_took_over() -> None:
    hall = make_hall(2)
    join(hall, 0, 1)
    with running(computing_for_long, hall.queue.pk) as process:
        process.wait_until_stopped()
        assert not sweep.run_queue(hall.queue.pk).leased
        assert go_on(process).offers == 1
    hall.check()


@pytest.mark.parametrize("by_itself", [False, True])
def test_stopped_while_it_writes(by_itself: bool) -> None:
    hall = make_hall(2, accepts_by_itself=by_itself)
    join(hall, 0, 1)
    with running(writing, hall.queue.pk) as process:
        process.wait_until_stopped()
        assert not Offer.objects.exists()
        assert sweep_until_it_works(hall) == 1
        offer = Offer.objects.get()
        process.send_signal(signal.SIGCONT)
        assert process.wait() != 0  # its session is gone
    assert Offer.objects.get() == offer
    assert OfferTicket.objects.count() == 2
    hall.check()


def test_whoever_searches_need_not_wait_for_a_stopped_sweeper() -> None:
    hall = make_hall(4)
    join(hall, 0, 1)
    with running(writing_for_long, hall.queue.pk) as process:
        process.wait_until_stopped()
        join(hall, 2, 3)
        later = clock.now() + timedelta(seconds=hall.queue.heartbeat_seconds / 2)
        with clock.at(later):
            for number in (0, 2):  # the first is held by the one that is stopped
                lifecycle.beat(hall.tickets[number])
        assert Ticket.objects.get(pk=hall.tickets[2]).seen_at == later
        assert not sweep.run_queue(hall.queue.pk).leased
    assert hall.states(2, 3) == ["waiting", "waiting"]


def test_a_holder_stopped_in_the_middle_of_receiving_is_ended() -> None:
    hall = make_hall(2)
    join(hall, 0, 1)
    with never_reading() as backend:
        assert sweep_until_it_works(hall) == 1
        wait_until(lambda: is_gone(backend))  # it lets the row go a little earlier


@contextmanager
def never_reading() -> Iterator[int]:
    """A session that holds the queue's row in a statement whose answer its client never takes; gives its id."""
    with closing(psycopg.connect(**connection.get_connection_params())) as session:
        session.pgconn.send_query(
            b"BEGIN; SELECT repeat('x', 10000) FROM matchmaking_queue, generate_series(1, 10000)"
            b" FOR NO KEY UPDATE OF matchmaking_queue"
        )
        wait_until(lambda: is_held() and is_sending(session.info.backend_pid))
        yield session.info.backend_pid


def is_gone(backend: int) -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_stat_activity WHERE pid = %s", [backend])
        return bool(cursor.fetchone() == (0,))


def is_held() -> bool:
    free = "SELECT count(*) FROM (SELECT FROM matchmaking_queue FOR NO KEY UPDATE SKIP LOCKED) AS q"
    with connection.cursor() as cursor:
        cursor.execute(free)
        return bool(cursor.fetchone() == (0,))


def is_sending(backend: int) -> bool:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT state = 'active' AND wait_event = 'ClientWrite' FROM pg_stat_activity WHERE pid = %s",
            [backend],
        )
        return bool(cursor.fetchone()[0])


@pytest.mark.full
@pytest.mark.parametrize("by_itself", [False, True])
def test_killed_after_each_statement_in_turn(by_itself: bool) -> None:
    again = {"rematch": {"use": "off"}}  # the two play each other after every kill
    hall = make_hall(5, gap_start=50, gap_per_second=0, settings=again)
    hall.rate({0: 1000, 1: 1010, 2: 3000, 3: 1500, 4: 1510})
    prepare(hall, by_itself=by_itself)
    rows = rows_by_table()  # to make it anew for each kill would take longer than what is looked at
    with running(killed_when_told, hall.queue.pk) as process:
        for steps in steps_to_kill_after():
            put_back(rows)
            # All but 2 go on giving signs of life, however many kills it takes.
            Ticket.objects.exclude(pk=hall.tickets[2]).update(seen_at=clock.now())
            process.tell(steps)
            status = process.hear()
            wait_until(are_alone)
            hall.check()
            Queue.objects.filter(sweep_until__isnull=False).update(sweep_until=PAST)
            sweep.run_queue(hall.queue.pk)
            found = ["matched" if by_itself else "offered"] * 2
            assert hall.states(0, 1, 2, 3, 4) == ["waiting", "expired", "expired", *found]
            hall.check()
            if status != -signal.SIGKILL:
                break
    assert status == 0
    assert steps > 15


def prepare(hall: Hall, *, by_itself: bool) -> None:
    """All that a run can find: an offer that is over, accepted by 0 and not by 1; 2 is silent; 3 and 4 fit."""
    join(hall, 0, 1)
    sweep.run_queue(hall.queue.pk)
    offers.accept(ticket_id=hall.tickets[0])
    Offer.objects.update(created_at=PAST, expires_at=PAST + timedelta(seconds=20))
    join(hall, 2, 3, 4)
    Ticket.objects.filter(pk=hall.tickets[2]).update(seen_at=PAST)
    Queue.objects.update(accepts_by_itself=by_itself)
