"""One call to the server of a browser's maker: to an address that was looked at, within some seconds, no further."""

import http.client
import socket
import ssl
import threading
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache

from django.conf import settings

from notifications.push.addresses import WrongPushAddressError, addresses_of, parts_of

__all__ = ["LONGEST_CALL", "Answer", "Call"]

_STEP = 4.0  # seconds for a single step: connecting, writing, a piece of the answer
LONGEST_CALL = 8.0  # for all of them


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back. `status` 0: nothing, and `trouble` says why."""

    status: int
    trouble: str = ""
    retry_after: int = 0

    @property
    def is_taken(self) -> bool:
        """Whether the push was taken."""
        return 200 <= self.status < 300


class Call:
    """A POST. `give_up` ends it from another thread: a server that sends a byte every few seconds holds nobody."""

    def __init__(self, endpoint: str, body: bytes, headers: dict[str, str]) -> None:
        self.endpoint, self._body, self._headers = endpoint, body, headers
        self._socket: socket.socket | None = None
        self._is_over = threading.Event()

    def make(self) -> Answer:
        """Call; never raises for what the other side does."""
        try:
            return self._make()
        except WrongPushAddressError as error:
            return Answer(0, str(error))
        except (OSError, http.client.HTTPException, ValueError) as error:
            return Answer(0, f"{type(error).__name__}: {error}"[:200])
        finally:
            self.give_up()

    def give_up(self) -> None:
        """Close what is open; a call that has not begun does not begin."""
        self._is_over.set()
        if (opened := self._socket) is not None:
            with suppress(OSError):
                opened.shutdown(socket.SHUT_RDWR)
            opened.close()

    def _make(self) -> Answer:
        parts = parts_of(self.endpoint)
        host, port = parts.hostname or "", parts.port or 443
        self._connect(host, port)
        connection = http.client.HTTPConnection(host, port, timeout=_STEP)
        connection.sock = self._socket
        # Nobody is followed elsewhere: http.client gives the first answer.
        path = parts.path or "/"
        target = f"{path}?{parts.query}" if parts.query else path
        connection.request("POST", target, body=self._body, headers=self._headers)
        response = connection.getresponse()
        after = response.getheader("Retry-After", "")
        seconds = int(after) if after.isascii() and after.isdigit() and len(after) < 6 else 0
        said = response.read(200).decode("utf-8", "replace") if response.status >= 300 else ""
        return Answer(response.status, "".join(filter(str.isprintable, said)), seconds)

    def _connect(self, host: str, port: int) -> None:
        addresses = addresses_of(self.endpoint)
        if self._is_over.is_set():
            raise TimeoutError("given up")
        error: OSError | None = None
        for address in addresses[:2]:
            try:
                plain = socket.create_connection((address, port), timeout=_STEP)
            except OSError as failed:
                error = failed
                continue
            self._socket = plain
            self._socket = _trust().wrap_socket(plain, server_hostname=host)
            return
        raise error or OSError("no address")


@lru_cache(1)
def _trust() -> ssl.SSLContext:
    """Whose certificates are believed: the machine's, and in tests one of their own."""
    return ssl.create_default_context(cafile=settings.PUSH_CERTIFICATES)
