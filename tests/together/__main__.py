"""The long form: python -m tests.together --histories 1000 --kills 500 --seed 1

Starts throw-away servers of its own, prints what there was and a table of the kills, and ends with 0 when every promise
was kept. `--without NAME` takes one defence away, and ends with 0 when that was noticed.
"""

import argparse
import logging
import os
import sys
import time
import traceback
from contextlib import nullcontext

import django
import structlog

from tests.throwaway import throwaway

_DEFENCES = ("players", "places", "reports", "conduct")


def main() -> int:
    """Read the options, start the servers, carry it out."""
    parser = argparse.ArgumentParser(prog="python -m tests.together")
    parser.add_argument("--histories", type=int, default=100, help="how many; default: 100")
    parser.add_argument("--steps", type=int, default=30, help="in each at most; default: 30")
    parser.add_argument("--kills", type=int, default=50, help="how many; default: 50")
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

    from tests.together.killed import kill_many
    from tests.together.telling import tell
    from tests.together.without import DEFENCES

    call_command("migrate", verbosity=0)
    began = time.monotonic()
    with DEFENCES[options.without]() if options.without else nullcontext():
        found = _histories(options)
    kills = kill_many(kills=options.kills, seed=options.seed, told=_tell)
    sys.stderr.write("\n")
    words = [*tell(kills), f"{time.monotonic() - began:.0f} s, seed {options.seed}."]
    sys.stdout.write("\n".join(words) + "\n")
    return int(bool(found or kills.wrong) != bool(options.without))


def _histories(options: argparse.Namespace) -> str:
    """What was found broken; tells what was done."""
    from tests.emptying import empty_tables
    from tests.matchmaking.machine.play import BrokenPromiseError, Playing, run
    from tests.together.machine import Together
    from tests.together.promises import QUESTIONS
    from tests.together.world import make_gathering

    found = ""
    if options.histories:
        try:
            run(
                Together,
                make_gathering,
                QUESTIONS,
                runs=options.histories,
                steps=options.steps,
                number=options.seed,
                shrinks=options.shrink,
                told=lambda runs: _tell(f"{runs} histories"),
            )
        except BrokenPromiseError as error:
            found = "".join(traceback.format_exception_only(error))
        empty_tables()
    is_so = "a promise is broken" if found else "nothing broken"
    sys.stdout.write(f"{found}{Playing.runs} histories, {Playing.steps} steps: {is_so}\n")
    for what, number in sorted(Playing.counts.items()):
        sys.stdout.write(f"  {what}: {number}\n")
    return found


def _tell(words: str) -> None:
    sys.stderr.write(f"\r{words}      ")
    sys.stderr.flush()


if __name__ == "__main__":
    sys.exit(main())
