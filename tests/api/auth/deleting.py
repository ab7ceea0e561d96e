"""What is asked for while somebody is being deleted, or merged."""

from collections.abc import Callable
from threading import Event
from typing import Any

import pytest
from django.db import connection

from accounts.access import end_access
from accounts.models import User
from api.site.delete_person import delete_account
from foundation.refusals import RefusedError
from tests.at_once import at_once
from tests.processes import wait_until

__all__ = ["delete_while", "somebody_waits"]


def delete_while(
    user: User, act: Callable[[], object], monkeypatch: pytest.MonkeyPatch
) -> list[str]:
    """Delete an account, and do something once its deletion is under way, which goes on when that is done or waits.
    Returns “deleted”, and “done” or the code of a refusal.
    """
    is_under_way, is_answered = Event(), Event()

    def end(*given: Any, **more: Any) -> None:
        end_access(*given, **more)
        is_under_way.set()
        wait_until(lambda: is_answered.is_set() or somebody_waits())

    monkeypatch.setattr("api.site.delete_person.end_access", end)

    def deletes() -> str:
        delete_account(user, by=None, even_last=True)
        return "deleted"

    def acts() -> str:
        is_under_way.wait(60)
        try:
            act()
        except RefusedError as refusal:
            return refusal.code
        finally:
            is_answered.set()
        return "done"

    return at_once([deletes, acts])


def somebody_waits() -> bool:
    """Whether a session of this database waits for a lock."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_stat_clear_snapshot()"
        )  # in one transaction it shows the same again
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity"
            " WHERE datname = current_database() AND wait_event_type = 'Lock'"
        )
        return bool(cursor.fetchone()[0])
