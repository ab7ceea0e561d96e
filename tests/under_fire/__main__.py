"""Lets players play under fire and prints what came of it: python -m tests.under_fire --kills 1000 --stops 50 --seed 1

Starts throw-away servers of its own. Ends with 0 when every check counts nothing. `--without` does the same without
the defences, and must go wrong, for a harness that cannot fail proves nothing.
"""

import argparse
import os
import sys

import django

from tests.throwaway import throwaway


def main() -> int:
    """Read the options, start the servers, carry out the trial."""
    parser = argparse.ArgumentParser(prog="python -m tests.under_fire", description=__doc__)
    parser.add_argument("--kills", type=int, default=1000, help="how many SIGKILLs")
    parser.add_argument("--stops", type=int, default=50, help="how many SIGSTOPs of 10 s")
    parser.add_argument("--seed", type=int, default=1, help="of all random choices")
    parser.add_argument("--without", action="store_true", help="without the defences")
    options = parser.parse_args()
    with throwaway("tests") as ours:
        os.environ.update(ours, DJANGO_SETTINGS_MODULE="config.settings.test")
        return _attempt(options)


def _attempt(options: argparse.Namespace) -> int:
    """Import what needs Django only now that its servers are there."""
    django.setup()
    from tests.killing.database import migrated_template
    from tests.under_fire.telling import tell
    from tests.under_fire.trial import Plan, attempt

    plan = Plan(options.kills, options.stops, options.seed, without=options.without)
    with migrated_template() as template:
        report = attempt(template, plan, on_kill=lambda number: _count(number, plan.kills))
    sys.stdout.write("\n".join(tell(report)) + "\n")
    return int(bool(report.wrong) != options.without)


def _count(number: int, kills: int) -> None:
    sys.stderr.write(f"\r{number} of {kills}" + ("\n" if number == kills else ""))
    sys.stderr.flush()


if __name__ == "__main__":
    sys.exit(main())
