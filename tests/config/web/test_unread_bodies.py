"""A body that nobody has asked for costs next to nothing, and headers of visitors do not say where they are."""

import socket
from collections.abc import Iterator
from http.client import HTTPConnection

import pytest

from api.auth.issue import issue_key
from api.auth.scopes import SERVER_SCOPES
from ratings.models import Game
from tests.config.web.serving import Web, running

pytestmark = pytest.mark.django_db(transaction=True)
# Refused before the body is looked at: there is no cookie.
HEAD = (
    b"POST /accounts/login/ HTTP/1.1\r\nHost: localhost\r\n"
    b"Content-Type: application/x-www-form-urlencoded\r\n"
)


@pytest.fixture(scope="module")
def web(django_db_setup: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    with running(tmp_path_factory.mktemp("bodies"), EVENMATCH_WEB_PROCESSES="1") as web:
        yield web


def answer(connection: socket.socket) -> bytes:
    """The head of the next answer; its body is read with it."""
    heard = b""
    while b"</html>" not in heard:
        more = connection.recv(65_536)
        assert more, heard
        heard += more
    return heard.partition(b"\r\n\r\n")[0]


@pytest.mark.full
@pytest.mark.parametrize("is_chunked", [False, True])
def test_the_connection_ends_with_a_long_body_that_is_not_read(web: Web, is_chunked: bool) -> None:
    body = b"x" * 2_400_000
    length = b"Content-Length: %d" % len(body)
    if is_chunked:
        length, body = b"Transfer-Encoding: chunked", b"%x\r\n%s\r\n0\r\n\r\n" % (len(body), body)
    with socket.create_connection(("127.0.0.1", web.port), timeout=60) as connection:
        connection.sendall(HEAD + length + b"\r\n\r\n" + body)
        head = answer(connection)
        assert head.startswith(b"HTTP/1.1 403")
        assert b"Connection: close" in head
        assert connection.recv(1) == b""


def test_it_goes_on_after_a_short_one(web: Web) -> None:
    with socket.create_connection(("127.0.0.1", web.port), timeout=60) as connection:
        for _ in range(2):
            connection.sendall(HEAD + b"Content-Length: 4000\r\n\r\n" + b"x" * 4000)
            head = answer(connection)
            assert head.startswith(b"HTTP/1.1 403")
            assert b"Connection: keep-alive" in head


def test_answers_without_a_body_leave_too(web: Web) -> None:
    connection = HTTPConnection("127.0.0.1", web.port, timeout=60)
    connection.connect()
    connection.auto_open = 0  # all on this one
    seen: dict[str, str] = {}
    for method, path, status in (
        ("HEAD", "/", 200),
        ("GET", "/accounts/login/", 200),
        ("GET", "/", 304),
        ("GET", "/accounts/logout/", 302),
        ("HEAD", "/health/live", 200),
        ("GET", "/health/live", 200),
    ):
        connection.request(method, path, headers=seen)
        with connection.getresponse() as answer:
            assert answer.status == status
            assert bool(answer.read()) == (method == "GET" and status == 200)
            if cookie := answer.headers["Set-Cookie"]:
                seen["Cookie"] = cookie.partition(";")[0]
            if tag := answer.headers["ETag"]:
                seen["If-None-Match"] = tag
    connection.close()


def test_a_body_that_is_announced_as_too_long_is_not_waited_for(web: Web) -> None:
    _, secret = issue_key(
        game=Game.objects.create(slug="chess", name="Chess"), name="test", scopes=SERVER_SCOPES
    )
    with socket.create_connection(("127.0.0.1", web.port), timeout=20) as connection:  # not 30 s
        connection.sendall(
            b"POST /api/v1/tickets HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            + f"Authorization: Bearer {secret}\r\nContent-Length: 3000000\r\n\r\n".encode()
        )
        assert connection.recv(65_536).startswith(b"HTTP/1.1 413")


def test_no_header_moves_the_site(web: Web) -> None:
    with socket.create_connection(("127.0.0.1", web.port), timeout=60) as connection:
        connection.sendall(
            b"GET /x/accounts/login/ HTTP/1.1\r\nHost: localhost\r\nSCRIPT_NAME: /x\r\n\r\n"
        )
        assert answer(connection).startswith(b"HTTP/1.1 404")
