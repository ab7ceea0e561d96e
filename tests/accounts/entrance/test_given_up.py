"""Attempts to sign in that the site gives up itself, as it does with a request whose time is over."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from allauth.core.internal import ratelimit
from django.db import OperationalError, connection
from django.test import Client

from accounts.models import User
from foundation.requests.time_limits import FINISH
from tests.accounts.mailing import add_address

pytestmark = pytest.mark.django_db(transaction=True)
PASSWORD = "a long walk home"
ADDRESS = "olga@example.org"
QUERIES = 8  # more than it takes to know whether the password is right


@pytest.fixture
def olga(own_cache: None) -> User:
    account = User.objects.create_user("olga", password=PASSWORD)
    add_address(account, ADDRESS, verified=True, primary=True)
    return account


class Ended:
    """Ends what asks the database for the time after so many."""

    def __init__(self, after: int) -> None:
        self.left = after

    def __call__(self, execute: Callable[..., Any], *query: Any) -> Any:
        if not self.left:
            raise OperationalError("the time of the request is over")
        self.left -= 1
        return execute(*query)


def sign_in(login: str, password: str, *, after: int | None = None) -> str:
    """Try to; say what came of it: "in", "wrong", "too many", or "given up"."""
    client = Client(raise_request_exception=False)
    given = {"login": login, "password": password}
    if after is None:
        answer = client.post("/accounts/login/", given)
    else:
        with connection.execute_wrapper(Ended(after)):
            answer = client.post("/accounts/login/", given)
    if answer.status_code == 302:
        return "in"
    if answer.status_code == 503:
        return "given up"
    return "too many" if "Too many" in answer.content.decode() else "wrong"


@pytest.mark.parametrize("login", ["olga", ADDRESS])
@pytest.mark.parametrize("after", range(QUERIES))
def test_the_right_password_costs_nothing(olga: User, login: str, after: int) -> None:
    outcomes = {sign_in(login, PASSWORD, after=after) for _ in range(6)}
    assert outcomes == {"given up"}
    assert sign_in(login, PASSWORD) == "in"


@pytest.mark.parametrize("login", ["olga", ADDRESS])
def test_a_wrong_one_costs_the_same_wherever_it_ends_after_it_was_compared(
    olga: User, login: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    compared: list[bool] = []
    whole = User.check_password

    def note(self: User, raw_password: str | None) -> bool:
        compared.append(whole(self, raw_password))
        return compared[-1]

    monkeypatch.setattr(User, "check_password", note)
    counted = 0
    for after in range(QUERIES):
        compared.clear()
        outcome = sign_in(login, f"guess {after}", after=after)
        if outcome == "too many":
            break
        counted += bool(compared)
    assert counted == 5
    assert sign_in(login, PASSWORD) == "too many"


def test_an_attempt_is_counted_and_given_back_as_a_whole(
    olga: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The time of the request ends neither midway: else one of its limits would go on counting it."""
    is_let_finish = False
    seen: set[tuple[str, bool]] = set()

    @contextmanager
    def finishing(_seconds: float) -> Iterator[None]:
        nonlocal is_let_finish
        is_let_finish = True
        yield
        is_let_finish = False

    def watch(owner: Any, name: str) -> None:
        whole = getattr(owner, name)

        def note(*arguments: Any, **named: Any) -> Any:
            if named.get("action", "login_failed").startswith("login_failed"):
                seen.add((name, is_let_finish))
            return whole(*arguments, **named)

        monkeypatch.setattr(owner, name, note)

    watch(ratelimit, "_consume_single_rate")
    watch(ratelimit.SingleRateLimitUsage, "rollback")
    environ: Any = {FINISH: finishing}
    given = {"login": "olga", "password": PASSWORD}
    assert Client().post("/accounts/login/", given, **environ).status_code == 302
    assert seen == {("_consume_single_rate", True), ("rollback", True)}
