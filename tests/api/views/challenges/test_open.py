"""A challenge that nobody has accepted: what only an accepted one allows."""

import pytest

from tests.api.matrix import ROWS
from tests.api.world import World

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("act", ["here", "cancel"])
def test_it_is_not_over(world: World, act: str) -> None:
    (row,) = (row for row in ROWS if row.route == "challenge-withdraw")
    path = row.path(world).removesuffix("withdraw") + act
    refused = world.call("POST", path, "player-play", body={})
    assert refused.status_code == 409, refused.content
    problem = refused.json()
    assert (problem["code"], problem["state"]) == ("challenge_not_accepted", "open")
