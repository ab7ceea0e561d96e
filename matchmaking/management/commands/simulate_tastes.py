"""`manage.py simulate_tastes`: how often players enjoy whom they meet, by what is made of feedback, simulated."""

import argparse
from typing import Any

from django.core.management.base import BaseCommand
from rich.table import Table

from matchmaking.pairing.conditions.taste import TasteSection
from matchmaking.preview.simulation.tastes import KINDS, WAYS, play_league
from ratings.management.judgement_tables import console_on

__all__ = ["Command"]

_WIDTH = 110


class Command(BaseCommand):
    """See `help`."""

    help = (
        "Simulate leagues whose players have hidden tastes, once without heeding feedback, once by the graph of likes "
        "and once by what is learned. Shows how many enjoy whom they meet, newcomers apart, the gap in rating points, "
        "and how well the graph and what was learned foretell words that were held out (AUC)."
    )

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument(
            "--kinds", nargs="*", choices=[*KINDS], default=[*KINDS], metavar="KIND"
        )
        parser.add_argument("--players", type=int, default=300, help="in a league")
        parser.add_argument("--words", type=int, default=20_000, help="of feedback until it ends")
        parser.add_argument(
            "--worth",
            type=float,
            default=TasteSection().seconds,
            help="seconds, as in the queue's settings",
        )
        parser.add_argument("--seed", type=int, default=1)

    def handle(self, *args: Any, **options: Any) -> None:
        table = Table(title=f"{options['players']} players, {options['words']} words of feedback")
        for column in (
            "tastes",
            "heeded",
            "enjoyed",
            "newcomers",
            "gap",
            "AUC graph",
            "learned",
            "better by",
            "used",
        ):
            table.add_column(column, justify="left" if column in ("tastes", "heeded") else "right")
        for kind in options["kinds"]:
            for way in WAYS:
                found = play_league(
                    kind,
                    way,
                    players=options["players"],
                    words=options["words"],
                    worth=options["worth"],
                    seed=options["seed"],
                )
                judged = found.judgement
                figures = (judged.graph, judged.learned, judged.gain_at_least)
                table.add_row(
                    kind,
                    way,
                    f"{found.liked:.1%}",
                    f"{found.newcomers:.1%}",
                    f"{found.gap:.0f}",
                    *("–" if one is None else f"{one:.3f}" for one in figures),
                    "yes" if judged.is_better else "no",
                )
        console = console_on(self.stdout)
        console.width = max(console.width, _WIDTH)
        console.print(table)
