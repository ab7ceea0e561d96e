"""Forms of pages whose reader has signed out elsewhere meanwhile."""

import pytest
from django.test import Client

from tests.matchmaking.squads import make_team_hall

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("page", "way_back"),
    [
        ("http://testserver/players/7/?ladder=1", "/players/7/%3Fladder%3D1"),
        ("http://elsewhere.example/players/7/", "/play/"),
    ],
)
@pytest.mark.parametrize("name", ["Referer", "HX-Current-URL"])
def test_whoever_signed_out_elsewhere_comes_back_to_their_page(
    page: str, way_back: str, name: str
) -> None:
    hall = make_team_hall()
    path = f"/play/avoided/{hall.players[0].pk}/"
    is_part = {"HX-Request": "true"} if name.startswith("HX") else {}
    answer = Client().post(path, headers={name: page, **is_part})
    way_in = answer.headers["HX-Redirect" if is_part else "Location"]
    assert way_in == f"/accounts/login/?next={way_back}"


@pytest.mark.parametrize(
    ("path", "page"),
    [
        ("/accounts/security/end-all/", "/accounts/security/"),
        ("/accounts/delete/", "/accounts/delete/"),
        ("/accounts/tokens/", "/accounts/tokens/"),
        ("/accounts/password/change/", "/accounts/password/change/"),
    ],
)
def test_forms_of_the_account_say_so_and_lead_back(path: str, page: str) -> None:
    client = Client()
    answer = client.post(path, headers={"Referer": f"http://testserver{page}"}, follow=True)
    assert answer.redirect_chain == [(f"/accounts/login/?next={page}", 302)]
    assert "You&#x27;re not signed in, so nothing was changed." in answer.content.decode()


def test_without_a_word_of_the_browser_it_is_the_home_page() -> None:
    answer = Client().post("/accounts/security/end-all/")
    assert answer["Location"] == "/accounts/login/?next=/"


def test_whoever_only_looks_is_told_nothing() -> None:
    answer = Client().get("/accounts/security/", follow=True)
    assert "nothing was changed" not in answer.content.decode()
