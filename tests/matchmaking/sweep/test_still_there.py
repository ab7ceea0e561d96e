"""Whoever has been away from all pages for long is asked “Still there?” before a match is offered to others."""

from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Any

import pytest

from accounts.models import User
from events.models import Notice as Message
from foundation import clock
from matchmaking.models import Offence, Offer, Ticket, TicketState
from matchmaking.sweep import run as sweep
from matchmaking.sweep.why_waiting import OutOfSweep, why_waiting
from matchmaking.tickets import lifecycle
from matchmaking.tickets.lifecycle import THERE, UNSEEN, VOUCHED, Sign
from notifications.models import Notice, PushSubscription
from tests.at_once import at_once
from tests.matchmaking.hall import Hall, make_hall
from tests.matchmaking.squads import make_team_hall

pytestmark = pytest.mark.django_db
IDLE, ANSWER = 60, 30


def hall_that_asks(players: int = 4, **options: Any) -> Hall:
    return make_hall(
        players, idle_seconds=IDLE, still_there_seconds=ANSWER, heartbeat_seconds=3600, **options
    )


def idle_and_another(hall: Hall, seconds: float = IDLE) -> None:
    """Player 0 has left all pages hidden for so long; player 1 has just come."""
    hall.join(0, by_page=True)
    hall.wait(seconds)
    sign(hall, 0, UNSEEN)
    hall.join(1, by_page=True)


def sign(hall: Hall, number: int, of: Sign) -> None:
    with hall.at_now():
        lifecycle.beat(hall.tickets[number], sign=of)


def answer(hall: Hall, number: int) -> None:
    with hall.at_now():
        lifecycle.answer_still_there(hall.tickets[number])


@pytest.mark.parametrize("by_itself", [False, True])
def test_who_is_idle_is_asked_first_and_nobody_is_offered_a_match(by_itself: bool) -> None:
    hall = hall_that_asks(accepts_by_itself=by_itself)
    idle_and_another(hall)
    for _ in range(3):
        hall.sweep()
        assert hall.states(0, 1) == ["waiting", "waiting"]
        hall.wait(1)
    assert hall.ticket(0).asked_at == hall.now - timedelta(seconds=3)
    assert hall.ticket(1).asked_at is None
    assert not Offer.objects.exists()
    told = Message.objects.filter(kind="ticket.asked")
    assert [one.ids["ticket"] for one in told] == [hall.tickets[0]]


def test_a_push_asks_too() -> None:
    hall = hall_that_asks()
    idle_and_another(hall)
    PushSubscription.objects.create(
        account=_account(hall), endpoint="https://push.example/1", p256dh="x", auth="y"
    )
    hall.sweep()
    (notice,) = Notice.objects.all()
    assert (notice.kind, notice.player_id) == ("ticket.asked", hall.players[0].pk)


def _account(hall: Hall) -> User:
    user = User.objects.create_user("anna", password="a good password")
    hall.players[0].user = user
    hall.players[0].save()
    return user


def test_whoever_answers_is_matched_and_has_waited_as_long() -> None:
    hall = hall_that_asks()
    idle_and_another(hall)
    hall.sweep()
    since = hall.ticket(0).waiting_since
    hall.wait(ANSWER - 1)
    answer(hall, 0)
    hall.sweep()
    assert hall.states(0, 1) == ["offered", "offered"]
    assert hall.ticket(0).waiting_since == since
    assert hall.ticket(0).asked_at is None


def test_who_does_not_answer_is_out_without_anything_held_against_it() -> None:
    hall = hall_that_asks()
    idle_and_another(hall)
    hall.sweep()
    since = hall.ticket(1).waiting_since
    hall.wait(ANSWER)
    sign(hall, 0, UNSEEN)
    hall.sweep()
    assert hall.states(0, 1) == ["expired", "waiting"]
    assert hall.ticket(1).waiting_since == since
    assert not Offence.objects.exists()
    answer(hall, 0)  # too late
    assert hall.states(0) == ["expired"]
    hall.join(0, by_page=True)
    hall.sweep()
    assert hall.states(0, 1) == ["offered", "offered"]


def test_meanwhile_the_other_is_matched_with_somebody_else() -> None:
    hall = hall_that_asks()
    idle_and_another(hall)
    hall.sweep()
    hall.join(2, by_page=True)
    hall.sweep()
    assert hall.states(0, 1, 2) == ["waiting", "offered", "offered"]


def test_nobody_is_asked_in_vain_nor_before_the_time() -> None:
    hall = hall_that_asks()
    hall.join(0, by_page=True)
    hall.wait(10 * IDLE)
    sign(hall, 0, UNSEEN)
    hall.sweep()
    assert hall.ticket(0).asked_at is None
    sign(hall, 0, THERE)
    hall.wait(IDLE - 1)
    hall.join(1, by_page=True)
    hall.sweep()
    assert hall.states(0, 1) == ["offered", "offered"]


def test_a_queue_that_does_not_ask_offers_at_once() -> None:
    hall = make_hall(heartbeat_seconds=3600)
    idle_and_another(hall, 3000)
    hall.sweep()
    assert hall.states(0, 1) == ["offered", "offered"]


def test_games_that_tell_nothing_are_never_asked() -> None:
    hall = hall_that_asks()
    hall.join(0)
    hall.wait(10 * IDLE)
    sign(hall, 0, VOUCHED)
    hall.wait(10 * IDLE)
    hall.join(1)
    hall.sweep()
    assert hall.states(0, 1) == ["offered", "offered"]


@pytest.mark.parametrize(
    ("reported", "is_asked"), [(IDLE, True), (IDLE - 1, False), (0, False), (86_400, True)]
)
def test_games_that_report_idleness_are(reported: int, is_asked: bool) -> None:
    hall = hall_that_asks()
    hall.join(0, 1)
    hall.wait(IDLE)
    sign(hall, 0, Sign(idle=reported))
    hall.sweep()
    assert (hall.ticket(0).asked_at is not None) == is_asked


@pytest.mark.parametrize(
    ("said", "answers"),
    [(THERE, True), (VOUCHED, True), (Sign(2), True), (UNSEEN, False), (Sign(9), False)],
)
def test_what_answers_without_a_button(said: Sign, answers: bool) -> None:
    hall = hall_that_asks()
    idle_and_another(hall)
    hall.sweep()
    hall.wait(5)
    sign(hall, 0, said)
    assert (hall.ticket(0).asked_at is None) == answers


def test_a_party_answers_as_one() -> None:
    hall = make_team_hall(6, idle_seconds=IDLE, still_there_seconds=ANSWER, heartbeat_seconds=3600)
    hall.join_together(0, 1, by_page=True)
    hall.wait(IDLE)
    hall.join(2, 3, by_page=True)
    hall.sweep()
    assert hall.ticket(0).asked_at is not None
    told = Message.objects.get(kind="ticket.asked")
    assert told.ids["ticket"] == hall.tickets[0]
    answer(hall, 1)
    hall.sweep()
    assert hall.states(0, 2, 3) == ["offered"] * 3


def test_one_who_is_asked_can_cancel_and_the_admin_says_why_it_waits() -> None:
    hall = hall_that_asks()
    idle_and_another(hall)
    hall.sweep()
    with hall.at_now():
        assert why_waiting(hall.tickets[0]).out is OutOfSweep.AWAY
    hall.cancel(0)
    assert hall.states(0) == ["cancelled"]


def test_a_clock_that_jumps_asks_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    hall = hall_that_asks()
    idle_and_another(hall, 0)
    jumped = timedelta(seconds=10 * IDLE)

    def after_the_jump() -> object:
        from foundation.timekeeping import Deadlines

        now = hall.now + jumped
        return Deadlines(now, hall.now, jumped, is_steady=False)

    monkeypatch.setattr("foundation.timekeeping.deadlines", after_the_jump)
    with clock.at(hall.now + jumped):
        sweep.run_queue(hall.queue.pk)
    assert hall.ticket(0).asked_at is None


@pytest.mark.django_db(transaction=True)
def test_an_answer_and_the_end_of_the_time_at_once_leave_one_of_them() -> None:
    for _ in range(5):
        hall = hall_that_asks()
        ticket = Ticket.objects.create(
            queue=hall.queue,
            waiting_since=clock.now(),
            seen_at=clock.now(),
            touched_at=clock.now() - timedelta(hours=1),
            asked_at=clock.now() - timedelta(minutes=5),
        )
        ticket.members.create(player=hall.players[0])
        both: list[Callable[[], object]] = [
            partial(lifecycle.answer_still_there, ticket.pk),
            partial(sweep.run_queue, hall.queue.pk),
        ]
        at_once(both)
        ticket.refresh_from_db()
        if ticket.state == TicketState.EXPIRED:
            assert ticket.asked_at is not None
        else:
            assert (ticket.state, ticket.asked_at) == (TicketState.WAITING, None)
