"""The own conduct on the pages: what is held against a player, appeals, and being away from a match."""

import html

import pytest
from django.test import Client

from matchmaking.conduct import confirm_bad_manners, take_back
from matchmaking.models import Absence, Appeal
from tests.matchmaking.hall import make_hall
from tests.matchmaking.visiting import make_account, meet, text_of

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
    assert not Appeal.objects.exists()
    assert "Say it in words" in text_of(anna, PAGE)
    anna.post(address, {"text": "It was my brother."})
    assert Appeal.objects.get().text == "It was my brother."
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
    assert "Back by" in text_of(anna, page)
    anna.post(f"{page}back/")
    assert Absence.objects.get().back_at is not None
    assert "I'm disconnected" in html.unescape(text_of(anna, page))
