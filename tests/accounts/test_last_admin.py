"""The last account that can administer the site keeps what it needs for that, however it is asked for, and at once."""

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, transaction
from django.test import Client

from accounts.last_admin import ADMIN_RIGHTS, LastAdminError, refuse_last_admin
from accounts.models import AuditEntry, User
from api.site.delete_person import delete_account
from tests.accounts.mailing import PASSWORD
from tests.accounts.test_admin_audited import opened, page_of
from tests.at_once import at_once

pytestmark = pytest.mark.django_db
REFUSED = "Nobody else could administer the site"


def admin_called(name: str) -> User:
    return User.objects.create_superuser(name, password=PASSWORD)


def signed_in_as(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def admins() -> int:
    return User.objects.filter(**dict.fromkeys(ADMIN_RIGHTS, True)).count()


@pytest.fixture
def olga() -> User:
    """The last one: others have some of what it takes."""
    olga = admin_called("olga")
    User.objects.create_user("anna", is_staff=True)
    for name, lacking in (("bob", "is_active"), ("cy", "is_staff")):
        User.objects.filter(pk=admin_called(name).pk).update(**{lacking: False})
    return olga


@pytest.mark.parametrize("right", ADMIN_RIGHTS)
def test_the_form_of_an_account_refuses_it(olga: User, right: str) -> None:
    client = signed_in_as(olga)
    sent = opened(client, olga, first_name="Olga")
    del sent[right]
    answer = client.post(page_of(olga), sent)
    assert answer.status_code == 200
    assert REFUSED in answer.content.decode()
    olga.refresh_from_db()
    assert (getattr(olga, right), olga.first_name) == (True, "")
    # What makes no difference is saved, and so is this once another can do the same.
    assert client.post(page_of(olga), {**sent, right: "on"}).status_code == 302
    admin_called("dora")
    sent = opened(client, olga)
    del sent[right]
    assert client.post(page_of(olga), sent).status_code == 302
    assert admins() == 1


def test_the_button_that_deletes_an_account_refuses_it(olga: User) -> None:
    client = signed_in_as(olga)
    assert REFUSED in client.get(page_of(olga, "delete")).content.decode()
    answer = client.post(page_of(olga, "delete"), {"note": "asked for by mail"}, follow=True)
    assert answer.redirect_chain == [(page_of(olga), 302)]
    assert REFUSED in answer.content.decode()
    assert admins() == 1
    assert not AuditEntry.objects.filter(action="user.person_deleted").exists()


def test_the_own_account_is_not_deleted(olga: User) -> None:
    client = signed_in_as(olga)
    answer = client.post("/accounts/delete/", {"name": "olga"})
    assert REFUSED in answer.content.decode()
    assert client.get("/accounts/data/").status_code == 200  # still signed in
    admin_called("dora")
    answer = client.post("/accounts/delete/", {"name": "olga"}, follow=True)
    assert "Your account is deleted." in answer.content.decode()
    assert admins() == 1


@pytest.mark.parametrize("option", [(), ("--dry-run",)])
def test_neither_does_the_command(olga: User, option: tuple[str, ...]) -> None:
    with pytest.raises(CommandError, match=REFUSED) as refused:
        call_command("delete_person", "--account", "olga", "--note", "asked", *option)
    assert refused.value.returncode == 1
    assert admins() == 1


def test_the_database_refuses_it_whoever_writes(olga: User) -> None:
    own = User.objects.filter(pk=olga.pk)
    ways: list[Callable[[], object]] = [
        *(partial(own.update, **{right: False}) for right in ADMIN_RIGHTS),
        own.delete,
        partial(User.objects.update, is_superuser=False),
    ]
    for way in ways:
        with (
            pytest.raises(IntegrityError, match="nobody could administer the site"),
            transaction.atomic(),
        ):
            way()
    own.update(first_name="Olga", is_superuser=True)
    User.objects.exclude(pk=olga.pk).update(is_superuser=False)
    User.objects.exclude(pk=olga.pk).delete()
    assert admins() == 1


@pytest.mark.django_db(transaction=True)
class TestTwoAtOnce:
    """Each would leave the other, and both together nobody."""

    def both(self) -> list[User]:
        return [admin_called(name) for name in ("dora", "olga")]

    def test_who_take_their_own_rights(self) -> None:
        forms: list[tuple[Client, str, dict[str, Any]]] = []
        for user in self.both():
            client = signed_in_as(user)
            sent = opened(client, user)
            del sent["is_superuser"]
            forms.append((client, page_of(user), sent))
        answers = at_once([partial(client.post, page, sent) for client, page, sent in forms])
        assert sorted(answer.status_code for answer in answers) == [200, 302]
        (refused,) = (answer for answer in answers if answer.status_code == 200)
        assert REFUSED in refused.content.decode()
        assert admins() == 1

    def test_who_delete_their_accounts(self) -> None:
        def delete(user: User) -> bool:
            try:
                delete_account(user, by=user)
            except LastAdminError:
                return False
            return True

        assert sorted(at_once([partial(delete, user) for user in self.both()])) == [False, True]
        assert admins() == 1

    def test_where_nobody_asked_before(self) -> None:
        def demote(user: User) -> bool:
            try:
                User.objects.filter(pk=user.pk).update(is_staff=False)
            except IntegrityError:
                return False
            return True

        assert sorted(at_once([partial(demote, user) for user in self.both()])) == [False, True]
        (left,) = User.objects.filter(is_staff=True)
        with pytest.raises(LastAdminError):
            refuse_last_admin(left)
