"""Visitors who do not read their answers, or do not send what they have begun to: nobody else waits for them.

And more of them than a process can work on: some wait for their turn, the others are told at once.
"""

import contextlib
import socket
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import pytest
from django.db import connection, transaction

from api.auth.issue import issue_key
from api.auth.scopes import SERVER_SCOPES
from api.models import ServerKey
from config.embedded.processes import wait_until
from ratings.models import Game, Player
from tests.config.web.serving import Web, running

POOL = 3  # connections to PostgreSQL

pytestmark = pytest.mark.django_db(transaction=True)
Put = Callable[[str], socket.socket]


class Staller:
    """A visitor who sends a request, or a part of one, and then neither sends nor reads.

    The segments of the connection are small, and so is what either side holds back: a page does not fit.
    """

    def __init__(self, web: Web, request: bytes) -> None:
        self._socket = socket.socket()
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_MAXSEG, 536)
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
        self._socket.connect(("127.0.0.1", web.port))
        self._socket.sendall(request)
        self._socket.settimeout(60)

    def has_answer(self) -> bool:
        """Wait for its beginning, and leave it there."""
        return bool(self._socket.recv(1, socket.MSG_PEEK))

    def read(self) -> bytes:
        """All there is until the other side is done."""
        heard = b""
        with contextlib.suppress(ConnectionResetError):
            while more := self._socket.recv(65536):
                heard += more
        return heard

    def close(self) -> None:
        """Go away without a word."""
        self._socket.close()


Stall = Callable[[Web, bytes], Staller]


@pytest.fixture
def stall() -> Iterator[Stall]:
    """Opens connections that stall, which are closed after the test."""
    opened: list[Staller] = []

    def open_one(web: Web, request: bytes) -> Staller:
        opened.append(Staller(web, request))
        return opened[-1]

    yield open_one
    for one in opened:
        one.close()


@pytest.fixture(scope="module")
def patient(django_db_setup: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    """One process with few database connections that waits for visitors for longer than a test takes."""
    with running(
        tmp_path_factory.mktemp("patient"),
        EVENMATCH_DATABASE_POOL=str(POOL),
        EVENMATCH_DATABASE_WAIT="5",
        EVENMATCH_WEB_PROCESSES="1",
        EVENMATCH_BODY_SECONDS="600",
        EVENMATCH_SEND_SECONDS="600",
    ) as web:
        yield web


@pytest.mark.full
def test_who_does_not_read_the_answer_holds_no_connection_to_the_database(
    patient: Web, stall: Stall
) -> None:
    game = Game.objects.create(slug="chess", name="Chess", description="long " * 100_000)
    page = f"GET {game.get_absolute_url()} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()
    opened = [stall(patient, page) for _ in range(2 * POOL)]
    assert all(one.has_answer() for one in opened)
    for path in ("/", "/api/v1/games"):
        assert patient.get(path).status_code == 200


@pytest.mark.parametrize("start", [b"", b'{"queue": '], ids=["nothing", "a beginning"])
def test_who_does_not_send_the_body_holds_no_connection_to_the_database(
    patient: Web, stall: Stall, start: bytes
) -> None:
    game = Game.objects.create(slug="chess", name="Chess")
    key, secret = issue_key(game=game, name="test", scopes=SERVER_SCOPES)
    lines = [
        "POST /api/v1/tickets HTTP/1.1",
        "Host: localhost",
        f"Authorization: Bearer {secret}",
        "Content-Type: application/json",
        "Content-Length: 100",
    ]
    request = "\r\n".join([*lines, "", ""]).encode() + start
    for _ in range(2 * POOL):
        # The key is marked as used before the body is read.
        ServerKey.objects.filter(pk=key.pk).update(last_used_at=None)
        stall(patient, request)
        used = ServerKey.objects.filter(pk=key.pk, last_used_at__isnull=False)
        assert wait_until(used.exists, seconds=60)
    assert patient.get("/").status_code == 200


@pytest.fixture(scope="module")
def narrow(django_db_setup: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    """One process that works on one request at a time, and lets the others wait for some seconds."""
    with running(
        tmp_path_factory.mktemp("narrow"),
        EVENMATCH_DATABASE_POOL="2",
        EVENMATCH_WEB_PROCESSES="1",
        EVENMATCH_REQUESTS_AT_ONCE="1",
        EVENMATCH_REQUEST_SECONDS="120",
        EVENMATCH_TURN_SECONDS="10",
        EVENMATCH_SEND_SECONDS="2",
    ) as web:
        yield web


@pytest.mark.full
def test_who_does_not_read_the_answer_is_not_waited_for(narrow: Web, stall: Stall) -> None:
    Game.objects.create(slug="chess", name="Chess", description="long " * 100_000)
    stuck = stall(narrow, b"GET /games/chess/ HTTP/1.1\r\nHost: localhost\r\n\r\n")
    assert stuck.has_answer()
    assert wait_until(lambda: "did not read" in narrow.log(), seconds=60)
    assert len(stuck.read()) < 500_000
    assert "Traceback" not in narrow.log()


@pytest.fixture
def put(narrow: Web) -> Put:
    """Begin to make a player known, on a connection of its own."""
    game = Game.objects.create(slug="chess", name="Chess")
    _, secret = issue_key(game=game, name="test", scopes=SERVER_SCOPES)

    def begin(name: str) -> socket.socket:
        sock = socket.create_connection(("127.0.0.1", narrow.port), timeout=60)
        lines = [
            f"PUT /api/v1/players/by-external-id/{name} HTTP/1.1",
            "Host: localhost",
            "Connection: close",
            f"Authorization: Bearer {secret}",
            "Content-Type: application/json",
            "Content-Length: 16",
        ]
        sock.sendall("\r\n".join([*lines, "", '{"name": "Anna"}']).encode())
        return sock

    return begin


@contextmanager
def players_held() -> Iterator[None]:
    """Nobody writes a player for as long as the block lasts."""
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("LOCK TABLE ratings_player IN SHARE MODE")
        yield


def is_waited_for() -> bool:
    """Whether somebody would like to write one."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT FROM pg_locks WHERE NOT granted")
        return cursor.fetchone() is not None


@pytest.mark.full
def test_a_crowd_at_a_process_that_is_at_work(narrow: Web, put: Put) -> None:
    with players_held():
        first = put("first")
        assert wait_until(is_waited_for, seconds=60)
        for number in range(5):
            put(f"gone-{number}").close()
        assert narrow.get("/health/live").status_code == 200
        with ThreadPoolExecutor(2) as others:
            told, page = others.map(narrow.get, ["/api/v1/games", "/"])
        assert (told.status_code, told.json()["code"]) == (503, "busy")
        assert int(told.headers["Retry-After"]) > 0
        assert page.status_code == 503
        assert "Back in a moment" in page.text
        last = put("last")
    for sock in (first, last):
        assert sock.recv(100).startswith(b"HTTP/1.1 20")
        sock.close()
    assert narrow.get("/").status_code == 200
    assert set(Player.objects.values_list("external_id", flat=True)) == {"first", "last"}


@pytest.mark.full
def test_a_body_of_who_is_sent_away_is_not_read(narrow: Web, put: Put) -> None:
    body = b"x" * 2_400_000
    head = f"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(body)}\r\n\r\n".encode()
    with players_held():
        first = put("first")
        assert wait_until(is_waited_for, seconds=60)
        with socket.create_connection(("127.0.0.1", narrow.port), timeout=60) as busy:
            busy.sendall(head + body)
            heard = b""
            while more := busy.recv(65_536):
                heard += more
    assert heard.startswith(b"HTTP/1.1 503")
    assert b"\r\nConnection: close\r\n" in heard
    assert first.recv(100).startswith(b"HTTP/1.1 20")
    first.close()
