"""Jobs that are killed just after their nth statement, COPY included: what a process does to forks of its own."""

import os
import signal
import traceback
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from itertools import count
from types import ModuleType
from typing import Any
from unittest.mock import patch

from django.db import connection, connections

from foundation.postgresql.bulk import copy_in, copy_lines
from matchmaking.sweep import write as sweep_writing
from ratings.runs import write as run_writing
from tests.forms import is_full

__all__ = ["kill_after", "kill_after_each", "steps_to_kill_after"]

_COPIES: tuple[tuple[ModuleType, Callable[..., None]], ...] = (
    (run_writing, copy_in),
    (sweep_writing, copy_in),
    (sweep_writing, copy_lines),
)


def kill_after_each(job: Callable[[], object]) -> int:
    """Do a job again and again, killed later each time; after how many statements one was killed last."""
    for steps in steps_to_kill_after():
        status = kill_after(steps, job)
        if status != -signal.SIGKILL:
            assert status == 0, f"it ended with {status}"
            return steps - 1
    raise AssertionError


def steps_to_kill_after() -> Iterator[int]:
    """After how many statements to kill: each number in turn, or every third from the second on in an everyday run."""
    return count(1) if is_full() else count(2, 3)


def kill_after(steps: int, job: Callable[[], object]) -> int:
    """Fork, and do a job there that is killed just after so many statements; the exit status, or minus the signal."""
    connections.close_all()
    pid = os.fork()
    if pid == 0:
        _do_until(steps, job)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def _do_until(steps: int, job: Callable[[], object]) -> None:
    """Ends the process."""
    left = steps

    def counting(execute: Callable[..., Any], *arguments: Any) -> Any:
        nonlocal left
        result = execute(*arguments)
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return result

    try:
        with ExitStack() as counted, connection.execute_wrapper(counting):
            for module, copy in _COPIES:
                name = copy.__name__
                counted.enter_context(patch.object(module, name, partial(counting, copy)))
            job()
    except BaseException:
        traceback.print_exc()
        os._exit(1)
    os._exit(0)
