"""The own conduct on the pages: what is held against a player, appeals, and being away from a match."""

import html
import re
from datetime import timedelta

import pytest
from django.test import Client

from foundation import clock
from foundation.templatetags.display import moment
from matchmaking.conduct import confirm_bad_manners, take_back
from matchmaking.models import Absence, ConductRules, ConductStanding, OffenceAppeal, Ticket
from matchmaking.offers import answer as offers
from matchmaking.sweep.run import run_queue
from ratings.models import Outcome
from tests.matchmaking.hall import Hall, make_hall
from tests.matchmaking.visiting import (
    accounts,
    make_account,
    meet,
    queue_page_of,
    say,
    search,
    text_of,
    words_of,
)

pytestmark = pytest.mark.django_db
PAGE = "/play/conduct/"


def test_nothing_is_held_against_a_new_player() -> None:
    anna = make_account(make_hall(), 0, "anna")
    assert "Nothing is held against you." in text_of(anna, PAGE)


def test_what_is_held_and_an_appeal() -> None:
    hall = make_hall()
    anna, ben = make_account(hall, 0, "anna"), make_account(hall, 1, "ben")
    offence = confirm_bad_manners(hall.players[0], None, None, "Insults & worse.")
    text = html.unescape(text_of(anna, PAGE))
    assert "Insults & worse." in text
    assert "you meet players who have also behaved badly" in text
    assert "Insults" not in text_of(ben, PAGE)
    address = f"/play/conduct/{offence.pk}/appeal/"
    assert ben.post(address, {"text": "x"}).status_code == 404
    anna.post(address, {"text": " "})
    assert not OffenceAppeal.objects.exists()
    assert "Say it in words" in text_of(anna, PAGE)
    anna.post(address, {"text": "It was my brother."})
    assert OffenceAppeal.objects.get().text == "It was my brother."
    assert "waiting for a decision" in text_of(anna, PAGE)
    take_back(offence, None, "It was.")
    assert "taken back" in text_of(anna, PAGE)


def test_visitors_sign_in() -> None:
    assert Client().get(PAGE).status_code == 302


def test_away_and_back() -> None:
    hall = make_hall()
    anna = make_account(hall, 0, "anna")
    match = meet(hall)
    page = f"/play/matches/{match.pk}/"
    assert "I'm disconnected" in html.unescape(text_of(anna, page))
    anna.post(f"{page}away/")
    shown = text_of(anna, page)
    away = shown.split("You are away.")[1].split("</p>")[0]
    assert 'data-count="down"' in away
    assert 'data-local="time"' in away
    anna.post(f"{page}back/")
    assert Absence.objects.get().back_at is not None
    assert "I'm disconnected" in html.unescape(text_of(anna, page))


def cool_off(hall: Hall, minutes: float) -> str:
    """Let player 0 cool off for so long from now; until when, in words."""
    until = clock.now() + timedelta(minutes=minutes)
    ConductStanding.objects.update_or_create(
        player=hall.players[0], defaults={"score": 1, "cooling_until": until}
    )
    return str(moment(until))


def test_whoever_cools_off_reads_until_when_and_cannot_press_search_before() -> None:
    hall = make_hall()
    anna, berta = accounts(hall, "anna", "berta")
    until = cool_off(hall, 10)
    words = words_of(anna, queue_page_of(hall))
    assert "You can't search for matches now" in words
    assert f"challenge others, or join parties and rooms until {until}" in words
    assert 'data-local="moment">' + until in text_of(anna, queue_page_of(hall))
    assert 'data-local="moment">' + until in text_of(anna, PAGE)
    assert "Find a match" not in words
    assert "cooling off" not in words_of(berta, queue_page_of(hall))
    cool_off(hall, -1)
    words = words_of(anna, queue_page_of(hall))
    assert "cooling off" not in words
    assert "Find a match" in words


def test_whoever_cools_off_after_a_match_is_not_asked_to_search_again() -> None:
    hall = make_hall()
    (anna,) = accounts(hall, "anna")
    match = meet(hall)
    for number, outcome in ((0, Outcome.WON), (1, Outcome.LOST)):
        say(match, hall, number, outcome)
    assert "Find another match" in words_of(anna, queue_page_of(hall))
    cool_off(hall, 10)
    words = words_of(anna, queue_page_of(hall))
    assert "Find another match" not in words
    assert "You are cooling off" in words


def test_whoever_cools_off_is_told_so_before_a_form_is_filled_in_and_by_its_own_clock() -> None:
    hall = make_hall()
    anna, _berta = accounts(hall, "anna", "berta")
    until = f'data-local="moment">{cool_off(hall, 10)}'
    slug, other = hall.ladder.slug, hall.players[1].pk
    own = hall.players[0].pk
    forms = (f"/rooms/open/{slug}/", f"/challenges/to/{other}/", f"/challenges/as/{own}/link/")
    for page in ("/rooms/", *forms):
        assert until in text_of(anna, page)
    asked = {"name": "Evening", "category": "casual", "access": "open", "start_rule": "host"}
    refused = anna.post(forms[0], asked).content.decode()
    assert "You are cooling off and can play again from <time" in refused
    assert until in refused.split("can play again from")[1].split("</li>")[0]
    asked = {"ladder": str(hall.ladder.pk), "side": "drawn"}
    refused = anna.post(forms[1], asked).content.decode()
    assert until in refused.split("can play again from")[1][:200]


def test_what_counts_against_conduct_is_said_beforehand() -> None:
    hall = make_hall()
    anna, berta = accounts(hall, "anna", "berta")
    search(hall, 0, 1)
    run_queue(hall.queue.pk)
    assert "Both count against your conduct. My conduct" in words_of(anna, queue_page_of(hall))
    rules = ConductRules.objects.create(game=hall.ladder.game, silent=0)
    assert "Declining counts against your conduct." in words_of(anna, queue_page_of(hall))
    ConductRules.objects.filter(pk=rules.pk).update(declined=0)
    assert "against your conduct" not in words_of(anna, queue_page_of(hall))
    for number in (0, 1):
        ticket = Ticket.objects.get(members__player=hall.players[number])
        offers.accept(ticket_id=ticket.pk)
    assert "It counts against your conduct, too. My conduct" in words_of(berta, queue_page_of(hall))
    ConductRules.objects.filter(pk=rules.pk).update(left=0)
    assert "against your conduct" not in words_of(berta, queue_page_of(hall))


def test_who_is_away_is_told_to_the_other() -> None:
    """Who sees the result alone takes whoever crashed for somebody who has left."""
    hall = make_hall()
    anna, ben = make_account(hall, 0, "anna"), make_account(hall, 1, "ben")
    match = meet(hall)
    own = f"/play/matches/{match.pk}/"
    assert "has lost the connection" not in words_of(ben, own)
    anna.post(f"/play/matches/{match.pk}/away/")
    assert "Anna has lost the connection, and may come back by" in words_of(ben, own)
    assert "has lost the connection" not in words_of(anna, own)
    # An open page asks for itself as it was, and is given the new one.
    seen = re.search(rf"{own}\?seen=([^\"&]+)", ben.get(own).content.decode())
    assert seen is not None

    def ask_again() -> int:
        headers = {"HX-Request": "true", "HX-Target": "stage"}
        return ben.get(f"{own}?seen={seen[1]}", headers=headers).status_code

    assert ask_again() == 204
    anna.post(f"/play/matches/{match.pk}/back/")
    assert ask_again() == 200
    assert "has lost the connection" not in words_of(ben, own)


def test_where_to_play_says_that_one_cools_off() -> None:
    hall = make_hall()
    anna, ben = make_account(hall, 0, "anna"), make_account(hall, 1, "ben")
    for _time in range(2):
        confirm_bad_manners(hall.players[0], None, None, "Insults.")
    assert "You are cooling off." in words_of(anna, "/play/")
    assert "You are cooling off." in words_of(anna, "/challenges/")
    assert "You are cooling off." not in words_of(ben, "/challenges/")
    assert "You are cooling off." not in words_of(ben, "/play/")
