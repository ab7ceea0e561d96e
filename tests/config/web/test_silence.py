"""PostgreSQL that says nothing and does not go away: who asks is told to come back, and nothing is done by halves."""

import contextlib
import http.client
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from http import HTTPStatus
from uuid import uuid4

import httpx
import pytest
from django.db import connection, transaction

from accounts.models import User
from api.auth.issue import issue_key
from api.auth.scopes import SERVER_SCOPES
from config.embedded.processes import wait_until
from events.live import broadcast
from matchmaking.models import Ticket
from tests.accounts.mailing import PASSWORD, add_address
from tests.config.web.serving import Listener, Web, plain_client, running
from tests.config.web.stopping import Proxy, proxied, silent, stopped
from tests.matchmaking.hall import Hall, make_hall

POOL = 3
PAGES = ["/", "/api/v1/games", "/health/ready"]

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(scope="module")
def proxy(django_db_setup: None) -> Iterator[Proxy]:
    """What is between the web server and PostgreSQL."""
    with proxied() as one:
        yield one


@pytest.fixture(scope="module")
def hasty(proxy: Proxy, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    """One process whose requests have two seconds."""
    with running(
        tmp_path_factory.mktemp("hasty"),
        DATABASE_URL=proxy.address(),
        EVENMATCH_DATABASE_POOL=str(POOL),
        EVENMATCH_WEB_PROCESSES="1",
        EVENMATCH_REQUEST_SECONDS="2",
        EVENMATCH_TURN_SECONDS="60",
        PGAPPNAME="hasty",
    ) as web:
        yield web


@pytest.fixture
def hall() -> Hall:
    """A queue and two players."""
    return make_hall(2)


Join = Callable[[], httpx.Response]


@pytest.fixture
def join(hasty: Web, hall: Hall) -> Join:
    """Have a player search for a match."""
    _, secret = issue_key(game=hall.ladder.game, name="test", scopes=SERVER_SCOPES)

    def ask() -> httpx.Response:
        with plain_client() as client:
            return client.post(
                f"http://127.0.0.1:{hasty.port}/api/v1/tickets",
                json={"queue": hall.queue.slug, "player": hall.players[0].external_id},
                headers={"Authorization": f"Bearer {secret}"},
            )

    return ask


def says_to_come_back(answer: httpx.Response) -> bool:
    """Whether it is a refusal of the right kind."""
    assert answer.status_code == 503, answer.text
    if answer.url.path == "/health/ready":
        return True
    if answer.url.path.startswith("/api/"):
        told = answer.json()
        assert answer.headers["Content-Type"] == "application/problem+json"
        assert (told["code"], told["status"]) == ("unavailable", 503)
        assert told["instance"] == answer.url.path
        assert told["detail"].startswith("The time of this request was over")
    else:
        assert "Back in a moment" in answer.text
    return int(answer.headers["Retry-After"]) > 0


def is_well(web: Web) -> bool:
    """Whether every page is there again."""
    return all(web.get(path).status_code == 200 for path in PAGES)


@pytest.mark.full
def test_a_silent_server_is_not_waited_for(hasty: Web, proxy: Proxy) -> None:
    """By no page, again and again, for longer than there are connections."""
    assert wait_until(lambda: is_well(hasty), seconds=60)
    with silent(proxy), ThreadPoolExecutor(len(PAGES)) as pool:
        for _ in range(2 * POOL):
            for answer in pool.map(hasty.get, PAGES):
                assert says_to_come_back(answer)
    assert wait_until(lambda: is_well(hasty), seconds=60)


@pytest.mark.full
def test_many_at_once_leave_every_connection_behind(hasty: Web, proxy: Proxy) -> None:
    with silent(proxy), ThreadPoolExecutor(4 * POOL) as pool:
        for answer in pool.map(hasty.get, ["/"] * 4 * POOL):
            assert says_to_come_back(answer)
    assert wait_until(lambda: is_well(hasty), seconds=60)
    assert wait_until(lambda: serves_many(hasty), seconds=60)


def serves_many(web: Web) -> bool:
    """Whether so many at once find a connection each."""
    with ThreadPoolExecutor(POOL) as pool:
        return all(answer.status_code == 200 for answer in pool.map(web.get, ["/"] * 2 * POOL))


@pytest.mark.full
def test_what_was_begun_is_not_done(hasty: Web, proxy: Proxy, join: Join) -> None:
    with silent(proxy):
        assert says_to_come_back(join())
    assert wait_until(lambda: is_well(hasty), seconds=60)
    assert not Ticket.objects.exists()
    assert join().status_code == 201


@pytest.fixture
def olga(hasty: Web) -> Callable[[], httpx.Response]:
    """Has an account whose owner signs in with the right password."""
    address = f"{uuid4().hex}@example.org"  # whose attempts nothing has counted
    account = User.objects.create_user("olga", password=PASSWORD)
    add_address(account, address, verified=True, primary=True)

    def sign_in() -> httpx.Response:
        with plain_client() as client:
            site = f"http://127.0.0.1:{hasty.port}/accounts/login/"
            client.get(site)
            given = {"login": address, "password": PASSWORD}
            form = given | {"csrfmiddlewaretoken": client.cookies["csrftoken"]}
            return client.post(site, data=form)

    return sign_in


@pytest.mark.full
def test_sign_ins_that_were_given_up_keep_nobody_out(
    hasty: Web, olga: Callable[[], httpx.Response]
) -> None:
    assert wait_until(lambda: is_well(hasty), seconds=60)
    with transaction.atomic(), ThreadPoolExecutor(5) as pool:
        with connection.cursor() as cursor:
            cursor.execute("LOCK TABLE account_emailaddress IN ACCESS EXCLUSIVE MODE")
        attempts = [pool.submit(olga) for _ in range(5)]
        assert all(says_to_come_back(attempt.result()) for attempt in attempts)
    assert wait_until(lambda: is_well(hasty), seconds=60)
    assert olga().status_code == 302


@pytest.mark.full
def test_streams_go_on_after_connections_that_nobody_answers_any_more(
    hasty: Web, proxy: Proxy, hall: Hall
) -> None:
    """What follows for all streams of a process has no caller who would ask again."""
    assert wait_until(lambda: is_well(hasty), seconds=60)
    _, secret = issue_key(game=hall.ladder.game, name="test", scopes=SERVER_SCOPES)
    stream = Listener(hasty, "", secret=secret)
    try:
        assert stream.hears(b"id: ")
        with proxy.forsaking():
            for _ in range(2):
                stream.heard = b""
                broadcast([f"game:{hall.ladder.game_id}"], "match.started", match=7)
                assert stream.hears(b"id: ")
                assert b"match.started" in stream.heard
    finally:
        stream.close()
    assert wait_until(lambda: is_well(hasty), seconds=60)


def test_sessions_that_were_stopped_undo_what_they_did(hasty: Web, join: Join) -> None:
    """A search is half begun, then PostgreSQL is stopped. When it goes on, it finds nobody who waits for it."""
    assert wait_until(lambda: is_well(hasty), seconds=60)
    with ThreadPoolExecutor(1) as pool, contextlib.ExitStack() as block:
        block.enter_context(transaction.atomic())
        with connection.cursor() as cursor:
            cursor.execute("LOCK TABLE matchmaking_ticket IN SHARE MODE")
        answer = pool.submit(join)
        assert wait_until(waits_for_a_lock, seconds=60)
        with stopped("hasty") as pids:
            assert pids
            assert says_to_come_back(answer.result())
            block.close()
    assert wait_until(lambda: is_well(hasty), seconds=60)
    assert wait_until(lambda: not waits_for_a_lock(), seconds=60)
    assert not Ticket.objects.exists()
    assert join().status_code == 201


def waits_for_a_lock() -> bool:
    """Whether a session of the web server does."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT FROM pg_stat_activity WHERE application_name = 'hasty' AND wait_event_type = 'Lock'"
        )
        return cursor.fetchone() is not None


@pytest.mark.full
def test_the_time_of_a_request_is_not_that_of_the_next_on_its_connection(hasty: Web) -> None:
    """The rest of a body is read away after the answer, by when there is nothing to wait for any more."""
    assert wait_until(lambda: is_well(hasty), seconds=60)
    with contextlib.ExitStack() as both:
        chunked, measured = (
            both.enter_context(
                contextlib.closing(http.client.HTTPConnection("127.0.0.1", hasty.port, timeout=60))
            )
            for _ in range(2)
        )
        for kept in (chunked, measured):
            kept.putrequest("POST", "/api/v1/nowhere")
            kept.putheader("Content-Type", "application/json")
        chunked.putheader("Transfer-Encoding", "chunked")
        chunked.endheaders(b"2\r\n{}\r\n0\r\n\r\n")
        measured.putheader("Content-Length", "2")
        measured.endheaders()
        time.sleep(0.5)
        measured.send(b"{}")
        assert status_of(chunked) == HTTPStatus.LENGTH_REQUIRED
        assert status_of(measured) == HTTPStatus.NOT_FOUND
        for _ in range(3):  # for longer than a request has
            time.sleep(1)
            for kept in (chunked, measured):
                kept.request("GET", "/api/v1/games")
                assert status_of(kept) == HTTPStatus.OK


def status_of(kept: http.client.HTTPConnection) -> int:
    """That of the next answer, which is read."""
    answer = kept.getresponse()
    answer.read()
    return answer.status
