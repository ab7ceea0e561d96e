"""Signing in with a second factor, and each way round it that somebody may try who has the password."""

import re
import time
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.template.loader import render_to_string
from django.test import Client

from accounts.entrance import failures
from accounts.entrance.links import link_to_reset
from accounts.models import AuditEntry, FailedSignIns, User
from tests.accounts.factors.holding import code, first_step, second_step, set_up
from tests.accounts.mailing import PASSWORD, add_address, confirm, with_mail
from tests.accounts.opening import opens, reset, signed_in, token_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("own_cache")]


@pytest.fixture
def olga() -> User:
    user = User.objects.create_superuser("olga", password=PASSWORD)
    set_up(user)
    return user


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The time by which codes are, standing."""
    now = [time.time()]
    monkeypatch.setattr("time.time", lambda: now[0])
    return now


def test_the_password_alone_opens_nothing(olga: User) -> None:
    token = token_of(olga)
    client = first_step("olga", next="/admin/ratings/match/")
    for page in ("/admin/", "/accounts/security/", "/accounts/2fa/", "/accounts/tokens/"):
        answer = client.get(page)
        assert answer.status_code == 302, page
        assert "login" in answer.headers["Location"]
    # Other doors of the same half-open sign-in, and other verbs at this one.
    for page in ("/accounts/reauthenticate/", "/accounts/2fa/reauthenticate/"):
        assert client.post(page, {"password": PASSWORD, "code": code()}).status_code == 302
    for verb in (client.put, client.delete, client.patch, client.head):
        verb("/accounts/2fa/authenticate/")
    client.post("/admin/login/", {"username": "olga", "password": PASSWORD})
    client.post("/accounts/login/", {"login": "olga", "password": PASSWORD})
    assert not signed_in(client)
    assert opens(token)  # programs have keys of their own
    assert second_step(client, code()).status_code == 302
    assert client.get("/admin/").status_code == 200


def test_it_leads_where_the_first_step_was_to_lead(olga: User) -> None:
    client = first_step("olga", next="/admin/ratings/match/")
    assert second_step(client, code()).headers["Location"] == "/admin/ratings/match/"


def test_the_session_of_before_is_not_the_one_after(olga: User) -> None:
    client = Client()
    client.get("/accounts/login/")
    first_step("olga", client)
    planted = client.cookies["sessionid"].value
    second_step(client, code())
    assert signed_in(client)
    assert client.cookies["sessionid"].value != planted
    thief = Client()
    thief.cookies["sessionid"] = planted
    assert not signed_in(thief)


def test_a_code_counts_once(olga: User, clock: list[float]) -> None:
    for _ in range(2):
        for later in (0, -1):  # one that was shown before the last used one is over, too
            second_step(client := first_step("olga"), code(later=later))
            assert signed_in(client) == (later == 0 and not FailedSignIns.objects.exists())
    clock[0] += 30
    second_step(client := first_step("olga"), code())
    assert signed_in(client)
    clock[0] += 400 * 86_400  # a clock that ran ahead keeps nobody out when it is right again
    second_step(first_step("olga"), code())
    clock[0] -= 399 * 86_400
    second_step(client := first_step("olga"), code())
    assert signed_in(client)


def test_a_recovery_code_counts_once_and_is_told(olga: User) -> None:
    [spare, other, *_] = Authenticator.objects.get(type="recovery_codes").wrap().get_unused_codes()
    client = first_step("olga")
    second_step(client, spare)
    assert signed_in(client)
    second_step(again := first_step("olga"), spare)
    assert not signed_in(again)
    second_step(again, other)
    assert signed_in(again)
    told = AuditEntry.objects.filter(action="user.recovery_code_used").order_by("pk")
    assert [(entry.after or {})["left"] for entry in told] == [9, 8]


def test_codes_are_guessed_as_seldom_as_passwords(olga: User, clock: list[float]) -> None:
    client, refused = first_step("olga"), []
    for number in range(6):
        answer = second_step(client, f"00000{number}")
        refused.append("Too many wrong codes" in answer.content.decode())
    assert refused == [False] * 5 + [True]
    second_step(client, code())  # and from anywhere, the right one too
    elsewhere = first_step("olga", Client(REMOTE_ADDR="192.0.2.9"))
    second_step(elsewhere, code())
    assert not signed_in(client)
    assert not signed_in(elsewhere)
    clock[0] += 301
    second_step(client, code())
    assert signed_in(client)


def test_right_codes_give_no_guesses_at_passwords_back(olga: User, clock: list[float]) -> None:
    for number in range(11):
        clock[0] += 0.1
        name = f"name{number}"
        answer = Client().post("/accounts/login/", {"login": name, "password": "a guess"})
        if number == 5:
            clock[0] += 0.1  # attempts are given back by their time
            second_step(client := first_step("olga"), code())
            assert signed_in(client)
    assert "Too many" in answer.content.decode()


def test_what_no_passkey_has_sent_is_refused_in_words(olga: User) -> None:
    client = first_step("olga")
    for sent in ("", "[]", "1", "null", '"x"', "{}", '{"id": 5}', '{"response": []}', "{"):
        answer = client.post("/accounts/2fa/authenticate/", {"credential": sent})
        assert answer.status_code == 200, sent
    assert client.post("/accounts/2fa/authenticate/", {}).status_code == 200
    assert not signed_in(client)
    second_step(client, code())
    client.post("/accounts/2fa/reauthenticate/", {"code": "000000"})
    for sent in ("[]", '{"id": 5}', '{"id": "eA", "response": {"attestationObject": "eA"}}'):
        answer = client.post("/accounts/2fa/webauthn/add/", {"credential": sent, "name": "x"})
        assert answer.status_code in {200, 302}, sent


def test_without_scripts_there_is_no_button_for_a_passkey() -> None:
    """It would do nothing: static/js/passkeys.js shows it."""
    shown = render_to_string("mfa/webauthn/_passkey_button.html")
    assert re.search(r'<button [^>]*data-passkey="use" hidden>', shown)
    assert "Passkeys need JavaScript." in shown


def test_a_day_has_so_many_wrong_codes_even_without_valkey(olga: User) -> None:
    failures.note_failure(olga, wrong="codes")
    FailedSignIns.objects.update(codes=failures.CODES_A_DAY)
    answer = second_step(client := first_step("olga"), code())
    assert "Too many wrong codes today" in answer.content.decode()
    assert not signed_in(client)


def test_a_link_for_a_new_password_does_not_replace_it(olga: User) -> None:
    client = Client()
    path = link_to_reset(olga).partition("://")[2].partition("/")[2]
    reset(client, f"/{path}", "another long walk")
    assert not signed_in(client)
    second_step(client, code())
    assert signed_in(client)


def test_neither_does_one_in_a_browser_that_is_signed_in(olga: User) -> None:
    second_step(client := first_step("olga"), code())
    olga.refresh_from_db()
    path = link_to_reset(olga).partition("://")[2].partition("/")[2]
    answer = reset(client, f"/{path}", "another long walk")
    assert answer.headers["Location"].startswith("/accounts/2fa/authenticate/")
    assert not signed_in(client)
    second_step(client, code(later=1))
    assert signed_in(client)


@with_mail()
def test_neither_does_a_confirmed_address(olga: User) -> None:
    address = add_address(olga, "olga@example.org", verified=False, primary=True)
    confirm(client := Client(), address)
    assert EmailAddress.objects.get().verified
    assert not signed_in(client)
    assert Authenticator.objects.filter(user=olga, type="totp").exists()


def test_another_secret_key_opens_nothing(olga: User, settings: Any) -> None:
    held = Authenticator.objects.get(type="totp").data["secret"]
    assert "JBSW" not in held
    settings.SECRET_KEY = "another key, longer than thirty-two signs"
    second_step(client := first_step("olga"), code())
    assert not signed_in(client)
    # Apps are read by the keys of before as well.
    settings.SECRET_KEY_FALLBACKS = ["only-for-tests"]
    second_step(client := first_step("olga"), code())
    assert signed_in(client)
