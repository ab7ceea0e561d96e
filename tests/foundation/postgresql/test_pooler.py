"""Behind a pooler of transactions nothing stays in a session, and what needs one refuses to begin."""

from collections.abc import Callable

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.db import connection
from pytest_django import Settings

from foundation.postgresql.lease import SessionLease, TokenLease
from foundation.postgresql.locks import Lock, alone
from foundation.postgresql.prepared import prepared

pytestmark = pytest.mark.django_db
RUNS = SessionLease("ratings_ratingrun", key="track_id", event="run.overdue_ended")


def take_lease_of_run() -> None:
    with RUNS.held(1, seconds=1.0, wait=False):
        raise AssertionError("It was taken.")


def lock_session() -> None:
    with alone(Lock.TABLES):
        raise AssertionError("It was locked.")


@pytest.mark.parametrize(
    "begin",
    [
        take_lease_of_run,
        lock_session,
        lambda: TokenLease("matchmaking_queue", name="sweep").take(1, seconds=1.0),
    ],
)
def test_what_needs_a_session_refuses(begin: Callable[[], object], settings: Settings) -> None:
    settings.DATABASE_POOLER = True
    with pytest.raises(ImproperlyConfigured, match="EVENMATCH_DATABASE_POOLER"):
        begin()


def test_nothing_is_prepared(settings: Settings) -> None:
    settings.DATABASE_POOLER = True
    with prepared() as cursor:
        cursor.execute("SELECT %(number)s::bigint /* through a pooler */", {"number": 7})
        assert cursor.fetchall() == [(7,)]
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_prepared_statements WHERE statement LIKE '%through a pooler%'"
        )
        assert cursor.fetchone() == (0,)
