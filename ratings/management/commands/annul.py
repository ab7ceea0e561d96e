"""`manage.py annul`: let confirmed matches count no longer, and rate anew what came after them."""

import argparse
import time
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.admin_actions import read_note
from foundation.refusals import RefusedError
from ratings.management.catch_up import catch_up
from ratings.matches.decide import annul
from ratings.models import Ladder, Match, MatchState, RatingTrack, TrackState
from ratings.runs.load import UnratableMatchError

__all__ = ["Command"]


class Command(BaseCommand):
    """See `help`."""

    help = (
        "Annul confirmed matches: they no longer count, and the ratings become what they would be had these matches "
        "never been played. The current ratings stay until the new ones are ready. Safe to run again."
    )

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument(
            "matches", nargs="+", type=int, metavar="MATCH", help="number of a match"
        )
        parser.add_argument(
            "--note", required=True, type=read_note, help="why; kept in the audit log"
        )
        parser.add_argument(
            "--wait",
            action="store_true",
            help="compute the new ratings here if no worker does, and end when they are shown",
        )
        parser.add_argument("--quiet", action="store_true", help="no progress and no summary")

    def handle(self, *args: Any, **options: Any) -> None:
        begun, quiet = time.monotonic(), options["quiet"] or options["verbosity"] == 0
        matches = _find(options["matches"])
        for match in matches:
            words = {"match": match.pk}
            if match.state == MatchState.ANNULLED:
                line = _("Match %(match)d was annulled before.") % words
            else:
                try:
                    annul(match_id=match.pk, by=None, note=options["note"])
                except RefusedError as error:  # decided otherwise since it was looked up
                    raise CommandError(_("Match %(match)d: ") % words + str(error)) from error
                line = _("Match %(match)d is annulled.") % words
            if not quiet:
                self.stdout.write(line)
        for ladder in Ladder.objects.filter(pk__in={match.ladder_id for match in matches}):
            if options["wait"]:
                try:
                    while _running(ladder):
                        catch_up(ladder, quiet=quiet)
                except UnratableMatchError as error:
                    raise CommandError(f"{ladder.slug}: {error}") from error
                line = _("%(ladder)s: the new ratings are shown.") % {"ladder": ladder.slug}
            else:
                running = _running(ladder)
                text = ngettext(
                    "%(ladder)s: %(count)d track is being recalculated. Its ratings switch when it is done.",
                    "%(ladder)s: %(count)d tracks are being recalculated. Their ratings switch when each "
                    "is done.",
                    running,
                )
                line = text % {"ladder": ladder.slug, "count": running}
            if not quiet:
                self.stdout.write(line)
        if not quiet:
            self.stdout.write(_("%.1f seconds") % (time.monotonic() - begun))


def _find(wanted: list[int]) -> list[Match]:
    """Return the matches, or say which there is not before any is annulled."""
    found = Match.objects.in_bulk(wanted)
    for pk in wanted:
        if pk not in found:
            raise CommandError(_("There is no match %d. Nothing was changed.") % pk)
        if found[pk].state not in {MatchState.CONFIRMED, MatchState.ANNULLED}:
            words = {"match": pk, "state": found[pk].get_state_display()}
            text = _("Match %(match)d is %(state)s: only a confirmed match is annulled.") % words
            unchanged = _("Nothing was changed.")
            raise CommandError(f"{text} {unchanged}")
    return [found[pk] for pk in dict.fromkeys(wanted)]


def _running(ladder: Ladder) -> int:
    return RatingTrack.objects.filter(ladder=ladder, state=TrackState.REPLAY).count()
