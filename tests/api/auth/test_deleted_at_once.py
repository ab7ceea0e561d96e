"""Deleting an account while somebody gives it another player."""

import pytest

from accounts.models import User
from ratings.models import Game, Player
from ratings.players.accounts import move_player
from ratings.players.claim import make_player
from ratings.players.enrol import enrol
from tests.api.auth.deleting import delete_while


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("how", ["named", "moved"])
def test_no_player_is_left_to_a_deleted_account(how: str, monkeypatch: pytest.MonkeyPatch) -> None:
    user = User.objects.create_user("leaver")
    game = Game.objects.create(slug="go", name="Go")
    brought, _ = enrol(game=game, external_id="petra-77", name="Petra")

    def give() -> None:
        to = User.objects.get(pk=user.pk)  # as it is until the deletion is committed
        if how == "named":
            make_player(game=game, user=to, name="Zebulon Quux")
        else:
            move_player(player=brought, to=to, by=None, note="x")

    assert delete_while(user, give, monkeypatch) == ["deleted", "cannot_move"]
    assert not Player.objects.exclude(user=None).exists()
