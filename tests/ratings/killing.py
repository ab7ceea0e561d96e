"""Runs a track again and again in a child of its own, killed each time one database statement later.

python -m tests.ratings.killing TRACK: prints how many children were killed before one came through.
python -m tests.ratings.killing drop: the same for deleting the generations that nobody needs.
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
from ratings.runs import write as writing  # noqa: E402
from ratings.runs.replay import drop_retired  # noqa: E402
from ratings.runs.run import rate_track  # noqa: E402
from tests.ratings.arena import late  # noqa: E402


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


def main(job: Callable[[], object]) -> None:
    """Fork, count down, look how it ended."""
    for steps in count(1):
        pid = os.fork()
        if pid == 0:
            _run(job, Countdown(steps))
            os._exit(0)
        _, status = os.waitpid(pid, 0)
        if not os.WIFSIGNALED(status):
            sys.stdout.write(f"{steps - 1}\n")
            sys.exit(os.waitstatus_to_exitcode(status))


def _run(job: Callable[[], object], countdown: Countdown) -> None:
    connections.close_all()
    wrapper = connection.execute_wrapper(countdown)
    with patch.object(writing, "copy_in", partial(countdown, copy_in)), wrapper, late():
        job()


if __name__ == "__main__":
    main(drop_retired if sys.argv[1] == "drop" else partial(rate_track, int(sys.argv[1])))
