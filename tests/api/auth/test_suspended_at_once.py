"""A suspension goes on also where the game calls the id again while the deletion is under way."""

from threading import Event
from typing import Any

import pytest
from django.db import connection

from api.contract.idempotency import forget_player_in_answers
from api.site.delete_person import delete_player
from ratings.models import Game, Sanction, SanctionKind, SuspendedFrom
from ratings.players.enrol import enrol
from ratings.sanctions import impose
from tests.at_once import at_once
from tests.processes import wait_until

pytestmark = pytest.mark.django_db(transaction=True)


def test_it_holds_where_the_game_calls_the_id_while_the_deletion_goes_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = Game.objects.create(slug="go", name="Go")
    player, _ = enrol(game=game, external_id="petra")
    kind, what = SanctionKind.SUSPENDED, SuspendedFrom.ALL
    impose(player=player, kind=kind, suspended_from=what, reason="A bot.", by=None)
    is_free, is_done = Event(), Event()

    def forget_in_answers(*given: Any) -> None:  # once the id is free, but for the commit
        forget_player_in_answers(*given)
        is_free.set()
        wait_until(lambda: is_done.is_set() or _somebody_waits())

    monkeypatch.setattr("api.site.delete_person.forget_player_in_answers", forget_in_answers)

    def deletes() -> bool:
        delete_player(player, by=None)
        return True

    def calls() -> bool:
        assert is_free.wait(60)
        _player, is_new = enrol(game=game, external_id="petra")
        is_done.set()
        return is_new

    assert at_once([deletes, calls]) == [True, True]
    assert Sanction.objects.get(player__external_id="petra").suspended_from == "all"


def _somebody_waits() -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_stat_clear_snapshot()")
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity"
            " WHERE datname = current_database() AND wait_event_type = 'Lock'"
        )
        return bool(cursor.fetchone()[0])
