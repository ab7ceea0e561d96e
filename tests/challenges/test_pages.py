"""Challenges on the pages, as their two see them, with scripts and without."""

import re
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from challenges.models import Challenge, ChallengeState
from foundation import clock
from people.blocks import block
from ratings.matches.decide import confirm_by_server
from ratings.matches.result import Result
from tests.matchmaking.hall import Hall, make_hall
from tests.matchmaking.visiting import HTMX, make_account, text_of, words_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def hall() -> Hall:
    return make_hall(players=4)


def post(client: Client, address: str, **given: Any) -> str:
    """Where the form leads."""
    answer = client.post(address, given)
    assert answer.status_code == 302, answer.content.decode()
    return str(answer.headers["Location"])


def form_of(hall: Hall, **more: object) -> dict[str, object]:
    return {"ladder": hall.ladder.pk, "side": "mine", "minutes": 10, "note": "Hi!", **more}


def test_from_a_players_page_to_a_rematch(hall: Hall) -> None:
    anna, ben = make_account(hall, 0, "anna"), make_account(hall, 1, "ben")
    page = f"/challenges/to/{hall.players[1].pk}/"
    assert page in text_of(anna, f"/players/{hall.players[1].pk}/")
    assert "Challenge Ben" in words_of(anna, page)
    sent = post(anna, page, **form_of(hall, rated="on"))
    assert "You challenge Ben" in words_of(anna, sent)
    assert "Withdraw" in words_of(anna, sent)
    bar = words_of(ben, "/play/ongoing/", **{"HX-Request": "true"})
    assert "Anna challenges you" in bar
    assert "Answer" in bar
    received = words_of(ben, "/challenges/")
    for words in ("Received", "It is open until", "Hi!"):
        assert words in received
    assert "Hi!" in words_of(ben, sent)
    assert post(ben, f"{sent}accept/") == sent
    made = Challenge.objects.get()
    assert made.state == ChallengeState.STARTED
    assert post_get(ben, sent) == f"/play/matches/{made.match_id}/"
    assert made.match_id is not None
    confirm_by_server(match_id=made.match_id, result=Result(ranks=(0, 1)))
    for address in (f"/matches/{made.match_id}/", f"/play/matches/{made.match_id}/"):
        assert f"/challenges/after/{made.match_id}/" in text_of(ben, address)
    assert "/challenges/after/" not in text_of(Client(), f"/matches/{made.match_id}/")
    asked = post(ben, f"/challenges/after/{made.match_id}/")
    assert "You ask Anna for a rematch" in words_of(ben, asked)
    assert "Ben wants a rematch" in words_of(anna, asked)
    bar = words_of(anna, "/play/ongoing/", **{"HX-Request": "true"})
    assert "Ben wants a rematch" in bar
    assert "Ben wants a rematch: " in words_of(anna, "/notifications/")
    post(anna, f"/challenges/after/{made.match_id}/")
    again = Challenge.objects.latest("pk")
    assert again.state == ChallengeState.STARTED
    assert again.match is not None
    sides = again.match.participants.order_by("team").values_list("player", flat=True)
    assert list(sides) == [hall.players[1].pk, hall.players[0].pk]


def post_get(client: Client, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 302
    return str(answer.headers["Location"])


def test_who_looks_at_any_page_is_there(hall: Hall) -> None:
    anna, ben = make_account(hall, 0, "anna"), make_account(hall, 1, "ben")
    sent = post(anna, f"/challenges/to/{hall.players[1].pk}/", **form_of(hall))
    Challenge.objects.update(challenger_seen_at=None)
    post(ben, f"{sent}accept/")
    assert "The match begins as soon as the other is, too" in words_of(ben, sent)
    assert "You and Ben can play now" in words_of(anna, "/play/ongoing/", **{"HX-Request": "true"})
    post(anna, f"{sent}here/")
    assert Challenge.objects.get().state == ChallengeState.STARTED


def test_a_link_leads_who_is_signed_out_to_sign_in_and_back(hall: Hall) -> None:
    anna, ben = make_account(hall, 0, "anna"), make_account(hall, 1, "ben")
    sent = post(anna, f"/challenges/as/{hall.players[0].pk}/link/", **form_of(hall))
    found = re.search(
        r'value="http://testserver(/challenges/link/[A-Z0-9]{12}/)"', text_of(anna, sent)
    )
    assert found is not None
    assert "Anna challenges you" in words_of(Client(), found[1])
    assert f'href="/accounts/login/?next={found[1]}"' in text_of(Client(), found[1])
    new = Client()
    new.force_login(User.objects.create_user("newbie"))
    asked = re.search(r'action="(/play/in/[^"]+/player/)"', text_of(new, found[1]))
    assert asked is not None
    # A name that is refused is said on the page of the link, with what was typed.
    taken = hall.players[0].name
    assert new.post(asked[1], {"name": taken, "then": found[1]}).headers["Location"] == found[1]
    refused = text_of(new, found[1])
    assert "challenges you in" in refused
    assert f'value="{taken}"' in refused
    assert "is taken" in refused
    assert "is taken" not in text_of(new, found[1])
    named = new.post(asked[1], {"name": "Newbie", "then": found[1]})
    assert named.headers["Location"] == found[1]
    assert "Accept" in words_of(new, found[1])
    assert post_get(anna, found[1]) == sent
    assert "Anna challenges you" in words_of(ben, found[1])
    assert post(ben, f"{found[1]}take/") == sent
    carl = make_account(hall, 2, "carl")
    late = carl.get(found[1])
    assert late.status_code == 404
    assert "no longer open" in late.content.decode()
    post(carl, f"{found[1]}take/")
    assert Challenge.objects.get().challenged == hall.players[1]


@pytest.mark.parametrize(
    ("side", "words"),
    [
        ("mine", "As agreed in the challenge"),
        ("other", "As agreed in the challenge"),
        ("drawn", "The sides were drawn by lot"),
    ],
)
def test_the_match_says_which_side_is_whose(hall: Hall, side: str, words: str) -> None:
    """Nobody else tells the two, who set it in their game."""
    anna, ben = make_account(hall, 0, "anna"), make_account(hall, 1, "ben")
    sent = post(anna, f"/challenges/to/{hall.players[1].pk}/", **form_of(hall, side=side))
    post(ben, f"{sent}accept/")
    match = Challenge.objects.get().match
    assert match is not None
    found = [words_of(client, f"/play/matches/{match.pk}/") for client in (anna, ben)]
    assert [words in page for page in found] == [True, True]
    first = match.participants.get(team=0).player_id == hall.players[0].pk
    assert first or side != "mine"
    assert not (first and side == "other")
    assert ["You play the first side" in page for page in found] == [first, not first]
    assert ["You play the second side" in page for page in found] == [not first, first]
    assert "sides by" not in words_of(Client(), f"/matches/{match.pk}/")


@pytest.mark.parametrize(
    ("side", "words"),
    [
        ("mine", "you play the second side"),
        ("other", "you play the first side"),
        ("drawn", "sides by lot"),
    ],
)
def test_a_link_says_which_side_is_whose(hall: Hall, side: str, words: str) -> None:
    anna = make_account(hall, 0, "anna")
    post(anna, f"/challenges/as/{hall.players[0].pk}/link/", **form_of(hall, side=side))
    code = Challenge.objects.get().code
    assert words in words_of(Client(), f"/challenges/link/{code}/")


def test_a_link_that_nobody_took_says_so(hall: Hall) -> None:
    anna = make_account(hall, 0, "anna")
    new = f"/challenges/as/{hall.players[0].pk}/link/"
    sent = post(anna, new, **form_of(hall))
    assert "Your link waits for somebody" in words_of(anna, sent)
    now = clock.now()
    Challenge.objects.update(created_at=now - timedelta(hours=1), expires_at=now)
    late = words_of(anna, sent)
    assert "Nobody has taken your link in time" in late
    assert "waits for somebody" not in late
    post(anna, f"{post(anna, new, **form_of(hall))}withdraw/")
    assert "You have withdrawn your link" in words_of(anna, "/challenges/")


def test_no_rematch_is_offered_with_whom_one_blocks(hall: Hall) -> None:
    anna, ben = make_account(hall, 0, "anna"), make_account(hall, 1, "ben")
    sent = post(anna, f"/challenges/to/{hall.players[1].pk}/", **form_of(hall))
    post(ben, f"{sent}accept/")
    match = Challenge.objects.get().match_id
    assert match is not None
    confirm_by_server(match_id=match, result=Result(ranks=(0, 1)))
    page, offer = f"/play/matches/{match}/", f"/challenges/after/{match}/"
    assert offer in text_of(anna, page)
    block(player=hall.players[0], other=hall.players[1])
    assert offer not in text_of(anna, page)
    assert offer in text_of(ben, page)  # nobody tells him


def test_an_appointment_shows_its_zone(hall: Hall) -> None:
    anna, ben = make_account(hall, 0, "anna"), make_account(hall, 1, "ben")
    page = f"/challenges/to/{hall.players[1].pk}/"
    answer = anna.post(page, form_of(hall, when="2020-01-01T20:00", zone="Europe/Berlin"))
    assert "10 minutes ahead at least" in answer.content.decode()
    assert not Challenge.objects.exists()
    later = datetime.now(UTC) + timedelta(days=3)
    sent = post(
        anna, page, **form_of(hall, when=f"{later:%Y-%m-%dT%H:%M}", zone="America/New_York")
    )
    assert sent
    post(ben, f"{sent}accept/")
    assert Challenge.objects.get().state == ChallengeState.ACCEPTED
    assert "UTC" in words_of(ben, sent)
    assert "Agreed" in words_of(anna, "/challenges/")
    post(ben, f"{sent}cancel/")
    assert "cancelled" in words_of(anna, "/challenges/")


def test_a_clock_says_what_it_counts_to(hall: Hall) -> None:
    anna, ben = make_account(hall, 0, "anna"), make_account(hall, 1, "ben")
    page = f"/challenges/to/{hall.players[1].pk}/"
    at = datetime.now(UTC).replace(second=0, microsecond=0) + timedelta(minutes=50)
    asked = form_of(hall, when=f"{at:%Y-%m-%dT%H:%M}", zone="UTC", minutes="")
    sent = post(anna, page, **asked)

    def left(client: Client, label: str) -> float:
        """Seconds on the clock of this label."""
        part = text_of(client, sent).split(label)[1]
        return float(part.split('data-seconds="')[1].split('"')[0].replace(",", ""))

    assert 48 * 60 < left(ben, "Left for you to answer:") <= 50 * 60
    assert 48 * 60 < left(anna, "Left to accept it:") <= 50 * 60
    post(ben, f"{sent}accept/")
    assert 48 * 60 < left(anna, "Until the appointment:") <= 50 * 60
    now = clock.now()
    Challenge.objects.update(at=now - timedelta(minutes=1), due_at=now + timedelta(minutes=9))
    assert 8 * 60 < left(anna, "Left for both to be here:") <= 9 * 60


def test_an_appointment_is_open_for_as_long_as_was_chosen(hall: Hall) -> None:
    anna = make_account(hall, 0, "anna")
    page = f"/challenges/to/{hall.players[1].pk}/"
    at = datetime.now(UTC).replace(second=0, microsecond=0) + timedelta(hours=5)
    for minutes, until in (
        ("60", timedelta(hours=1)),
        ("", timedelta(hours=5)),
        ("1440", timedelta(hours=5)),
    ):
        now = clock.now()
        sent = post(
            anna, page, **form_of(hall, when=f"{at:%Y-%m-%dT%H:%M}", zone="UTC", minutes=minutes)
        )
        made = Challenge.objects.latest("pk")
        assert abs(made.expires_at - now - until) < timedelta(minutes=2)
        post(anna, f"{sent}withdraw/")


def test_nobody_else_sees_it(hall: Hall) -> None:
    anna, carl = make_account(hall, 0, "anna"), make_account(hall, 2, "carl")
    sent = post(anna, f"/challenges/to/{hall.players[1].pk}/", **form_of(hall))
    assert carl.get(sent).status_code == 404
    assert carl.post(f"{sent}accept/").status_code == 404
    assert Client().get(sent).status_code == 302
    assert anna.get(f"/challenges/to/{hall.players[0].pk}/").status_code == 404


def test_parts_ask_for_news(hall: Hall) -> None:
    anna = make_account(hall, 0, "anna")
    sent = post(anna, f"/challenges/to/{hall.players[1].pk}/", **form_of(hall))
    asked = []
    for page in (sent, "/challenges/"):
        again = re.search(rf'hx-get="({page}\?seen=\w+)"', text_of(anna, page))
        assert again is not None
        asked.append(again[1])
        assert anna.get(again[1], headers=HTMX).status_code == 204
    post(anna, f"{sent}withdraw/")
    assert [anna.get(one, headers=HTMX).status_code for one in asked] == [200, 200]
