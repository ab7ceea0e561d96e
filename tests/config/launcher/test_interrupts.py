"""No signal that should end `bin/run` is lost."""

import subprocess
import sys

from config.embedded.paths import PROJECT

WITHIN_A_FINALIZER = """
import os, signal
from config.launcher import interrupts
class Careless:
    def __del__(self):
        os.kill(os.getpid(), signal.SIGTERM)
        print("not reached", flush=True)
interrupts.take()
interrupts.check()
Careless()
print("forgotten", flush=True)
interrupts.check()
"""

AGAIN_OR_FOR_GOOD = """
import os, signal
from config.launcher import interrupts
interrupts.take()
for kind in (signal.SIGUSR1, signal.SIGUSR1, signal.SIGTERM, signal.SIGUSR1):
    try:
        os.kill(os.getpid(), kind)
    except KeyboardInterrupt:
        print("stops")
    print(interrupts.restart_is_wanted())
"""


def test_whoever_stops_it_while_it_is_about_to_begin_anew_is_obeyed() -> None:
    done = subprocess.run(
        [sys.executable, "-c", AGAIN_OR_FOR_GOOD],
        cwd=PROJECT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == ["stops", "True", "True", "False", "False"]


def test_one_that_comes_within_a_finalizer_is_raised_again() -> None:
    done = subprocess.run(
        [sys.executable, "-c", WITHIN_A_FINALIZER],
        cwd=PROJECT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout == "forgotten\n"
    assert done.stderr.splitlines()[-1] == "KeyboardInterrupt"
