"""`manage.py rank_frags`: rank players by who fragged whom how often, without a database."""

import argparse
import json
from typing import IO, Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from ratings.importing.frag_log import Counts, count_frags, read_counts, read_log
from ratings.management.frag_files import frag_file, print_rows
from ratings.systems.static_ranking import SUICIDES, FragMatrix, Ranking, rank, thin_to_core

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
        with frag_file(options["file"]) as source:
            counts = _read(options["file"], source)
        try:
            names, matrix = counts.matrix()
        except ValueError as error:
            raise CommandError(str(error)) from error
        everybody = len(names)
        if options["core"] is not None:
            names, matrix = _thin(names, matrix, options["core"])
        ranking = rank(
            matrix,
            weigh_by_frags=options["weigh"],
            suicides=options["suicides"],
            use_shortcut=options["shortcut"],
        )
        if options["json"]:
            record = _record(
                names, ranking, left_out=counts.left_out, thinned=everybody - len(names)
            )
            self.stdout.write(json.dumps(record))
            return
        self._show(names, ranking)
        self._remark(ranking, left_out=counts.left_out, thinned=everybody - len(names))

    def _show(self, names: list[str], ranking: Ranking) -> None:
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
        rows, places = [], _places(ranking)
        for one in ranking.order.tolist():
            counts = (ranking.met, ranking.frags, ranking.deaths, ranking.suicides)
            figures = (f"{column[one]:,}" for column in counts)
            group = f"{ranking.component[one] + 1:,}"
            value = f"{ranking.value[one]:+.3f}"
            rows.append((f"{places[one]:,}", names[one], value, *figures, group))
        print_rows(self.stdout, titles, rows, names=1)

    def _remark(self, ranking: Ranking, *, left_out: int, thinned: int) -> None:
        say = self.stdout.write
        groups = len(set(ranking.component.tolist()))
        if groups > 1:
            text = _(
                "There are %(count)s groups that never met; players of different groups cannot be compared."
            )
            say(text % {"count": f"{groups:,}"})
        say(
            _("What single pairs did differs from their strengths by %s (root mean square).")
            % f"{ranking.misfit:.3f}"
        )
        if left_out:
            say(_("Left out, as they are no frags of opponents: %s events") % f"{left_out:,}")
        if thinned:
            say(_("Left out, as they are outside the core: %s players") % f"{thinned:,}")


def _read(name: str, source: IO[str]) -> Counts:
    return read_counts(source) if name.lower().endswith(".csv") else count_frags(read_log(source))


def _thin(names: list[str], matrix: FragMatrix, frags: int) -> tuple[list[str], FragMatrix]:
    core = thin_to_core(matrix, frags=frags)
    if not len(core):
        raise CommandError(_("No two players have %s frags between them.") % f"{frags:,}")
    return [names[one] for one in core.tolist()], matrix.take(core)


def _places(ranking: Ranking) -> list[int]:
    """Each player's place within his group, from 1; equals share one."""
    places = [0] * len(ranking)
    component, value = ranking.component.tolist(), ranking.value.tolist()
    before, count = -1, 0
    for one in ranking.order.tolist():
        is_first = before < 0 or component[before] != component[one]
        count = 1 if is_first else count + 1
        is_tied = not is_first and abs(value[before] - value[one]) < 1e-12
        places[one] = places[before] if is_tied else count
        before = one
    return places


def _record(names: list[str], ranking: Ranking, *, left_out: int, thinned: int) -> dict[str, Any]:
    places = _places(ranking)
    rows = [
        {
            "place": places[one],
            "name": names[one],
            "value": float(ranking.value[one]),
            "group": int(ranking.component[one]) + 1,
            "opponents": int(ranking.met[one]),
            "frags": int(ranking.frags[one]),
            "deaths": int(ranking.deaths[one]),
            "suicides": int(ranking.suicides[one]),
        }
        for one in ranking.order.tolist()
    ]
    return {
        "players": rows,
        "misfit": ranking.misfit,
        "left_out": left_out,
        "outside_core": thinned,
    }


def _whole(text: str) -> int:
    if not (text.isascii() and text.isdigit() and 1 <= len(text) <= 9 and int(text) >= 1):
        raise argparse.ArgumentTypeError(f"{text}: must be a whole number from 1")
    return int(text)
