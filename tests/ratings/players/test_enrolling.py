"""Players that a game makes known."""

import pytest
from django.db import IntegrityError, transaction

from accounts.models import User
from ratings.models import Game, Player, SearchKey
from ratings.players.claim import make_player
from ratings.players.enrol import add_players, enrol

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


def test_a_name_that_a_game_brings_is_never_refused_for_likeness(game: Game) -> None:
    ann = make_player(game=game, user=User.objects.create_user("ann"), name="Ann")
    bob = make_player(game=game, user=User.objects.create_user("bob"), name="Bob")
    enrol(game=game, external_id=bob.external_id, name="ÁNN")
    bob.refresh_from_db()
    assert (bob.name, bob.holds_name, bob.looks_alike) == ("ÁNN", False, True)
    ann.refresh_from_db()
    assert (ann.name, ann.holds_name, ann.looks_alike) == ("Ann", True, True)
    guest = enrol(game=game, external_id="guest", name="Ann")[0]
    assert guest.pk not in (ann.pk, bob.pk)
    renamed = enrol(game=game, external_id=bob.external_id, name="Robert")[0]
    assert (renamed.holds_name, renamed.looks_alike) == (True, False)


@pytest.mark.parametrize(
    ("name", "clean"),
    [
        ("\u202eevil", "evil"),
        ("To\u200bm\nFarthing", "Tom Farthing"),
        ("\u200b", "?"),
        ("\x07a", "a"),
    ],
)
def test_names_that_games_bring_are_cleaned(game: Game, name: str, clean: str) -> None:
    enrol(game=game, external_id="p1", name=name)
    assert Player.objects.get().name == clean
    assert enrol(game=game, external_id=name)[0].name == clean


def test_the_database_refuses_a_name_that_cannot_be_shown(game: Game) -> None:
    with pytest.raises(IntegrityError, match="player_name_can_be_shown"), transaction.atomic():
        Player.objects.create(game=game, external_id="x", name="\u202eTom", skeleton="torn")


def test_players_who_look_alike_are_marked_while_they_do(game: Game) -> None:
    other = Game.objects.create(slug="chess", name="Chess")
    add_players(game.pk, ["Tom", "тom", "Ann"])
    add_players(other.pk, ["Tom"])

    def marked() -> list[str]:
        return sorted(Player.objects.filter(looks_alike=True).values_list("name", flat=True))

    assert marked() == ["Tom", "тom"]
    enrol(game=game, external_id="Ann", name="T0M")
    assert marked() == ["T0M", "Tom", "тom"]
    enrol(game=game, external_id="тom", name="Boris")
    enrol(game=game, external_id="Ann", name="Ann")
    assert marked() == []
    Player.objects.filter(game=game, name="Tom").update(looks_alike=True)
    assert marked() == []


def test_search_keys_follow_the_name(game: Game) -> None:
    def keys() -> list[tuple[int, int, str]]:
        return list(SearchKey.objects.order_by("place").values_list("game_id", "place", "key"))

    player, _is_new = enrol(game=game, external_id="p", name="Tom Farthing")
    assert keys() == [(game.pk, 0, "tomfarthlng"), (game.pk, 1, "farthlng")]
    enrol(game=game, external_id="p", name="Ann")
    assert keys() == [(game.pk, 0, "ann")]
    player.delete()
    assert keys() == []
