"""`manage.py show_track`: let players see another track of a ladder, as the admin's page does."""

import argparse
from dataclasses import asdict
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from accounts.admin_actions import add_note_argument
from events import outbox
from matchmaking.queues.rescale import misfits_on, rescale
from ratings.models import RatingTrack
from ratings.runs.load import UnratableMatchError
from ratings.tracks.promotion import (
    NotPromotableError,
    check_promotable,
    rate_and_promote,
    request_promotion,
)

__all__ = ["Command"]


class Command(BaseCommand):
    """See `help`."""

    help = (
        "Let players see another live track of its ladder. First it says which settings of queues would mean "
        "something else on that track's scale. The other track goes on in the shadow."
    )

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument(
            "track", type=int, metavar="TRACK", help="number of the track, as in the admin"
        )
        add_note_argument(parser)
        parser.add_argument("--dry-run", action="store_true", help="only say what would change")
        parser.add_argument("--quiet", action="store_true", help="no summary")

    def handle(self, *args: Any, **options: Any) -> None:
        quiet = options["quiet"] or options["verbosity"] == 0
        track = RatingTrack.objects.select_related("ladder").filter(pk=options["track"]).first()
        if track is None:
            raise CommandError(_("There is no track %d. Nothing was changed.") % options["track"])
        try:
            check_promotable(track)
            if not quiet:
                self._write_consequences(track)
            if options["dry_run"]:
                return
            request_promotion(track=track, by=None, note=options["note"])
            rate_and_promote(track.pk, wait=True)
        except (NotPromotableError, UnratableMatchError) as error:
            raise CommandError(str(error)) from error
        outbox.deliver()
        if not quiet:
            track.refresh_from_db()
            text = _("Players will see %(track)s as soon as a worker has caught up.")
            if track.shown:
                text = _("Players see %(track)s now.")
            self.stdout.write(text % {"track": track})

    def _write_consequences(self, track: RatingTrack) -> None:
        queues = rescale(track)
        for queue in queues:
            for one in queue.settings:
                text = _("%(queue)s: %(label)s is %(value)s; %(alike)s would mean the same then.")
                self.stdout.write(text % {"queue": queue.queue, **asdict(one)})
        rescaled = {one.queue for one in queues}
        for there, words in misfits_on(track):
            if there not in rescaled:
                self.stdout.write(f"{there}: {words}")
