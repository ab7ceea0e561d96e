"""Players that a game makes known."""

import pytest

from accounts.models import User
from ratings.claiming import NameTakenError, make_player
from ratings.enrolling import enrol
from ratings.models import Game, Player

pytestmark = pytest.mark.django_db


@pytest.fixture
def game() -> Game:
    return Game.objects.create(slug="go", name="Go")


def test_a_player_is_added_once(game: Game) -> None:
    first, is_new = enrol(game=game, external_id="p1")
    assert (first.name, is_new) == ("p1", True)
    again, is_new = enrol(game=game, external_id="p1", name="Änne")
    assert (again.pk, again.name, is_new) == (first.pk, "Änne", False)
    assert enrol(game=game, external_id="p1")[0].name == "Änne"
    assert Player.objects.get().skeleton == "anne"


def test_ids_are_those_of_one_game(game: Game) -> None:
    other = Game.objects.create(slug="chess", name="Chess")
    assert enrol(game=game, external_id="p1")[0].pk != enrol(game=other, external_id="p1")[0].pk


def test_the_name_of_a_claimed_player_stays_unique(game: Game) -> None:
    ann = make_player(game=game, user=User.objects.create_user("ann"), name="Ann")
    bob = make_player(game=game, user=User.objects.create_user("bob"), name="Bob")
    with pytest.raises(NameTakenError, match="“ÁNN” or alike"):
        enrol(game=game, external_id=bob.external_id, name="ÁNN")
    assert Player.objects.get(pk=bob.pk).name == "Bob"
    assert enrol(game=game, external_id="guest", name="Ann")[0].pk != ann.pk
