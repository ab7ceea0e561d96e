"""Real processes that work on the database of the test."""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO
from urllib.parse import urlsplit, urlunsplit

from django.db import connection

PROJECT = Path(__file__).resolve().parents[2]
PREAMBLE = """
import sys
import django
django.setup()
from django.db import connection
from leaderboards.boards import refresh as standings
track = int(sys.argv[1])
connection.ensure_connection()
print("ready", flush=True)
"""


@contextmanager
def running(
    code: str, track_id: int, *, preamble: str = PREAMBLE
) -> Iterator[subprocess.Popen[str]]:
    """Run code with `standings` and `track` at hand, or what another preamble gives it; killed after the block.

    When the block begins, the process is connected to the database. Its log goes to a file: nobody
    reads along, and a process whose pipe is full would wait for ever.
    """
    with tempfile.TemporaryFile("w+") as words:
        process = _start(preamble + code, track_id, words)
        try:
            assert process.stdout is not None
            while (line := process.stdout.readline()) != "ready\n":
                assert line, _all_of(words)
            yield process
        finally:
            process.kill()
            process.communicate()


def _start(code: str, track_id: int, words: IO[str]) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-W", "ignore", "-c", code, str(track_id)],
        cwd=PROJECT,
        env={**os.environ, "DATABASE_URL": _database_url()},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=words,
        text=True,
    )


def _all_of(words: IO[str]) -> str:
    words.seek(0)
    return words.read()


def wait_until(is_so: Callable[[], bool]) -> None:
    """Wait for what other processes do; gives up, so that a test does not hang when they have died."""
    for _ in range(12_000):
        if is_so():
            return
        time.sleep(0.01)
    raise AssertionError("the other processes did not get there")


def _database_url() -> str:
    """The address of the servers of this run, with the test's own database."""
    address = urlsplit(os.environ["DATABASE_URL"])
    return urlunsplit(address._replace(path=f"/{connection.settings_dict['NAME']}"))
