"""Challenges on the pages, as their two see them, with scripts and without."""

import re
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.test import Client

from challenges.models import Challenge, ChallengeState
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
    assert "Received" in words_of(ben, "/challenges/")
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
    assert "You challenge Anna" in words_of(ben, asked)
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
    assert "Ben is to play you now" in words_of(anna, "/play/ongoing/", **{"HX-Request": "true"})
    post(anna, f"{sent}here/")
    assert Challenge.objects.get().state == ChallengeState.STARTED


def test_a_link_leads_who_is_signed_out_to_sign_in_and_back(hall: Hall) -> None:
    anna, ben = make_account(hall, 0, "anna"), make_account(hall, 1, "ben")
    sent = post(anna, f"/challenges/as/{hall.players[0].pk}/link/", **form_of(hall))
    found = re.search(
        r'value="http://testserver(/challenges/link/[A-Z0-9]{12}/)"', text_of(anna, sent)
    )
    assert found is not None
    way_in = Client().get(found[1])
    assert way_in.headers["Location"] == f"/accounts/login/?next={found[1]}"
    assert post_get(anna, found[1]) == sent
    assert "Anna challenges you" in words_of(ben, found[1])
    assert post(ben, f"{found[1]}take/") == sent
    carl = make_account(hall, 2, "carl")
    late = carl.get(found[1])
    assert late.status_code == 404
    assert "no longer open" in late.content.decode()
    post(carl, f"{found[1]}take/")
    assert Challenge.objects.get().challenged == hall.players[1]


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
