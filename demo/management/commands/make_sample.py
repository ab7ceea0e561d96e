"""`manage.py make_sample`: a ladder of any size, to see how a site bears it."""

import argparse
import time
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import connection, transaction
from django.utils.translation import gettext as _

from demo.sample import MOST_MATCHES, MOST_PLAYERS, fill_ladder
from ratings.importing import NewLadder, OptionError, plan_track
from ratings.importing.target_ladder import obtain_ladder
from ratings.management.catch_up import catch_up
from ratings.management.progress_bar import progress
from ratings.management.track_arguments import add_period_argument
from ratings.management.whole_numbers import whole_number
from ratings.models import Game, Ladder, MatchShape

_FILLED = (
    "ratings_player, ratings_searchkey, ratings_match, ratings_participant, ratings_rating,"
    " ratings_ratingchange, ratings_ratingperiod, leaderboards_standing, leaderboards_rankbucket"
)


class Command(BaseCommand):
    """See `help`."""

    help = (
        "Fill a ladder of its own with simulated players and matches, rated and on a leaderboard, "
        "to see how a site of that size works. Nothing else on the site is touched."
    )

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument(
            "--players",
            type=whole_number("--players", 2, MOST_PLAYERS),
            default=10_000,
            metavar="N",
            help="how many; default: 10000",
        )
        parser.add_argument(
            "--matches",
            type=whole_number("--matches", 1, MOST_MATCHES),
            default=100_000,
            metavar="N",
            help="one against one; default: 100000",
        )
        parser.add_argument(
            "--days",
            type=whole_number("--days", 1, 36_525),
            default=365,
            metavar="N",
            help="over which the matches are spread, until now; default: 365",
        )
        parser.add_argument(
            "--slug",
            default="sample",
            help="short name of the new game and its ladder; default: sample",
        )
        parser.add_argument("--system", metavar="NAME", help="rating system; glicko unless given")
        add_period_argument(parser)
        parser.add_argument(
            "--seed",
            type=whole_number("--seed", 0, 2**63 - 1),
            default=1,
            metavar="N",
            help="another number, other matches; default: 1",
        )
        parser.add_argument("--quiet", action="store_true", help="no progress and no summary")

    def handle(self, *args: Any, **options: Any) -> None:
        quiet = options["quiet"] or options["verbosity"] == 0
        slug, players, matches = options["slug"], options["players"], options["matches"]
        began = time.monotonic()
        ladder = _new_ladder(slug, system=options["system"], period=options["period"])
        with (
            progress(_("Players"), _("players"), quiet=quiet) as of_players,
            progress(_("Matches"), _("matches"), quiet=quiet) as of_matches,
        ):
            fill_ladder(
                ladder,
                players=players,
                matches=matches,
                days=options["days"],
                seed=options["seed"],
                on_players=lambda done: of_players(done, done, players),
                on_matches=lambda done: of_matches(done, done, matches),
            )
        _gather_statistics()  # else rating is planned for empty tables
        filled = time.monotonic()
        done = catch_up(ladder, quiet=quiet)
        _gather_statistics()
        if not quiet:
            text = _(
                "%(slug)s is ready: %(players)d players, %(matches)d matches stored in %(stored).0f s, "
                "%(rated)d rated in %(seconds).0f s."
            )
            values = {
                "slug": slug,
                "players": players,
                "matches": matches,
                "stored": filled - began,
                "rated": done.matches,
                "seconds": time.monotonic() - filled,
            }
            self.stdout.write(text % values)


def _new_ladder(slug: str, *, system: str | None, period: str | None) -> Ladder:
    if Game.objects.filter(slug=slug).exists() or Ladder.objects.filter(slug=slug).exists():
        text = _("There is a game or ladder “%s” already: choose another short name with --slug.")
        raise CommandError(text % slug)
    try:
        new = NewLadder(game=slug, track=plan_track(system=system, period=period, parameters=[]))
        with transaction.atomic():
            ladder = obtain_ladder(slug, new, shape=MatchShape.exactly(2, 1))
            Game.objects.filter(pk=ladder.game_id).update(simulated=True)
    except OptionError as error:
        raise CommandError(str(error)) from error
    return ladder


def _gather_statistics() -> None:
    with connection.cursor() as cursor:
        cursor.execute(f"VACUUM (ANALYZE) {_FILLED}")
