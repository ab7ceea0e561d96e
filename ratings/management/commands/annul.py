"""`manage.py annul`: let confirmed matches count no longer, and rate anew what came after them."""

import argparse
import time
from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

from django.core.exceptions import ObjectDoesNotExist
from django.core.management.base import BaseCommand, CommandError
from django.db.models import Model
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.admin_actions import read_note
from foundation.refusals import RefusedError
from ratings.management.catch_up import catch_up
from ratings.management.moments import read_moment
from ratings.matches.decide import annul
from ratings.matches.revising.annul_many import Chosen, OfLadder, annul_many, preview_many
from ratings.models import ImportedFile, Ladder, Match, MatchState, Player, RatingTrack, TrackState
from ratings.runs.load import UnratableMatchError

__all__ = ["Command"]

M = TypeVar("M", bound=Model)
_NARROWING = ("ladder", "map", "since", "until")


class Command(BaseCommand):
    """See `help`."""

    help = (
        "Annul confirmed matches: they no longer count, and the ratings become what they would be had these matches "
        "never been played. The current ratings stay until the new ones are ready. Safe to run again."
    )

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument(
            "matches", nargs="*", type=int, metavar="MATCH", help="number of a match"
        )
        many = parser.add_argument_group(
            "many at once", "all confirmed matches for which everything that is given holds"
        )
        many.add_argument("--player", type=int, metavar="NUMBER", help="of this player")
        many.add_argument(
            "--import", dest="source", type=int, metavar="NUMBER", help="of this import"
        )
        many.add_argument(
            "--key", type=int, metavar="NUMBER", help="whose results the server of this key gave"
        )
        many.add_argument("--ladder", metavar="SHORT_NAME", help="on this ladder")
        many.add_argument("--map", default="", help="on this map")
        many.add_argument(
            "--since", type=read_moment, help="played then or later: 2026-03-01T00:00Z"
        )
        many.add_argument("--until", type=read_moment, help="played before")
        many.add_argument("--dry-run", action="store_true", help="say how many, and annul none")
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
        if any(options[name] is not None for name in ("player", "source", "key")):
            chosen = _chosen(options)
            ladders = [one.ladder for one in self._annul_many(chosen, options)]
        else:
            if not options["matches"]:
                raise CommandError(
                    _("Name matches, or choose them by --player, --import or --key.")
                )
            if options["dry_run"] or any(options[name] for name in _NARROWING):
                words = _(
                    "--dry-run, --ladder, --map, --since and --until are for matches chosen by --player, --import or "
                    "--key. Nothing was changed."
                )
                raise CommandError(words)
            ladders = self._annul_each(options, quiet=quiet)
        self._wait(ladders, options, quiet=quiet)
        if not quiet:
            self.stdout.write(_("%.1f seconds") % (time.monotonic() - begun))

    def _annul_many(self, chosen: Chosen, options: dict[str, Any]) -> Sequence[OfLadder]:
        preview = preview_many(chosen)
        for one in preview.ladders:
            words = {"ladder": one.ladder.slug, "matches": one.matches, "later": one.later}
            line = _("%(ladder)s: %(matches)d to annul, %(later)d after the first of them") % words
            self.stdout.write(line)
        if not preview.matches:
            raise CommandError(_("There is no confirmed match among these. Nothing was changed."))
        if options["dry_run"]:
            return []
        try:
            count, _replays = annul_many(
                chosen, by=None, note=options["note"], seen=preview.matches
            )
        except RefusedError as error:
            raise CommandError(str(error)) from error
        self.stdout.write(_("%(count)d matches are annulled.") % {"count": count})
        return preview.ladders

    def _annul_each(self, options: dict[str, Any], *, quiet: bool) -> list[Ladder]:
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
        return list(Ladder.objects.filter(pk__in={match.ladder_id for match in matches}))

    def _wait(self, ladders: Iterable[Ladder], options: dict[str, Any], *, quiet: bool) -> None:
        for ladder in ladders:
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


def _chosen(options: dict[str, Any]) -> Chosen:
    """What the options choose, or say what there is not before any match is annulled."""
    if options["matches"]:
        raise CommandError(_("Name matches or choose them, not both. Nothing was changed."))
    try:
        return Chosen(
            player=_one_of(Player, pk=options["player"]),
            source=_one_of(ImportedFile, pk=options["source"]),
            key=options["key"],
            ladder=_one_of(Ladder, slug=options["ladder"]),
            map=options["map"],
            since=options["since"],
            until=options["until"],
        )
    except ObjectDoesNotExist as error:
        raise CommandError(f"{error} {_('Nothing was changed.')}") from error


def _one_of(model: type[M], **wanted: Any) -> M | None:
    """The row that is wanted; None where none is."""
    return None if None in wanted.values() else model._default_manager.get(**wanted)


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
