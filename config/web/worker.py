"""The worker class of the web server: gunicorn's for gevent, with errors in JSON, and without patience: bodies must
come in time, answers must be read, and nobody who is waited for holds a connection to the database meanwhile. So many
requests are worked on at once (config.web.turns), and none for ever (config.web.deadlines).

What is refused here has not reached Django: lines and headers that are too long, and what is no HTTP. Nobody knows
then whether the API was meant, so all of it is a problem (RFC 9457), which people can read as well.
"""

import json
import socket
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack, suppress
from functools import partial
from http import HTTPStatus
from typing import Any

import gevent
from django.conf import settings
from gunicorn.http.body import ChunkedReader, LengthReader
from gunicorn.http.errors import LimitRequestHeaders, LimitRequestLine, ParseException
from gunicorn.workers.ggevent import GeventWorker

from config.web.answers import problem_members, refuse
from config.web.deadlines import Deadline, look_at_sessions, within
from config.web.heartbeat import WorkerHeartbeat
from config.web.turns import Crowd, Outcome, Turns
from foundation.requests.addresses import origin_of, plain
from foundation.requests.time_limits import ALLOW, FINISH, OVER, limit_by

__all__ = ["NamedListener", "OneSend", "WebWorker"]

# What is taken of a body that nobody has read: of a short one all; of others so much, for so long, and then the
# connection is closed.
_IN_PASSING = 16_384  # bytes
_DRAIN_SECONDS, _DRAIN_MOST = 1.0, 8_000_000
_BACK_AFTER = 5  # seconds after which a refused caller may ask again
# Answered without the database. What watches the site asks needs it, and has a line of its own: anybody may ask it.
_WITHOUT_A_TURN = "/static/"
_ALIVE = "/health/live"
_WATCHED = ("/health/", "/metrics")
_WATCHED_AT_ONCE = 2
# What keeps searches and matches alive: others wait for it.
_URGENT = ("/heartbeat", "/accept", "/result", "/results", "/reports", "/report")


class SlowBodyError(TimeoutError):
    """The body of a request has not come in time."""


class PatientReader:
    """Reads a body until its time is over. The connection is of no use then: it is closed after the answer.

    What has not come with the headers is waited for without the database: by then the API has looked a key up, and some
    dozens of bodies that do not come held every connection there is.
    """

    def __init__(self, reader: Any, request: Any, seconds: float) -> None:
        self._reader = reader
        self._request = request
        self._until = time.monotonic() + seconds
        self.resting: list[Callable[[], AbstractContextManager[None]]] = []  # while nothing comes

    def read(self, size: int) -> bytes:
        """Read as `reader` does; SlowBodyError when the time is over."""
        if isinstance(self._reader, LengthReader):
            come = self._reader.unreader.buf.getbuffer().nbytes
            if come >= min(size, self._reader.length):  # it has come with the headers
                return self._read(size)
        # Not imported with this module, which comes before gevent: all requests would share one connection.
        from config.web.middleware import let_go

        let_go()
        with ExitStack() as rests:
            for rest in self.resting:
                rests.enter_context(rest())
            return self._read(size)

    def close_afterwards(self) -> None:
        """Let the connection end with the answer."""
        self._request.force_close()

    def leaves_much(self) -> bool:
        """Whether more of the body was not read than is thrown away in passing; in chunks, whether there is any."""
        if isinstance(self._reader, LengthReader):
            return int(self._reader.length) > _IN_PASSING
        return isinstance(self._reader, ChunkedReader) and self._reader.parser is not None

    def _read(self, size: int) -> bytes:
        left = max(0.001, self._until - time.monotonic())
        try:
            with gevent.Timeout(left, SlowBodyError("the body came too slowly")):
                found: bytes = self._reader.read(size)
        except SlowBodyError:
            self._request.force_close()
            raise
        return found


class OneSend:
    """A connection on which the head of an answer waits for its body, so that both leave at once.

    gunicorn sends them one after the other, and to send takes longer than most that a short answer needs. Heads without
    a length are sent at once: what streams has no body yet.
    """

    _MOST = 65_536  # bytes of a body that are worth being copied behind its head

    def __init__(self, connection: Any) -> None:
        self._connection = connection
        self._head = b""
        self._has_begun = False

    def __getattr__(self, name: str) -> Any:
        return getattr(self._connection, name)

    def sendall(self, data: bytes) -> None:
        """Send what has waited, and this; or let it wait."""
        if not self._has_begun:
            self._has_begun = True
            if data.endswith(b"\r\n\r\n") and b"\r\nContent-Length: " in data:
                self._head = data
                return
        if len(data) > self._MOST:
            self.flush()
        data, self._head = self._head + data, b""
        self._connection.sendall(data)

    def sendfile(self, *args: Any, **options: Any) -> Any:
        """Send a file behind what has waited."""
        self.flush()
        return self._connection.sendfile(*args, **options)

    def flush(self) -> None:
        """Send what has waited: there is no body."""
        if self._head:
            head, self._head = self._head, b""
            self._connection.sendall(head)


class NamedListener:
    """A listener whose name is known. gunicorn asks for it when a connection begins, and one that was taken just before
    the process stops to listen would end without an answer: what is closed has no name.
    """

    def __init__(self, listener: Any) -> None:
        self._listener, self._name = listener, listener.getsockname()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._listener, name)

    def getsockname(self) -> Any:
        """As it was when the process began to listen."""
        return self._name


class WebWorker(GeventWorker):  # type: ignore[misc]
    """See the module."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.tmp.close()  # type: ignore[has-type]
        self.tmp = WorkerHeartbeat(self)

    def load_wsgi(self) -> None:
        """Load the site, to be asked in turns."""
        super().load_wsgi()
        self._site: Any = self.wsgi  # type: ignore[has-type]
        self._turns = Turns(settings.REQUESTS_AT_ONCE, settings.TURN_SECONDS)
        self._turns_to_watch = Turns(_WATCHED_AT_ONCE, settings.TURN_SECONDS)
        self._crowd = Crowd(settings.CONNECTIONS_PER_ADDRESS, self.cfg.forwarded_allow_ips)
        self.wsgi = self._answer
        look_at_sessions()
        limit_by(within)
        self._listeners = {listener: NamedListener(listener) for listener in self.sockets}

    def handle(self, listener: Any, client: Any, addr: Any) -> None:
        """Serve a connection, unless there are too many from the same place."""
        if isinstance(addr, tuple):
            addr = (plain(addr[0]), *addr[1:])
        with self._crowd.joined(addr[0] if isinstance(addr, tuple) else "") as has_room:
            if has_room:
                super().handle(self._listeners.get(listener, listener), client, addr)
            else:
                client.close()

    def handle_request(self, listener_name: Any, req: Any, sock: Any, addr: Any) -> Any:
        """Answer a request whose body must be there in time, to a visitor who must read."""
        req.body.reader = PatientReader(req.body.reader, req, settings.BODY_SECONDS)
        sock.settimeout(settings.SEND_SECONDS)
        held = OneSend(sock)
        try:
            try:
                found = super().handle_request(listener_name, req, held, addr)
            except StopIteration:  # all went well too, and the connection is to be closed
                self._end_answer(held, req)
                raise
            self._end_answer(held, req)
            return found
        except TimeoutError:
            self.log.info("A visitor from %s did not read an answer in time", (addr or ("", 0))[0])
            raise StopIteration from None  # as gunicorn says that a connection is to be closed

    def _end_answer(self, held: OneSend, req: Any) -> None:
        """Send what is left of an answer, and end the connection if the body was not read."""
        held.flush()
        if req.body.reader.leaves_much():
            with suppress(OSError):  # of who has gone
                _let_finish(held)
            raise StopIteration

    def _answer(self, environ: dict[str, Any], start_response: Any) -> Any:
        """Have a request answered; whoever answers, it says so if the connection ends with it."""
        reader = environ["wsgi.input"].reader
        try:
            return self._answer_in_turn(environ, start_response)
        finally:
            # Else gunicorn would read all the rest away, piece by piece and without a limit, before the next request.
            if reader.leaves_much():
                reader.close_afterwards()

    def _answer_in_turn(self, environ: dict[str, Any], start_response: Any) -> Any:
        """Have a request answered when it is its turn."""
        path = environ["PATH_INFO"]
        if path == _ALIVE or path.startswith(_WITHOUT_A_TURN):
            return self._answer_in_time(environ, start_response)
        turns = self._turns_to_watch if path.startswith(_WATCHED) else self._turns
        urgent = environ["REQUEST_METHOD"] == "POST" and path.rstrip("/").endswith(_URGENT)
        origin = origin_of(environ)
        outcome = turns.take(environ["gunicorn.socket"], urgent=urgent, origin=origin)
        if outcome is Outcome.LEFT:
            raise StopIteration
        if outcome is Outcome.TOO_MANY:
            from foundation.metrics import REFUSED_REQUESTS  # needs the settings

            REFUSED_REQUESTS.inc()
            return refuse(environ, start_response, "busy", _BACK_AFTER)
        environ["wsgi.input"].reader.resting.append(partial(turns.between, origin, urgent=urgent))
        try:
            return self._answer_in_time(environ, start_response)
        finally:
            turns.give_back(origin)

    def _answer_in_time(self, environ: dict[str, Any], start_response: Any) -> Any:
        """Have a request answered before its time is over. What streams has all time from its beginning on."""
        deadline = Deadline(settings.REQUEST_SECONDS)
        reader = environ["wsgi.input"].reader
        reader.resting.append(deadline.resting)
        environ[ALLOW] = deadline.allow
        environ[FINISH] = deadline.finishing
        environ[OVER] = lambda: deadline.is_over
        try:
            return self._site(environ, start_response)
        finally:
            reader.resting.clear()  # what is left of the body is read away later, when nobody waits any more
            deadline.end()

    def handle_error(self, req: Any, client: Any, addr: Any, exc: BaseException) -> None:
        """Say what is wrong with a request that cannot be read; anything else is left to gunicorn."""
        if not isinstance(exc, ParseException):
            super().handle_error(req, client, addr, exc)
            return
        self.log.info("Refused a request from %s: %s", (addr or ("", 0))[0], exc)
        code = "bad_request"
        if isinstance(exc, LimitRequestLine):
            code = "address_too_long"
        elif isinstance(exc, LimitRequestHeaders):
            code = "headers_too_large"
        try:
            client.sendall(_refusal(code))
            _let_finish(client)
        except OSError as error:
            self.log.debug("Not told: %s", error)


def _let_finish(client: Any) -> None:
    """Take what is still on its way, for a while: else the other side would throw the answer away."""
    client.shutdown(socket.SHUT_WR)
    taken = 0
    with gevent.Timeout(_DRAIN_SECONDS, False):
        while taken < _DRAIN_MOST and (come := len(client.recv(65_536))):
            taken += come
            gevent.sleep(0)  # whoever sends fast is not alone


def _refusal(code: str) -> bytes:
    """The whole answer, in bytes."""
    from api.contract.problems import (  # needs the settings, which come after this class
        MEDIA_TYPE,
        PROBLEMS,
    )

    body = json.dumps(problem_members(code)).encode()
    status = HTTPStatus(PROBLEMS[code].status)
    lines = [
        f"HTTP/1.1 {int(status)} {status.phrase}",
        "Connection: close",
        f"Content-Type: {MEDIA_TYPE}",
        f"Content-Length: {len(body)}",
    ]
    return "\r\n".join([*lines, "", ""]).encode() + body
