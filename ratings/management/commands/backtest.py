"""`manage.py backtest`: how well a track foresaw the matches that it rated."""

import argparse
import json
from dataclasses import asdict
from typing import Any, cast

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _
from rich.console import Console
from rich.table import Table

from ratings.evaluation import Report
from ratings.models import RatingTrack, TrackState
from ratings.predictions import read_predictions

__all__ = ["Command"]


class Command(BaseCommand):
    """See `help`."""

    help = (
        "Compare each rated match with what the track expected of it beforehand, one step ahead. "
        "Draws count as 0.5. Lower log loss is better; always guessing 0.5 gives 0.6931."
    )

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--ladder", required=True, metavar="SLUG", help="short name of it")
        parser.add_argument(
            "--track",
            type=int,
            metavar="ID",
            help="one track; without: all live ones of the ladder",
        )
        parser.add_argument(
            "--from",
            dest="share",
            type=_share,
            default=0.5,
            metavar="SHARE",
            help="leave out this share of the matches, the oldest: from 0 up to 1 (default 0.5)",
        )
        parser.add_argument("--json", action="store_true", help="one JSON object a track")

    def handle(self, *args: Any, **options: Any) -> None:
        for track in _tracks(options["ladder"], options["track"]):
            predictions = read_predictions(track).later(options["share"])
            report = Report.of(predictions.predicted, predictions.actual)
            if options["json"]:
                record = {"track": track.pk, "system": track.system, **asdict(report)}
                self.stdout.write(json.dumps(record))
            else:
                self._show(track, report)

    def _show(self, track: RatingTrack, report: Report) -> None:
        console = Console(file=cast("Any", self.stdout), highlight=False, soft_wrap=True)
        console.print(_figures(track, report))
        console.print(_calibration(report))
        console.print()


def _share(text: str) -> float:
    value = float(text)
    if not 0 <= value < 1:
        raise argparse.ArgumentTypeError(f"{text}: must be from 0 up to, but without, 1")
    return value


def _tracks(slug: str, pk: int | None) -> list[RatingTrack]:
    tracks = RatingTrack.objects.filter(ladder__slug=slug).order_by("-shown", "pk")
    chosen = tracks.filter(pk=pk) if pk is not None else tracks.filter(state=TrackState.LIVE)
    found = list(chosen)
    if not found:
        wanted = slug if pk is None else f"{slug}, {pk}"
        raise CommandError(_("There is no such ladder or track: %s.") % wanted)
    return found


def _figures(track: RatingTrack, report: Report) -> Table:
    table = Table(show_header=False, box=None, padding=(0, 2, 0, 0))
    table.add_column(style="bold")
    table.add_column(justify="right")
    table.add_row(_("Track"), f"{track.pk} ({track.system})")
    table.add_row(_("Matches"), f"{report.games:,}")
    table.add_row(_("Draws"), f"{report.draws:,}")
    for label, value in (
        (_("Log loss"), report.log_loss),
        (_("Brier score"), report.brier),
        (_("Accuracy"), report.accuracy),
    ):
        table.add_row(label, "–" if value is None else f"{value:.4f}")
    return table


def _calibration(report: Report) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0))
    for label in (_("Predicted"), _("Matches"), _("Mean predicted"), _("Mean reached")):
        table.add_column(label, justify="right")
    for place in report.calibration:
        span = f"{place.low:.1f}–{place.high:.1f}"
        means = f"{place.mean_predicted:.3f}", f"{place.mean_actual:.3f}"
        table.add_row(span, f"{place.count:,}", *means)
    return table
