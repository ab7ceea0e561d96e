"""Whoever reads a confirmed address of an account hears when its addresses or its password change."""

from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.core import mail as django_mail
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse

from accounts.entrance.links import link_to_reset
from accounts.mail.send import send_due
from accounts.models import Mail, User
from tests.accounts.mailing import PASSWORD, add_address, confirm, sign_up, with_mail

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("own_cache")]

OLD, NEW = "anna@example.org", "new@example.org"


@pytest.fixture
def anna() -> User:
    user = User.objects.create_user("anna", OLD, PASSWORD)
    add_address(user, OLD, verified=True, primary=True)
    return user


@pytest.fixture
def client(anna: User) -> Client:
    """Has just typed the password once more, so that addresses may be changed."""
    client = Client()
    client.post("/accounts/login/", {"login": "anna", "password": PASSWORD})
    client.post("/accounts/reauthenticate/", {"password": PASSWORD})
    return client


def act(client: Client, action: str, address: str) -> None:
    answer = client.post(reverse("account_email"), {f"action_{action}": "", "email": address})
    assert answer.headers.get("Location") == reverse("account_email"), answer.content.decode()


def notices() -> list[tuple[str, str, str]]:
    """Send what waits: to whom, subject and body of each mail that tells of a change."""
    before = len(django_mail.outbox)
    send_due()
    sent = [(one.to[0], str(one.subject), str(one.body)) for one in django_mail.outbox[before:]]
    return [one for one in sent if "Confirm your address" not in one[1]]


@with_mail()
def test_every_step_of_changing_the_address_reaches_the_old_one(client: Client) -> None:
    act(client, "add", NEW)
    ((to, subject, body),) = notices()
    assert to == OLD
    assert "anna" in subject
    assert f"{NEW} was added" in body
    assert "/accounts/password/reset/" in body

    confirm(client, EmailAddress.objects.get(email=NEW))
    ((to, _subject, body),) = notices()
    assert to == OLD
    assert f"{NEW} was confirmed" in body

    act(client, "primary", NEW)
    assert {(to, f"{NEW} is now the primary address" in body) for to, _, body in notices()} == {
        (OLD, True),
        (NEW, True),
    }

    act(client, "remove", OLD)
    assert {(to, f"{OLD} was removed" in body) for to, _, body in notices()} == {
        (OLD, True),
        (NEW, True),
    }


@with_mail()
def test_an_address_that_nobody_has_confirmed_hears_nothing(client: Client, anna: User) -> None:
    add_address(anna, "typo@example.org", verified=False)
    act(client, "remove", "typo@example.org")
    assert [to for to, *_ in notices()] == [OLD]


@with_mail()
def test_a_password_that_is_changed_is_told(client: Client) -> None:
    answer = client.post(
        reverse("account_change_password"),
        {
            "oldpassword": PASSWORD,
            "password1": "another long walk",
            "password2": "another long walk",
        },
    )
    assert answer.status_code == 302
    ((to, _subject, body),) = notices()
    assert to == OLD
    assert "password of your account anna" in body


@with_mail()
def test_a_password_that_is_set_by_a_link_is_told(anna: User) -> None:
    visitor = Client()
    path = "/" + link_to_reset(anna).split("/", 3)[3]
    page = visitor.get(path, follow=True)
    new = {"password1": "another long walk", "password2": "another long walk"}
    visitor.post(page.redirect_chain[-1][0], new)
    assert [to for to, *_ in notices()] == [OLD]


@with_mail()
def test_a_password_that_an_operator_sets_is_told(anna: User, admin_client: Client) -> None:
    new = {
        "password1": "another long walk",
        "password2": "another long walk",
        "usable_password": "true",
    }
    answer = admin_client.post(reverse("admin:auth_user_password_change", args=[anna.pk]), new)
    assert answer.status_code == 302
    assert [to for to, *_ in notices()] == [OLD]


@with_mail()
def test_signing_up_tells_nobody_but_asks_for_the_confirmation() -> None:
    visitor = Client()
    sign_up(visitor, "berta", "berta@example.org")
    assert [mail.kind for mail in Mail.objects.all()] == ["confirm"]
    confirm(visitor, EmailAddress.objects.get())
    assert notices() == []


@with_mail()
def test_in_the_language_of_the_page(client: Client) -> None:
    client.post(
        reverse("account_email"),
        {"action_add": "", "email": NEW},
        headers={"Accept-Language": "de"},
    )
    assert any("wurde hinzugefügt" in body for _, _, body in notices())


@with_mail()
def test_two_changes_while_the_server_is_down_are_both_told(client: Client) -> None:
    act(client, "add", NEW)
    act(client, "add", "other@example.org")
    assert sum("was added" in body for *_, body in notices()) == 2


@with_mail(configured=False)
def test_without_mail_nothing_is_kept(client: Client, anna: User) -> None:
    add_address(anna, NEW, verified=True)
    act(client, "remove", NEW)
    assert not Mail.objects.exists()


@pytest.mark.parametrize("wrong", [{"account": None}, {"detail": ""}])
def test_the_database_refuses_half_a_notice(anna: User, wrong: dict[str, Any]) -> None:
    given = {"kind": "added", "address": OLD, "account": anna, "detail": NEW}
    with transaction.atomic():
        Mail.objects.create(**given)
    with pytest.raises(IntegrityError), transaction.atomic():
        Mail.objects.create(**{**given, **wrong})
