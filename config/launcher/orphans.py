"""Processes that nobody looks after: those of a launcher that was killed, and children of children that died."""

import ctypes
import os
import signal
import sys
from collections.abc import Collection
from contextlib import suppress
from pathlib import Path

from config.embedded.processes import alive, running, wait_until

__all__ = ["MARK", "adopt", "collect", "end_left_behind"]

# In the environment of what `bin/run` starts, and of nothing else that works for the data folder.
MARK = "EVENMATCH_STARTED_BY_RUN_ON"
_PR_SET_CHILD_SUBREAPER = 36  # prctl(2)
_ENDS_WITHIN = 10.0  # seconds


def adopt() -> None:
    """Become the parent of whatever our processes leave behind: in a container there may be nobody else to."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1)


def collect(known: Collection[int]) -> None:
    """Collect children that have ended; the known ones are left to whoever waits for them."""
    with suppress(ChildProcessError):
        while ended := os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT):
            if ended.si_pid in known:
                return  # it is collected in a moment, then we see the others
            os.waitpid(ended.si_pid, os.WNOHANG)


def end_left_behind(data: Path) -> int:
    """End what an earlier `bin/run` on this folder has left running, servers apart; returns how many there were."""
    mark, left = os.fsencode(f"{MARK}={data.resolve()}"), []
    for pid in running():
        with suppress(OSError):  # somebody else's, or just ended
            if mark in Path(f"/proc/{pid}/environ").read_bytes().split(b"\0") and alive(pid):
                left.append(pid)
    for pid in left:
        with suppress(ProcessLookupError, PermissionError):
            os.kill(pid, signal.SIGKILL)
    wait_until(lambda: not any(alive(pid) for pid in left), seconds=_ENDS_WITHIN)
    return len(left)
