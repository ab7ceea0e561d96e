"""The id that the site gives to an account's player: whoever has it already, there is another."""

import pytest

from accounts.models import User
from ratings.models import Game
from ratings.players.accounts import move_player
from ratings.players.claim import NameTakenError, make_player
from ratings.players.enrol import add_players

pytestmark = pytest.mark.django_db


def test_an_id_that_is_taken_keeps_no_account_from_playing() -> None:
    game = Game.objects.create(slug="go", name="Go")
    ann = User.objects.create_user("ann")
    own = f"evenmatch:{ann.pk}"
    add_players(game.pk, [own, f"{own}-2", f"account-{ann.pk}"])  # as a file may bring them
    first = make_player(game=game, user=ann, name="Ann")
    assert first.external_id == f"{own}-3"
    move_player(player=first, to=User.objects.create_user("bob"), by=None, note="sold")
    with pytest.raises(NameTakenError):
        make_player(game=game, user=ann, name="Ann")
    assert make_player(game=game, user=ann, name="Annabel").external_id == f"{own}-4"
