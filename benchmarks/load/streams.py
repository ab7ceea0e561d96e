"""Many open event streams, read by one thread as browsers would: what is closed is opened again."""

import selectors
import socket
import time
from collections.abc import Sequence
from threading import Event, Thread
from types import TracebackType

from benchmarks.load.wire import request

__all__ = ["Streams"]


class Streams:
    """One stream a token, open for the length of a `with` block.

    `path`: of the stream; pages have another than programs, and their visitors no token (""). `heard` counts the
    events, or only how often one says `counted`.
    """

    def __init__(
        self,
        port: int,
        tokens: Sequence[str],
        *,
        path: str = "/api/v1/stream",
        counted: bytes = b"event:",
    ) -> None:
        self._port, self._tokens, self._path, self._counted = port, tokens, path, counted
        self._selector = selectors.DefaultSelector()
        self._ended = Event()
        self._thread = Thread(target=self._read)
        self._opened = 0
        self.heard = 0

    def __enter__(self) -> "Streams":
        for token in self._tokens:
            self._open(token)
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._ended.set()
        self._thread.join()
        for key in list(self._selector.get_map().values()):
            key.fileobj.close()  # type: ignore[union-attr]
        self._selector.close()

    def __len__(self) -> int:
        """Streams that are open."""
        return len(self._selector.get_map())

    def are_all_open(self, within: float = 10.0) -> bool:
        """Whether each is open, or is again so many seconds from now: a process that is replaced ends its own."""
        until = time.monotonic() + within
        while len(self) < len(self._tokens) and time.monotonic() < until:
            time.sleep(0.1)
        return len(self) == len(self._tokens)

    def _open(self, token: str) -> None:
        # From many addresses, as visitors come; one has only so many ports.
        source = f"127.0.{1 + self._opened // 250 % 250}.{1 + self._opened % 250}"
        self._opened += 1
        there = ("127.0.0.1", self._port)
        stream = socket.create_connection(there, timeout=60, source_address=(source, 0))
        stream.sendall(request("GET", self._path, key=token))
        answer = stream.recv(65_536)
        if not answer.startswith(b"HTTP/1.1 200"):
            raise RuntimeError(f"no stream was opened: {answer[:200]!r}")
        self._selector.register(stream, selectors.EVENT_READ, token)

    def _read(self) -> None:
        while not self._ended.is_set():
            for key, _ in self._selector.select(0.2):
                stream: socket.socket = key.fileobj  # type: ignore[assignment]
                if said := stream.recv(65_536):
                    self.heard += said.count(self._counted)
                else:
                    self._selector.unregister(stream)
                    stream.close()
                    self._open(key.data)
