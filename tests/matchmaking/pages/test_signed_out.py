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
