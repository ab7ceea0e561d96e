"""Avoid lists on the pages: from a player's page, after a match, and the own list."""

import html

import pytest
from django.test import Client

from accounts.models import User
from matchmaking import avoid_list
from matchmaking.models import Avoided
from ratings.models import Outcome
from tests.chance import without_chance
from tests.matchmaking.hall import make_hall
from tests.matchmaking.visiting import make_account, meet, queue_page_of, say, text_of

pytestmark = pytest.mark.django_db


def test_from_the_page_of_a_player() -> None:
    hall = make_hall()
    anna = make_account(hall, 0, "anna")
    other = hall.players[1]
    page = f"/players/{other.pk}/"
    assert "Avoid this player" in text_of(anna, page)
    answer = anna.post(f"/play/avoided/{other.pk}/", {"back": page})
    assert answer.headers["Location"] == page
    text = html.unescape(text_of(anna, page))
    assert "Nobody else can see that." in text
    assert "Avoid no longer" in text
    anna.post(f"/play/avoided/{other.pk}/stop/", {"back": page})
    assert "Avoid this player" in text_of(anna, page)
    assert not Avoided.objects.exists()


def test_only_players_of_the_game_are_asked() -> None:
    hall, elsewhere = make_hall(), make_hall()
    anna, foreigner = make_account(hall, 0, "anna"), make_account(elsewhere, 0, "fay")
    page = f"/players/{hall.players[0].pk}/"
    stranger = Client()
    stranger.force_login(User.objects.create_user("stranger"))
    for client in (Client(), stranger, foreigner, anna):
        assert "Avoid this player" not in text_of(client, page)
    assert foreigner.post(f"/play/avoided/{hall.players[1].pk}/").status_code == 404
    assert anna.post("/play/avoided/0/").status_code == 404
    anna.post(f"/play/avoided/{hall.players[0].pk}/", {"back": page})
    assert "You can't avoid yourself." in html.unescape(text_of(anna, page))


def test_after_a_match() -> None:
    hall = make_hall()
    anna, bernd = make_account(hall, 0, "anna"), make_account(hall, 1, "bernd")
    match = meet(hall)
    assert "Avoid somebody" not in text_of(anna, queue_page_of(hall))
    say(match, hall, 0, Outcome.WON)
    text = text_of(anna, queue_page_of(hall))
    assert f'action="/play/avoided/{hall.players[1].pk}/"' in text
    anna.post(f"/play/avoided/{hall.players[1].pk}/", {"back": queue_page_of(hall)})
    assert f'action="/play/avoided/{hall.players[1].pk}/stop/"' in text_of(
        anna, queue_page_of(hall)
    )
    say(match, hall, 1, Outcome.LOST)
    assert f'action="/play/avoided/{hall.players[0].pk}/"' in text_of(bernd, queue_page_of(hall))


def test_the_own_list() -> None:
    hall = make_hall()
    anna, bernd = make_account(hall, 0, "anna"), make_account(hall, 1, "bernd")
    avoid_list.avoid(player=hall.players[0], other=hall.players[1])
    assert "Bernd" in text_of(anna, "/play/avoided/")
    assert "Anna" not in without_chance(text_of(bernd, "/play/avoided/"))
    answer = anna.post(f"/play/avoided/{hall.players[1].pk}/stop/", {"back": "//elsewhere.org/"})
    assert answer.headers["Location"] == "/play/avoided/"
    assert "Nobody yet. You can avoid a player" in text_of(anna, "/play/avoided/")
    stranger = Client()
    stranger.force_login(User.objects.create_user("stranger"))
    assert "play any game here yet." in text_of(stranger, "/play/avoided/")
