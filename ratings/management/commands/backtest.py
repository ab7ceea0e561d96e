"""`manage.py backtest`: how well a rating system, or the tracks of a ladder, predicted games."""

import argparse
import json
import time
from dataclasses import asdict
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from ratings.evaluation import Report, predict_games
from ratings.ledger.predictions import read_predictions
from ratings.management.judgement_tables import (
    calibration_table,
    console_on,
    facts_table,
    figures_of,
    judgement,
    shown,
)
from ratings.management.trials import add_trial_arguments, games_of, refusals, setup_of, share_of
from ratings.models import RatingTrack, TrackState

__all__ = ["Command"]


class Command(BaseCommand):
    """See `help`."""

    help = (
        "Judge a rating system by its predictions, one step ahead, on a file of games or the matches of "
        "a ladder; without --system, judge the tracks of a ladder by what they expected when they rated. "
        "Draws count as 0.5. Lower log loss is better; always guessing 0.5 gives 0.6931."
    )

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add_trial_arguments(parser, needs_system=False)
        parser.add_argument(
            "--track",
            type=int,
            metavar="ID",
            help="one track; without: all live ones of the ladder",
        )
        parser.add_argument(
            "--from",
            dest="share",
            type=share_of,
            default=0.5,
            metavar="SHARE",
            help="leave out this share of the games, the oldest: from 0 up to 1 (default 0.5)",
        )
        parser.add_argument("--json", action="store_true", help="one JSON object, or one per track")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["system"] is not None:
            _refuse(options, ("track",), _("--%s judges what a track did; leave out --system"))
            with refusals(options):
                self._judge_system(options)
        elif options["ladder"] is None:
            raise CommandError(_("Give a file and --system, or --ladder."))
        else:
            own = ("file", "param", "period", "minutes")
            _refuse(options, own, _("--%s is of a system that is tried; give --system too"))
            self._judge_tracks(options)

    def _judge_system(self, options: dict[str, Any]) -> None:
        setup = setup_of(options)
        played = games_of(options, setup)
        begun = time.perf_counter()
        predicted = predict_games(played, setup).later(options["share"])
        seconds = time.perf_counter() - begun
        if options["json"]:
            record = {
                "system": setup.name,
                "parameters": dict(setup.given),
                "period_days": setup.period_days,
                "players": played.players,
                "seconds": round(seconds, 4),
                **judgement(predicted),
            }
            self.stdout.write(json.dumps(record))
            return
        console, report = console_on(self.stdout), predicted.report()
        facts = [
            (_("System"), setup.name),
            (_("Players"), f"{played.players:,}"),
            *figures_of(predicted, report),
            (_("Seconds"), f"{seconds:.2f}"),
        ]
        console.print(facts_table(facts))
        console.print(calibration_table(report))

    def _judge_tracks(self, options: dict[str, Any]) -> None:
        slug, pk = options["ladder"], options["track"]
        tracks = RatingTrack.objects.filter(ladder__slug=slug).order_by("-shown", "pk")
        chosen = tracks.filter(pk=pk) if pk is not None else tracks.filter(state=TrackState.LIVE)
        if not chosen:
            wanted = slug if pk is None else f"{slug}, {pk}"
            raise CommandError(_("There is no such ladder or track: %s.") % wanted)
        console = console_on(self.stdout)
        for track in chosen:
            predictions = read_predictions(track).later(options["share"])
            report = Report.of(predictions.predicted, predictions.actual)
            if options["json"]:
                record = {"track": track.pk, "system": track.system, **asdict(report)}
                self.stdout.write(json.dumps(record))
                continue
            facts = (
                (_("Track"), f"{track.pk} ({track.system})"),
                (_("Matches"), f"{report.games:,}"),
                (_("Draws"), f"{report.draws:,}"),
                (_("Log loss"), shown(report.log_loss)),
                (_("Brier score"), shown(report.brier)),
                (_("Accuracy"), shown(report.accuracy)),
            )
            console.print(facts_table(facts))
            console.print(calibration_table(report))
            console.print()


def _refuse(options: dict[str, Any], names: tuple[str, ...], text: str) -> None:
    """Refuse options that would say nothing here."""
    for name in names:
        if options[name]:
            raise CommandError(text % name)
