"""A partner of the game on pages: wished for before the search and during it, played, and read of later."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from foundation import clock
from matchmaking.models import PartnerRequest, PartnerState, Ticket, TicketMember
from matchmaking.partners import answer
from ratings.matches import report
from ratings.models import Match, Outcome
from tests.matchmaking.hall import Hall, make_hall
from tests.matchmaking.visiting import HTMX, accounts, queue_page_of, stage_of, text_of, words_of

pytestmark = pytest.mark.django_db
NAME = "Iron <b>Guard"
OPTIONS: dict[str, Any] = {"partner_seconds": 60, "partner_answer_seconds": 300}


def ticket_of(hall: Hall) -> Ticket:
    return TicketMember.objects.get(player=hall.players[0], live=True).ticket


def waited(hall: Hall) -> Ticket:
    """The ticket, once it has waited long enough."""
    ticket = ticket_of(hall)
    since = clock.now() - timedelta(minutes=2)
    Ticket.objects.filter(pk=ticket.pk).update(waiting_since=since)
    return ticket


def played(hall: Hall, client: Client) -> Match:
    client.post(f"{queue_page_of(hall)}search/", {"partner": "1"})
    client.post(f"/play/tickets/{waited(hall).pk}/partner/", {"wanted": "1"})
    request = PartnerRequest.objects.get(state=PartnerState.ASKED)
    match = answer.accept(request_id=request.pk, name=NAME, note="Plays <i>gently.").match
    assert match is not None
    return match


def test_the_wish_before_the_search() -> None:
    hall = make_hall(**OPTIONS)
    (anna,) = accounts(hall, "anna")
    assert 'name="partner"' in text_of(anna, queue_page_of(hall))
    anna.post(f"{queue_page_of(hall)}search/", {"partner": "1"})
    assert ticket_of(hall).wants_partner
    words = words_of(anna, queue_page_of(hall))
    assert "If nobody comes, the game is asked for a partner at" in words
    assert "Wait for players only" in words


def test_without_the_box_none_is_wished_for() -> None:
    hall = make_hall(**OPTIONS)
    (anna,) = accounts(hall, "anna")
    anna.post(f"{queue_page_of(hall)}search/")
    assert not ticket_of(hall).wants_partner
    assert "Yes, if nobody comes" in words_of(anna, queue_page_of(hall))


def test_a_queue_that_has_none_says_nothing_of_it() -> None:
    hall = make_hall()
    (anna,) = accounts(hall, "anna")
    assert 'name="partner"' not in text_of(anna, queue_page_of(hall))
    anna.post(f"{queue_page_of(hall)}search/", {"partner": "1"})
    text = text_of(anna, queue_page_of(hall))
    assert "/partner/" not in text
    address = f"/play/tickets/{ticket_of(hall).pk}/partner/"
    told = anna.post(address, {"wanted": "1"}, follow=True).content.decode()
    assert "No partner of the game can be had for this search" in told


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_the_wish_while_one_waits_with_scripts_and_without(headers: dict[str, str]) -> None:
    hall = make_hall(**OPTIONS)
    (anna,) = accounts(hall, "anna")
    anna.post(f"{queue_page_of(hall)}search/")
    ticket = waited(hall)
    assert "Nobody has come so far. The game may supply a partner" in words_of(
        anna, queue_page_of(hall), **headers
    )
    address = f"/play/tickets/{ticket.pk}/partner/"
    told = anna.post(address, {"wanted": "1"}, follow=True, headers=headers)
    assert "the game is being asked for a partner" in told.content.decode()
    assert PartnerRequest.objects.get().state == PartnerState.ASKED
    told = anna.post(address, {"wanted": "0"}, follow=True, headers=headers)
    assert "Play a partner of the game" in told.content.decode()
    assert PartnerRequest.objects.get().state == PartnerState.WITHDRAWN


def test_declined_the_page_says_when_the_game_is_asked_again() -> None:
    hall = make_hall(**OPTIONS)
    (anna,) = accounts(hall, "anna")
    anna.post(f"{queue_page_of(hall)}search/", {"partner": "1"})
    anna.post(f"/play/tickets/{waited(hall).pk}/partner/", {"wanted": "1"})
    answer.decline(request_id=PartnerRequest.objects.get().pk)
    words = words_of(anna, queue_page_of(hall))
    assert "The game had no partner for you just now. It is asked again at" in words
    assert stage_of(anna, hall) == "searching"


def test_nobody_wishes_for_another() -> None:
    hall = make_hall(**OPTIONS)
    anna, bernd = accounts(hall, "anna", "bernd")
    anna.post(f"{queue_page_of(hall)}search/")
    address = f"/play/tickets/{waited(hall).pk}/partner/"
    assert bernd.post(address, {"wanted": "1"}).status_code == 404
    assert not ticket_of(hall).wants_partner


def test_the_match_as_its_player_sees_it() -> None:
    hall = make_hall(**OPTIONS)
    (anna,) = accounts(hall, "anna")
    match = played(hall, anna)
    assert stage_of(anna, hall) == "match.playing"
    for page in (queue_page_of(hall), f"/play/matches/{match.pk}/"):
        text = text_of(anna, page)
        assert "You're playing <bdi>Iron &lt;b&gt;Guard</bdi>" in " ".join(text.split())
        assert "supplied by the game" in text
        assert "Plays &lt;i&gt;gently." in text
        assert "The match isn't rated." in text
    assert "Iron &lt;b&gt;Guard" in text_of(anna, "/play/ongoing/?queue=other", headers=HTMX)
    anna.post(f"/play/matches/{match.pk}/report/", {"outcome": "won"})
    match.refresh_from_db()
    assert match.state == "confirmed"
    assert "You won against Iron <b>Guard" in words_of(anna, f"/play/matches/{match.pk}/")


def test_the_match_as_everybody_reads_of_it() -> None:
    hall = make_hall(**OPTIONS)
    (anna,) = accounts(hall, "anna")
    match = played(hall, anna)
    visitor = Client()
    assert "Iron &lt;b&gt;Guard" in text_of(visitor, f"/matches/{match.pk}/")
    report.report(match_id=match.pk, player_id=hall.players[0].pk, outcome=Outcome.DRAWN)
    page = text_of(visitor, f"/matches/{match.pk}/")
    assert "supplied by the game" in page
    assert "<title>" in page
    assert "½" in page
    player = hall.players[0].pk
    for address in ("/", f"/games/{hall.ladder.game.slug}/", f"/players/{player}/"):
        text = text_of(visitor, address)
        assert "Iron &lt;b&gt;Guard" in text, address
        assert "supplied by the game" in text, address
        assert "Iron <b>Guard" not in text, address
    assert "Iron" not in text_of(visitor, f"/ladders/{hall.ladder.slug}/")
    assert "Rematch" not in text_of(anna, f"/play/matches/{match.pk}/")


def test_a_whole_team_and_its_partner() -> None:
    hall = make_hall(team_size=2, **OPTIONS)
    (anna,) = accounts(hall, "anna")
    ticket = hall.join_together(0, 1, wants_partner=True)
    Ticket.objects.filter(pk=ticket.pk).update(
        waiting_since=clock.now() - timedelta(minutes=2), seen_at=clock.now()
    )
    anna.post(f"/play/tickets/{ticket.pk}/partner/", {"wanted": "1"})
    request = PartnerRequest.objects.get(state=PartnerState.ASKED)
    match = answer.accept(request_id=request.pk, name=NAME).match
    assert match is not None
    text = text_of(anna, f"/play/matches/{match.pk}/")
    assert "The other team" in text
    assert "Iron &lt;b&gt;Guard" in text
    assert "Iron &lt;b&gt;Guard" in text_of(Client(), f"/matches/{match.pk}/")
