"""What the page of a match tells its players: what counts at once, how a dispute ends, who is simulated."""

import re

import pytest
from django.test import Client

from accounts.models import User
from foundation import clock
from ratings.matches.start import start_match
from ratings.models import Game, Match, MatchState, Outcome
from ratings.runs.run import rate_track
from tests.matchmaking.hall import Hall, make_hall
from tests.matchmaking.visiting import (
    HTMX,
    accounts,
    make_account,
    meet,
    queue_page_of,
    say,
    text_of,
    words_of,
)

pytestmark = pytest.mark.django_db

IN_GERMAN = {"Accept-Language": "de"}


@pytest.fixture
def teams() -> Hall:
    """Two against two."""
    return make_hall(4, team_size=2)


def page(match: Match) -> str:
    return f"/play/matches/{match.pk}/"


def start(hall: Hall) -> Match:
    ids = [player.pk for player in hall.players]
    return start_match(ladder=hall.ladder, teams=[ids[:2], ids[2:]])


def buttons_of(client: Client, address: str, **more: str) -> list[str]:
    found = re.findall(r'name="outcome"[^>]*>([^<]+)<', text_of(client, address, headers=more))
    return [word.strip() for word in found]


@pytest.mark.parametrize("headers", [{}, IN_GERMAN])
def test_in_a_team_one_word_does_not_lose_the_match(teams: Hall, headers: dict[str, str]) -> None:
    (anna,) = accounts(teams, "anna")
    match = start(teams)
    words = words_of(anna, page(match), **headers)
    lost = buttons_of(anna, page(match), **headers)[2]
    assert lost == ("Wir haben verloren" if headers else "We lost")
    condition = "zählt sofort, wenn mehr als die Hälfte" if headers else "counts at once when more"
    said = f"„{lost}“ {condition}" if headers else f"“{lost}” {condition}"
    assert said in words
    assert "“I lost”" not in words
    assert "„Verloren“" not in words


@pytest.mark.parametrize("headers", [{}, IN_GERMAN])
def test_alone_one_word_is_enough(headers: dict[str, str]) -> None:
    hall = make_hall()
    (anna,) = accounts(hall, "anna")
    match = meet(hall)
    lost = buttons_of(anna, page(match), **headers)[2]
    said = f"„{lost}“ zählt sofort." if headers else f"“{lost}” counts at once."
    assert said in words_of(anna, page(match), **headers)


def test_who_has_not_reported_in_a_dispute_finds_how_to(teams: Hall) -> None:
    anna, bernd = accounts(teams, "anna", "bernd")
    match = start(teams)
    say(match, teams, 0, Outcome.WON)
    say(match, teams, 2, Outcome.WON)
    match.refresh_from_db()
    assert match.state == MatchState.DISPUTED
    for client, has_reported in ((anna, True), (bernd, False)):
        text = text_of(client, page(match))
        assert "How did it end?" in text
        assert ("Change my report" in text) == has_reported
        assert ('id="dispute-report"' in text) == has_reported
        words = words_of(client, page(match))
        assert "As soon as they agree, it counts" in words
        assert "more than half of its players is enough" in words
        assert "until then nothing changes" not in words
    bernd.post(f"{page(match)}report/", {"outcome": "lost"})
    say(match, teams, 0, Outcome.LOST)
    match.refresh_from_db()
    assert match.state == MatchState.CONFIRMED


def test_simulated_players_are_promised_only_where_there_are_some(teams: Hall) -> None:
    Game.objects.update(simulated=True)
    (anna, *_others) = accounts(teams, "anna", "bernd", "carla")
    match = start(teams)
    assert "Simulated opponents will report the same" in words_of(anna, page(match))
    make_account(teams, 3, "dora")
    words = words_of(anna, page(match))
    assert "Simulated opponents" not in words
    assert "Nothing is really played here: agree on any result" in words


def test_the_own_rating_in_the_heading_comes_with_the_result() -> None:
    """A part that is asked for brings the heading's standing with it; the page has its place from the start."""
    hall = make_hall()
    (anna,) = accounts(hall, "anna")
    match = meet(hall)
    own = re.compile(r'<div\s+class="queue-standing"\s+id="own-standing"( hx-swap-oob="true")?\s*>')
    whole = text_of(anna, queue_page_of(hall))
    assert [bool(found[1]) for found in own.finditer(whole)] == [False]
    assert "queue-mine" not in whole
    say(match, hall, 0, Outcome.WON)
    say(match, hall, 1, Outcome.LOST)
    hall.rate({0: 1578.0}, last_played_at=clock.now())
    part = text_of(anna, queue_page_of(hall), headers=HTMX)
    assert [bool(found[1]) for found in own.finditer(part)] == [True]
    assert "1578" in part.partition('id="own-standing"')[2]
    assert "queue-standing" in text_of(anna, "/play/")
    assert 'id="own-standing"' not in text_of(anna, "/play/")


def test_a_match_that_the_ratings_pass_over_waits_for_none() -> None:
    """Players report no figures, which these ratings are made of."""
    hall = make_hall(system="frags")
    (anna,) = accounts(hall, "anna")
    match = meet(hall)
    say(match, hall, 0, Outcome.WON)
    say(match, hall, 1, Outcome.LOST)
    assert "Your new rating is being calculated" in words_of(anna, page(match))
    assert '"live, every 2s"' in text_of(anna, page(match))
    rate_track(hall.track.pk)
    words = words_of(anna, page(match))
    assert "need figures that this match doesn't have" in words
    assert "being calculated" not in words
    assert '"live, every 15s"' in text_of(anna, page(match))


def test_a_name_leads_to_no_other_site() -> None:
    hall = make_hall(1)
    for number, then in enumerate(
        ("https://example.org/", "//example.org/", "javascript:alert(1)")
    ):
        client = Client()
        client.force_login(User.objects.create_user(f"carla{number}"))
        named = {"name": f"Carla {number}", "then": then}
        answer = client.post(f"{queue_page_of(hall)}player/", named)
        assert answer.headers["Location"] == queue_page_of(hall)
