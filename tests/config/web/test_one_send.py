"""The head of an answer leaves with its body."""

import socket
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from config.web.worker import OneSend

HEAD = b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n"
STREAM = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"


class Ends(NamedTuple):
    held: OneSend
    far: socket.socket

    def arrived(self) -> bytes:
        """What has come so far, of one send alone."""
        try:
            return self.far.recv(1_000_000)
        except BlockingIOError:
            return b""


@pytest.fixture
def ends() -> Iterator[Ends]:
    near, far = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    far.setblocking(False)
    with near, far:
        yield Ends(OneSend(near), far)


def test_head_and_body_in_one(ends: Ends) -> None:
    ends.held.sendall(HEAD)
    assert ends.arrived() == b""
    ends.held.sendall(b"body")
    assert ends.arrived() == HEAD + b"body"
    ends.held.sendall(b"more")
    assert ends.arrived() == b"more"


def test_a_head_without_a_body(ends: Ends) -> None:
    ends.held.sendall(HEAD)
    ends.held.flush()
    assert ends.arrived() == HEAD
    ends.held.flush()
    assert ends.arrived() == b""


def test_a_stream_begins_at_once(ends: Ends) -> None:
    ends.held.sendall(STREAM)
    assert ends.arrived() == STREAM
    ends.held.sendall(HEAD)  # within the body
    assert ends.arrived() == HEAD


def test_a_long_body_is_not_copied(ends: Ends) -> None:
    long = b"x" * 70_000
    ends.held.sendall(HEAD)
    ends.held.sendall(long)
    assert (ends.arrived(), ends.arrived()) == (HEAD, long)


def test_a_file_comes_behind_the_head() -> None:
    near, far = socket.socketpair()
    with near, far, Path(__file__).open("rb") as file:
        held = OneSend(near)
        held.sendall(HEAD)
        held.sendfile(file, count=4)
        assert far.recv(1000, socket.MSG_WAITALL | socket.MSG_DONTWAIT) == HEAD + b'"""T'
        assert held.fileno() == near.fileno()
