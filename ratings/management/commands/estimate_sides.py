"""`manage.py estimate_sides`: estimate now what the first team's side is worth."""

import argparse
from typing import Any

from django.core.management.base import BaseCommand
from django.utils.translation import gettext as _

from ratings.management.named_ladder import named_ladder
from ratings.models import RatingTrack, TrackState
from ratings.tracks.sides import LEAST_GAMES, estimate_sides
from ratings.wording import say

__all__ = ["Command"]


class Command(BaseCommand):
    """See `help`."""

    help = (
        "Estimate from the rated matches what the side of the first team is worth, over all maps and on each. "
        "Workers do the same by themselves, once a day."
    )

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--ladder", metavar="SLUG", help="only this ladder")
        parser.add_argument("--quiet", action="store_true", help="no summary")

    def handle(self, *args: Any, **options: Any) -> None:
        slug = options["ladder"]
        live = RatingTrack.objects.filter(state=TrackState.LIVE).select_related("ladder")
        tracks = live if slug is None else live.filter(ladder=named_ladder(slug))
        for track in tracks.order_by("ladder_id", "-shown", "pk"):
            rows = estimate_sides(track.pk)
            if options["quiet"] or options["verbosity"] == 0:
                continue
            for row in rows:
                words = {
                    "track": f"{track.ladder.slug}, {track.system}",
                    "map": row.map or _("all maps"),
                    "points": f"{row.points:+.{track.decimals + 1}f}",
                    "games": say(row.games),
                }
                text = _("%(track)s, %(map)s: %(points)s points (%(games)s matches)")
                if not row.map and row.games < LEAST_GAMES:
                    text = _("%(track)s: too few matches with sides (%(games)s)")
                self.stdout.write(text % words)
