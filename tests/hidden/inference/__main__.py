"""Prints what outsiders can rebuild of hidden ratings: python -m tests.hidden.inference

Starts throw-away servers of its own. Ends with 0 when nobody reaches the bound. `--ranked` does the same on a ranked
ladder, where everything is public: the way to see what the reading is worth. `--before` lets everybody see matches of
normal mode, and hear of them, as it was until they were private (docs/decisions/0022).
"""

import argparse
import logging
import os
import sys
from unittest import mock

import django

from tests.throwaway import throwaway

BOUND = 0.2


def main() -> int:
    """Read the options, start the servers, carry out the study."""
    parser = argparse.ArgumentParser(prog="python -m tests.hidden.inference", description=__doc__)
    parser.add_argument("--players", type=int, default=500, help="in the pool; an even number")
    parser.add_argument("--rounds", type=int, default=20, help="matches of each player")
    parser.add_argument("--seed", type=int, default=1, help="of all random choices")
    parser.add_argument("--ranked", action="store_true", help="on a ranked ladder")
    parser.add_argument("--before", action="store_true", help="as if matches were not private")
    options = parser.parse_args()
    with throwaway("tests") as ours:
        os.environ.update(ours, DJANGO_SETTINGS_MODULE="config.settings.test")
        return _carry_out(options)


def _carry_out(options: argparse.Namespace) -> int:
    """Import what needs Django only now that its servers are there."""
    django.setup()
    from django.core.management import call_command
    from django.test.utils import setup_test_environment

    from ratings.models import Ladder, Match, Mode
    from tests.hidden.inference.pool import make_pool
    from tests.hidden.inference.study import study

    setup_test_environment()
    logging.disable(logging.ERROR)
    call_command("migrate", verbosity=0)
    mode = Mode.RANKED if options.ranked else Mode.NORMAL
    if options.before:  # the two places that decide
        hear = property(lambda ladder: [f"ladder:{ladder.pk}", "site"])
        mock.patch.object(Ladder, "topics", hear).start()
        matches = type(Match.objects.all())
        mock.patch.object(matches, "visible_to", lambda found, **_who: found).start()
    pool = make_pool(mode, players=options.players, rounds=options.rounds, seed=options.seed)
    reached, heard = study(pool)
    for one in reached:
        clue = f"   {one.clues} clues, {one.clue}" if one.clues else ""
        sys.stdout.write(f"{one.outsider:24}{one.way:22}{one.correlation:.3f}{clue}\n")
    for name, told in heard.items():
        sys.stdout.write(f"{name:24}{'heard of matches':22}{len(told)}\n")
    return int(any(one.correlation >= BOUND for one in reached))


if __name__ == "__main__":
    sys.exit(main())
