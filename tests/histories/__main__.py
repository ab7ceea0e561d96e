"""The long form: python -m tests.histories --histories 100 --kills 100 --seed 1

Starts throw-away servers of its own, prints a table by operation, and ends with 0 when nothing was wrong.
"""

import argparse
import logging
import os
import sys
import time

import django
import structlog

from tests.throwaway import throwaway


def main() -> int:
    """Read the options, start the servers, carry out the trial."""
    parser = argparse.ArgumentParser(prog="python -m tests.histories")
    parser.add_argument("--histories", type=int, default=100, help="how many; default: 100")
    parser.add_argument("--kills", type=int, default=100, help="how many; default: 100")
    parser.add_argument("--seed", type=int, default=1, help="of all random choices")
    options = parser.parse_args()
    with throwaway("tests") as ours:
        os.environ.update(ours, DJANGO_SETTINGS_MODULE="config.settings.test")
        return _attempt(options)


def _attempt(options: argparse.Namespace) -> int:
    """Import what needs Django only now that its servers are there."""
    django.setup()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    from django.core.management import call_command

    from tests.histories.telling import tell
    from tests.histories.trial import attempt
    from tests.lasting import lift_limits_of_all_sessions

    lift_limits_of_all_sessions()
    call_command("migrate", verbosity=0)
    began = time.monotonic()
    report = attempt(
        histories=options.histories, kills=options.kills, seed=options.seed, told=_tell
    )
    sys.stderr.write("\n")
    words = [*tell(report), f"{time.monotonic() - began:.0f} s, seed {options.seed}."]
    sys.stdout.write("\n".join(words) + "\n")
    return int(bool(report.wrong))


def _tell(words: str) -> None:
    sys.stderr.write(f"\r{words}      ")
    sys.stderr.flush()


if __name__ == "__main__":
    sys.exit(main())
