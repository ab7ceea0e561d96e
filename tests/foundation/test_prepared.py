"""Statements that are planned once a session, and queries that are built once."""

from datetime import timedelta

import pytest
from django.db import DatabaseError, connection

from foundation.prepared import prepared
from foundation.rows import BuiltOnce
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


def test_a_value_that_does_not_stand_in_the_statement_is_refused() -> None:
    with pytest.raises(ValueError, match="do not stand"):
        BuiltOnce(lambda pk: Game.objects.filter(slug=f"game {pk}"), int)(3)
