"""`manage.py learn_behaviour`: learn what behaviour says of ratings, and show how well."""

import argparse
from collections.abc import Sequence
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from ratings.behaviour.learn import learn_track
from ratings.management.judgement_tables import console_on, figures_table
from ratings.management.named_ladder import ladder_in_use
from ratings.models import BehaviourModel, RatingTrack
from ratings.systems.behaviour import FEWEST, GUESSES, KINDS

__all__ = ["Command"]


class Command(BaseCommand):
    """See `help`."""

    help = (
        "Learn the ratings of a ladder's established players from what they did in their last 1, 3 and 10 matches, and "
        "show the error of guesses and models on players held out, in rating points. A worker does the same once a day."
    )

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("ladder", metavar="LADDER", help="short name of the ladder")

    def handle(self, *args: Any, **options: Any) -> None:
        ladder = ladder_in_use(options["ladder"])
        track = RatingTrack.objects.public().filter(ladder=ladder).first()
        if track is None:
            words = _("Ladder “%s” shows no ratings: there is nothing to learn.")
            raise CommandError(words % ladder.slug)
        models = learn_track(track.pk)
        if not models or not models[0].features:
            words = _("Game “%s” has no feature in use; declare one with declare_feature.")
            raise CommandError(words % ladder.game.slug)
        console = console_on(self.stdout)
        for model in models:
            console.print(_("By %(matches)d matches, %(players)d players") % vars(model))
            if not model.errors:
                console.print(_("Too few players: it takes %d.") % FEWEST)
                continue
            table = figures_table("", _("error"), *(f"{n}." for n in range(1, 6)))
            for name in (*GUESSES, *KINDS):
                mark = " *" if name == model.chosen else ""
                table.add_row(name + mark, *_points([model.errors[name], *model.folds[name]]))
            console.print(table)
            _show_worth(model, console)


def _show_worth(model: BehaviourModel, console: Any) -> None:
    if not model.chosen:
        console.print(_("None is used: none is sure to beat a guess."))
        return
    worth = sorted(zip(model.worth, model.features, strict=True), reverse=True)
    said = ", ".join(f"{name} {points:.1f}" for points, name in worth)
    console.print(_("Points that the error grows without a feature: %s") % said)


def _points(errors: Sequence[float]) -> list[str]:
    return [f"{error:.1f}" for error in errors]
