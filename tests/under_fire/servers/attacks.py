"""What is done to the servers of a site. Each attack ends when the server is back."""

import os
import signal
import time
from collections.abc import Callable, Mapping
from pathlib import Path

import redis

from config.embedded import paths
from config.embedded.postgres import PRODUCTION, Postgres
from config.embedded.processes import wait_until
from config.embedded.valkey import Valkey

__all__ = ["ATTACKS"]

STOP_SECONDS = 10.0
_BACK_WITHIN = 60.0


def _do_nothing(_data: Path) -> None:
    """How soon the signs of play come when nobody is hurt."""


def _kill_valkey(data: Path) -> None:
    _end(Valkey(data), signal.SIGKILL)


def _empty_valkey(data: Path) -> None:
    with redis.Redis.from_url(paths.redis_url(data)) as client:
        client.flushall()


def _stop_valkey(data: Path) -> None:
    pid = Valkey(data).pid()
    if pid is None:
        raise RuntimeError("Valkey does not run")
    os.kill(pid, signal.SIGSTOP)
    try:
        time.sleep(STOP_SECONDS)
    finally:
        os.kill(pid, signal.SIGCONT)


def _restart_postgres(data: Path) -> None:
    """SIGQUIT is what `pg_ctl stop -m immediate` sends; the launcher starts the server again."""
    _end(Postgres(data, PRODUCTION), signal.SIGQUIT)


def _end(server: Valkey | Postgres, kind: signal.Signals) -> None:
    """End the server's process and wait for the next one. Raises RuntimeError when none comes."""
    before = server.pid()
    if before is None:
        raise RuntimeError(f"{type(server).__name__} does not run")
    os.kill(before, kind)
    is_back = wait_until(
        lambda: server.pid() not in (None, before) and server.answers(),
        seconds=_BACK_WITHIN,
        every=0.02,
    )
    if not is_back:
        raise RuntimeError(f"{type(server).__name__} was not started again")


ATTACKS: Mapping[str, Callable[[Path], None]] = {
    "Nothing": _do_nothing,
    "Valkey killed": _kill_valkey,
    "Valkey emptied": _empty_valkey,
    "Valkey stopped for 10 s": _stop_valkey,
    "PostgreSQL restarted with -m immediate": _restart_postgres,
}
