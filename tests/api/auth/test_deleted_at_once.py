"""Deleting an account while somebody gives it another player."""

from threading import Event
from typing import Any

import pytest

from accounts.access import end_access
from accounts.models import User
from api.site.delete_person import delete_account
from foundation.refusals import RefusedError
from ratings.models import Game, Player
from ratings.players.accounts import move_player
from ratings.players.claim import make_player
from ratings.players.enrol import enrol
from tests.api.auth.test_tokens_end import somebody_waits
from tests.at_once import at_once
from tests.processes import wait_until


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("how", ["named", "moved"])
def test_no_player_is_left_to_a_deleted_account(how: str, monkeypatch: pytest.MonkeyPatch) -> None:
    user = User.objects.create_user("leaver")
    game = Game.objects.create(slug="go", name="Go")
    brought, _ = enrol(game=game, external_id="petra-77", name="Petra")
    are_ended, is_answered = Event(), Event()

    def end(*given: Any, **more: Any) -> None:
        end_access(*given, **more)
        are_ended.set()
        wait_until(lambda: is_answered.is_set() or somebody_waits())

    monkeypatch.setattr("api.site.delete_person.end_access", end)

    def deletes() -> str:
        delete_account(user, by=None, even_last=True)
        return "deleted"

    def gives() -> str:
        are_ended.wait(60)
        to = User.objects.get(pk=user.pk)
        try:
            if how == "named":
                make_player(game=game, user=to, name="Zebulon Quux")
            else:
                move_player(player=brought, to=to, by=None, note="x")
        except RefusedError as refusal:
            return refusal.code
        finally:
            is_answered.set()
        return "given"

    assert at_once([deletes, gives]) == ["deleted", "cannot_move"]
    assert not Player.objects.exclude(user=None).exists()
