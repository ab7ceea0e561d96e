"""Sweepers, leavers and acceptors at once: real threads and processes, each with a session of its own."""

import random
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

import pytest
from django.db import connection

from foundation.postgresql import lease
from foundation.refusals import RefusedError
from matchmaking.models import (
    ConductRules,
    Offer,
    OfferState,
    OfferTicket,
    Queue,
    Ticket,
    TicketState,
)
from matchmaking.offers import answer as offers
from matchmaking.sweep import run as sweep
from matchmaking.tickets import lifecycle
from ratings.models import Participant
from tests import at_once as threads
from tests.lasting import lift_limits
from tests.matchmaking.hall import Hall, make_hall
from tests.processes import running, wait_until

pytestmark = pytest.mark.django_db(transaction=True)

ROUNDS = 15
PEOPLE = 30
# The same two meet round after round, and nobody is late.
AGAIN: dict[str, Any] = {
    "settings": {"rematch": {"use": "off"}},
    "accept_seconds": 600,
    "heartbeat_seconds": 3600,
}


def sweep_on(queue: int) -> None:
    """Sweep again and again. However long a process is held up, its session is not ended for it."""
    lease.__dict__["_STUCK_WRITER_SECONDS"] = 600.0
    with connection.execute_wrapper(lift_limits):
        while True:
            sweep.run_queue(queue)


def at_once(*calls: Callable[[], object]) -> list[object]:
    """Call each in a thread of its own, all from the same moment; what each returned or how it was refused."""
    return threads.at_once([partial(answer_of, call) for call in calls])


def answer_of(call: Callable[[], object]) -> object:
    try:
        return call()
    except RefusedError as refusal:
        return refusal.code


def join(hall: Hall, *numbers: int) -> list[int]:
    """Let these players search by the real clock."""
    for number in numbers:
        ticket = lifecycle.join(queue=hall.queue, player=hall.players[number])
        hall.tickets[number] = ticket.pk
    return [hall.tickets[number] for number in numbers]


def end_all() -> None:
    """Everybody stops playing and searching."""
    Participant.objects.update(playing=False)
    for pk in Ticket.objects.filter(members__live=True).values_list("pk", flat=True):
        lifecycle.cancel(ticket_id=pk)


def test_of_two_who_join_twice_one_succeeds() -> None:
    hall = make_hall(1)

    def search() -> object:
        return lifecycle.join(queue=hall.queue, player=hall.players[0])

    for _ in range(ROUNDS):
        outcomes = at_once(search, search, search)
        assert outcomes.count("already_searching") == 2
        end_all()


def test_leaving_against_a_sweep() -> None:
    hall = make_hall(2, **AGAIN)
    for _ in range(ROUNDS):
        one, other = join(hall, 0, 1)
        left, swept = at_once(
            lambda ticket=one: lifecycle.cancel(ticket_id=ticket),  # type: ignore[misc]
            lambda: sweep.run_queue(hall.queue.pk),
        )
        assert isinstance(left, Ticket)
        assert isinstance(swept, sweep.SweepReport)
        assert hall.states(0, 1) == ["cancelled", "waiting"]
        assert not OfferTicket.objects.filter(ticket__in=(one, other), live=True).exists()
        hall.check()
        end_all()


def test_leaving_against_the_last_acceptance() -> None:
    hall, seen = make_hall(2, **AGAIN), set()
    for _ in range(ROUNDS):
        one, other = join(hall, 0, 1)
        sweep.run_queue(hall.queue.pk)
        offers.accept(ticket_id=one)
        left, accepted = at_once(
            lambda ticket=one: lifecycle.cancel(ticket_id=ticket),  # type: ignore[misc]
            lambda ticket=other: offers.accept(ticket_id=ticket),  # type: ignore[misc]
        )
        if isinstance(left, Ticket):
            assert (left.state, accepted) == ("cancelled", "offer_over")
            assert hall.states(1) == ["waiting"]
        else:
            assert (left, hall.states(0, 1)) == ("already_matched", ["matched", "matched"])
            assert isinstance(accepted, Offer)
        seen.add(isinstance(left, Ticket))
        hall.check()
        end_all()


def test_all_accept_decline_and_sweep_at_once() -> None:
    hall = make_hall(2, **AGAIN)
    # Declining is written down, and keeps nobody from the next round.
    ConductRules.objects.create(game=hall.ladder.game, cool_from=1000, like_from=1000)
    for _ in range(ROUNDS):
        one, other = join(hall, 0, 1)
        sweep.run_queue(hall.queue.pk)
        at_once(
            lambda ticket=one: offers.accept(ticket_id=ticket),  # type: ignore[misc]
            lambda ticket=other: offers.accept(ticket_id=ticket),  # type: ignore[misc]
            lambda ticket=one: offers.accept(ticket_id=ticket),  # type: ignore[misc]
            lambda ticket=other: offers.decline(ticket_id=ticket),  # type: ignore[misc]
            lambda: sweep.run_queue(hall.queue.pk),
        )
        assert sorted(hall.states(0, 1)) in (["matched"] * 2, ["cancelled", "waiting"])
        hall.check()
        end_all()


def test_both_accept_at_once_and_one_match_begins() -> None:
    hall = make_hall(2, **AGAIN)
    for _ in range(ROUNDS):
        one, other = join(hall, 0, 1)
        sweep.run_queue(hall.queue.pk)
        outcomes = at_once(
            lambda ticket=one: offers.accept(ticket_id=ticket),  # type: ignore[misc]
            lambda ticket=other: offers.accept(ticket_id=ticket),  # type: ignore[misc]
        )
        assert all(isinstance(outcome, Offer) for outcome in outcomes)
        assert hall.states(0, 1) == ["matched", "matched"]
        hall.check()
        end_all()


@pytest.mark.full
@pytest.mark.parametrize("by_itself", [False, True])
def test_two_sweepers_and_players_who_come_and_go(by_itself: bool) -> None:
    hall = make_hall(PEOPLE, gap_start=300, accept_seconds=3, accepts_by_itself=by_itself)
    chance = random.Random(11)
    hall.rate({number: chance.gauss(1500, 200) for number in range(PEOPLE)})
    cancelled: set[int] = set()
    threads.end_threads()
    accepted = OfferTicket.objects.filter(offer__state=OfferState.ACCEPTED)

    def goes_well() -> bool:
        act(hall, chance, cancelled)
        for ticket in Ticket.objects.filter(state=TicketState.OFFERED).values_list("pk", flat=True):
            with suppress(RefusedError):
                offers.accept(ticket_id=ticket)
        return accepted.exists()

    with (
        running(sweep_on, hall.queue.pk),
        running(sweep_on, hall.queue.pk),
    ):
        for _ in range(200):
            act(hall, chance, cancelled)
        # On a busy machine the sweepers may not have had a turn yet, and nobody both the luck and the time to accept.
        Queue.objects.update(accept_seconds=600, heartbeat_seconds=3600)
        wait_until(goes_well)
    wait_until(are_alone)
    hall.check()
    assert not accepted.filter(ticket__in=cancelled).exists()


def are_alone() -> bool:
    """Whether the sessions of the killed processes are gone."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
            " AND pid <> pg_backend_pid() AND backend_type = 'client backend'"
        )
        return bool(cursor.fetchone() == (0,))


def act(hall: Hall, chance: random.Random, cancelled: set[int]) -> None:
    """Let one player do something."""
    number = chance.randrange(PEOPLE)
    ticket = hall.tickets.get(number)
    deed = chance.choice(["join", "join", "leave", "accept", "accept", "decline", "free"])
    try:
        if deed == "join":
            join(hall, number)
        elif deed == "free":
            Participant.objects.filter(player=hall.players[number]).update(playing=False)
        elif ticket is not None and deed == "leave":
            lifecycle.cancel(ticket_id=ticket)
            cancelled.add(ticket)
        elif ticket is not None:
            getattr(offers, deed)(ticket_id=ticket)
    except RefusedError:
        pass
