"""What matters is changed by somebody who has just shown who it is: a browser left open is not enough."""

import time
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.contrib.auth.models import Group
from django.test import Client

from accounts.models import AuditEntry, User
from foundation.requests.time_limits import ALLOW
from ratings.models import Player
from tests.accounts.factors.holding import code, first_step, second_step, set_up
from tests.accounts.mailing import PASSWORD, add_address
from tests.accounts.opening import sign_in, token_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("own_cache")]
GROUPS = "/admin/auth/group/add/"


@pytest.fixture
def olga() -> User:
    return User.objects.create_superuser("olga", password=PASSWORD)


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Lets minutes pass."""
    real, passed = time.time, [0.0]
    monkeypatch.setattr("time.time", lambda: real() + passed[0])

    def pass_minutes(minutes: float) -> None:
        passed[0] += 60 * minutes

    return pass_minutes


def test_after_a_while_it_asks_and_then_carries_out_what_was_sent(olga: User, later: Any) -> None:
    client = sign_in("olga")
    client.post(GROUPS, {"name": "at once"})
    later(16)
    assert client.get(GROUPS).status_code == 200  # looking is free
    answer = client.post(f"{GROUPS}?_changelist_filters=q", {"name": "later"})
    assert answer.headers["Location"].startswith("/accounts/reauthenticate/")
    client.post(answer.headers["Location"], {"password": "a guess"})
    assert not Group.objects.filter(name="later").exists()
    client.post(answer.headers["Location"], {"password": PASSWORD})
    assert Group.objects.filter(name__in=["at once", "later"]).count() == 2
    assert AuditEntry.objects.filter(action="group.added", actor=olga).count() == 2


@pytest.mark.parametrize("known_to", ["Django", "allauth"])
def test_an_address_that_nobody_has_confirmed_is_in_nobodys_way(later: Any, known_to: str) -> None:
    """`createsuperuser` asks for one."""
    address = "olga@example.org"
    olga = User.objects.create_superuser("olga", email=address, password=PASSWORD)
    if known_to == "allauth":
        add_address(olga, address, verified=False, primary=True)
    client = sign_in("olga")
    later(16)
    client.post(ask_for(client, "a guess"), {"password": "a guess"})
    client.post(ask_for(client, "known"), {"password": PASSWORD})
    assert [group.name for group in Group.objects.filter(name__in=["a guess", "known"])] == [
        "known"
    ]


def ask_for(client: Client, name: str) -> str:
    return client.post(GROUPS, {"name": name}).headers["Location"]


def test_each_of_several_is_carried_out_by_its_own_confirmation(olga: User, later: Any) -> None:
    """Pages open side by side, whichever is confirmed first."""
    client = sign_in("olga")
    later(16)
    asked = {name: ask_for(client, name) for name in ("first", "second", "third")}
    for number, name in enumerate(("second", "first", "third"), 1):
        client.post(asked[name], {"password": PASSWORD})
        assert Group.objects.filter(name__in=asked).count() == number
        assert Group.objects.filter(name=name).exists()


def test_who_confirms_what_no_longer_waits_is_told(olga: User, later: Any) -> None:
    """Confirmed already, or the oldest of more than are kept. The page that asks hands on which it is."""
    client = sign_in("olga")
    later(16)
    asked = [ask_for(client, f"group {number}") for number in range(6)]
    told = []
    for page in (asked[0], asked[1], asked[1]):
        sent = {"next": client.get(page).context["redirect_field_value"], "password": PASSWORD}
        shown = client.post("/accounts/reauthenticate/", sent, follow=True).content.decode()
        told.append("This confirmation carried nothing out" in shown)
    assert told == [True, False, True]
    assert Group.objects.get(name__startswith="group ").name == "group 1"


def test_forms_of_the_entrance_wait_in_the_same_way(later: Any) -> None:
    """Two of one page: the first confirmation carries out the first."""
    anna = User.objects.create_user("anna", "a@example.org", PASSWORD)
    add_address(anna, "a@example.org", verified=True, primary=True)
    others = [add_address(anna, f"{name}@example.org", verified=True).email for name in "bc"]
    client = sign_in("anna")
    later(16)
    asked = [
        client.post("/accounts/email/", {"action_remove": "", "email": other}).headers["Location"]
        for other in others
    ]
    left = EmailAddress.objects.filter(email__in=others).values_list("email", flat=True)
    client.post(asked[0], {"password": PASSWORD})
    assert list(left.all()) == others[1:]
    client.post(asked[1], {"password": PASSWORD})
    assert list(left.all()) == []
    told = client.post(asked[1], {"password": PASSWORD}, follow=True).content.decode()
    assert "This confirmation carried nothing out" in told


def test_what_was_sent_while_signed_out_is_never_carried_out(later: Any) -> None:
    set_up(anna := User.objects.create_user("anna", password=PASSWORD))
    client, page = Client(), "/accounts/2fa/recovery-codes/generate/"
    before = Authenticator.objects.get(user=anna, type=Authenticator.Type.RECOVERY_CODES).data
    answer = client.post(page, follow=True)
    assert "so nothing was changed" in answer.content.decode()
    second_step(first_step("anna", client), code())
    later(16)
    client.post(f"/accounts/2fa/reauthenticate/?next={page}", {"code": code()})
    assert Authenticator.objects.get(type=Authenticator.Type.RECOVERY_CODES).data == before


def test_a_form_that_is_shown_again_after_it_is_sent_to_where_it_belongs(
    olga: User, later: Any
) -> None:
    """The browser is at the page that asked."""
    client = sign_in("olga")
    later(16)
    for page in (GROUPS, "/admin/set-up/", f"/admin/accounts/user/{olga.pk}/end-access/"):
        asked = client.post(page, {"name": ""}).headers["Location"]
        shown = client.post(asked, {"password": PASSWORD})
        assert shown.status_code == 200
        assert f'action="{page}"' in shown.content.decode(), page
        later(16)


@pytest.mark.parametrize("verb", ["post", "put", "patch", "delete", "options"])
def test_no_verb_gets_round_it(olga: User, later: Any, verb: str) -> None:
    client = sign_in("olga")
    later(16)
    pages = (GROUPS, "/admin/accounts/user/add/", "/admin/api/serverkey/add/")
    for page in (
        *pages,
        "/admin/ratings/ratingtrack/1/tune/",
        "/admin/ratings/ladder/1/add-track/",
        "/admin/ratings/ladder/1/change/",
        "/admin/ratings/player/add/",
        "/admin/ratings/player/1/change/",
        "/admin/ratings/player/1/merge/",
        "/admin/ratings/player/1/unmerge/",
        "/admin/ratings/player/1/move/",
        "/admin/ratings/game/1/archive/",
        "/admin/ratings/game/1/restore/",
        "/admin/ratings/ladder/1/archive/",
        "/admin/ratings/ladder/1/restore/",
        "/admin/ratings/ratingtrack/1/archive/",
        "/admin/ratings/ratingtrack/1/restore/",
        "/admin/matchmaking/queue/1/archive/",
        "/admin/matchmaking/queue/1/restore/",
    ):
        answer = getattr(client, verb)(page)
        assert answer.status_code == 302, page
        assert answer.headers["Location"].startswith("/accounts/reauthenticate/"), page
        answer = client.post(page, headers={"HX-Request": "true"})
        assert answer.headers["HX-Redirect"].startswith("/accounts/reauthenticate/"), page
    assert (
        client.post(GROUPS, {"name": "x"}, headers={"X-HTTP-Method-Override": "GET"}).status_code
        == 302
    )
    assert not Group.objects.filter(name="x").exists()


def test_passwords_in_a_form_are_not_kept_until_then(olga: User, later: Any) -> None:
    anna = User.objects.create_user("anna", password=PASSWORD)
    client = sign_in("olga")
    later(16)
    page, new = f"/admin/accounts/user/{anna.pk}/password/", "a quite other secret"
    answer = client.post(page, {"password1": new, "password2": new})
    assert new not in str(dict(client.session.items()))
    client.post(answer.headers["Location"], {"password": PASSWORD})
    anna.refresh_from_db()
    assert anna.check_password(PASSWORD)
    client.post(page, {"password1": new, "password2": new})
    anna.refresh_from_db()
    assert anna.check_password(new)


def test_with_a_second_factor_it_asks_for_that(olga: User, later: Any) -> None:
    set_up(olga)
    second_step(client := first_step("olga"), code())
    client.post(GROUPS, {"name": "at once"})
    later(16)
    answer = client.post(GROUPS, {"name": "later"})
    assert answer.headers["Location"].startswith("/accounts/2fa/reauthenticate/")
    client.post("/accounts/reauthenticate/?next=" + GROUPS, {"password": PASSWORD})
    answer = client.post(GROUPS, {"name": "later"})
    assert not Group.objects.filter(name="later").exists()
    client.post(answer.headers["Location"], {"code": code()})
    assert Group.objects.filter(name__in=["at once", "later"]).count() == 2


def test_a_token_of_ones_own_too(later: Any) -> None:
    anna = User.objects.create_user("anna", password=PASSWORD)
    token_of(anna)
    client = sign_in("anna")
    later(16)
    given = {"player": Player.objects.get().pk, "name": "bot", "scopes": ["play"], "days": "7"}
    answer = client.post("/accounts/tokens/", given)
    assert answer.headers["Location"].startswith("/accounts/reauthenticate/")
    assert not AuditEntry.objects.filter(action="playertoken.added").exists()
    client.post(answer.headers["Location"], {"password": PASSWORD})
    assert AuditEntry.objects.filter(action="playertoken.added").exists()


def test_what_is_carried_out_may_take_as_long_as_if_it_were_asked_itself(
    olga: User, later: Any
) -> None:
    client, allowed = sign_in("olga"), list[float]()
    later(16)
    page = ask_for(client, "Tuners")
    environ: Any = {ALLOW: allowed.append}
    client.post(page, {"password": PASSWORD}, **environ)
    assert Group.objects.filter(name="Tuners").exists()
    assert allowed == [60.0]
