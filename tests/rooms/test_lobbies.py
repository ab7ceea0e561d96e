"""What an operator may choose for the rooms of a game."""

import pytest
from django.core.exceptions import ValidationError

from rooms.models import Lobby
from tests.matchmaking.hall import make_hall
from tests.ratings.admin_cast import operator

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("categories", "words"),
    [
        ("serious\n" + "x" * 31, "at most 30 characters"),
        ("\n".join(f"category {number}" for number in range(21)), "at most 20 categories"),
    ],
)
def test_categories_that_could_not_be_shown_whole_are_refused(categories: str, words: str) -> None:
    game = make_hall(2).ladder.game
    with pytest.raises(ValidationError, match=words):
        Lobby(game=game, categories=categories).full_clean()
    Lobby(game=game, categories="serious\n" + "x" * 30 + "\n\nserious").full_clean()
    asked = {"game": game.pk, "categories": categories, "is_open": "on"}
    usual = {
        name: getattr(Lobby(), name)
        for name in ("idle_minutes", "silent_seconds", "turn_seconds", "most_rooms")
    }
    assert words in operator().post("/admin/rooms/lobby/add/", {**asked, **usual}).content.decode()
    assert not Lobby.objects.exists()
