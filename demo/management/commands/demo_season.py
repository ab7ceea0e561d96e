"""`manage.py demo_season`: the season of the demo league so far."""

import argparse
import time
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from demo.league import GAME
from demo.season.season import SeasonError, is_made, make_season
from ratings.management.whole_numbers import whole_number
from ratings.models import Game


class Command(BaseCommand):
    """See `help`."""

    help = (
        "Make a league of simulated players with a season behind them, in a game of its own. "
        "Does nothing where it is there already."
    )

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--players", type=int, default=300, help="how many; default: 300")
        parser.add_argument("--matches", type=int, default=10_000, help="rated; default: 10000")
        parser.add_argument("--days", type=float, default=42.0, help="until now; default: 42")
        parser.add_argument(
            "--seed",
            type=whole_number("--seed", 0, 2**63 - 1),
            default=1,
            metavar="N",
            help="another number, another season; default: 1",
        )
        parser.add_argument(
            "--beside", action="store_true", help="also where other games are kept already"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if is_made():
            self.stdout.write(_("The demo season already exists; nothing was changed."))
            return
        if not options["beside"] and (other := Game.objects.exclude(slug=GAME).first()):
            text = _("This database already holds a game (%s). Use another, or add --beside.")
            raise CommandError(text % other.slug)
        began = time.monotonic()
        chosen = {name: options[name] for name in ("players", "matches", "days", "seed")}
        try:
            made = make_season(**chosen)
        except SeasonError as error:
            raise CommandError(str(error)) from error
        text = _(
            "The demo season is ready: %(players)d players, %(matches)d matches, %(seconds).1f s."
        )
        values = {
            "players": made.players,
            "matches": made.matches,
            "seconds": time.monotonic() - began,
        }
        self.stdout.write(text % values)
