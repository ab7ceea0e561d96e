"""Nobody prepares an account for somebody else: addresses count once confirmed, and that ends what was before."""

import re
import time
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from allauth.usersessions.models import UserSession
from django.contrib.auth import authenticate
from django.core import mail as django_mail
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from accounts.forget_unconfirmed import forget_unconfirmed
from accounts.models import AuditEntry, Mail, User
from foundation import clock
from tests.accounts.mailing import PASSWORD, add_address, confirm, links, sign_up, with_mail
from tests.accounts.opening import (
    EVIL,
    VICTIM,
    opens,
    reset,
    sign_in,
    signed_in,
    token_of,
)
from tests.accounts.waiting import waiting_for_us

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("own_cache")]


@with_mail()
def test_a_first_confirmation_ends_tokens_and_sign_ins_made_before() -> None:
    mallory = User.objects.create_user("mallory", VICTIM, PASSWORD)
    address = add_address(mallory, VICTIM, verified=False, primary=True)
    User.objects.update(last_login=clock.now())  # let in before mail was set up
    attacker, token = sign_in("mallory"), token_of(mallory)
    assert signed_in(attacker)
    assert opens(token)
    answer = confirm(Client(), address)
    assert answer.headers["Location"] == "/accounts/login/?next=%2Faccounts%2Fsecurity%2F"
    assert not signed_in(attacker)
    assert not opens(token)
    entry = AuditEntry.objects.get(action="user.access_ended")
    assert (entry.after, entry.note) == ({"sign_ins": 1, "tokens": 1}, "address confirmed")


@with_mail()
def test_the_owner_of_a_further_address_ends_them_too(mallory: User) -> None:
    attacker, token = sign_in("mallory"), token_of(mallory)
    confirm(Client(), EmailAddress.objects.get(email=VICTIM))
    assert not signed_in(attacker)
    assert not opens(token)


@with_mail()
def test_a_further_address_confirmed_by_oneself_ends_nothing(mallory: User) -> None:
    own, elsewhere, token = sign_in("mallory"), sign_in("mallory"), token_of(mallory)
    answer = confirm(own, EmailAddress.objects.get(email=VICTIM))
    assert answer.headers["Location"] == "/accounts/security/"
    assert signed_in(own)
    assert signed_in(elsewhere)
    assert opens(token)


@with_mail()
def test_the_browser_that_confirms_its_own_first_address_stays_signed_in() -> None:
    anna = User.objects.create_user("anna", password=PASSWORD)
    own, elsewhere = sign_in("anna"), sign_in("anna")
    confirm(own, add_address(anna, VICTIM, verified=False))
    assert signed_in(own)
    assert not signed_in(elsewhere)
    assert EmailAddress.objects.get(user=anna).primary


@with_mail()
def test_a_confirmed_address_takes_the_first_place_from_one_that_is_not() -> None:
    anna = User.objects.create_user("anna", EVIL, PASSWORD)
    add_address(anna, EVIL, verified=False, primary=True)
    confirm(Client(), add_address(anna, VICTIM, verified=False))
    primary = EmailAddress.objects.get(user=anna, primary=True)
    anna.refresh_from_db()
    assert (primary.email, anna.email) == (VICTIM, VICTIM)


@with_mail()
def test_a_reset_ends_them_and_lists_what_is_left(mallory: User) -> None:
    add_address(mallory, "third@example.org", verified=False)
    EmailAddress.objects.filter(email=VICTIM).update(verified=True)
    attacker, token = sign_in("mallory"), token_of(mallory)
    Client().post("/accounts/password/reset/", {"email": VICTIM})
    ((to, path),) = links()
    assert to == VICTIM
    victim = Client()
    answer = reset(victim, path, "my own new words")
    assert answer.headers["Location"] == "/accounts/security/?after=reset"
    text = victim.get(answer.headers["Location"]).content.decode()
    assert "Everybody who was signed in has been signed out" in text
    assert EVIL in text
    assert "third@example.org" in text
    assert not signed_in(attacker)
    assert not signed_in(sign_in("mallory"))
    assert not opens(token)
    for address in EmailAddress.objects.exclude(email=VICTIM):
        victim.post(reverse("account-address-remove", args=[address.pk]))
    assert [*EmailAddress.objects.values_list("email", "primary")] == [(VICTIM, True)]
    assert User.objects.get().email == VICTIM
    assert "expired or was used" in Client().get(path, follow=True).content.decode()


@with_mail()
def test_an_account_is_not_reset_through_an_unconfirmed_address(mallory: User) -> None:
    Client().post("/accounts/password/reset/", {"email": VICTIM})
    assert links() == []
    assert Mail.objects.get().state == Mail.State.NEEDLESS


@with_mail()
def test_nobody_signs_in_by_an_unconfirmed_address(mallory: User) -> None:
    assert authenticate(None, email=VICTIM, username=VICTIM, password=PASSWORD) is None
    assert not signed_in(sign_in(VICTIM))
    assert signed_in(sign_in(EVIL))
    assert signed_in(sign_in("mallory"))


@with_mail()
def test_the_owner_signs_up_with_an_address_that_another_account_only_names(mallory: User) -> None:
    victim = Client()
    sign_up(victim, "vera", VICTIM)
    ((to, path),) = links()
    assert to == VICTIM
    victim.post(path)
    assert EmailAddress.objects.get(verified=True, email=VICTIM).user.username == "vera"
    assert signed_in(victim)
    assert not EmailAddress.objects.get(user=mallory, email=VICTIM).can_set_verified()


@with_mail()
def test_who_signs_up_gets_in_once_the_address_is_confirmed() -> None:
    client = Client()
    answer = sign_up(client, "anna", VICTIM)
    assert answer.headers["Location"] == "/accounts/confirm-email/"
    assert not signed_in(client)
    assert not signed_in(sign_in("anna"))
    ((_, path),) = links()
    confirmed = Client()
    confirmed.post(path)
    assert signed_in(sign_in("anna"))
    assert signed_in(sign_in(VICTIM))


@with_mail()
@pytest.mark.parametrize("page", ["signup", "password/reset"])
def test_known_and_unknown_addresses_are_answered_alike(
    page: str, django_assert_num_queries: Any
) -> None:
    anna = User.objects.create_user("anna", VICTIM, PASSWORD)
    add_address(anna, VICTIM, verified=True, primary=True)
    seen, asked = [], []
    for name, address in (("quentin", VICTIM), ("rosalind", "new@example.org")):
        client = Client()
        given = {"username": name, "email": address, "password1": PASSWORD, "password2": PASSWORD}
        client.get(f"/accounts/{page}/")
        with django_assert_num_queries(10_000, exact=False) as queries:
            answer = client.post(f"/accounts/{page}/", given, follow=True)
        text = re.sub(
            r'value="\w{64}"', "", answer.content.decode()
        )  # what guards forms, by chance
        text = text.replace(address, "…").replace(name, "…")
        seen.append((answer.redirect_chain, text))
        asked.append([re.sub(r"\d+", "", q["sql"])[:60] for q in queries.captured_queries])
        assert User.objects.filter(username=name).exists() == (page == "signup")
    assert seen[0][0] == seen[1][0]
    assert "\n".join({*seen[0][1].splitlines()} ^ {*seen[1][1].splitlines()}) == ""
    assert asked[0] == asked[1]  # the same work takes the same time


@with_mail()
def test_only_the_mail_says_that_an_address_is_known() -> None:
    anna = User.objects.create_user("anna", VICTIM, PASSWORD)
    add_address(anna, VICTIM, verified=True, primary=True)
    sign_up(Client(), "second", VICTIM)
    assert links() == [(VICTIM, "/accounts/password/reset/")]
    assert "your account anna already" in django_mail.outbox[-1].body


@with_mail()
def test_an_address_that_has_just_had_a_mail_is_told_with_the_next_sign_in(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """An address gets one such mail in three minutes, known or not."""
    anna = Client()
    sign_up(anna, "anna", VICTIM)
    ((_, path),) = links()
    anna.post(path)
    again = sign_up(Client(), "second", VICTIM)
    assert again.headers["Location"] == "/accounts/confirm-email/"
    assert links() == []
    later = time.time() + 181
    monkeypatch.setattr("time.time", lambda: later)
    sign_in("second")
    assert links() == [(VICTIM, "/accounts/password/reset/")]


@with_mail()
def test_accounts_that_nobody_confirmed_are_forgotten_after_a_week() -> None:
    sign_up(Client(), "ghost", VICTIM)
    operator = User.objects.create_user("made-by-operator")
    assert forget_unconfirmed() == 0
    User.objects.update(date_joined=clock.now().replace(year=2020))
    assert forget_unconfirmed() == 1
    assert [*User.objects.all()] == [operator]


@pytest.mark.django_db(transaction=True)
@with_mail()
def test_an_account_that_is_being_confirmed_is_not_forgotten() -> None:
    sign_up(Client(), "vera", VICTIM)
    User.objects.update(date_joined=clock.now().replace(year=2020))
    with waiting_for_us(forget_unconfirmed) as forgotten:
        EmailAddress.objects.update(verified=True)
    assert forgotten == [0]
    assert User.objects.get().username == "vera"


@with_mail()
def test_accounts_without_an_address_stay_open_when_mail_is_set_up() -> None:
    User.objects.create_user("anna", password=PASSWORD)
    assert signed_in(sign_in("anna"))


@with_mail(configured=False)
def test_without_mail_sign_up_takes_no_address() -> None:
    client = Client()
    page = client.get("/accounts/signup/").content.decode()
    assert 'name="email"' not in page
    assert "this site sends no mail" in page
    sign_up(client, "anna", VICTIM)
    assert signed_in(client)
    assert (User.objects.get().email, EmailAddress.objects.count()) == ("", 0)
    client.post("/accounts/email/", {"email": VICTIM, "action_add": ""})
    assert not EmailAddress.objects.exists()
    assert not Mail.objects.exists()


def test_the_admin_makes_no_link_for_a_closed_account() -> None:
    anna = User.objects.create_user("anna", password=PASSWORD, is_active=False)
    operator = Client()
    operator.force_login(User.objects.create_superuser("olga"))
    address = reverse("admin:accounts_user_reset_link", args=[anna.pk])
    for answer in (operator.get(address), operator.post(address, {"note": "she rang me up"})):
        assert "a new password would not let anybody in" in answer.content.decode()
        assert "link" not in answer.context
    assert not AuditEntry.objects.filter(action="user.reset_link_made").exists()


def test_an_own_password_set_in_the_admin_leaves_the_own_sign_in_listed() -> None:
    User.objects.create_superuser("olga", password=PASSWORD)
    own, elsewhere = sign_in("olga"), sign_in("olga")
    address = reverse("admin:auth_user_password_change", args=[User.objects.get().pk])
    new = {"password1": "my own new words", "password2": "my own new words"}
    own.post(address, {**new, "usable_password": "true"})
    assert signed_in(own)
    assert not signed_in(elsewhere)
    assert "This browser" in own.get("/accounts/security/").content.decode()
    assert UserSession.objects.count() == 1


@with_mail(configured=False)
def test_without_mail_a_reset_is_a_link_of_the_operators() -> None:
    anna = User.objects.create_user("anna", password=PASSWORD)
    page = Client().post("/accounts/password/reset/", {"email": VICTIM})
    text = page.content.decode()
    assert "Ask an admin for a link" in text
    assert "on its way" not in text
    assert Client().get("/accounts/password/reset/done/").status_code == 302
    operator = Client()
    operator.force_login(User.objects.create_superuser("olga"))
    address = reverse("admin:accounts_user_reset_link", args=[anna.pk])
    assert "Be sure who is asking" in operator.get(address).content.decode()
    assert "link" not in operator.post(address, {"note": ""}).context
    link = operator.post(address, {"note": "she rang me up"}).context["link"]
    entry = AuditEntry.objects.get(action="user.reset_link_made")
    assert (entry.target_id, entry.note) == (str(anna.pk), "she rang me up")
    old, client = sign_in("anna"), Client()
    link = operator.post(address, {"note": "again"}).context["link"]
    answer = reset(client, "/" + link.split("/", 3)[3], "my own new words")
    assert answer.headers["Location"] == "/accounts/security/?after=reset"
    assert signed_in(client)
    assert not signed_in(old)


def test_the_command_makes_the_link_too(capsys: pytest.CaptureFixture[str]) -> None:
    anna = User.objects.create_user("anna", password=PASSWORD)
    call_command("reset_link", "Anna")
    client = Client()
    reset(client, "/" + capsys.readouterr().out.strip().split("/", 3)[3], "my own new words")
    anna.refresh_from_db()
    assert anna.check_password("my own new words")
    assert AuditEntry.objects.filter(action="user.reset_link_made", actor=None).exists()
    with pytest.raises(CommandError, match="No account has the name"):
        call_command("reset_link", "nobody")


def test_names_do_not_look_like_addresses() -> None:
    sign_up(Client(), VICTIM)
    assert not User.objects.exists()
