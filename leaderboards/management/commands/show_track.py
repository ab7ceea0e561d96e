"""`manage.py show_track`: let players see another track of a ladder, as the admin's page does."""

import argparse
from dataclasses import asdict
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from accounts.admin_actions import read_note
from events import outbox
from matchmaking.queues.rescale import misfits_on, rescale
from ratings.models import RatingTrack
from ratings.runs.load import UnratableMatchError
from ratings.tracks.show import (
    CannotBeShownError,
    bring_up_and_show,
    check_can_be_shown,
    request_showing,
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
        parser.add_argument(
            "--note", required=True, type=read_note, help="why; kept in the audit log"
        )
        parser.add_argument("--dry-run", action="store_true", help="only say what would change")
        parser.add_argument("--quiet", action="store_true", help="no summary")

    def handle(self, *args: Any, **options: Any) -> None:
        quiet = options["quiet"] or options["verbosity"] == 0
        track = RatingTrack.objects.select_related("ladder").filter(pk=options["track"]).first()
        if track is None:
            raise CommandError(_("There is no track %d. Nothing was changed.") % options["track"])
        try:
            check_can_be_shown(track)
            if not quiet:
                self._say_what_follows(track)
            if options["dry_run"]:
                return
            request_showing(track=track, by=None, note=options["note"])
            bring_up_and_show(track.pk, wait=True)
        except (CannotBeShownError, UnratableMatchError) as error:
            raise CommandError(str(error)) from error
        outbox.deliver()
        if not quiet:
            self.stdout.write(_say_what_is(track))

    def _say_what_follows(self, track: RatingTrack) -> None:
        queues = rescale(track)
        for queue in queues:
            for one in queue.settings:
                text = _("%(queue)s: %(label)s is %(value)s; %(alike)s would mean the same then.")
                self.stdout.write(text % {"queue": queue.queue, **asdict(one)})
        told = {one.queue for one in queues}
        for there, words in misfits_on(track):
            if there not in told:
                self.stdout.write(f"{there}: {words}")


def _say_what_is(track: RatingTrack) -> str:
    track.refresh_from_db()
    if track.shown:
        return _("Players see %(track)s now.") % {"track": track}
    return _("Players will see %(track)s as soon as a worker has caught up.") % {"track": track}
