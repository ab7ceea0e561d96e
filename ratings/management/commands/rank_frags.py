"""`manage.py rank_frags`: rank players by their frags of each other, without a database."""

import argparse
import json
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from ratings.importing.frag_log import count_frags, read_counts, read_log
from ratings.management.frag_files import frag_file, print_rows
from ratings.systems.static_ranking import SUICIDES, Ranking, rank, thin_to_core

__all__ = ["Command"]


class Command(BaseCommand):
    """See `help`."""

    help = (
        "Rank players from one table of who fragged whom how often, by least squares; the order of games plays no "
        "part. The file is a frag log (as of rate_frags), or CSV with the columns killer, victim, frags. "
        "Nothing is stored."
    )
    requires_system_checks = []

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("file", help="the log, or a file that ends in .csv; - reads a log")
        parser.add_argument(
            "--shortcut",
            action="store_true",
            help="drop pairs that never met instead, for comparison",
        )
        parser.add_argument(
            "--weigh", action="store_true", help="let a pair count as much as it has frags"
        )
        parser.add_argument(
            "--suicides",
            choices=SUICIDES,
            default=SUICIDES[0],
            help="leave them out, subtract their share, or share them among the opponents",
        )
        parser.add_argument(
            "--core",
            type=_whole,
            metavar="FRAGS",
            help="only players of whom every two have at least this many frags between them",
        )
        parser.add_argument("--json", action="store_true", help="one JSON object")

    def handle(self, *args: Any, **options: Any) -> None:
        is_table = options["file"].lower().endswith(".csv")
        with frag_file(options["file"]) as source:
            counts = read_counts(source) if is_table else count_frags(read_log(source))
        try:
            names, matrix = counts.matrix()
        except ValueError as error:
            raise CommandError(str(error)) from error
        everybody = len(names)
        if options["core"] is not None:
            core = thin_to_core(matrix, frags=options["core"])
            if not len(core):
                text = _("No two players have %s frags between them.")
                raise CommandError(text % f"{options['core']:,}")
            names, matrix = [names[one] for one in core.tolist()], matrix.take(core)
        ranking = rank(
            matrix,
            weigh_by_frags=options["weigh"],
            suicides=options["suicides"],
            use_shortcut=options["shortcut"],
        )
        record = {
            "players": _rows(names, ranking),
            "misfit": ranking.misfit,
            "left_out": counts.left_out,
            "outside_core": everybody - len(names),
        }
        if options["json"]:
            self.stdout.write(json.dumps(record))
        else:
            self._show(record)

    def _show(self, record: dict[str, Any]) -> None:
        titles = (
            "#",
            _("Player"),
            _("Strength"),
            _("Opponents"),
            _("Frags"),
            _("Deaths"),
            _("Suicides"),
            _("Group"),
        )
        rows = []
        for row in record["players"]:
            columns = ("opponents", "frags", "deaths", "suicides", "group")
            figures = (f"{row[column]:,}" for column in columns)
            rows.append((f"{row['place']:,}", row["name"], f"{row['value']:+.3f}", *figures))
        print_rows(self.stdout, titles, rows, names=1)
        say = self.stdout.write
        groups = len({row["group"] for row in record["players"]})
        if groups > 1:
            text = _(
                "There are %(count)s groups that never met; players of different groups cannot be compared."
            )
            say(text % {"count": f"{groups:,}"})
        text = _("What single pairs did differs from their strengths by %s (root mean square).")
        say(text % f"{record['misfit']:.3f}")
        if left_out := record["left_out"]:
            say(_("Left out, as they are no frags of opponents: %s events") % f"{left_out:,}")
        if thinned := record["outside_core"]:
            say(_("Left out, as they are outside the core: %s players") % f"{thinned:,}")


def _rows(names: list[str], ranking: Ranking) -> list[dict[str, Any]]:
    """A row a player, best first, with the place within the group, from 1; equals share one."""
    rows: list[dict[str, Any]] = []
    count = 0
    for one in ranking.order.tolist():
        group, value = int(ranking.component[one]) + 1, float(ranking.value[one])
        above = rows[-1] if rows and rows[-1]["group"] == group else None
        count = count + 1 if above else 1
        is_tied = above is not None and abs(above["value"] - value) < 1e-12
        rows.append(
            {
                "place": above["place"] if above and is_tied else count,
                "name": names[one],
                "value": value,
                "group": group,
                "opponents": int(ranking.met[one]),
                "frags": int(ranking.frags[one]),
                "deaths": int(ranking.deaths[one]),
                "suicides": int(ranking.suicides[one]),
            }
        )
    return rows


def _whole(text: str) -> int:
    if not (text.isascii() and text.isdigit() and 1 <= len(text) <= 9 and int(text) >= 1):
        raise argparse.ArgumentTypeError(f"{text}: must be a whole number from 1")
    return int(text)
