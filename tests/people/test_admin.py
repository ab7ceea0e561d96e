"""Tags in the admin."""

import html

import pytest

from people.models import Tag
from tests.matchmaking.hall import make_hall
from tests.ratings.admin_cast import operator

pytestmark = pytest.mark.django_db


def test_a_short_name_that_is_there_is_refused_in_words() -> None:
    game = make_hall(2).ladder.game
    Tag.objects.create(game=game, slug="coop", name="Co-op")
    asked = {"game": game.pk, "slug": "coop", "name": "Together", "offered": "on"}
    said = html.unescape(operator().post("/admin/people/tag/add/", asked).content.decode())
    assert "The game has a tag with this short name already." in said
    assert "tag_once_in_game" not in said
