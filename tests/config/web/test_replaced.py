"""Web processes are replaced after so many requests, while others come: each of these is answered."""

import socket
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from config.web.worker import NamedListener
from tests.config.web.serving import running

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_listener_that_is_closed_still_has_its_name() -> None:
    """gunicorn asks for it when it begins with a connection that was taken before."""
    listener = socket.create_server(("127.0.0.1", 0))
    known, name = NamedListener(listener), listener.getsockname()
    assert known.fileno() == listener.fileno()
    listener.close()
    with pytest.raises(OSError, match="Bad file descriptor"):
        listener.getsockname()
    assert known.getsockname() == name


@pytest.mark.full
def test_no_connection_is_dropped_when_processes_are_replaced(tmp_path: Path) -> None:
    limit = "--max-requests 40 --max-requests-jitter 0"
    with (
        running(tmp_path, EVENMATCH_WEB_PROCESSES="2", GUNICORN_CMD_ARGS=limit) as web,
        ThreadPoolExecutor(8) as pool,
    ):
        answers = pool.map(lambda _: web.get("/health/live").status_code, range(200))
        assert Counter(answers) == {200: 200}
    assert web.log().count("Autorestarting") >= 1
    assert "Socket error" not in web.log()
