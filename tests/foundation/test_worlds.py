"""Worlds that are shared: built once, and new to each test."""

import pytest
from django.core.cache import cache
from django.db import connection, transaction

from accounts.models import User
from tests.worlds import shared

_built: list[str] = []


@shared
def anna() -> User:
    """An account; made as by what wants the outermost transaction for itself."""
    _built.append("anna")
    with transaction.atomic(durable=True):
        return User.objects.create_user("anna", "anna@example.org")


@shared
def boris(anna: User) -> tuple[User, User]:
    """One more, on top of it."""
    _built.append("boris")
    anna.username = "of boris"
    return anna, User.objects.create_user("boris", "boris@example.org")


@shared
def clara() -> User:
    """Stands alone."""
    return User.objects.create_user("clara", "clara@example.org")


def test_one_stands_on_another(boris: tuple[User, User], anna: User) -> None:
    assert _built[-1] == "boris"
    assert boris[0] is anna
    assert anna.username == "of boris"
    assert User.objects.count() == 2


@pytest.mark.parametrize("time", [1, 2, 3])
def test_what_a_test_changes_is_gone_after_it(anna: User, time: int) -> None:
    """What stood upon her, as in the test before, is gone as well; she was not built again for that."""
    assert _built.count("anna") == 1
    assert anna.username == "anna"
    assert not cache.get("time")
    anna.username = f"anna {time}"
    with transaction.atomic(durable=True):
        anna.save()
    cache.set("time", time)
    assert [user.username for user in User.objects.all()] == [anna.username]


@pytest.mark.parametrize("time", [1, 2])
def test_nothing_stands_beneath_a_test_that_asks_for_nothing(db: None, time: int) -> None:
    assert not User.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_nor_beneath_one_that_commits() -> None:
    assert not connection.in_atomic_block
    assert not User.objects.exists()


@pytest.mark.parametrize("time", [1, 2])
def test_they_are_built_anew_where_a_test_closes_the_session(clara: User, time: int) -> None:
    assert User.objects.get() == clara
    connection.close()


@pytest.mark.django_db(transaction=True)
def test_one_that_commits_is_told_that_it_cannot_have_any(request: pytest.FixtureRequest) -> None:
    with pytest.raises(pytest.fail.Exception, match="do not commit"):
        request.getfixturevalue("anna")
    assert not User.objects.exists()
