"""The worker class of the web server: gunicorn's for gevent, with errors in JSON, and without patience: bodies must
come in time, answers must be read, and nobody who is waited for holds a connection to the database meanwhile.

What is refused here has not reached Django: lines and headers that are too long, and what is no HTTP. Nobody knows
then whether the API was meant, so all of it is a problem (RFC 9457), which people can read as well.
"""

import json
import time
from http import HTTPStatus
from typing import Any

import gevent
from django.conf import settings
from gunicorn.http.body import LengthReader
from gunicorn.http.errors import LimitRequestHeaders, LimitRequestLine, ParseException
from gunicorn.workers.ggevent import GeventWorker

__all__ = ["SlowBodyError", "WebWorker"]

_DRAIN_SECONDS = 1.0


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

    def read(self, size: int) -> bytes:
        """Read as `reader` does; SlowBodyError when the time is over."""
        if not self._is_here(size):
            # Not imported with this module, which comes before gevent: all requests would share one connection.
            from config.middleware import let_go

            let_go()
        left = max(0.001, self._until - time.monotonic())
        try:
            with gevent.Timeout(left, SlowBodyError("the body came too slowly")):
                found: bytes = self._reader.read(size)
        except SlowBodyError:
            self._request.force_close()
            raise
        return found

    def _is_here(self, size: int) -> bool:
        """Whether so much of the body, or all of it, has come with the headers."""
        if not isinstance(self._reader, LengthReader):
            return False
        come = self._reader.unreader.buf.getbuffer().nbytes
        return bool(come >= min(size, self._reader.length))


class WebWorker(GeventWorker):  # type: ignore[misc]
    """See the module."""

    def handle_request(self, listener_name: Any, req: Any, sock: Any, addr: Any) -> Any:
        """Answer a request whose body must be there in time, to a visitor who must read."""
        req.body.reader = PatientReader(req.body.reader, req, settings.BODY_SECONDS)
        sock.settimeout(settings.SEND_SECONDS)
        try:
            return super().handle_request(listener_name, req, sock, addr)
        except TimeoutError:
            self.log.info("A visitor from %s did not read an answer in time", (addr or ("", 0))[0])
            raise StopIteration from None  # as gunicorn says that a connection is to be closed

    def handle_error(self, req: Any, client: Any, addr: Any, exc: BaseException) -> None:
        """Say what is wrong with a request that cannot be read; anything else is left to gunicorn."""
        if not isinstance(exc, ParseException):
            super().handle_error(req, client, addr, exc)
            return
        self.log.info("Refused a request from %s: %s", (addr or ("", 0))[0], exc)
        try:
            client.sendall(_refusal(_code_of(exc)))
            # What is still on its way would make the other side throw the answer away.
            with gevent.Timeout(_DRAIN_SECONDS, False):
                while client.recv(65536):
                    pass
        except OSError as error:
            self.log.debug("Not told: %s", error)


def _code_of(error: ParseException) -> str:
    if isinstance(error, LimitRequestLine):
        return "address_too_long"
    return "headers_too_large" if isinstance(error, LimitRequestHeaders) else "bad_request"


def _refusal(code: str) -> bytes:
    """The whole answer, in bytes."""
    from api.problems import MEDIA_TYPE, PROBLEMS  # needs the settings, which come after this class

    problem = PROBLEMS[code]
    said = {
        "type": problem.get_absolute_url(),
        "title": str(problem.title),
        "status": int(problem.status),
        "detail": str(problem.meaning),
        "code": code,
    }
    body = json.dumps(said).encode()
    status = HTTPStatus(problem.status)
    lines = [
        f"HTTP/1.1 {int(status)} {status.phrase}",
        "Connection: close",
        f"Content-Type: {MEDIA_TYPE}",
        f"Content-Length: {len(body)}",
    ]
    return "\r\n".join([*lines, "", ""]).encode() + body
