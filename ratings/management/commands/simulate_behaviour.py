"""`manage.py simulate_behaviour`: how well what players do in the game foretells how strong they are."""

import argparse
import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _
from rich.table import Table

from ratings.evaluation import FileError, read_games
from ratings.evaluation.behaviour import Foretold, foretell_by_points, simulate_behaviour
from ratings.management.judgement_tables import console_on
from ratings.systems import create
from ratings.systems.behaviour import GUESSES, KINDS

__all__ = ["Command"]

_LEAST_GAMES, _PERIOD_DAYS = 10, 7.0
_WIDTH = 110


class Command(BaseCommand):
    """See `help`."""

    help = (
        "Play a league of players whose strength is known, learn their ratings from what they do in the game, and "
        "estimate players who are new, by 1, 3 and 10 matches: shows the error (root of the mean squared one, in "
        "rating points) beside that of the start value. With FILE, foretell ratings by the points of a file of games "
        "instead, such as kills, by cross-validation. Stores nothing, and needs no database."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument(
            "file",
            nargs="?",
            metavar="FILE",
            help="CSV with date,player_a,player_b,score_a and points, such as kills_a,kills_b",
        )
        parser.add_argument("--players", type=int, default=600, help="in the league (default 600)")
        parser.add_argument("--newcomers", type=int, default=300, help="(default 300)")
        parser.add_argument("--seeds", type=int, default=3, help="how many leagues (default 3)")
        parser.add_argument("--first-seed", type=int, default=1, metavar="N")
        parser.add_argument(
            "--noise", type=float, default=1.0, help="of luck and style; 0: none (default 1)"
        )
        parser.add_argument(
            "--least-games",
            type=int,
            default=_LEAST_GAMES,
            metavar="N",
            help=f"of FILE: learn from players with so many games (default {_LEAST_GAMES})",
        )
        parser.add_argument("--json", action="store_true", help="one JSON object a league")

    def handle(self, *args: Any, **options: Any) -> None:
        table = Table(title=_("Errors in rating points"))
        columns = ["matches", "players", "chosen", "new: start", "new: estimate", "share"]
        for name in (*columns[:2], *GUESSES, *KINDS, *columns[2:]):
            table.add_column(name, justify="right")
        if options["file"] is not None:
            self._show(table, self._of_file(options), options)
        else:
            for seed in range(options["first_seed"], options["first_seed"] + options["seeds"]):
                league = simulate_behaviour(
                    players=options["players"],
                    newcomers=options["newcomers"],
                    seed=seed,
                    noise=options["noise"],
                )
                self._show(table, league.foretold, options)
        if not options["json"]:
            console = console_on(self.stdout)
            console.width = max(console.width, _WIDTH)
            console.print(table)

    def _of_file(self, options: dict[str, Any]) -> list[Foretold]:
        name = options["file"]
        try:
            with Path(name).open(encoding="utf-8", newline="") as lines:
                played = read_games(lines)
            return foretell_by_points(
                played,
                create("glicko"),
                period_days=_PERIOD_DAYS,
                least_games=options["least_games"],
            )
        except FileError as error:
            text = _(error.template) % error.words if error.words else _(error.template)
            raise CommandError(f"{name}, {error.line}: {text}") from error
        except (OSError, ValueError) as error:
            raise CommandError(f"{name}: {error}") from error

    def _show(self, table: Table, found: list[Foretold], options: dict[str, Any]) -> None:
        for one in found:
            if options["json"]:
                self.stdout.write(json.dumps(asdict(one)))
                continue
            judged = one.judgement
            share = one.estimate / one.start if one.estimate and one.start else None
            table.add_row(
                str(one.matches),
                str(judged.players),
                *(_points(judged.errors.get(name)) for name in (*GUESSES, *KINDS)),
                judged.chosen or "–",
                _points(one.start),
                _points(one.estimate),
                "–" if share is None else f"{share:.0%}",
            )


def _points(error: float | None) -> str:
    return "–" if error is None else f"{error:.1f}"
