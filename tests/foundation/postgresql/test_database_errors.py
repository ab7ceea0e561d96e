"""A database that goes away in the middle of something is no fault of ours, and is told as what it is."""

from collections.abc import Callable, Iterator
from typing import Any

import psycopg
import pytest
from django.db import Error, ProgrammingError, connection, transaction
from django.test import Client

from config.embedded.processes import wait_until
from foundation.postgresql.connections import is_database_away
from foundation.requests.time_limits import OVER

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _a_new_session_afterwards() -> Iterator[None]:
    yield
    connection.close()


def address() -> str:
    given = connection.settings_dict
    return psycopg.conninfo.make_conninfo(
        host=given["HOST"],
        port=given["PORT"],
        user=given["USER"],
        password=given["PASSWORD"],
        dbname=given["NAME"],
    )


def end_session() -> None:
    """As an operator would, or PostgreSQL itself when it starts again."""
    connection.ensure_connection()
    pid = connection.connection.info.backend_pid
    with psycopg.connect(address(), autocommit=True) as other:
        other.execute("SELECT pg_terminate_backend(%s, 60000)", [pid])


def ask() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")


def test_a_session_that_was_ended() -> None:
    end_session()
    with pytest.raises(Error) as caught:
        ask()
    assert is_database_away(caught.value)


def test_a_session_that_was_ended_before_rows_were_copied() -> None:
    """Django translates no errors of COPY."""
    with connection.cursor() as cursor:
        cursor.execute("CREATE TEMPORARY TABLE copied (number integer)")
        end_session()
        with (
            pytest.raises(psycopg.OperationalError) as caught,
            cursor.copy("COPY copied FROM STDIN") as rows,
        ):
            rows.write_row([1])
    assert is_database_away(caught.value)


def test_a_session_that_rested_in_a_transaction_for_too_long() -> None:
    with pytest.raises(Error) as caught:
        rest_in_a_transaction()
    assert is_database_away(caught.value) or is_database_away(caught.value.__context__)


def rest_in_a_transaction() -> None:
    """Longer than allowed, and then ask for something."""
    with transaction.atomic(), connection.cursor() as cursor:
        session = connection.connection  # limits that are set through Django are lifted in tests
        session.execute("SET LOCAL idle_in_transaction_session_timeout = '1ms'")
        pid = session.info.backend_pid
        assert wait_until(lambda: not is_there(pid), seconds=60)
        cursor.execute("SELECT 1")


def is_there(pid: int) -> bool:
    with psycopg.connect(address()) as other:
        return bool(
            other.execute("SELECT 1 FROM pg_stat_activity WHERE pid = %s", [pid]).fetchone()
        )


def test_a_fault_of_ours_is_none_of_its() -> None:
    with pytest.raises(ProgrammingError) as caught, connection.cursor() as cursor:
        cursor.execute("SELECT nothing_of_this_name")
    assert not is_database_away(caught.value)
    assert not is_database_away(None)


def ending(execute: Callable[..., Any], *arguments: Any) -> Any:
    end_session()
    return execute(*arguments)


@pytest.mark.parametrize("page", ["/search/?q=anna", "/games/", "/admin/login/"])
def test_a_page_says_to_come_back(page: str) -> None:
    client = Client(raise_request_exception=False)
    client.cookies["sessionid"] = "a" * 32
    with connection.execute_wrapper(ending):
        answer = client.get(page)
    assert answer.status_code == 503
    assert answer["Retry-After"] == "5"
    assert "Back in a moment" in answer.content.decode()


def test_the_api_says_so_too() -> None:
    client = Client(raise_request_exception=False)
    with connection.execute_wrapper(ending):
        answer = client.get("/api/v1/games")
    assert (answer.status_code, answer.json()["code"]) == (503, "unavailable")
    assert answer.json()["detail"].startswith("The database does not answer.")


@pytest.mark.parametrize(
    ("is_over", "event", "words"),
    [
        (True, "api.time_over", "The time of this request was over before it was answered."),
        (False, "api.database_away", "The database does not answer."),
    ],
)
def test_a_request_whose_own_time_was_over_is_told_that(
    caplog: pytest.LogCaptureFixture, is_over: bool, event: str, words: str
) -> None:
    client = Client(raise_request_exception=False)
    environ: Any = {OVER: lambda: is_over}
    with connection.execute_wrapper(ending):
        answer = client.get("/api/v1/games", **environ)
    told = answer.json()
    assert (answer.status_code, told["code"], answer["Retry-After"]) == (503, "unavailable", "5")
    assert told["detail"] == f"{words} Try again, with the same Idempotency-Key."
    events = [one.msg["event"] for one in caplog.records if isinstance(one.msg, dict)]
    assert [one for one in events if one.startswith("api.")] == [event]


def test_a_server_that_goes_silent_is_given_up() -> None:
    connection.ensure_connection()
    options = connection.connection.info.get_parameters()
    assert (options["connect_timeout"], options["tcp_user_timeout"]) == ("10", "15000")
    assert (options["keepalives_idle"], options["keepalives_count"]) == ("5", "2")
