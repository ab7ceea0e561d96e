"""The game's answer at the same moment as a sweep, a player's change of mind, another answer: one of them wins."""

from collections.abc import Callable
from datetime import timedelta
from functools import partial

import pytest

from foundation.refusals import RefusedError
from matchmaking.models import Offer, OfferTicket, PartnerRequest, PartnerState, Ticket
from matchmaking.models.tickets import LIVE
from matchmaking.partners import answer, ask
from matchmaking.sweep import run as sweep
from matchmaking.tickets import lifecycle
from ratings.models import Match, Participant
from tests import at_once as threads
from tests.matchmaking.hall import Hall, make_hall
from tests.processes import running, wait_until

pytestmark = pytest.mark.django_db(transaction=True)
ROUNDS = 12


def make() -> Hall:
    return make_hall(
        2,
        partner_seconds=10,
        partner_answer_seconds=300,
        accept_seconds=600,
        heartbeat_seconds=3600,
        settings={"rematch": {"use": "off"}},
    )


def answer_of(call: Callable[[], object]) -> object:
    try:
        return call()
    except RefusedError as refusal:
        return refusal.code


def at_once(*calls: Callable[[], object]) -> list[object]:
    return threads.at_once([partial(answer_of, call) for call in calls])


def asked_for(hall: Hall) -> PartnerRequest:
    """Player 0 begins to search, and the game is asked."""
    ticket = lifecycle.join(queue=hall.queue, player=hall.players[0], wants_partner=True)
    hall.tickets[0] = ticket.pk
    Ticket.objects.filter(pk=ticket.pk).update(
        waiting_since=ticket.waiting_since - timedelta(minutes=1)
    )
    asked = PartnerRequest.objects.filter(ticket=ticket, state=PartnerState.ASKED)

    def is_asked() -> bool:
        """A sweep that holds the ticket just now is passed over."""
        ask.tend(hall.queue.pk)
        return asked.exists()

    wait_until(is_asked)
    return asked.get()


def end_all() -> None:
    Participant.objects.update(playing=False)
    for pk in Ticket.objects.filter(state__in=LIVE).values_list("pk", flat=True):
        lifecycle.cancel(ticket_id=pk)


def check_one_won(hall: Hall, request: PartnerRequest) -> None:
    """The partner or another player, and the other is nowhere."""
    request.refresh_from_db()
    ticket = Ticket.objects.get(pk=request.ticket_id)
    of_players = OfferTicket.objects.filter(ticket=ticket, live=True).count()
    with_partner = Match.objects.filter(partner_request=request).count()
    assert of_players + with_partner <= 1
    playing = Participant.objects.filter(player=hall.players[0], playing=True).count()
    if request.state == PartnerState.ACCEPTED:
        assert (ticket.state, with_partner, playing) == ("matched", 1, 1)
        return
    assert (request.state, with_partner, playing) == (PartnerState.WITHDRAWN, 0, 0)
    assert (ticket.state, of_players) == ("offered", 1)


@pytest.mark.full
def test_the_answer_and_a_sweep_that_offers_another_player() -> None:
    hall = make()
    for _ in range(ROUNDS):
        request = asked_for(hall)
        other = lifecycle.join(queue=hall.queue, player=hall.players[1])
        hall.tickets[1] = other.pk
        at_once(
            partial(answer.accept, request_id=request.pk),
            partial(sweep.run_queue, hall.queue.pk),
        )
        sweep.run_queue(hall.queue.pk)  # one that let the held ticket pass looks again
        check_one_won(hall, request)
        hall.check()
        end_all()


def test_the_answer_twice_its_opposite_and_a_change_of_mind() -> None:
    hall = make()
    for _ in range(ROUNDS):
        request = asked_for(hall)
        at_once(
            partial(answer.accept, request_id=request.pk),
            partial(answer.accept, request_id=request.pk, name="Other"),
            partial(answer.decline, request_id=request.pk),
            partial(ask.want, ticket_id=request.ticket_id, wants=False),
            partial(lifecycle.cancel, ticket_id=request.ticket_id),
        )
        request.refresh_from_db()
        assert request.state not in {PartnerState.ASKED, PartnerState.EXPIRED}
        ticket = Ticket.objects.get(pk=request.ticket_id)
        is_accepted = request.state == PartnerState.ACCEPTED
        assert Match.objects.filter(partner_request__ticket=ticket).count() == int(is_accepted)
        assert (ticket.state == "matched") == is_accepted
        hall.check()
        end_all()


def test_many_who_look_at_once_ask_once() -> None:
    hall = make()
    for _ in range(ROUNDS):
        request = asked_for(hall)
        PartnerRequest.objects.filter(pk=request.pk).delete()
        looks = [partial(ask.tend, hall.queue.pk) for _ in range(4)]
        wish = partial(ask.want, ticket_id=request.ticket_id, wants=True)
        at_once(*looks, wish)
        asked = PartnerRequest.objects.filter(ticket=request.ticket_id)
        assert asked.count() == 1
        end_all()


def sweep_on(queue: int) -> None:
    """Sweep again and again."""
    while True:
        sweep.run_queue(queue)


@pytest.mark.full
def test_processes_that_sweep_on_while_the_game_answers() -> None:
    hall = make()

    def is_over(request: PartnerRequest) -> bool:
        """Answer, and say whether one of the two has won."""
        answer_of(partial(answer.accept, request_id=request.pk))
        request.refresh_from_db()
        return request.state != PartnerState.ASKED and (
            request.state == PartnerState.ACCEPTED
            or Offer.objects.filter(tickets__ticket=request.ticket_id).exists()
        )

    with running(sweep_on, hall.queue.pk), running(sweep_on, hall.queue.pk):
        for _ in range(ROUNDS):
            request = asked_for(hall)
            hall.tickets[1] = lifecycle.join(queue=hall.queue, player=hall.players[1]).pk
            wait_until(partial(is_over, request))
            check_one_won(hall, request)
            hall.check()
            end_all()
