"""Rate limits, against a real Valkey: exact however many ask at once."""

import time
import uuid
from functools import partial
from threading import Event, Thread
from typing import Any

import pytest
from django.conf import settings
from django.test import Client, RequestFactory
from pytest_django import Settings
from redis import Redis

from api.contract import limits
from api.contract.limits import Allowance, Limit, take
from foundation.cooldown import Cooldown
from foundation.metrics import UNLIMITED_REQUESTS
from foundation.requests.addresses import address_of
from tests.api.world import GARBAGE
from tests.at_once import at_once

ENOUGH = 6  # windows


def someone() -> str:
    """A caller nobody has counted yet."""
    return f"test:{uuid.uuid4()}"


@pytest.fixture(autouse=True)
def _valkey_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever a test of before has found."""
    monkeypatch.setattr(limits, "_cooldown", Cooldown(1.0))


@pytest.fixture
def ten(settings: Settings) -> None:
    settings.API_LIMITS = {"anonymous": (10, 60.0), "server-read": (2, 60.0)}


def address(trial: int) -> str:
    """An address that no other test and no run a minute ago has."""
    number = uuid.uuid4().int
    return f"10.{number % 256}.{number // 256 % 256}.{trial}"


def ask(where: str) -> Any:
    return Client().get("/api/v1/nothing", REMOTE_ADDR=where)


@pytest.mark.usefixtures("ten")
@pytest.mark.parametrize("trial", range(5))
def test_of_forty_at_once_exactly_ten_are_let_through(trial: int) -> None:
    answers = at_once([partial(ask, address(trial))] * 40)
    passed = [answer for answer in answers if answer.status_code == 404]
    refused = [answer for answer in answers if answer.status_code == 429]
    assert (len(passed), len(refused)) == (10, 30)
    assert sorted(int(answer["RateLimit-Remaining"]) for answer in passed) == list(range(10))
    for answer in refused:
        assert answer.json()["code"] == "rate_limited"
        assert 0 < int(answer["Retry-After"]) <= 60
        assert answer["RateLimit-Limit"] == "10"
        assert answer["RateLimit-Remaining"] == "0"


@pytest.mark.django_db
@pytest.mark.usefixtures("ten")
def test_wrong_keys_count_as_requests_of_the_address() -> None:
    where = address(1)
    headers = {"Authorization": f"Bearer {GARBAGE}"}
    said = [Client().get("/api/v1/", REMOTE_ADDR=where, headers=headers) for _ in range(11)]
    assert [answer.status_code for answer in said] == [401] * 10 + [429]
    assert ask(where).status_code == 429


def test_a_clock_that_was_ahead_refuses_nobody_once_it_is_back() -> None:
    """Else who had asked often then would be let in again in a year."""
    limit, who = Limit("test", 2, 60.0), someone()
    key, year = f"evenmatch:limit:test:{who}", 365 * 86_400 * 1_000_000
    client = Redis.from_url(settings.REDIS_URL)
    for moment in (1, 2):
        client.rpush(key, time.time_ns() // 1000 + year + moment)
    assert [verdict(limit, who).allowed for _ in range(3)] == [True, True, False]
    assert verdict(limit, who).wait <= 60


def test_callers_are_counted_by_themselves() -> None:
    limit, first, second = Limit("test", 1, 60.0), someone(), someone()
    allowed = [verdict(limit, who).allowed for who in (first, second, first)]
    assert allowed == [True, True, False]


def test_there_is_room_again_when_the_window_has_passed() -> None:
    limit, who = Limit("test", 2, 600.0), someone()
    assert [verdict(limit, who).allowed for _ in range(3)] == [True, True, False]
    let_pass(300.0, limit, who)
    early = verdict(limit, who)
    assert not early.allowed
    assert 0 < early.wait <= 300
    let_pass(300.0, limit, who)
    assert [verdict(limit, who).allowed for _ in range(3)] == [True, True, False]


def test_never_more_than_the_limit_in_any_window() -> None:
    limit, who = Limit("test", 7, 0.05), someone()
    with Recording(who) as seen:
        at_once([partial(hammer, limit, who, seen)] * 6)
    assert len(seen) > ENOUGH * limit.count
    window = round(limit.seconds * 1_000_000)
    for first, beyond in zip(seen, seen[limit.count :], strict=False):
        assert beyond - first >= window


@pytest.mark.usefixtures("no_session")
def test_while_valkey_is_away_requests_go_through(settings: Settings) -> None:
    settings.REDIS_URL = "unix:///nowhere/valkey.sock"
    settings.API_LIMITS = {"anonymous": (1, 60.0)}
    before = UNLIMITED_REQUESTS._value.get()
    where = address(1)
    assert [ask(where).status_code for _ in range(3)] == [404] * 3
    assert UNLIMITED_REQUESTS._value.get() == before + 3


def test_a_visitor_is_known_by_the_address_or_what_the_proxy_says(
    settings: Settings,
) -> None:
    def seen(remote: str, forwarded: str = "") -> str:
        headers = {"X-Forwarded-For": forwarded} if forwarded else {}
        return address_of(RequestFactory().get("/", REMOTE_ADDR=remote, headers=headers))

    assert seen("192.0.2.7", "198.51.100.1") == "192.0.2.7"
    assert seen("::ffff:192.0.2.7") == "192.0.2.7"
    assert seen("2001:db8:1:2:3::4") == seen("2001:db8:1:2::9") == "2001:db8:1:2::/64"
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 1
    assert seen("127.0.0.1", "203.0.113.9, 198.51.100.1") == "198.51.100.1"
    assert seen("127.0.0.1") == "127.0.0.1"
    assert seen("", "nonsense") == "unknown"


def verdict(limit: Limit, who: str) -> Allowance:
    found = take(limit, who)
    assert found is not None
    return found


def let_pass(seconds: float, limit: Limit, who: str) -> None:
    """Make the requests that were let through so much older."""
    key = f"evenmatch:limit:{limit.name}:{who}"
    with Redis.from_url(settings.REDIS_URL) as client:
        for place, moment in enumerate(client.lrange(key, 0, -1)):
            client.lset(key, place, str(int(moment) - round(seconds * 1_000_000)))


def hammer(limit: Limit, who: str, seen: list[int]) -> None:
    """Ask until some windows have been filled; gives up after a minute."""
    end = time.monotonic() + 60
    while len(seen) <= ENOUGH * limit.count and time.monotonic() < end:
        take(limit, who)


class Recording:
    """The moments written for one caller, in microseconds, complete once the block has ended."""

    def __init__(self, who: str) -> None:
        self._who, self._seen, self._ready = who, list[int](), Event()
        self._client = Redis.from_url(settings.REDIS_URL)
        self._thread = Thread(target=self._listen)

    def __enter__(self) -> list[int]:
        self._thread.start()
        assert self._ready.wait(60)
        return self._seen

    def __exit__(self, *_: object) -> None:
        self._client.set(f"{self._who}:end", 1, px=1)
        self._thread.join(300)
        self._client.close()
        assert not self._thread.is_alive()

    def _listen(self) -> None:
        with Redis.from_url(settings.REDIS_URL).monitor() as monitor:  # type: ignore[no-untyped-call]
            self._ready.set()
            for said in monitor.listen():
                command = str(said["command"])
                if f"{self._who}:end" in command:
                    return
                if command.startswith("RPUSH") and self._who in command:
                    self._seen.append(int(command.rsplit(maxsplit=1)[-1]))
