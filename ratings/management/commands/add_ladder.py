"""`manage.py add_ladder`: make a ladder, with its game and the track that rates it."""

import argparse
from dataclasses import replace
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import transaction
from django.utils.translation import gettext as _

from ratings import systems
from ratings.importing import NewLadder, OptionError, plan_track
from ratings.importing.target_ladder import obtain_ladder
from ratings.management.track_arguments import add_param_argument, add_period_argument
from ratings.management.whole_numbers import whole_number
from ratings.models import Ladder, MatchShape, Mode, RatedBy
from ratings.tracks.parameters import warnings_of
from ratings.tracks.promotion import shown_track


class Command(BaseCommand):
    """See `help`."""

    help = (
        "Add a ladder, with its game if that does not exist, and a track that rates it. "
        "A ladder that already exists is left as it is."
    )

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("ladder", metavar="SLUG", help="short name of the ladder")
        parser.add_argument("--game", required=True, metavar="SLUG", help="short name of the game")
        parser.add_argument("--name", default="", help="name of the ladder")
        parser.add_argument(
            "--mode",
            choices=Mode.values,
            default=Mode.RANKED.value,
            help="ranked: ratings are public; normal: they are used to find matches and shown nowhere",
        )
        parser.add_argument(
            "--teams",
            type=whole_number("--teams", 2, 100),
            default=2,
            metavar="N",
            help="teams in a match; 2",
        )
        parser.add_argument(
            "--size",
            type=whole_number("--size", 1, 100),
            default=1,
            metavar="N",
            help="players in a team; 1",
        )
        parser.add_argument(
            "--fewest-teams",
            type=whole_number("--fewest-teams", 2, 100),
            metavar="N",
            help="results may have fewer teams, down to so many; always as many unless given",
        )
        parser.add_argument(
            "--smallest-team",
            type=whole_number("--smallest-team", 1, 100),
            metavar="N",
            help="results may have smaller teams, down to so many; all teams are full unless given",
        )
        parser.add_argument(
            "--rated-by",
            choices=RatedBy.values,
            default=RatedBy.RESULTS.value,
            help="results: matches with their results; events: frags that game servers tell as they happen, with the"
            " system frags",
        )
        parser.add_argument(
            "--system",
            metavar="NAME",
            help="rating system; glicko unless given, trueskill for other than one against one",
        )
        add_period_argument(parser)
        add_param_argument(parser, "parameter of the system or rule of the ladder")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            shape = _shape_of(options)
            rated_by = RatedBy(options["rated_by"])
            usual = None if shape.most_players == 2 else systems.USUAL_FOR_TEAMS
            if rated_by == RatedBy.EVENTS:
                usual = systems.USUAL_FOR_EVENTS
            track = plan_track(
                system=options["system"] or usual,
                period=options["period"],
                parameters=options["param"],
            )
            new = NewLadder(
                game=options["game"],
                name=options["name"],
                mode=Mode(options["mode"]),
                rated_by=rated_by,
                track=replace(track, asked_system=options["system"] is not None),
            )
            is_new = not Ladder.objects.filter(slug=options["ladder"]).exists()
            with transaction.atomic():
                ladder = obtain_ladder(options["ladder"], new, shape=shape)
                if ladder.mode != new.mode:
                    text = _(
                        "mode %(mode)r: the ladder is there with mode %(there)r; modes do not change"
                    )
                    raise OptionError(text % {"mode": new.mode.value, "there": ladder.mode})
                if ladder.rated_by != rated_by:
                    text = _("rated by %(by)r: the ladder is there, rated by %(there)r; that stays")
                    raise OptionError(text % {"by": rated_by.value, "there": ladder.rated_by})
        except (OptionError, systems.ParameterError) as error:
            raise CommandError(str(error)) from error
        words = _("Ladder %s was added.") if is_new else _("Ladder %s already exists.")
        self.stdout.write(words % ladder.slug)
        shown = shown_track(ladder)
        for warning in warnings_of(shown) if shown else ():
            self.stderr.write(warning)


def _shape_of(options: dict[str, Any]) -> MatchShape:
    teams, size = options["teams"], options["size"]
    fewest, smallest = options["fewest_teams"] or teams, options["smallest_team"] or size
    for name, least, most in (("fewest-teams", fewest, teams), ("smallest-team", smallest, size)):
        if least > most:
            text = _("--%(name)s %(least)d: must be %(most)d at most, as there are in a match")
            raise OptionError(text % {"name": name, "least": least, "most": most})
    return MatchShape(teams, size, fewest, smallest)
