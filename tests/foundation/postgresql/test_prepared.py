"""Statements that are planned once a session, and queries that are built once."""

from collections.abc import Callable, Iterator
from contextlib import nullcontext
from datetime import timedelta
from typing import Any

import pytest
from django.db import DatabaseError, NotSupportedError, connection, transaction

from foundation.postgresql.bulk import fetch_columns, whole
from foundation.postgresql.prepared import prepared
from foundation.postgresql.rows import BuiltOnce
from ratings.models import Game, Ladder, Player

pytestmark = pytest.mark.django_db
STATEMENT = "SELECT %(number)s::bigint + 1, now() - %(ago)s::interval < now() /* of this test */"
COUNT = "SELECT count(*) FROM pg_prepared_statements WHERE statement LIKE '%of this test%'"


def test_a_statement_is_prepared_with_its_first_use() -> None:
    for number in (1, 2):
        with prepared() as cursor:
            cursor.execute(STATEMENT, {"number": number, "ago": timedelta(seconds=1)})
            assert cursor.fetchall() == [(number + 1, True)]
    with connection.cursor() as cursor:
        cursor.execute(COUNT)
        assert cursor.fetchone() == (1,)


def test_errors_are_those_of_django() -> None:
    with pytest.raises(DatabaseError), prepared() as cursor:
        cursor.execute("SELECT 1 / %(number)s::bigint", {"number": 0})


def test_only_what_asks_for_it_is_prepared() -> None:
    with prepared() as cursor:
        cursor.execute("SELECT 1")
    for number in range(8):
        found = fetch_columns(
            {"one": whole("one")},
            "generate_series(%(number)s, 9) AS one /* of this test */",
            {"number": number},
        )
        assert found["one"][0] == number
    with connection.cursor() as cursor:
        cursor.execute(COUNT)
        assert cursor.fetchone() == (0,)


@pytest.fixture
def readings() -> Iterator[Callable[[str], None]]:
    """A table whose one column another session turns into another type."""
    with connection.cursor() as cursor:
        cursor.execute("CREATE TABLE readings AS SELECT 7::int AS value")
    other = connection.copy()

    def turn_into(kind: str) -> None:
        with other.cursor() as cursor:
            cursor.execute(f"ALTER TABLE readings ALTER COLUMN value TYPE {kind}")

    yield turn_into
    other.close()
    with connection.cursor() as cursor:
        cursor.execute("DROP TABLE readings")


def read() -> object:
    with prepared() as cursor:
        cursor.execute("SELECT value FROM readings")
        return cursor.fetchone()


@pytest.mark.django_db(transaction=True)
def test_a_column_of_another_type_is_read_all_the_same(readings: Callable[[str], None]) -> None:
    assert read() == (7,)
    readings("text")
    assert read() == ("7",)
    assert read() == ("7",)


@pytest.mark.django_db(transaction=True)
def test_within_a_transaction_it_is_read_by_the_next(readings: Callable[[str], None]) -> None:
    with transaction.atomic():
        assert read() == (7,)
    readings("text")
    with pytest.raises(NotSupportedError, match="cached plan"), transaction.atomic():
        read()
    with transaction.atomic():
        assert read() == ("7",)


def test_a_query_that_is_built_once_gives_what_it_gives() -> None:
    games = [Game.objects.create(slug=slug, name=slug) for slug in ("go", "chess")]
    for game in games:
        Ladder.objects.create(game=game, slug=f"{game.slug}-ladder", name="L")
    ladder = BuiltOnce(
        lambda slug: Ladder.objects.select_related("game").filter(slug=slug, team_count=2), str
    )
    for game in games:
        (found,) = ladder(f"{game.slug}-ladder")
        assert found == Ladder.objects.get(game=game)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(connection, "ensure_connection", None)  # it is there already
            assert found.game == game
    assert ladder("none") == []


def test_each_value_stands_where_it_belongs() -> None:
    one, other = (Game.objects.create(slug=slug, name=slug) for slug in ("go", "chess"))
    ann = Player.objects.create(game=one, external_id=str(other.pk), name="Ann")
    named = BuiltOnce(
        lambda game, name: Player.objects.filter(game=game, external_id=name), int, str
    )
    assert named(one.pk, str(other.pk)) == [ann]
    assert named(other.pk, str(one.pk)) == []


def test_columns_of_a_query_that_is_built_once_are_those_it_selects() -> None:
    games = [Game.objects.create(slug=slug, name=slug) for slug in ("go", "chess", "shogi")]
    chosen: BuiltOnce[Any] = BuiltOnce(
        lambda *ids: Game.objects.filter(pk__in=ids).order_by("slug").values_list("slug", "pk"),
        *[int] * 2,
    )
    go, chess, shogi = (game.pk for game in games)
    assert chosen.rows(go, chess) == [("chess", chess), ("go", go)]
    assert chosen.rows(shogi, go) == [("go", go), ("shogi", shogi)]


def test_a_value_that_does_not_stand_in_the_statement_is_refused() -> None:
    with pytest.raises(ValueError, match="do not stand"):
        BuiltOnce(lambda pk: Game.objects.filter(slug=f"game {pk}"), int)(3)


@pytest.mark.django_db(transaction=True)
def test_a_session_plans_for_any_values_outside_transactions_at_first() -> None:
    connection.close()
    modes = []
    for mode in (transaction.atomic(), nullcontext(), transaction.atomic()):
        with mode, prepared() as cursor:
            cursor.execute("SELECT current_setting('plan_cache_mode')")
            modes += cursor.fetchone()
    assert modes == ["auto", "force_generic_plan", "force_generic_plan"]


def end_session() -> None:
    """As PostgreSQL does when it starts again."""
    connection.ensure_connection()
    other = connection.copy()
    with other.cursor() as cursor:
        pid = connection.connection.info.backend_pid
        cursor.execute("SELECT pg_terminate_backend(%s, 60000)", [pid])
    other.close()


@pytest.mark.django_db(transaction=True)
def test_a_session_that_is_to_be_looked_at_first_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """As Django does where a site asks for it."""
    connection.close()
    monkeypatch.setitem(connection.settings_dict, "CONN_HEALTH_CHECKS", True)
    end_session()
    own: Any = connection
    own.health_check_done = False  # as at the beginning of a request
    with prepared() as cursor:
        cursor.execute("SELECT 1")
        assert cursor.fetchone() == (1,)
    connection.close()


@pytest.mark.django_db(transaction=True)
def test_what_comes_before_the_first_statement_fails_as_a_statement_does() -> None:
    connection.close()
    end_session()
    with pytest.raises(DatabaseError), prepared():
        pass
    connection.close()
