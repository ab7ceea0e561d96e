"""Names in the hands of operators: locked, with words that are refused, and remembered."""

import pytest

from accounts.models import User
from ratings.models import FormerName, Player, name_columns
from ratings.players.claim import BadNameError, make_player, suggest_name, with_refused_words
from ratings.players.enrol import enrol
from tests.ratings.arena import Arena

pytestmark = pytest.mark.django_db


def former_names(player: Player) -> list[str]:
    return list(FormerName.objects.filter(player=player).values_list("name", flat=True))


def test_a_locked_name_stays_whatever_the_game_says() -> None:
    game = Arena(0).game
    player, _ = enrol(game=game, external_id="7", name="Rude Word")
    Player.objects.filter(pk=player.pk).update(**name_columns("Player 7"), name_locked=True)
    again, is_new = enrol(game=game, external_id="7", name="Rude Word")
    assert (again.name, is_new) == ("Player 7", False)
    Player.objects.filter(pk=player.pk).update(name_locked=False)
    again, _ = enrol(game=game, external_id="7", name="Rude Word")
    assert again.name == "Rude Word"


def test_every_name_before_is_kept_whoever_renames() -> None:
    game = Arena(0).game
    for name in ("Ann", "Anna", "Anna", "Annabel"):
        player, _ = enrol(game=game, external_id="7", name=name)
    assert former_names(player) == ["Anna", "Ann"]
    Player.objects.filter(pk=player.pk).update(**name_columns("By SQL"))
    assert former_names(player)[0] == "Annabel"


@pytest.mark.parametrize("name", ["Admin", "xADM1Nx", "ad min", "Ádmín 2"])
def test_words_are_refused_however_they_are_written(name: str) -> None:
    game = Arena(0).game
    game.refused_words = "moderator\n\n admin \n"
    with pytest.raises(BadNameError, match="“admin” cannot be part of a name here"):
        make_player(game=game, user=User.objects.create_user("otto"), name=name)


@pytest.mark.parametrize(
    "name",
    [
        "Deleted player 99",
        "DeIeted PIayer 1",
        "Gelöschter Spieler 7",
        "Deleted player #5",
        "Deleted player 99.",
        "Deleted player №99",
        "Deleted-player 88",
    ],
)
def test_nobody_names_oneself_as_the_deleted_are(name: str) -> None:
    with pytest.raises(BadNameError, match="looks like the name of a deleted player"):
        make_player(game=Arena(0).game, user=User.objects.create_user("otto"), name=name)


def test_names_without_them_are_taken() -> None:
    game = Arena(0).game
    game.refused_words = "admin"
    assert make_player(game=game, user=User.objects.create_user("otto"), name="Adam").pk


def test_no_refused_name_is_suggested() -> None:
    game = Arena(0).game
    game.refused_words = "admin"
    user = User.objects.create_user("The-Admin")
    assert suggest_name(game=game, user=user) == ""


def test_what_the_game_has_brought_is_listed() -> None:
    game, other = Arena(0).game, Arena(0, slug="chess").game
    game.refused_words = "admin"
    game.save()
    rude, _ = enrol(game=game, external_id="1", name="Super-АDМIN")
    enrol(game=game, external_id="2", name="Adam")
    enrol(game=other, external_id="1", name="Admin")
    assert list(with_refused_words(Player.objects.all())) == [rude]
