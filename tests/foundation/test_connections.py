"""What was opened to a server that never answers is closed when it is given up, not some time later."""

import gc
import socket
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from psycopg.errors import ConnectionTimeout


@pytest.fixture
def silent_server(tmp_path: Path) -> Iterator[str]:
    """Takes connections, and says nothing; returns where it is."""
    with socket.socket(socket.AF_UNIX) as one:
        one.bind(str(tmp_path / ".s.PGSQL.5432"))
        one.listen(50)
        yield str(tmp_path)


@pytest.fixture
def _no_collection() -> Iterator[None]:
    gc.disable()
    yield
    gc.enable()


@pytest.mark.usefixtures("_no_collection")
def test_a_connection_that_is_given_up_is_closed(silent_server: str) -> None:
    before = len(list(Path("/proc/self/fd").iterdir()))
    for _ in range(2):
        with pytest.raises(ConnectionTimeout):
            psycopg.connect(host=silent_server, dbname="none", user="nobody", connect_timeout=2)
    assert len(list(Path("/proc/self/fd").iterdir())) == before
