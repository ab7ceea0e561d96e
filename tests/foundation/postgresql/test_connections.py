"""What was opened to a server that never answers is closed when it is given up, not some time later."""

import gc
import socket
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from psycopg.errors import ConnectionTimeout


@pytest.fixture
def silent_server(tmp_path: Path) -> Iterator[socket.socket]:
    """Takes connections, and says nothing; listens in the test's folder."""
    with socket.socket(socket.AF_UNIX) as one:
        one.bind(str(tmp_path / ".s.PGSQL.5432"))
        one.listen(50)
        one.settimeout(5)
        yield one


@pytest.fixture
def _no_collection() -> Iterator[None]:
    gc.disable()
    yield
    gc.enable()


@pytest.mark.usefixtures("_no_collection")
def test_a_connection_that_is_given_up_is_closed(
    silent_server: socket.socket, tmp_path: Path
) -> None:
    """The server sees it end, while nothing has collected the garbage of whoever gave it up."""
    for _ in range(2):
        with pytest.raises(ConnectionTimeout):
            psycopg.connect(host=str(tmp_path), dbname="none", user="nobody", connect_timeout=2)
        connection, _address = silent_server.accept()
        with connection:
            connection.settimeout(5)
            while connection.recv(1024):  # what it sent first; its end is an empty answer
                pass
