"""Players of accounts: under names that nobody can mistake for another's."""

import pytest

from accounts.models import User
from ratings.models import Game, Player
from ratings.players.claim import BadNameError, NameTakenError, make_player, suggest_name, tidy_name
from ratings.players.enrol import add_players, enrol

pytestmark = pytest.mark.django_db


@pytest.fixture
def game() -> Game:
    return Game.objects.create(slug="go", name="Go")


@pytest.fixture
def ann() -> User:
    return User.objects.create_user("ann")


@pytest.mark.parametrize("name", ["тom", "ѕam", "Вoris", "οhm", "Tom тom"])
def test_words_of_mixed_writing_are_refused(name: str) -> None:
    with pytest.raises(BadNameError, match=f"“{name.rsplit(maxsplit=1)[-1]}” mixes letters"):
        tidy_name(name)


@pytest.mark.parametrize("name", ["[RU] Вася", "田中たろう", "ТОМ", "김철수 kim", "José"])
def test_words_of_one_writing_are_taken(name: str) -> None:
    assert tidy_name(name) == name


@pytest.mark.parametrize(
    "name", ["To\u200bm", "\u202eTom", "To\u3164m", "T" + "o\u0353" * 2 + "\u0353" * 9]
)
def test_signs_that_cannot_be_seen_are_refused(name: str) -> None:
    with pytest.raises(BadNameError, match="cannot be seen"):
        tidy_name(name)


@pytest.mark.parametrize("name", ["ТОМ", "T0M", "Torn", "tóm"])
def test_a_name_like_an_account_s_is_taken(game: Game, ann: User, name: str) -> None:
    make_player(game=game, user=User.objects.create_user("bob"), name="Tom")
    with pytest.raises(NameTakenError, match="looks like it, is taken"):
        make_player(game=game, user=ann, name=name)


def test_a_name_like_that_of_a_player_without_an_account_is_for_its_owner(
    game: Game, ann: User
) -> None:
    add_players(game.pk, ["Tom Farthing"])
    number = Player.objects.get().pk
    with pytest.raises(NameTakenError, match=rf"“Tom Farthing” .* player {number} to your account"):
        make_player(game=game, user=ann, name="tom farthing")
    assert not Player.objects.filter(user=ann).exists()
    other = Game.objects.create(slug="chess", name="Chess")
    assert make_player(game=other, user=ann, name="tom farthing").name == "tom farthing"


def test_what_is_suggested_is_free(game: Game) -> None:
    add_players(game.pk, ["Ann", "ann 2"])
    user = User.objects.create_user("ann")
    assert suggest_name(game=game, user=user) == "ann 3"
    make_player(game=game, user=user, name="ann 3")


def test_a_claimed_player_who_looks_like_another_can_be_renamed(game: Game, ann: User) -> None:
    own = make_player(game=game, user=ann, name="Ann")
    enrol(game=game, external_id="x", name="Ann")
    assert enrol(game=game, external_id=own.external_id, name="Änn")[0].holds_name
