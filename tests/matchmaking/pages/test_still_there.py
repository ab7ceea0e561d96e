"""“Still there?” on pages: seen by who is asked, answered by coming back or by a button, with scripts and without."""

from datetime import timedelta

import pytest
from django.test import Client

from accounts.models import User
from foundation import clock
from matchmaking.models import Ticket, TicketMember
from matchmaking.sweep import run as sweep
from matchmaking.tickets import lifecycle
from tests.matchmaking.hall import Hall, make_hall
from tests.matchmaking.visiting import HTMX, accounts, queue_page_of, stage_of, text_of, words_of

pytestmark = pytest.mark.django_db
HIDDEN = {**HTMX, "X-Page-Hidden": "1"}
# What browsers send when a page without scripts loads itself, and when somebody follows a link.
BY_ITSELF = {"Sec-Fetch-Mode": "navigate"}
BY_HAND = {**BY_ITSELF, "Sec-Fetch-User": "?1"}
BAR = "/play/ongoing/?queue=other"


def asked(hall: Hall, client: Client) -> Ticket:
    """The client's player searches, has been away for long, and is asked because another has come."""
    hall.queue.idle_seconds = 60
    hall.queue.save()
    client.post(f"{queue_page_of(hall)}search/")
    ticket = TicketMember.objects.get(player=hall.players[0], live=True).ticket
    away(ticket)
    lifecycle.join(queue=hall.queue, player=hall.players[1])
    sweep.run_queue(hall.queue.pk)
    ticket.refresh_from_db()
    assert ticket.asked_at is not None
    return ticket


def away(ticket: Ticket) -> None:
    now = clock.now()
    Ticket.objects.filter(pk=ticket.pk).update(touched_at=now - timedelta(minutes=5))


def is_asked(ticket: Ticket) -> bool:
    return Ticket.objects.get(pk=ticket.pk).asked_at is not None


@pytest.mark.parametrize("headers", [HIDDEN, BY_ITSELF])
def test_a_page_that_nobody_sees_asks_on_the_stage_and_in_the_bar(headers: dict[str, str]) -> None:
    hall = make_hall()
    (anna,) = accounts(hall, "anna")
    ticket = asked(hall, anna)
    for page in (queue_page_of(hall), BAR if "HX-Request" in headers else "/"):
        text = text_of(anna, page, headers=headers)
        assert f"/play/tickets/{ticket.pk}/still-there/" in text, page
        assert f'data-alert-id="asked-{ticket.pk}-' in text, page
    assert "Still there?" in words_of(anna, "/play/", **BY_ITSELF)
    assert is_asked(ticket)


@pytest.mark.parametrize("headers", [HTMX, BY_HAND, {}])
@pytest.mark.parametrize("on_queue_page", [True, False])
def test_whoever_comes_back_to_a_page_has_answered(
    headers: dict[str, str], on_queue_page: bool
) -> None:
    hall = make_hall()
    (anna,) = accounts(hall, "anna")
    asked(hall, anna)
    page = queue_page_of(hall) if on_queue_page else BAR if "HX-Request" in headers else "/"
    text = text_of(anna, page, headers=headers)
    assert "still-there" not in text


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("page", ["/", "/matches/mine/", "/play/", "queue"])
def test_any_page_that_is_opened_answers(page: str) -> None:
    hall = make_hall()
    (anna,) = accounts(hall, "anna")
    ticket = asked(hall, anna)
    address = queue_page_of(hall) if page == "queue" else page
    text_of(anna, address, headers=BY_ITSELF)
    assert is_asked(ticket)
    text_of(anna, address, headers=BY_HAND)
    assert not is_asked(ticket)


def test_the_button_answers_and_leads_back() -> None:
    hall = make_hall()
    anna, berta = accounts(hall, "anna", "berta")
    ticket = asked(hall, anna)
    address = f"/play/tickets/{ticket.pk}/still-there/"
    assert berta.post(address).status_code == 404
    assert is_asked(ticket)
    answer = anna.post(address, headers={"Referer": "http://testserver/matches/mine/"})
    assert (answer.status_code, answer["Location"]) == (302, "/matches/mine/")
    assert not is_asked(ticket)
    assert anna.post(address)["Location"] == queue_page_of(hall)


@pytest.mark.django_db(transaction=True)
def test_pages_that_are_hidden_or_load_themselves_are_signs_of_life_and_no_touch() -> None:
    hall = make_hall(idle_seconds=60)
    (anna,) = accounts(hall, "anna")
    anna.post(f"{queue_page_of(hall)}search/")
    ticket = TicketMember.objects.get(player=hall.players[0], live=True).ticket
    for page, headers in ((queue_page_of(hall), HIDDEN), (BAR, HIDDEN), ("/", BY_ITSELF)):
        away(ticket)
        before = clock.now()
        Ticket.objects.update(seen_at=before - timedelta(seconds=30))
        text_of(anna, page, headers=headers)
        ticket.refresh_from_db()
        assert ticket.seen_at >= before, page
        assert ticket.touched_at is not None
        assert ticket.touched_at < before - timedelta(minutes=4), page


def test_pages_say_why_the_search_has_ended() -> None:
    hall = make_hall()
    (anna,) = accounts(hall, "anna")
    ticket = asked(hall, anna)
    Ticket.objects.filter(pk=ticket.pk).update(asked_at=clock.now() - timedelta(minutes=1))
    sweep.run_queue(hall.queue.pk)
    told = "you were asked whether you are still there"
    assert told in words_of(anna, "/")
    assert told in words_of(anna, queue_page_of(hall))
    assert stage_of(anna, hall) == "idle"
    assert User.objects.get(username="anna").players.get().offences.count() == 0
