"""Limits on guessing besides those of signing in: each bites, by address and by account, and says when to try again."""

import math
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from allauth.core.internal import ratelimit
from django.test import Client

from accounts.models import User
from tests.accounts.mailing import PASSWORD, add_address, links, with_mail

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("own_cache")]
MINUTE, HOUR = 60, 3600
NOBODY = "/accounts/password/reset/key/zz-abc-0123/"
# Page, what is sent there (None: it is only opened), how often from one address in a minute.
BY_ADDRESS: dict[str, tuple[str, Callable[[int], Any], int]] = {
    "sign up": ("/accounts/signup/", lambda n: {"username": f"ann{n}"}, 20),
    "ask for a reset": ("/accounts/password/reset/", lambda n: {"email": f"a{n}@example.org"}, 20),
    "open a reset link": (NOBODY, lambda n: None, 20),
    "use a reset link": (NOBODY, lambda n: {"password1": "x", "password2": "x"}, 20),
    "open a link to confirm": ("/accounts/confirm-email/x:y:z/", lambda n: None, 20),
}
# For whoever is signed in: how often one account, and how often one address.
BY_ACCOUNT: dict[str, tuple[str, dict[str, str], int, int]] = {
    "enter the password": ("/accounts/reauthenticate/", {"password": "wrong"}, 10, 20),
    "change the password": ("/accounts/password/change/", {"oldpassword": "wrong"}, 5, 20),
    "set a password": ("/accounts/password/set/", {"password1": "x"}, 5, 20),
    "change addresses": ("/accounts/email/", {"email": "no address", "action_add": ""}, 10, 20),
    "remove an address": ("/accounts/security/address/1/remove/", {}, 10, 20),
    "make a token": ("/accounts/tokens/", {}, 20, 40),
    "take one's data": ("/accounts/data/", {}, 5, 20),
}


class Clock:
    """The time that limits are counted by."""

    def __init__(self) -> None:
        self.now = time.time()

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """A clock that stands, so that a slow machine counts like a fast one."""
    clock = Clock()
    monkeypatch.setattr("time.time", clock)
    return clock


class Meter:
    """Sends as many requests as a limit takes: the first and the last to the page, and between them those are counted
    as the page has counted the first.
    """

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self.seen: list[partial[Any]] = []
        self.consume: Any = ratelimit._consume_single_rate

    def record(self, *arguments: Any, **named: Any) -> Any:
        self.seen.append(partial(self.consume, *arguments, **named))
        return self.consume(*arguments, **named)

    def let_through(self, ask: Callable[[int], Any], most: int, *, per: str) -> None:
        """None is refused; one comes in each second. `per`: what is counted, "ip" or "user"."""
        self.seen.clear()
        self.clock.now += 1
        assert ask(0).status_code != 429
        counted = [one for one in self.seen if one.keywords["rate"].per == per]
        assert counted
        for _ in range(most - 2):
            self.clock.now += 1
            for again in counted:
                again()
        self.clock.now += 1
        assert ask(most - 1).status_code != 429


@pytest.fixture
def meter(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> Meter:
    meter = Meter(clock)
    monkeypatch.setattr(ratelimit, "_consume_single_rate", meter.record)
    return meter


def send(client: Client, path: str, given: Any, address: str) -> Any:
    ask = client.get if given is None else client.post
    return ask(path, given, REMOTE_ADDR=address)


def told_to_wait(answer: Any, *, most: int) -> int:
    """After how many seconds the page says that one may try again: in its header, and in words."""
    assert answer.status_code == 429
    seconds = int(answer.headers["Retry-After"])
    assert 0 < seconds <= most
    wait = f"{seconds} seconds" if seconds < 120 else f"{math.ceil(seconds / 60)} minutes"
    assert f"Try again in {wait}." in answer.content.decode()
    return seconds


def signed_in(name: str, path: str) -> Client:
    user = User.objects.create_user(name, password=None if "set" in path else PASSWORD)
    client = Client()
    client.force_login(user)
    return client


@with_mail()
@pytest.mark.parametrize("what", BY_ADDRESS)
def test_one_address_has_only_so_many(what: str, clock: Clock, meter: Meter) -> None:
    path, given, most = BY_ADDRESS[what]
    meter.let_through(lambda n: send(Client(), path, given(n), "203.0.113.1"), most, per="ip")
    seconds = told_to_wait(send(Client(), path, given(most), "203.0.113.1"), most=MINUTE)
    assert seconds == MINUTE - most + 1  # then the first of them is no longer counted
    assert send(Client(), path, given(most), "203.0.113.2").status_code != 429
    clock.now += seconds - 0.5
    assert send(Client(), path, given(most), "203.0.113.1").status_code == 429
    clock.now += 1
    assert send(Client(), path, given(most), "203.0.113.1").status_code != 429


@with_mail()
@pytest.mark.parametrize("what", BY_ACCOUNT)
def test_one_account_has_only_so_many_from_wherever(what: str, clock: Clock, meter: Meter) -> None:
    path, given, most, _ = BY_ACCOUNT[what]
    ann, bob = signed_in("ann", path), signed_in("bob", path)
    meter.let_through(lambda n: send(ann, path, given, f"203.0.113.{n}"), most, per="user")
    seconds = told_to_wait(send(ann, path, given, "203.0.113.99"), most=MINUTE)
    assert send(bob, path, given, "203.0.113.99").status_code != 429
    assert ann.get("/accounts/security/").status_code == 200  # looking is free
    clock.now += seconds
    assert send(ann, path, given, "203.0.113.99").status_code != 429


@with_mail()
@pytest.mark.parametrize("what", BY_ACCOUNT)
def test_one_address_has_only_so_many_for_all_accounts(what: str, meter: Meter) -> None:
    path, given, _, most = BY_ACCOUNT[what]
    ann, bob = signed_in("ann", path), signed_in("bob", path)
    meter.let_through(lambda n: send(bob if n else ann, path, given, "203.0.113.1"), most, per="ip")
    last = signed_in("another", path)
    told_to_wait(send(last, path, given, "203.0.113.1"), most=MINUTE)
    assert send(last, path, given, "203.0.113.2").status_code != 429


@with_mail()
def test_one_mailbox_is_asked_for_a_reset_five_times_an_hour(clock: Clock) -> None:
    path = "/accounts/password/reset/"
    for number in range(5):
        given = {"email": "Ann@example.org" if number % 2 else "ann@example.org"}
        assert send(Client(), path, given, f"203.0.113.{number}").status_code == 302
    seconds = told_to_wait(
        send(Client(), path, {"email": "ann@example.org"}, "203.0.113.9"), most=HOUR
    )
    assert seconds == HOUR
    assert send(Client(), path, {"email": "bob@example.org"}, "203.0.113.9").status_code == 302
    clock.now += seconds
    assert send(Client(), path, {"email": "ann@example.org"}, "203.0.113.9").status_code == 302


@with_mail()
def test_one_mailbox_gets_a_link_to_confirm_every_three_minutes(clock: Clock) -> None:
    client = signed_in("ann", "")
    add_address(User.objects.get(), "ann@example.org", verified=False, primary=True)
    given, sent = {"email": "ann@example.org", "action_send": ""}, []
    for _ in range(3):
        send(client, "/accounts/email/", given, "203.0.113.1")
        sent.append(len(links()))
    clock.now += 3 * MINUTE
    send(client, "/accounts/email/", given, "203.0.113.1")
    assert [*sent, len(links())] == [1, 0, 0, 1]


@pytest.mark.parametrize("path", ["/accounts/login/", "/accounts/reauthenticate/"])
def test_after_five_wrong_passwords_the_form_says_how_long(path: str, clock: Clock) -> None:
    ann = signed_in("ann", "") if "re" in path else Client()
    if "re" not in path:
        User.objects.create_user("ann", password=PASSWORD)
    words = "Too many wrong passwords. Try again in five minutes."
    for number in range(6):
        given = {"login": "ann", "password": f"guess {number}"}
        text = send(ann, path, given, "203.0.113.7").content.decode()
        assert (words in text) == (number == 5)
    right = {"login": "ann", "password": PASSWORD}
    assert words in send(ann, path, right, "203.0.113.7").content.decode()
    clock.now += 5 * MINUTE
    assert send(ann, path, right, "203.0.113.7").status_code == 302


def test_visitors_are_sent_to_sign_in_and_not_counted_by_account() -> None:
    for path, given, _, _ in BY_ACCOUNT.values():
        answer = Client().post(path, given)
        assert (answer.status_code, answer.headers["Location"][:17]) == (302, "/accounts/login/?")


def test_the_page_is_told_in_german_too(clock: Clock, meter: Meter) -> None:
    begun = clock.now + 1
    meter.let_through(lambda _: Client().post("/accounts/signup/", {}), 20, per="ip")
    clock.now = begun
    answer = Client().post("/accounts/signup/", {}, headers={"Accept-Language": "de"})
    assert answer.status_code == 429
    assert "In 60 Sekunden kannst du es wieder probieren." in answer.content.decode()


def test_attempts_of_a_clock_that_ran_ahead_do_not_count(clock: Clock, meter: Meter) -> None:
    """Nobody waits until that time has come."""
    path, given, most = BY_ADDRESS["sign up"]
    right = clock.now
    clock.now = right + 400 * 24 * HOUR
    meter.let_through(lambda n: send(Client(), path, given(n), "192.0.2.7"), most, per="ip")
    assert send(Client(), path, given(most), "192.0.2.7").status_code == 429
    clock.now = right
    meter.let_through(lambda n: send(Client(), path, given(n), "192.0.2.7"), most, per="ip")
    answer = send(Client(), path, given(most), "192.0.2.7")
    assert answer.status_code == 429
    told_to_wait(answer, most=MINUTE)


def test_visitors_over_ipv4_are_not_one_where_both_kinds_come_in(meter: Meter) -> None:
    """They are called ::ffff:192.0.2.1 there, all of them in one /64."""
    path, given, most = BY_ADDRESS["open a reset link"]
    meter.let_through(lambda n: send(Client(), path, given(n), "::ffff:192.0.2.1"), most, per="ip")
    assert send(Client(), path, given(0), "::ffff:192.0.2.1").status_code == 429
    assert send(Client(), path, given(0), "::ffff:192.0.2.2").status_code != 429
