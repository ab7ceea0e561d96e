"""Visitors who do not read their answers, or do not send what they have begun to: nobody else waits for them."""

import contextlib
import socket
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from api.auth.issue import issue_key
from api.auth.scopes import SERVER_SCOPES
from api.models import ServerKey
from config.embedded.processes import wait_until
from ratings.models import Game
from tests.config.web.serving import Web, running

POOL = 3  # connections to PostgreSQL

pytestmark = pytest.mark.django_db(transaction=True)


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


def test_who_does_not_read_the_answer_is_not_waited_for(tmp_path: Path, stall: Stall) -> None:
    Game.objects.create(slug="chess", name="Chess", description="long " * 100_000)
    with running(tmp_path, EVENMATCH_WEB_PROCESSES="1", EVENMATCH_SEND_SECONDS="2") as web:
        stuck = stall(web, b"GET /games/chess/ HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert stuck.has_answer()
        assert wait_until(lambda: "did not read" in web.log(), seconds=60)
        assert len(stuck.read()) < 500_000
        assert "Traceback" not in web.log()
