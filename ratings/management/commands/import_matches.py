"""`manage.py import_matches`: take in a file of matches and rate them."""

import argparse
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import OperationalError
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from psycopg import OperationalError as CopyError
from psycopg.errors import DiskFull

from ratings.importing import (
    Familiarity,
    FileRejectedError,
    ImportReport,
    NewLadder,
    OptionError,
    foresee,
    import_matches,
    plan_track,
)
from ratings.importing.read import Progress
from ratings.management.catch_up import CaughtUp, catch_up
from ratings.management.import_doubts import ask_about, facts_of, remarks_on
from ratings.management.judgement_tables import console_on, facts_table
from ratings.management.progress_bar import progress
from ratings.models import TrackState
from ratings.runs.load import UnratableMatchError
from ratings.tracks.parameters import warnings_of
from ratings.tracks.promotion import shown_track
from ratings.wording import system_name

ONLY_WITH_CREATE = ("game", "name", "system", "period", "param")


class Command(BaseCommand):
    """See `help`."""

    help = (
        "Import a file of matches into a ladder, all of it or nothing: CSV (columns date, player_a, player_b, score_a) "
        "or JSON lines (date, teams, ranks); anything else is kept with the match. Then close every rating period "
        "that is due. Safe to run again."
    )

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("file", help="the file; - reads standard input")
        parser.add_argument(
            "--ladder", required=True, metavar="SLUG", help="short name of the ladder"
        )
        parser.add_argument(
            "--create",
            action="store_true",
            help="create the game, the ladder and its rating track if missing",
        )
        parser.add_argument("--game", metavar="SLUG", help="short name of the game (with --create)")
        parser.add_argument("--name", help="name of the new ladder (with --create)")
        parser.add_argument(
            "--system", metavar="NAME", help="rating system, glicko unless given (with --create)"
        )
        parser.add_argument(
            "--period",
            metavar="LENGTH",
            help="rating period: 30d, 12h, 60s, or none to rate each match at once (with --create)",
        )
        parser.add_argument(
            "--param",
            action="append",
            default=[],
            metavar="NAME=VALUE",
            help="parameter of the system or the ladder, such as days_to_forget=3650; may be repeated (with --create)",
        )
        parser.add_argument(
            "--dry-run", action="store_true", help="read the file, say what would be done, and stop"
        )
        parser.add_argument(
            "--yes",
            action="store_true",
            help="import even where the names seem to be those of another ladder",
        )
        parser.add_argument("--quiet", action="store_true", help="no progress and no summary")

    def handle(self, *args: Any, **options: Any) -> None:
        quiet = options["quiet"] or options["verbosity"] == 0
        begun = time.monotonic()
        try:
            if options["dry_run"]:
                self._foresee(options, quiet=quiet)
                return
            report = self._import(options, quiet=quiet)
        except OptionError as error:
            raise CommandError(str(error)) from error
        except FileRejectedError as error:
            lines = [_("%s was not imported; nothing was changed.") % _printable(options["file"])]
            lines += [f"  {problem}" for problem in error.problems]
            if error.there_may_be_more:
                text = _("  There may be more; these were the first %d.")
                lines.append(text % len(error.problems))
            raise CommandError("\n".join(lines)) from error
        except (OperationalError, CopyError) as error:
            raise CommandError(_in_words(error)) from error
        except OSError as error:
            words = {"file": _printable(options["file"]), "why": error.strerror or error}
            text = _("%(file)s was not imported; nothing was changed: %(why)s.")
            raise CommandError(text % words) from error
        track = shown_track(report.ladder) if options["create"] else None
        for warning in warnings_of(track) if track else ():
            self.stderr.write(warning)
        try:
            caught_up = catch_up(report.ladder, quiet=quiet)
        except (UnratableMatchError, OperationalError, CopyError) as error:
            raise CommandError(_("The file is in, but rating stopped: %s") % error) from error
        if quiet:
            return
        facts = (
            (_("New matches"), f"{report.new_matches:,}"),
            (_("Known matches"), f"{report.rows - report.new_matches:,}"),
            (_("New players"), f"{report.new_players:,}"),
            (_("Periods closed by this command"), f"{caught_up.periods:,}"),
            (_("Matches rated by this command"), f"{caught_up.matches:,}"),
            (_("Seconds"), f"{time.monotonic() - begun:.1f}"),
        )
        console = console_on(self.stdout)
        console.print(facts_table(facts))
        for line in _remarks(report, caught_up):
            console.print(line, markup=False)

    def _foresee(self, options: dict[str, Any], *, quiet: bool) -> None:
        """Say what the import would do. Raises OptionError and FileRejectedError."""
        create = _asked_to_make(options)
        with _reading(options["file"], quiet=quiet) as (source, report_progress):
            foreseen = foresee(
                source, ladder=options["ladder"], create=create, on_progress=report_progress
            )
        console = console_on(self.stdout)
        console.print(facts_table(facts_of(foreseen, options["ladder"], create)))
        for line in remarks_on(foreseen):
            console.print(line, markup=False)

    def _import(self, options: dict[str, Any], *, quiet: bool) -> ImportReport:
        """Raises OptionError and FileRejectedError."""
        name, create = options["file"], _asked_to_make(options)

        def ask(familiarity: Familiarity) -> bool:
            is_free = name != "-"  # else the file comes from where the answer would
            return ask_about(familiarity, may_ask=is_free, out=sys.stderr)

        with _reading(name, quiet=quiet) as (source, report_progress):
            return import_matches(
                source,
                name=_("standard input") if name == "-" else _printable(Path(name).name),
                ladder=options["ladder"],
                create=create,
                on_progress=report_progress,
                on_doubt=None if options["yes"] else ask,
            )


def _asked_to_make(options: dict[str, Any]) -> NewLadder | None:
    """What is to be made where it is missing. Raises OptionError."""
    if options["create"]:
        track = plan_track(
            system=options["system"], period=options["period"], parameters=options["param"]
        )
        return NewLadder(game=options["game"] or "", name=options["name"] or "", track=track)
    if alone := [option for option in ONLY_WITH_CREATE if options[option]]:
        raise OptionError(_("--%s: only together with --create") % alone[0])
    return None


@contextmanager
def _reading(name: str, *, quiet: bool) -> Iterator[tuple[BinaryIO, Progress]]:
    """Open the file, and say how far it is read. Raises OptionError."""
    _need_room()
    with _opened(name) as source, progress(_("Reading"), _("rows"), quiet=quiet) as advance:
        size: float | None = None  # only the end will tell
        with suppress(OSError):
            size = os.fstat(source.fileno()).st_size or None

        def report_progress(rows: int, done: int) -> None:
            _need_room()
            advance(rows, done, size, _("Storing") if done == size else _("Reading"))

        yield source, report_progress


def _need_room() -> None:
    """Stop before the disk is full, as the pages and the workers do: a full one stops PostgreSQL."""
    if shortage := settings.FREE_SPACE.shortage():
        raise CommandError(f"{shortage} {_('Nothing was changed.')}")


def _in_words(error: Exception) -> str:
    """What the database could not do. Django gives its errors another name, but for those of COPY."""
    if isinstance(error, DiskFull) or isinstance(error.__cause__, DiskFull):
        text = _(
            "The disk of PostgreSQL is full: %s. Nothing was imported. Make room there, and run it again."
        )
    else:
        text = _(
            "The connection to the database broke: %s. Run it again; nothing is imported twice."
        )
    return text % str(error).strip()


@contextmanager
def _opened(name: str) -> Iterator[BinaryIO]:
    """Open the file for reading bytes; standard input stays open afterwards."""
    if name == "-":
        yield sys.stdin.buffer
        return
    try:
        source = Path(name).open("rb")  # noqa: SIM115 - closed below; only the opening is tried
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise OptionError(f"file {_printable(name)!r}: {reason}") from error
    with source:
        yield source


def _printable(name: str) -> str:
    """A file name may hold bytes that are no text."""
    return os.fsencode(name).decode("utf-8", errors="replace")


def _remarks(report: ImportReport, caught_up: CaughtUp) -> Iterator[str]:
    if report.known_file:
        yield _("This exact file was already imported: nothing to add.")
    if report.backwards:
        text = ngettext(
            "%(count)d row is dated before the row above it. The order of the file was kept.",
            "%(count)d rows are dated before the row above them. The order of the file was kept.",
            report.backwards,
        )
        yield text % {"count": report.backwards}
    if report.late:
        text = ngettext(
            "%(count)d match is dated before a time that was counted already. It counts from now on.",
            "%(count)d matches are dated before a time that was counted already. They count from now on.",
            report.late,
        )
        yield text % {"count": report.late}
    if not caught_up.tracks:
        yield _("The ladder has no rating track, so nothing was rated. Make one with add_track.")
    # Where the tracks are now, whoever brought them there: a worker may have been faster than this command.
    for track in report.ladder.tracks.filter(state=TrackState.LIVE).order_by("-shown", "pk"):
        words = {
            "system": system_name(track.system),
            "rated": f"{track.rated_seq:,}",
            "all": f"{track.ladder.last_seq:,}",
            "periods": f"{track.closed_periods:,}",
            "start": f"{track.starts_at:%Y-%m-%d}" if track.starts_at else "",
        }
        text = _("%(system)s: %(rated)s of %(all)s matches rated.")
        if track.closed_periods:
            text = _(
                "%(system)s: %(rated)s of %(all)s matches rated, all %(periods)s periods since %(start)s closed."
            )
        yield text % words
    address = f"{settings.PUBLIC_URL}{report.ladder.get_absolute_url()}"
    yield _("Leaderboard: %s") % address
