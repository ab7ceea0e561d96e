"""The page of security lists what opens an account, and removes it; a password that changes ends it."""

import pytest
from allauth.account.models import EmailAddress
from allauth.usersessions.models import UserSession
from django.test import Client
from django.urls import reverse

from accounts.models import AuditEntry, Mail, User
from tests.accounts.mailing import PASSWORD, with_mail
from tests.accounts.opening import (
    EVIL,
    VICTIM,
    opens,
    sign_in,
    signed_in,
    token_of,
)

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("own_cache")]


def test_the_page_of_security_removes_what_opens_the_account(mallory: User) -> None:
    own, other = sign_in("mallory"), sign_in("mallory")
    token = token_of(mallory)
    assert "for ever" in own.get("/accounts/security/").content.decode()
    their = UserSession.objects.get(session_key=other.session.session_key)
    own.post(reverse("account-sign-in-end", args=[their.pk]))
    assert not signed_in(other)
    other = sign_in("mallory")
    own.post(reverse("account-end-all"))
    assert signed_in(own)
    assert not signed_in(other)
    assert not opens(token)
    stranger = Client()
    stranger.force_login(User.objects.create_user("stranger"))
    address = EmailAddress.objects.get(email=EVIL)
    assert stranger.post(reverse("account-address-remove", args=[address.pk])).status_code == 404
    own.post("/accounts/reauthenticate/", {"password": PASSWORD})
    own.post(reverse("account-address-remove", args=[address.pk]))
    assert not EmailAddress.objects.filter(email=EVIL).exists()


def test_sign_ins_are_named_by_browser_and_system() -> None:
    linux = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36"
    User.objects.create_user("anna", password=PASSWORD)
    client = Client(headers={"user-agent": linux})
    client.post("/accounts/login/", {"login": "anna", "password": PASSWORD})
    text = client.get("/accounts/security/").content.decode()
    assert f'<strong title="{linux}">Chrome on Linux</strong>' in text


@with_mail()
@pytest.mark.parametrize("way", ["add", "primary", "remove", "remove on the page of security"])
def test_a_browser_left_open_changes_no_address_without_the_password(
    mallory: User, way: str
) -> None:
    EmailAddress.objects.filter(email=VICTIM).update(verified=True)
    other = EmailAddress.objects.get(email=VICTIM)
    page, given = {
        "add": ("/accounts/email/", {"action_add": "", "email": "thief@example.org"}),
        "primary": ("/accounts/email/", {"action_primary": "", "email": VICTIM}),
        "remove": ("/accounts/email/", {"action_remove": "", "email": VICTIM}),
        "remove on the page of security": (
            reverse("account-address-remove", args=[other.pk]),
            {},
        ),
    }[way]
    addresses = EmailAddress.objects.order_by("email").values_list("email", "primary")
    before = list(addresses)
    client = sign_in("mallory")
    answer = client.post(page, given)
    assert answer.headers["Location"].startswith("/accounts/reauthenticate/")
    client.post(answer.headers["Location"], {"password": "a guess"})
    assert list(addresses.all()) == before
    assert not Mail.objects.exists()
    client.post(answer.headers["Location"], {"password": PASSWORD}, follow=True)
    assert list(addresses.all()) != before


def test_a_password_that_is_changed_ends_tokens_and_other_sign_ins(mallory: User) -> None:
    own, elsewhere, token = sign_in("mallory"), sign_in("mallory"), token_of(mallory)
    new = "another long walk"
    given = {"oldpassword": PASSWORD, "password1": new, "password2": new}
    own.post("/accounts/password/change/", given)
    assert signed_in(own)
    assert not signed_in(elsewhere)
    assert not opens(token)
    assert UserSession.objects.get(user=mallory).session_key == own.session.session_key
    entry = AuditEntry.objects.get(action="user.access_ended")
    assert (entry.after or {}).get("tokens") == 1
    assert entry.note == "password changed"
