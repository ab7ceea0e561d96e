"""Streams under the real web server: many times as many as connections, and what they cost the database.

The tests of this file share three servers and follow one another; bin/test keeps a file together.
"""

import json
import os
import signal
import socket
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.contrib.sessions.models import Session
from django.db import connection
from django.test import Client

from accounts.models import User
from api.auth.issue import issue_key, issue_token, revoke_token
from api.auth.scopes import PLAYER_SCOPES, SERVER_SCOPES
from api.models import ServerKey
from config.embedded.processes import wait_until
from events.live import broadcast
from foundation import clock
from ratings.merging.merge import merge
from ratings.models import Game, Player
from tests.config.web.serving import Listener, Web, running

STREAMS = 80  # many times what both processes have connections
PROCESSES = 2
DAY = timedelta(days=1)
POOL = 3  # connections to PostgreSQL of each process

LIMITS = {
    "EVENMATCH_STREAMS_PER_ADDRESS": "2",
    "EVENMATCH_STREAMS_PER_CALLER": "2",
    "EVENMATCH_STREAM_LEASE": "15",
    "EVENMATCH_WEB_PROCESSES": "1",
}

pytestmark = pytest.mark.django_db(transaction=True)
Listen = Callable[..., Listener]


@pytest.fixture(scope="module")
def web(django_db_setup: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    """Two processes with few database connections."""
    with running(
        tmp_path_factory.mktemp("web"),
        EVENMATCH_DATABASE_POOL=str(POOL),
        EVENMATCH_DATABASE_WAIT="60",
        EVENMATCH_TURN_SECONDS="60",
        EVENMATCH_WEB_PROCESSES=str(PROCESSES),
        EVENMATCH_BODY_SECONDS="1",
        EVENMATCH_STREAMS_PER_ADDRESS=str(STREAMS),
        EVENMATCH_STREAMS_PER_CALLER=str(STREAMS),
    ) as web:
        assert wait_until(lambda: both_take_streams(web), seconds=120, every=0.5), web.log()
        assert wait_until(lambda: web.open_streams() == 0, seconds=60, every=0.2)
        yield web


def both_take_streams(web: Web) -> bool:
    """Whether both processes do: the first answers while the other is still loading the site."""
    with ExitStack() as stack:
        for _ in range(STREAMS // 2):
            stack.callback(Listener(web, "topic=site").close)
        return wait_until(lambda: web.subscriptions() == PROCESSES, seconds=2)


@pytest.fixture(scope="module")
def small(django_db_setup: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    """One process that takes three streams, two of them from one address."""
    with running(tmp_path_factory.mktemp("small"), EVENMATCH_STREAMS="3", **LIMITS) as web:
        yield web


@pytest.fixture
def listen() -> Iterator[Listen]:
    """Opens streams, which are closed after the test."""
    opened: list[Listener] = []

    def open_one(web: Web, query: str = "", **more: str) -> Listener:
        opened.append(Listener(web, query, **more))
        return opened[-1]

    yield open_one
    for listener in opened:
        listener.close()


@pytest.fixture
def alice() -> Player:
    """A player with an account."""
    game = Game.objects.create(slug="chess", name="Chess")
    user = User.objects.create_user("alice", password="an old door")
    return Player.objects.create(game=game, external_id="a", name="Alice", user=user)


@pytest.fixture
def cookie(alice: Player) -> str:
    """Alice is signed in."""
    client = Client()
    assert alice.user is not None
    client.force_login(alice.user)
    return client.cookies["sessionid"].value


def server_key() -> tuple[ServerKey, str]:
    game, _ = Game.objects.get_or_create(slug="go", defaults={"name": "Go"})
    return issue_key(game=game, name="test", scopes=SERVER_SCOPES)


def sessions() -> int:
    """Sessions on the database of this test besides our own."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
            " AND backend_type = 'client backend'"
        )
        return int(cursor.fetchone()[0])


@pytest.mark.full
def test_streams_hear_everything_and_hold_no_database_session(
    web: Web, listen: Listen, alice: Player, cookie: str
) -> None:
    before = sessions()
    listeners = [listen(web, "topic=player", cookie=cookie) for _ in range(STREAMS // 2)]
    listeners += [listen(web, "topic=site") for _ in range(STREAMS // 2)]
    for listener in listeners:
        assert listener.hears(b"retry: "), listener.heard
        assert listener.heard.startswith(b"HTTP/1.1 200")
    assert wait_until(lambda: web.subscriptions() == PROCESSES, seconds=60)
    assert web.open_streams() == STREAMS
    assert sessions() <= before + PROCESSES * POOL
    assert web.get("/").status_code == 200  # there are connections for others

    broadcast(["site", f"player:{alice.pk}"], "match.started", match=7)
    for listener in listeners:
        assert listener.hears(b'"kind":"match.started"')
        assert listener.hears(b"event: tick")

    for listener in listeners:
        listener.close()
    assert wait_until(lambda: web.open_streams() == 0, seconds=60, every=0.2)
    assert web.touched() == []
    assert "Error" not in web.log()


@pytest.mark.full
def test_sessions_stay_bounded_under_many_requests_at_once(web: Web) -> None:
    before, most = sessions(), 0
    with ThreadPoolExecutor(STREAMS) as browsers:
        answers = [browsers.submit(web.get, "/") for _ in range(STREAMS)]
        while not all(answer.done() for answer in answers):
            most = max(most, sessions())
            time.sleep(0.05)
        assert {answer.result().status_code for answer in answers} == {200}
    assert most <= before + PROCESSES * POOL


def test_the_guard_sees_a_stream_that_reads_the_database(web: Web) -> None:
    web.touch()
    assert web.touched() == ["cursor"]


def said_to(web: Web, *pieces: bytes) -> tuple[int, dict[str, Any]]:
    """Send what is no whole request, and read the answer up to the end of the connection."""
    with socket.create_connection(("127.0.0.1", web.port), timeout=60) as connected:
        for piece in pieces:
            connected.sendall(piece)
        heard = b""
        while more := connected.recv(65536):
            heard += more
    head, _, body = heard.partition(b"\r\n\r\n")
    assert b"content-type: application/problem+json" in head.lower(), heard
    return int(head.split()[1]), json.loads(body)


def test_a_body_that_does_not_come_is_not_waited_for(web: Web) -> None:
    """Neither where nothing of it has come nor after a beginning; all of them wait at the same time."""
    secret = server_key()[1]

    def begin(address: str, start: bytes) -> tuple[int, str]:
        lines = [
            f"{address} HTTP/1.1",
            "Host: localhost",
            f"Authorization: Bearer {secret}",
            "Content-Type: application/json",
            "Content-Length: 100",
        ]
        status, told = said_to(web, "\r\n".join([*lines, "", ""]).encode() + start)
        return status, told["code"]

    addresses = ["POST /api/v1/tickets", "PUT /api/v1/players/by-external-id/a"]
    begun = [(address, start) for address in addresses for start in (b"", b'{"queue": ')]
    with ThreadPoolExecutor(len(begun)) as callers:
        told = [callers.submit(begin, *one) for one in begun]
    assert [one.result() for one in told] == [(408, "body_too_slow")] * 4


def test_a_line_and_headers_that_are_too_long_are_problems(web: Web) -> None:
    long = b"GET /api/v1/games?x=" + b"x" * 9000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n"
    status, told = said_to(web, long)
    assert (status, told["code"], told["status"]) == (414, "address_too_long", 414)
    headers = b"GET /api/v1/games HTTP/1.1\r\nHost: localhost\r\nX: " + b"x" * 9000 + b"\r\n\r\n"
    status, told = said_to(web, headers)
    assert (status, told["code"]) == (431, "headers_too_large")
    many = b"GET / HTTP/1.1\r\n" + b"".join(b"X-%d: 1\r\n" % n for n in range(200)) + b"\r\n"
    assert said_to(web, many)[0] == 431
    status, told = said_to(web, b"this is no HTTP\r\n\r\n")
    assert (status, told["code"]) == (400, "bad_request")


@pytest.mark.full
def test_more_streams_than_allowed_are_refused(small: Web, listen: Listen) -> None:
    for source in ("127.0.0.2", "127.0.0.2", "127.0.0.3"):
        assert listen(small, "topic=site", source=source).hears(b"retry: ")
    refused = small.get("/live/?topic=site")
    assert (refused.status_code, refused.headers["Retry-After"]) == (503, "30")


@pytest.mark.full
def test_one_address_and_one_caller_have_only_so_many(small: Web, listen: Listen) -> None:
    assert wait_until(lambda: small.open_streams() == 0, seconds=60, every=0.2)
    secret = server_key()[1]
    opened = [listen(small, "topic=site", source="127.0.0.4") for _ in range(2)]
    assert all(one.hears(b"retry: ") for one in opened)
    third = listen(small, "topic=site", source="127.0.0.4")
    assert third.hears(b"429")
    assert b"Retry-After: 30" in third.heard
    by_key = [listen(small, secret=secret, source="127.0.0.5")]
    assert by_key[0].hears(b"retry: ")
    for one in opened:
        one.close()
    assert wait_until(lambda: small.open_streams() == 1, seconds=60, every=0.2)
    by_key.append(listen(small, secret=secret, source="127.0.0.5"))
    assert by_key[1].hears(b"retry: ")
    again = listen(small, secret=secret, source="127.0.0.6")
    assert again.hears(b"stream_limit")
    assert again.heard.startswith(b"HTTP/1.1 429")
    assert b"application/problem+json" in again.heard
    assert b"Retry-After: 30" in again.heard
    for one in by_key:
        one.close()
    assert wait_until(lambda: small.open_streams() == 0, seconds=60, every=0.2)


def listened_to(web: Web, listen: Listen, source: str, **more: str) -> bool:
    """Whether one more stream is let in; the listener stays. A refusal is known by its headers: its end takes long."""
    one = listen(web, "topic=site", source=source, **more)
    assert one.hears(b"\r\n\r\n")
    return one.heard.startswith(b"HTTP/1.1 200") and one.hears(b"retry: ")


@pytest.mark.full
def test_limits_hold_over_all_processes_and_are_freed_when_one_is_killed(
    small: Web, listen: Listen, tmp_path: Path
) -> None:
    one, secret = small, server_key()[1]
    with running(tmp_path, **LIMITS) as two:
        first = listen(one, "topic=site", source="127.0.1.1")
        assert first.hears(b"retry: ")
        assert listened_to(two, listen, "127.0.1.1")
        assert not listened_to(one, listen, "127.0.1.1")
        assert not listened_to(two, listen, "127.0.1.1")
        for web, source in ((one, "127.0.1.2"), (two, "127.0.1.3")):
            assert listened_to(web, listen, source, secret=secret)
        refused = listen(one, secret=secret, source="127.0.1.4")
        assert refused.hears(b"stream_limit")
        assert listened_to(one, listen, "127.0.1.4")  # a visitor from there is somebody else

        pid = one.process.pid
        [worker] = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        os.kill(int(worker), signal.SIGKILL)
        assert first.ends()
        assert wait_until(lambda: one.open_streams() == 0, seconds=60, every=0.2)
        assert wait_until(lambda: listened_to(two, listen, "127.0.1.1"), seconds=60, every=0.5)
        assert not listened_to(two, listen, "127.0.1.1")  # the stream of the other still counts
        assert wait_until(
            lambda: listened_to(two, listen, "127.0.1.5", secret=secret), seconds=60, every=0.5
        )
        assert not listened_to(two, listen, "127.0.1.5", secret=secret)


def test_streams_end_with_the_key_or_token(web: Web, listen: Listen) -> None:
    before = web.touched()
    key, secret = server_key()
    player = Player.objects.create(game=Game.objects.get(), external_id="z", name="Z")
    _by_server, text = issue_token(
        player=player, name="t", scopes=PLAYER_SCOPES, by=key, expires_at=clock.now() + DAY
    )
    own, own_text = issue_token(player=player, name="own", scopes=PLAYER_SCOPES)
    brief = issue_token(
        player=player, name="b", scopes=PLAYER_SCOPES, expires_at=clock.now() + timedelta(seconds=3)
    )[1]
    opened = {
        name: listen(web, secret=one)
        for name, one in {"key": secret, "token": text, "own": own_text, "brief": brief}.items()
    }
    assert all(one.hears(b"retry: ") for one in opened.values())
    assert opened["brief"].hears(b"event: ended")  # it expires
    revoke_token(own)
    assert opened["own"].hears(b"event: ended")
    # Whatever ends it without a word is noticed as well.
    ServerKey.objects.filter(pk=key.pk).update(revoked_at=clock.now())
    for name, one in opened.items():
        assert one.hears(b"event: ended"), name
        assert one.ends(), name
    assert web.touched() == before


@pytest.mark.full
def test_streams_of_a_merged_player_are_opened_anew(web: Web, listen: Listen) -> None:
    game = server_key()[0].game
    assert game is not None
    one, two = (Player.objects.create(game=game, external_id=it, name=it) for it in "xy")
    text = issue_token(player=two, name="t", scopes=PLAYER_SCOPES)[1]
    first = listen(web, secret=text)
    assert first.hears(b"retry: ")
    merge(player=two, into=one, by=None, note="same")
    assert first.ends()
    second = listen(web, secret=text)
    assert second.hears(b"retry: ")
    broadcast([f"player:{one.pk}"], "match.started", match=4711)
    assert second.hears(b"4711")
    # Whatever changes it without a word is noticed as well.
    Player.objects.filter(pk=two.pk).update(merged_into=None)
    assert second.ends()
    assert b"event: ended" not in first.heard + second.heard


@pytest.mark.full
def test_streams_of_an_account_end_with_its_session(
    web: Web, listen: Listen, alice: Player, cookie: str
) -> None:
    signed_in, visitor = listen(web, "topic=player", cookie=cookie), listen(web, "topic=site")
    assert signed_in.hears(b"retry: ")
    assert visitor.hears(b"retry: ")
    Session.objects.all().delete()
    assert signed_in.hears(b"event: ended")
    assert signed_in.ends()
    assert b"ended" not in visitor.heard


@pytest.mark.full
def test_the_server_ends_its_streams_when_it_stops(small: Web, listen: Listen) -> None:
    listener = listen(small, "topic=site", source="127.0.0.8")
    assert listener.hears(b"retry: ")
    small.process.send_signal(signal.SIGTERM)
    assert listener.ends()
    assert small.process.wait(60) == 0
    assert "graceful timeout" not in small.log()
