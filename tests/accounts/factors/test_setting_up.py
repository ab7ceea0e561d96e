"""Setting a second factor up and removing it, on the pages; what follows in the database, whoever writes."""

import re
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import TOTP
from django.contrib import admin
from django.core import mail as django_mail
from django.test import Client

from accounts.mail.send import send_due
from accounts.models import AuditEntry, User
from tests.accounts.factors.holding import SECRET, code, first_step, second_step, set_up
from tests.accounts.mailing import PASSWORD, add_address, with_mail
from tests.accounts.opening import opens, sign_in, signed_in, token_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("own_cache")]
ACTIVATE, DEACTIVATE = "/accounts/2fa/totp/activate/", "/accounts/2fa/totp/deactivate/"
ADD_PASSKEY = "/accounts/2fa/webauthn/add/"


@pytest.fixture
def anna() -> User:
    return User.objects.create_user("anna", password=PASSWORD)


def secret_on(page: Any) -> str:
    [secret] = re.findall(r'class="secret">(\w+)<', page.content.decode())
    return str(secret)


@with_mail()
def test_an_app_is_set_up_and_removed(anna: User) -> None:
    add_address(anna, "anna@example.org", verified=True, primary=True)
    token, elsewhere, client = token_of(anna), sign_in("anna"), sign_in("anna")
    asked = client.get(ACTIVATE)
    assert asked.headers["Location"].startswith("/accounts/reauthenticate/")  # the password, first
    client.post(asked.headers["Location"], {"password": PASSWORD})
    page = client.get(ACTIVATE)
    assert 'src="data:image/svg+xml' in page.content.decode()
    secret = secret_on(page)
    assert "That code is wrong" in client.post(ACTIVATE, {"code": "000000"}).content.decode()
    shown = code(secret)
    answer = client.post(ACTIVATE, {"code": shown}, follow=True)
    assert answer.redirect_chain[-1][0] == "/accounts/2fa/recovery-codes/"
    assert len(re.findall(r"<li><code>\d{8}</code>", answer.content.decode())) == 10
    assert signed_in(client)
    assert not signed_in(elsewhere)
    assert opens(token)
    # What it was set up with is used up; the next one gets in.
    second_step(second := first_step("anna"), shown)
    assert not signed_in(second)
    second_step(second, code(secret, later=1))
    assert signed_in(second)
    # The password alone removes nothing.
    asked = second.post(DEACTIVATE)
    assert asked.headers["Location"].startswith("/accounts/2fa/reauthenticate/")
    second.post("/accounts/reauthenticate/", {"password": PASSWORD})
    second.post(DEACTIVATE)
    anna.refresh_from_db()
    assert anna.has_second_factor
    client.post(DEACTIVATE)  # shown a moment ago, by setting it up
    assert not User.objects.get().has_second_factor
    assert not Authenticator.objects.exists()  # recovery codes go with the last factor
    done = AuditEntry.objects.filter(action__startswith="user.factor").order_by("pk")
    assert [entry.action for entry in done] == ["user.factor_added", "user.factor_removed"]
    send_due()
    told = [message.subject for message in django_mail.outbox]
    assert told == ["The second factor of anna was changed on http://localhost:8000"]


def test_recovery_codes_are_renewed(anna: User) -> None:
    old = set_up(anna)
    second_step(client := first_step("anna"), code())
    page = client.get("/accounts/2fa/recovery-codes/")
    assert page.headers["Location"].startswith("/accounts/2fa/reauthenticate/")
    client.post(page.headers["Location"], {"code": old[0]})
    assert old[1] in client.get("/accounts/2fa/recovery-codes/download/").content.decode()
    client.post("/accounts/2fa/recovery-codes/generate/")
    second_step(thief := first_step("anna"), old[1])
    assert not signed_in(thief)


def test_an_account_has_twenty_passkeys_at_most(anna: User) -> None:
    client = sign_in("anna")
    assert client.get(ADD_PASSKEY).headers["Location"].startswith("/accounts/reauthenticate/")
    passkey = {"user": anna, "type": Authenticator.Type.WEBAUTHN, "data": {"name": "phone"}}
    Authenticator.objects.bulk_create(Authenticator(**passkey) for _ in range(20))
    for ask in (client.get, client.post):
        answer = ask(ADD_PASSKEY, follow=True)
        assert answer.redirect_chain == [("/accounts/2fa/", 302)]
        assert "You have 20 passkeys" in answer.content.decode()
    assert Authenticator.objects.count() == 20


def test_the_database_says_who_has_one(anna: User) -> None:
    stale = User.objects.get(pk=anna.pk)
    TOTP.activate(anna, SECRET)
    stale.save()  # with all columns, as before
    anna.refresh_from_db()
    assert anna.has_second_factor
    User.objects.filter(pk=anna.pk).update(has_second_factor=False)
    anna.refresh_from_db()
    assert anna.has_second_factor
    Authenticator.objects.filter(user=anna).delete()
    anna.refresh_from_db()
    assert not anna.has_second_factor


def test_secrets_have_no_page_in_the_admin() -> None:
    assert Authenticator not in admin.site._registry


def test_visitors_are_sent_to_sign_in() -> None:
    for page in ("", "totp/activate/", "totp/deactivate/", "webauthn/add/", "recovery-codes/"):
        answer = Client().get(f"/accounts/2fa/{page}")
        assert answer.status_code == 302, page
        assert answer.headers["Location"].startswith("/accounts/login/"), page
