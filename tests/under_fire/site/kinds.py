"""The processes of a running site, by what they are."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress

import psutil

from config.embedded.postgres import PRODUCTION, Postgres
from config.embedded.valkey import Valkey
from tests.house.site import Site

__all__ = ["KINDS", "LAUNCHER", "alive"]

LAUNCHER = "bin/run itself"


def _postgres(site: Site) -> list[int]:
    pid = Postgres(site.data, PRODUCTION).pid()
    return [pid] if pid else []


def _valkey(site: Site) -> list[int]:
    pid = Valkey(site.data).pid()
    return [pid] if pid else []


def _launcher(site: Site) -> list[int]:
    return [site.process.pid]


def _mains(*words: str) -> Callable[[Site], list[int]]:
    """Those of the processes that `bin/run` itself has started whose command line holds these words."""

    def find(site: Site) -> list[int]:
        return [child.pid for child in _children(site.process.pid) if _says(child, words)]

    return find


def _pool_of(find: Callable[[Site], list[int]]) -> Callable[[Site], list[int]]:
    """The processes that those have started in their turn, and that do the work."""

    def find_theirs(site: Site) -> list[int]:
        return [child.pid for main in find(site) for child in _children(main)]

    return find_theirs


_web, _ratings, _matchmaking = _mains("gunicorn"), _mains("ratings"), _mains("matchmaking")
KINDS: Mapping[str, Callable[[Site], Sequence[int]]] = {
    "PostgreSQL": _postgres,
    "Valkey": _valkey,
    "Web, main": _web,
    "Web, a process": _pool_of(_web),
    "Worker for ratings, main": _ratings,
    "Worker for ratings, a process": _pool_of(_ratings),
    "Worker for matchmaking, main": _matchmaking,
    "Worker for matchmaking, a process": _pool_of(_matchmaking),
    "Beat": _mains("beat"),
    "Simulated players": _mains("demo_play"),
    LAUNCHER: _launcher,
}


def alive(pids: Sequence[int]) -> list[int]:
    """Those of them that still run."""
    running = []
    for pid in pids:
        with suppress(psutil.NoSuchProcess):
            if psutil.Process(pid).status() != psutil.STATUS_ZOMBIE:
                running.append(pid)
    return running


def _children(pid: int) -> list[psutil.Process]:
    try:
        found: list[psutil.Process] = psutil.Process(pid).children()
    except psutil.NoSuchProcess:
        return []
    return found


def _says(process: psutil.Process, words: Sequence[str]) -> bool:
    """Whether these are words of its command line. One just forked bears its parent's, which has none of them."""
    try:
        return set(words) <= set(process.cmdline())
    except psutil.NoSuchProcess:
        return False
