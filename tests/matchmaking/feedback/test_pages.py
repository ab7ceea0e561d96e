"""The question after a match on the pages, and one's own list."""

import html

import pytest
from django.test import Client

from accounts.models import User
from matchmaking.models import Feedback
from ratings.models import Outcome
from tests.chance import without_chance
from tests.matchmaking.hall import make_hall
from tests.matchmaking.visiting import make_account, meet, queue_page_of, say, text_of, words_of

pytestmark = pytest.mark.django_db
ASKED = "Did you enjoy playing with"


def test_the_question_is_asked_once_the_match_is_over_for_the_player() -> None:
    hall = make_hall()
    anna, bernd = make_account(hall, 0, "anna"), make_account(hall, 1, "bernd")
    match = meet(hall)
    page, public = f"/play/matches/{match.pk}/", f"/matches/{match.pk}/"
    assert ASKED not in words_of(anna, page)
    say(match, hall, 0, Outcome.LOST)
    for client, address in (
        (anna, page),
        (anna, public),
        (anna, queue_page_of(hall)),
        (bernd, page),
    ):
        assert ASKED in words_of(client, address), address
    stranger = Client()
    assert ASKED not in words_of(stranger, public)
    stranger.force_login(User.objects.create_user("stranger"))
    assert ASKED not in words_of(stranger, public)


def test_an_answer_is_given_changed_and_deleted() -> None:
    hall = make_hall()
    anna, bernd = make_account(hall, 0, "anna"), make_account(hall, 1, "bernd")
    match = meet(hall)
    say(match, hall, 0, Outcome.LOST)
    other = hall.players[1].pk
    act = f"/play/feedback/{other}/"
    answer = anna.post(act, {"enjoyed": "yes", "tags": ["friendly", "?"], "match": match.pk})
    assert answer.headers["Location"] == f"/play/matches/{match.pk}/"
    row = Feedback.objects.get()
    assert (row.author, row.subject_id, row.enjoyed) == (hall.players[0], other, True)
    assert row.tags == ["friendly"]
    text = html.unescape(words_of(anna, f"/play/matches/{match.pk}/"))
    assert "Nobody else can see it." in text
    assert "What you said of playing with Bernd" in text
    assert "Bernd you enjoyed it friendly" in words_of(anna, "/play/feedback/")
    assert "Nothing yet." in without_chance(words_of(bernd, "/play/feedback/"))
    answer = anna.post(act, {"enjoyed": "no", "back": "//elsewhere.org/"})
    assert answer.headers["Location"] == "/play/feedback/"
    assert "you did not enjoy it" in words_of(anna, "/play/feedback/")
    assert bernd.post(f"{act}delete/").status_code == 302
    assert Feedback.objects.exists()
    anna.post(f"{act}delete/", {"back": "/play/feedback/"})
    assert not Feedback.objects.exists()


def test_what_is_refused() -> None:
    hall = make_hall()
    anna = make_account(hall, 0, "anna")
    act = f"/play/feedback/{hall.players[1].pk}/"
    anna.post(act, {"enjoyed": "yes"})
    assert "after a match together" in words_of(anna, "/play/feedback/")
    anna.post(act, {"enjoyed": "maybe"})
    assert "Choose yes, no or skip." in words_of(anna, "/play/feedback/")
    assert anna.get(act).status_code == 405
    stranger = Client()
    stranger.force_login(User.objects.create_user("stranger"))
    assert stranger.post(act, {"enjoyed": "yes"}).status_code == 404
    assert "play any game here yet." in text_of(stranger, "/play/feedback/")
    assert not Feedback.objects.exists()


def test_a_long_list_has_pages() -> None:
    hall = make_hall(53)
    anna = make_account(hall, 0, "anna")
    me = hall.players[0]
    rows = [
        Feedback(game_id=me.game_id, author=me, subject=one, enjoyed=True)
        for one in hall.players[1:]
    ]
    Feedback.objects.bulk_create(rows)
    first = text_of(anna, "/play/feedback/")
    assert first.count("feedback-said") == 50
    before = Feedback.objects.order_by("-pk")[49].pk
    assert f'href="?before={before}"' in first
    assert text_of(anna, f"/play/feedback/?before={before}").count("feedback-said") == 2


def test_the_bar_asks_after_a_match_until_it_is_answered() -> None:
    hall = make_hall()
    anna = make_account(hall, 0, "anna")
    make_account(hall, 1, "bernd")
    match = meet(hall)
    assert ASKED not in words_of(anna, "/search/")
    say(match, hall, 0, Outcome.LOST)
    assert ASKED in words_of(anna, "/search/")
    act = f"/play/feedback/{hall.players[1].pk}/"
    anna.post(act, {"enjoyed": "skip", "back": "/search/"})
    assert ASKED not in words_of(anna, "/search/")
