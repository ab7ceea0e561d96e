"""`manage.py add_track`: let a rating system rate a ladder, in the shadow of the one that is shown if there is one."""

import argparse
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction
from django.utils.translation import gettext as _

from ratings import systems
from ratings.importing import OptionError, plan_track
from ratings.management.catch_up import catch_up
from ratings.management.named_ladder import ladder_in_use
from ratings.management.track_arguments import add_param_argument, add_period_argument
from ratings.models import Facet
from ratings.models.tracks import BoardBy
from ratings.runs.load import UnratableMatchError
from ratings.tracks.board_order import NoDeviationError, order_board_by
from ratings.tracks.facet_values import is_first_of_its_kind
from ratings.tracks.parameters import create_track, warnings_of
from ratings.tracks.passed_over import passed_over_in_words


class Command(BaseCommand):
    """See `help`."""

    help = (
        "Add a rating track to a ladder. It rates the whole history at once and then keeps up. "
        "Players see the ladder's first track, and the first by map and by character beside it; "
        "operators see all of them, and compare them in the admin."
    )

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument(
            "--ladder", required=True, metavar="SLUG", help="short name of the ladder"
        )
        parser.add_argument("--system", required=True, metavar="NAME", help="rating system")
        add_period_argument(parser)
        add_param_argument(parser, "parameter of the system")
        parser.add_argument(
            "--apart",
            choices=[Facet.MAP.value, Facet.CHARACTER.value],
            default=Facet.NONE.value,
            help="rate each player by itself on each map, or with each character",
        )
        parser.add_argument(
            "--ordered-by",
            choices=BoardBy.values,
            help="what its leaderboard is ordered by: the rating, or the rating less some deviations (conservative);"
            " as is usual for the system unless given",
        )
        parser.add_argument("--quiet", action="store_true", help="no progress and no summary")

    def handle(self, *args: Any, **options: Any) -> None:
        quiet = options["quiet"] or options["verbosity"] == 0
        ladder = ladder_in_use(options["ladder"])
        try:
            plan = plan_track(
                system=options["system"], period=options["period"], parameters=options["param"]
            )
            if plan.given.ladder:
                name = next(iter(plan.given.ladder))
                text = _("parameter %r: belongs to the ladder; change it in the admin")
                raise OptionError(text % name)
            with transaction.atomic():
                track = create_track(
                    ladder=ladder,
                    system=plan.system,
                    parameters=plan.given.system,
                    period_days=plan.period_days,
                    shown=is_first_of_its_kind(ladder, options["apart"]),
                    facet=options["apart"],
                )
                if options["ordered_by"] is not None:
                    order_board_by(track=track, board_by=options["ordered_by"], by=None, note="")
        except (OptionError, systems.ParameterError, NoDeviationError) as error:
            raise CommandError(str(error)) from error
        except ValidationError as error:
            raise CommandError(" ".join(error.messages)) from error
        for warning in warnings_of(track):
            self.stderr.write(warning)
        try:
            caught_up = catch_up(ladder, only=track, quiet=quiet)
        except UnratableMatchError as error:
            raise CommandError(_("The track is there, but rating stopped: %s") % error) from error
        track.refresh_from_db()
        if passed_over := passed_over_in_words(track):
            self.stderr.write(passed_over)
        if not quiet:
            text = _("Track %(track)d: %(matches)d matches rated, %(periods)d periods closed.")
            counts = {"matches": caught_up.matches, "periods": caught_up.periods}
            self.stdout.write(text % {"track": track.pk, **counts})
