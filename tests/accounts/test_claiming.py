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

from accounts.models import AuditEntry, Mail, User
from accounts.unconfirmed import forget_unconfirmed
from api.issuing import issue_token
from api.scopes import PLAYER_SCOPES
from foundation import clock
from ratings.models import Game, Player
from tests.accounts.mailing import PASSWORD, add_address, confirm, links, sign_up, with_mail
from tests.accounts.waiting import waiting_for_us

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("own_cache")]
VICTIM, EVIL = "vera@example.org", "evil@example.org"


def signed_in(client: Client) -> bool:
    return client.get("/accounts/security/").status_code == 200


def sign_in(name: str, password: str = PASSWORD) -> Client:
    client = Client()
    client.post("/accounts/login/", {"login": name, "password": password})
    return client


def token_of(user: User) -> str:
    game, _ = Game.objects.get_or_create(slug="chess", name="Chess")
    player = Player.objects.create(game=game, name=user.username, skeleton=user.username, user=user)
    scopes = [scope.value for scope in PLAYER_SCOPES]
    return issue_token(player=player, name="for ever", scopes=scopes)[1]


def opens(token: str) -> bool:
    answer = Client().get("/api/v1/me", headers={"Authorization": f"Bearer {token}"})
    return answer.status_code != 401


def reset(client: Client, path: str, password: str) -> Any:
    form = client.get(path, follow=True)
    way = form.redirect_chain[-1][0] if form.redirect_chain else path
    return client.post(way, {"password1": password, "password2": password})


# An account made long before with the victim's address, as sites without confirmation let it be.
@pytest.fixture
def mallory() -> User:
    user = User.objects.create_user("mallory", VICTIM, PASSWORD)
    add_address(user, EVIL, verified=True, primary=True)
    add_address(user, VICTIM, verified=False)
    return user


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
