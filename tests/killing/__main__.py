"""Kills rating runs and prints what came of it: python -m tests.killing --kills 100 --seed 1

Starts throw-away servers of its own. Ends with 0 when nothing was rated twice or never. `--without lock claim` does
the same without each of these defences in turn, `--without lock+claim` without both, `--without all` without any;
the last must go wrong, for a harness that cannot fail proves nothing.
"""

import argparse
import os
import sys
from collections.abc import Callable

import django

from tests.throwaway import throwaway


def main() -> int:
    """Read the options, start the servers, carry out the trial."""
    options = _options()
    with throwaway("tests") as ours:
        os.environ.update(ours, DJANGO_SETTINGS_MODULE="config.settings.test")
        return _attempt(options)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.killing", description=__doc__)
    parser.add_argument("--kills", type=int, default=100, help="how many workers to kill or stop")
    parser.add_argument("--seed", type=int, default=1, help="of all random choices")
    parser.add_argument(
        "--without", nargs="+", default=[""], metavar="DEFENCE", help="defences to do without"
    )
    return parser.parse_args()


def _attempt(options: argparse.Namespace) -> int:
    """Import what needs Django only now that its servers are there."""
    django.setup()
    from tests.killing.database import migrated_template
    from tests.killing.defences import Defence
    from tests.killing.telling import tell
    from tests.killing.trial import Plan, attempt

    failed = False
    with migrated_template() as template:
        for words in options.without:
            names = [it.value for it in Defence] if words == "all" else words.split("+")
            without = frozenset(Defence(name) for name in names if name)
            quiet = 20.0 if without else 300.0
            plan = Plan(kills=options.kills, seed=options.seed, without=without, quiet=quiet)
            report = attempt(template, plan, on_kill=_counter(options.kills))
            sys.stdout.write("\n".join(tell(report)) + "\n\n")
            sys.stdout.flush()
            failed |= bool(report.wrong) if not without else words == "all" and not report.wrong
    return int(failed)


def _counter(kills: int) -> Callable[[int], None]:
    def count(number: int) -> None:
        sys.stderr.write(f"\r{number} of {kills}" + ("\n" if number == kills else ""))
        sys.stderr.flush()

    return count


if __name__ == "__main__":
    sys.exit(main())
