"""Runs a track again and again in a child of its own, killed each time one database statement later.

python -m tests.ratings.killing TRACK: prints how many children were killed before one came through.
"""

import os
import signal
import sys
from collections.abc import Callable
from functools import partial
from itertools import count
from typing import Any
from unittest.mock import patch

import django

django.setup()

from django.db import connection, connections  # noqa: E402

from foundation.bulk import copy_in  # noqa: E402
from ratings.running import writing  # noqa: E402
from ratings.runs import rate_track  # noqa: E402


class Countdown:
    """Kills this process just after its nth statement, COPY included."""

    def __init__(self, steps: int) -> None:
        self.left = steps

    def __call__(self, execute: Callable[..., Any], *arguments: Any) -> Any:
        result = execute(*arguments)
        self.left -= 1
        if self.left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return result


def main(track_id: int) -> None:
    """Fork, count down, look how it ended."""
    for steps in count(1):
        pid = os.fork()
        if pid == 0:
            _run(track_id, Countdown(steps))
            os._exit(0)
        _, status = os.waitpid(pid, 0)
        if not os.WIFSIGNALED(status):
            sys.stdout.write(f"{steps - 1}\n")
            sys.exit(os.waitstatus_to_exitcode(status))


def _run(track_id: int, countdown: Countdown) -> None:
    connections.close_all()
    wrapper = connection.execute_wrapper(countdown)
    with patch.object(writing, "copy_in", partial(countdown, copy_in)), wrapper:
        rate_track(track_id)


if __name__ == "__main__":
    main(int(sys.argv[1]))
