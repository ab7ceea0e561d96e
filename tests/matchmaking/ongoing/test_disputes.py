"""A dispute from its players' side and the operator's: thinking again, a comment, a proof, and a call."""

import html
from dataclasses import replace
from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse

from accounts.models import User
from foundation import clock
from matchmaking.pages.ongoing import ongoing_of
from ratings import disputes
from ratings.matches.refusals import NotDisputedError, NotInMatchError
from ratings.matches.start import start_match
from ratings.models import Match, MatchState, Outcome, Statement
from tests.matchmaking.hall import Hall, make_hall
from tests.matchmaking.visiting import make_account, meet, say, text_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def hall() -> Hall:
    return make_hall()


@pytest.fixture
def anna(hall: Hall) -> Client:
    return make_account(hall, 0, "anna")


@pytest.fixture
def match(hall: Hall, anna: Client) -> Match:
    """Disputed."""
    match = meet(hall)
    say(match, hall, 0, Outcome.WON)
    say(match, hall, 1, Outcome.WON)
    return match


def page(match: Match, name: str = "") -> str:
    return f"/play/matches/{match.pk}/{name}"


@pytest.mark.usefixtures("anna", "match")
def test_the_overview_is_shown_anew_when_its_player_is_free_again() -> None:
    found = ongoing_of(User.objects.get(username="anna"))
    (match,) = found.matches
    other = replace(match, is_playing=not match.is_playing)
    assert (match.stage, other.stage) == ("disputed", "disputed")
    assert replace(found, matches=[other]).version != found.version


def test_a_report_is_changed_on_the_page(anna: Client, match: Match) -> None:
    assert "Change my report" in text_of(anna, page(match))
    anna.post(page(match, "report/"), {"outcome": "lost"})
    match.refresh_from_db()
    assert match.state == MatchState.CONFIRMED
    assert "You lost against" in text_of(anna, page(match))


def test_a_comment_and_a_proof_reach_the_operator_and_nobody_else(
    hall: Hall, anna: Client, match: Match, admin_client: Client
) -> None:
    said = {"comment": "He left <b>twice</b>.", "proof": "https://example.org/clip?t=1&x=2"}
    anna.post(page(match, "statement/"), said)
    shown = html.unescape(text_of(anna, page(match)))
    assert said["comment"] in shown
    assert said["proof"] in shown
    bernd = make_account(hall, 1, "bernd")
    assert "He left" not in text_of(bernd, page(match))
    for name, args in (("disputes", []), ("resolve", [match.pk])):
        text = text_of(admin_client, reverse(f"admin:ratings_match_{name}", args=args))
        assert "He left &lt;b&gt;twice&lt;/b&gt;." in text, name
        assert 'href="https://example.org/clip?t=1&amp;x=2"' in text, name
        assert 'rel="noopener noreferrer nofollow"' in text, name


@pytest.mark.parametrize(
    "proof",
    [
        "javascript:alert(1)",
        "data:text/html,x",
        "ftp://example.org/x",
        "example.org/clip",
        "https://",
        "https://evenmatch.example@elsewhere.example/",
        "https://example.org/a b",
        "https://example.org/a\x80b",
        "https://example.org/a\u200bb",
        "https://example.org/\njavascript:alert(1)",
        "https://example.org/" + "x" * 500,
    ],
)
def test_a_proof_is_an_address_of_the_web(anna: Client, match: Match, proof: str) -> None:
    answer = anna.post(page(match, "statement/"), {"comment": "long typed", "proof": proof})
    assert answer.status_code == 422
    text = answer.content.decode()
    assert "Give the whole address of a page" in text
    assert "long typed" in text  # nothing typed is lost
    assert not Statement.objects.exists()


def test_a_scheme_in_capitals_is_written_small(anna: Client, match: Match) -> None:
    answer = anna.post(
        page(match, "statement/"), {"comment": "", "proof": "Https://Example.org/Clip"}
    )
    assert answer.status_code == 302
    assert Statement.objects.get().proof == "https://Example.org/Clip"


def test_what_was_emptied_stays_empty_beside_a_wrong_proof(anna: Client, match: Match) -> None:
    anna.post(page(match, "statement/"), {"comment": "typed before", "proof": ""})
    answer = anna.post(page(match, "statement/"), {"comment": "", "proof": "example.org"})
    assert answer.status_code == 422
    assert "typed before" not in answer.content.decode()


def test_the_database_keeps_no_other_link(hall: Hall, match: Match) -> None:
    for proof in ("javascript:alert(1)", "https://a b", "https://a\tb", " https://a"):
        with pytest.raises(IntegrityError), transaction.atomic():
            Statement.objects.create(match=match, player=hall.players[0], proof=proof)
    with pytest.raises(IntegrityError), transaction.atomic():
        Statement.objects.create(match=match, player=hall.players[0], comment="x" * 1001)


@pytest.mark.parametrize("comment", ["x" * 1001, "a\x00b"])
def test_a_comment_is_short_and_can_be_shown(anna: Client, match: Match, comment: str) -> None:
    answer = anna.post(page(match, "statement/"), {"comment": comment, "proof": ""})
    assert answer.status_code == 422
    assert "Your comment" in answer.content.decode()


def test_who_calls_an_operator_comes_first(
    hall: Hall, anna: Client, match: Match, admin_client: Client
) -> None:
    older = match
    teams = [[player.pk] for player in hall.players[:2]]
    newer = start_match(ladder=hall.ladder, teams=teams)
    say(newer, hall, 0, Outcome.WON)
    say(newer, hall, 1, Outcome.WON)
    assert list(disputes.disputed_matches()) == [older, newer]
    anna.post(page(newer, "call/"))
    called = Statement.objects.get().called_at
    assert called is not None
    with clock.at(clock.now() + timedelta(minutes=5)):
        anna.post(page(newer, "call/"))
    assert Statement.objects.get().called_at == called
    assert list(disputes.disputed_matches()) == [newer, older]
    assert "You called an admin" in text_of(anna, page(newer))
    text = text_of(admin_client, reverse("admin:ratings_match_disputes"))
    assert text.count("Admin called") == 1
    anna.post(page(newer, "statement/"), {"comment": "See there.", "proof": ""})
    assert Statement.objects.get().called_at == called


def test_only_players_of_a_disputed_match_state(hall: Hall, anna: Client, match: Match) -> None:
    stranger = Client()
    for name in ("statement/", "call/"):
        assert stranger.post(page(match, name)).status_code == 302
        stranger.force_login(User.objects.get_or_create(username="carla")[0])
        assert stranger.post(page(match, name)).status_code == 404
        stranger.logout()
    with pytest.raises(NotInMatchError):
        disputes.call_operator(match_id=match.pk, player_id=hall.players[2].pk)
    say(match, hall, 1, Outcome.LOST)
    with pytest.raises(NotDisputedError):
        disputes.state(match_id=match.pk, player_id=hall.players[0].pk, comment="late", proof="")
    assert anna.post(page(match, "statement/"), {"comment": "late"}, follow=True).status_code == 200
    assert not Statement.objects.exists()
