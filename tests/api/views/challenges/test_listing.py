"""Lists of challenges: those of which something may come, or all."""

import pytest

from tests.api.matrix import ROWS
from tests.api.world import World

pytestmark = pytest.mark.django_db


def test_those_that_are_over_are_listed_on_request(world: World) -> None:
    (row,) = (row for row in ROWS if row.route == "challenge-withdraw")
    withdrawn = world.call("POST", row.path(world), "player-play", body={})
    assert withdrawn.status_code == 200, withdrawn.content
    listed = {
        live: world.call("GET", f"challenges{live}", "player-play").json()["results"]
        for live in ("", "?live=true", "?live=false")
    }
    assert (listed[""], listed["?live=true"]) == ([], [])
    (over,) = listed["?live=false"]
    assert over["id"] == withdrawn.json()["id"]
    refused = world.call("GET", "challenges?live=no", "player-play")
    assert (refused.status_code, refused.json()["errors"][0]["parameter"]) == (400, "live")
