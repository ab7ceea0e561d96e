"""The long form: python -m tests.matchmaking.machine --runs 2000 --steps 50 --seed 1

Starts throw-away servers of its own. Ends with 0 when every promise was kept; else what broke is printed, and with
`--shrink` the shortest way there that is found in some minutes. `--without NAME` takes one defence away, and ends with
0 when that was noticed.
"""

import argparse
import logging
import os
import sys
import time
import traceback

import django
import structlog

from tests.throwaway import throwaway

_DEFENCES = ("look", "parties")


def main() -> int:
    """Read the options, start the servers, let the machine run."""
    parser = argparse.ArgumentParser(prog="python -m tests.matchmaking.machine")
    parser.add_argument("--runs", type=int, default=2000, help="how many; default: 2000")
    parser.add_argument("--steps", type=int, default=50, help="in each at most; default: 50")
    parser.add_argument("--seed", type=int, default=1, help="of all random choices")
    parser.add_argument("--without", choices=_DEFENCES, help="do without one defence")
    parser.add_argument("--shrink", action="store_true", help="look for the shortest way there")
    options = parser.parse_args()
    with throwaway("tests") as ours:
        os.environ.update(ours, DJANGO_SETTINGS_MODULE="config.settings.test")
        return _attempt(options)


def _attempt(options: argparse.Namespace) -> int:
    """Import what needs Django only now that its servers are there."""
    django.setup()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    is_broken = _runs_into_trouble(options)
    return int(is_broken != bool(options.without))


def _runs_into_trouble(options: argparse.Namespace) -> bool:
    """Whether a promise was broken; tells what was done and found."""
    from contextlib import nullcontext

    from tests.matchmaking.machine.play import BrokenPromiseError, Machine, run
    from tests.matchmaking.machine.without import DEFENCES

    began, found = time.monotonic(), ""
    try:
        with DEFENCES[options.without]() if options.without else nullcontext():
            run(
                runs=options.runs,
                steps=options.steps,
                number=options.seed,
                shrinks=options.shrink,
                told=_tell,
            )
    except BrokenPromiseError as error:
        found = "".join(traceback.format_exception_only(error))
    words = f"{Machine.runs} runs, {Machine.steps} steps, {time.monotonic() - began:.0f} s"
    sys.stdout.write(f"{found}{words}: {'a promise is broken' if found else 'nothing broken'}\n")
    for what, number in sorted(Machine.counts.items()):
        sys.stdout.write(f"  {what}: {number}\n")
    return bool(found)


def _tell(runs: int) -> None:
    sys.stderr.write(f"\r{runs} runs")
    sys.stderr.flush()


if __name__ == "__main__":
    sys.exit(main())
