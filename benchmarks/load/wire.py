"""HTTP as far as the load needs it, on a plain socket: what sends must cost little beside what answers."""

import json
import socket
from collections.abc import Sequence
from typing import Any

__all__ = ["PATIENCE", "Connection", "request"]

_LENGTH = b"content-length:"
_CLOSE = b"connection: close"
PATIENCE = 60.0  # seconds that a connection waits for the server


def request(
    method: str, path: str, *, key: str = "", body: Any = None, headers: Sequence[str] = ()
) -> bytes:
    """A request ready to be sent; `headers` are whole lines."""
    payload = b"" if body is None else json.dumps(body, separators=(",", ":")).encode()
    head = [f"{method} {path} HTTP/1.1", "Host: localhost"]
    head += headers
    head += [f"Authorization: Bearer {key}"] if key else []
    if body is not None:
        head += ["Content-Type: application/json", f"Content-Length: {len(payload)}"]
    return "\r\n".join([*head, "", ""]).encode() + payload


class Connection:
    """A connection that is kept, and opened again where the server has closed it between two requests."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._socket: socket.socket | None = None

    def ask(self, prepared: bytes) -> tuple[int, bytes]:
        """Send a request; returns status and body."""
        is_kept = self._socket is not None
        try:
            return self._ask(prepared)
        except (BrokenPipeError, ConnectionResetError, EOFError):
            self.close()
            if not is_kept:
                raise
        return self._ask(prepared)

    def close(self) -> None:
        """Close it; the next request opens another."""
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    def _ask(self, prepared: bytes) -> tuple[int, bytes]:
        if self._socket is None:
            self._socket = socket.create_connection(("127.0.0.1", self._port), timeout=PATIENCE)
            self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._socket.sendall(prepared)
        head, body = self._head(self._socket)
        lower = head.lower()
        begin = lower.index(_LENGTH) + len(_LENGTH)
        missing = int(lower[begin : lower.index(b"\r", begin)]) - len(body)
        while missing > 0:
            chunk = _receive(self._socket)
            body, missing = body + chunk, missing - len(chunk)
        if _CLOSE in lower:
            self.close()
        return int(head[9:12]), body

    def _head(self, source: socket.socket) -> tuple[bytes, bytes]:
        got = b""
        while b"\r\n\r\n" not in got:
            got += _receive(source)
        head, _, body = got.partition(b"\r\n\r\n")
        return head + b"\r\n", body


def _receive(source: socket.socket) -> bytes:
    chunk = source.recv(262_144)
    if not chunk:
        raise EOFError
    return chunk
