"""`manage.py demo_season`: the season of the demo league so far."""

import argparse
import time
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from demo.arena.history import arena_is_made, make_arena
from demo.arena.setting import ARENA
from demo.league import GAME
from demo.season.season import SeasonError, is_made, make_season
from ratings.management.whole_numbers import whole_number
from ratings.models import Game


class Command(BaseCommand):
    """See `help`."""

    help = (
        "Make a league of simulated players with a season behind them, and a shooter with servers, each in a game of "
        "its own. Does nothing where they are there already."
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
            # A demo of a release before has none yet.
            if arena_is_made():
                self.stdout.write(_("The demo season already exists; nothing was changed."))
            else:
                self._make_arena(options["seed"])
            return
        others = Game.objects.exclude(slug__in=[GAME, ARENA])
        if not options["beside"] and (other := others.first()):
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
        if not arena_is_made():
            self._make_arena(options["seed"])

    def _make_arena(self, seed: int) -> None:
        began = time.monotonic()
        told = make_arena(seed=seed)
        text = _("The demo shooter is ready: %(events)d events, %(seconds).1f s.")
        self.stdout.write(text % {"events": told, "seconds": time.monotonic() - began})
