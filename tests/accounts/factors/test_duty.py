"""Staff owe a second factor: grace, banner, the way to setting it up, and who is let in again that lost it."""

from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.utils import timezone

from accounts.factors.duty import due_at
from accounts.models import AuditEntry, User
from tests.accounts.factors.holding import code, first_step, second_step, set_up
from tests.accounts.mailing import PASSWORD
from tests.accounts.opening import reset, sign_in, signed_in

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("own_cache")]
LONG_AGO = timezone.now() - timedelta(days=15)


def became_staff_long_ago(user: User) -> User:
    User.objects.filter(pk=user.pk).update(staff_since=LONG_AGO)
    user.refresh_from_db()
    return user


@pytest.fixture
def olga() -> User:
    return User.objects.create_superuser("olga", password=PASSWORD)


def test_the_days_of_grace_begin_with_becoming_staff(olga: User) -> None:
    olga.refresh_from_db()
    assert olga.staff_since is not None
    assert due_at(olga) == olga.staff_since + timedelta(days=14)
    anna = User.objects.create_user("anna")
    assert due_at(anna) is None
    anna.refresh_from_db()
    assert anna.staff_since is None
    became_staff_long_ago(olga).save()
    stale = User.objects.get(pk=olga.pk)
    stale.staff_since = None
    stale.save()
    olga.refresh_from_db()
    assert olga.staff_since == LONG_AGO


def test_the_admin_says_until_when_and_then_leads_to_setting_it_up(
    olga: User, client: Client
) -> None:
    client.force_login(olga)
    text = client.get("/admin/").content.decode()
    assert "you can only work here with a second factor" in text
    became_staff_long_ago(olga)
    for page in ("/admin/", "/admin/accounts/user/", "/admin/autocomplete/", "/admin/nowhere/"):
        for ask in (client.get, client.post, client.put):
            answer = ask(page)
            assert (answer.status_code, answer.headers["Location"]) == (302, "/accounts/2fa/")
    assert "once you have set up an app" in client.get("/accounts/2fa/").content.decode()
    set_up(olga)
    text = client.get("/admin/").content.decode()
    assert "with a second factor" not in text


@pytest.mark.parametrize("days", [None, 0, 30])
def test_how_many_days_is_a_setting(
    olga: User, client: Client, settings: Any, days: float | None
) -> None:
    settings.STAFF_FACTOR_DAYS = days
    became_staff_long_ago(olga)
    client.force_login(olga)
    assert client.get("/admin/").status_code == (302 if days == 0 else 200)


def test_a_factor_that_was_lost_is_reset(olga: User) -> None:
    became_staff_long_ago(olga)
    set_up(olga)
    second_step(before := first_step("olga"), code())
    call_command("reset_second_factor", "olga", note="lost the phone", stdout=StringIO())
    assert not signed_in(before)
    client = sign_in("olga")
    assert client.get("/admin/").status_code == 200  # with days of grace anew
    entry = AuditEntry.objects.get(action="user.factor_reset")
    assert (entry.actor, entry.note) == (None, "lost the phone")
    assert entry.before == {"kinds": ["recovery_codes", "totp"]}
    ended = AuditEntry.objects.get(action="user.access_ended")
    assert (ended.actor, ended.note) == (None, "second factor reset")
    with pytest.raises(CommandError, match="No account has"):
        call_command("reset_second_factor", "nobody", note="x")


def test_the_last_admin_is_let_in_again(olga: User) -> None:
    set_up(olga)
    with connection.cursor() as cursor:  # as by a site of before that did not refuse it
        cursor.execute("SET LOCAL evenmatch.leave_no_admin = 'on'")
    User.objects.update(is_active=False, is_superuser=False, is_staff=False)
    out = StringIO()
    call_command("restore_admin", "olga", note="all lost", stdout=out, stderr=StringIO())
    client, path = Client(), out.getvalue().strip().partition("://")[2].partition("/")[2]
    reset(client, f"/{path}", "another long walk")
    assert client.get("/admin/auth/group/").status_code == 200


def test_operators_reset_it_for_others_only_where_they_may(olga: User, client: Client) -> None:
    anna = User.objects.create_user("anna", password=PASSWORD)
    set_up(anna)
    client.force_login(olga)
    page = f"/admin/accounts/user/{anna.pk}/reset-factor/"
    assert "Reset the second factor" in client.get(page).content.decode()
    client.post(page, {"note": ""})
    anna.refresh_from_db()
    assert anna.has_second_factor
    client.post(page, {"note": "asked in person"})
    assert not User.objects.get(pk=anna.pk).has_second_factor
    entry = AuditEntry.objects.get(action="user.factor_reset")
    assert (entry.actor, entry.note) == (olga, "asked in person")
    helper = User.objects.create_user("hal", is_staff=True)
    client.force_login(helper)
    assert client.post(page, {"note": "x"}).status_code == 403


def test_nobody_gives_themselves_more_days_of_grace(olga: User) -> None:
    client = sign_in("olga")
    page = f"/admin/accounts/user/{olga.pk}/reset-factor/"
    since = User.objects.get().staff_since
    refused = client.post(page, {"note": "some more days"}, follow=True).content.decode()
    assert "This account has no second factor." in refused
    set_up(olga)
    second_step(client := first_step("olga"), code())
    assert "Another operator resets yours." in client.get(page).content.decode()
    client.post(page, {"note": "some more days"})
    olga.refresh_from_db()
    assert (olga.has_second_factor, olga.staff_since) == (True, since)
    assert not AuditEntry.objects.filter(action="user.factor_reset").exists()
