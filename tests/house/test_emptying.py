"""After a test that commits, nothing is left of it, as with Django's own flush."""

import pytest
from django.contrib.auth.models import Permission
from django.contrib.contenttypes.models import ContentType
from django.db import connection
from psycopg import sql

from accounts.models import User
from ratings.models import Game
from tests import emptying

pytestmark = pytest.mark.django_db(transaction=True)


def filled() -> set[str]:
    """Tables with rows."""
    found = set()
    with connection.cursor() as cursor:
        for name in connection.introspection.table_names(cursor):
            cursor.execute(sql.SQL("SELECT FROM {} LIMIT 1").format(sql.Identifier(name)))
            found |= {name} if cursor.rowcount else set()
    return found


@pytest.mark.parametrize("many", [emptying.MANY, -1])
def test_nothing_is_left(many: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """By either way, also of what foreign keys hold."""
    monkeypatch.setattr(emptying, "MANY", many)
    lists = set(Permission.objects.all()), set(ContentType.objects.all())
    user = User.objects.create_user("ada", "ada@example.org", "difference-engine")
    user.user_permissions.add(Permission.objects.all()[0])
    Game.objects.create(slug="go", name="Go")
    assert filled() > emptying.KEPT
    emptying.empty_tables()
    assert filled() == emptying.KEPT
    assert lists == (set(Permission.objects.all()), set(ContentType.objects.all()))
