"""Servers for a test run or a benchmark, gone without trace afterwards, whatever ends the run.

A guard process owns them. It stops them and deletes their folder when its standard input closes,
which the system does for a run that is killed.
"""

import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from config.embedded import paths
from config.embedded.paths import StartError
from config.embedded.postgres import PRODUCTION
from config.embedded.servers import Servers

# A cluster that is deleted afterwards need not survive a power cut.
THROWAWAY: Mapping[str, str] = {
    **PRODUCTION,
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "max_wal_size": "1GB",
    "checkpoint_timeout": "1h",
}
PROFILES = {"tests": THROWAWAY, "benchmarks": PRODUCTION}


@contextmanager
def throwaway(profile: str) -> Iterator[dict[str, str]]:
    """Start both servers in a new temporary folder; gives the environment that leads to them.

    `profile` is "tests" (no fsync) or "benchmarks" (as in production). Raises StartError.
    """
    command = [sys.executable, "-m", "tests.throwaway", profile]
    with subprocess.Popen(
        command,
        cwd=paths.PROJECT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,  # Ctrl-C is for the run; the guard outlives it
    ) as guard:
        assert guard.stdout is not None
        words = json.loads(guard.stdout.readline() or '{"error": "The guard of the servers died."}')
        if "error" in words:
            raise StartError(words["error"])
        yield words
    # leaving Popen's block closes the guard's standard input and waits for it to end


def guard(profile: str) -> None:
    """Own the servers until standard input closes."""
    folder = Path(tempfile.mkdtemp(prefix=f"evenmatch-{profile}-"))
    try:
        with Servers(folder, settings=PROFILES[profile]).in_use():
            _say(
                EVENMATCH_DATA_DIR=str(folder),
                DATABASE_URL=paths.database_url(folder),
                REDIS_URL=paths.redis_url(folder),
            )
            sys.stdin.read()
    except StartError as error:
        _say(error=str(error))
    finally:
        for each in (paths.socket_dir(folder), folder):
            shutil.rmtree(each, ignore_errors=True)


def _say(**words: str) -> None:
    sys.stdout.write(json.dumps(words) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    guard(sys.argv[1])
