"""`manage.py merge`: let one player count for another, or take that back."""

import argparse
import time
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from accounts.admin_actions import read_note
from foundation.refusals import RefusedError
from ratings.management.catch_up import catch_up
from ratings.management.moments import read_moment
from ratings.merging.merge import merge
from ratings.merging.preview import MergePreview, preview_merge
from ratings.merging.unmerge import unmerge
from ratings.models import Ladder, Player, RatingTrack, TrackState
from ratings.runs.load import UnratableMatchError

__all__ = ["Command"]


class Command(BaseCommand):
    """See `help`."""

    help = (
        "Merge a player into another of the same game, for the two are one person: its matches, and what comes under "
        "its id from now on, count as the other's. --undo takes it back. The ledger stays; ratings are computed anew."
    )

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("player", type=int, metavar="PLAYER", help="number of who is merged")
        parser.add_argument(
            "into", type=int, nargs="?", metavar="INTO", help="number of the player who stays"
        )
        parser.add_argument(
            "--since", type=read_moment, help="matches played then or later: 2026-03-01T00:00Z"
        )
        parser.add_argument(
            "--annul-shared", action="store_true", help="annul matches in which both took part"
        )
        parser.add_argument(
            "--end-running",
            action="store_true",
            help="end the player's search, party and open matches",
        )
        parser.add_argument("--undo", action="store_true", help="unmerge PLAYER")
        parser.add_argument("--dry-run", action="store_true", help="say what it would do, only")
        parser.add_argument(
            "--note", required=True, type=read_note, help="why; kept in the audit log"
        )
        parser.add_argument(
            "--wait", action="store_true", help="compute the new ratings here if no worker does"
        )
        parser.add_argument("--quiet", action="store_true", help="no progress and no summary")

    def handle(self, *args: Any, **options: Any) -> None:
        begun, quiet = time.monotonic(), options["quiet"] or options["verbosity"] == 0
        player = _find(options["player"])
        if options["undo"] == (options["into"] is not None):
            raise CommandError(_("Name the player who stays, or --undo alone."))
        try:
            if not options["undo"]:
                done = self._merge(player, _find(options["into"]), options)
            elif options["dry_run"]:
                raise CommandError(_("--dry-run is for merging: unmerging puts back what was."))
            else:
                unmerge(player=player, by=None, note=options["note"])
                self.stdout.write(_("Player %d counts for itself again.") % player.pk)
                done = True
        except RefusedError as error:
            raise CommandError(str(error)) from error
        if done and options["wait"]:
            self._wait(player, quiet=quiet)
        if not quiet:
            self.stdout.write(_("%.1f seconds") % (time.monotonic() - begun))

    def _merge(self, player: Player, into: Player, options: dict[str, Any]) -> bool:
        """Say what it does, and do it unless that is all that is asked; returns whether it was done."""
        preview = preview_merge(player, into, options["since"])
        if preview.why_not:
            raise CommandError(preview.why_not)
        self._tell(preview)
        if options["dry_run"]:
            return False
        merge(
            player=player,
            into=into,
            since=options["since"],
            by=None,
            note=options["note"],
            annul_shared=options["annul_shared"],
            end_what_runs=options["end_running"],
            seen=preview.matches,
        )
        words = _("Player %(player)d counts as player %(into)d now.")
        self.stdout.write(words % {"player": player.pk, "into": into.pk})
        return True

    def _tell(self, preview: MergePreview) -> None:
        for one in preview.ladders:
            words = _("%(ladder)s: %(matches)d change hands, %(later)d from the first of them on")
            given = {"ladder": one.ladder.slug, "matches": one.matches, "later": one.later}
            self.stdout.write(words % given)
        for shared in preview.shared:
            words = (
                _("match %(match)d: both in one team")
                if shared.are_team_mates
                else _("match %(match)d: against each other")
            )
            self.stdout.write(words % {"match": shared.match.pk})
        for what in preview.running:
            self.stdout.write(_("the player is busy: %(what)s") % {"what": what})
        for moved in (*preview.own, *preview.moved):
            before, after = (
                "–" if value is None else f"{value:.1f}" for value in (moved.before, moved.after)
            )
            self.stdout.write(f"{moved.ladder.slug}: {moved.player.name}: {before} → {after}")

    def _wait(self, player: Player, *, quiet: bool) -> None:
        for ladder in Ladder.objects.filter(game=player.game_id).order_by("pk"):
            running = RatingTrack.objects.filter(ladder=ladder, state=TrackState.REPLAY)
            try:
                while running.exists():
                    catch_up(ladder, quiet=quiet)
            except UnratableMatchError as error:
                raise CommandError(f"{ladder.slug}: {error}") from error


def _find(pk: int) -> Player:
    found = Player.objects.select_related("game", "user").filter(pk=pk).first()
    if found is None:
        raise CommandError(_("There is no player %d. Nothing was changed.") % pk)
    return found
