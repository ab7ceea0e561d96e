"""Reporting a player. Whoever is reported learns neither that it happened nor who it was."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import urlencode

from django.db import IntegrityError, transaction
from django.urls import reverse
from django.utils.translation import gettext as _

from foundation import clock, timekeeping
from foundation.postgresql.transactions import briefly
from moderation.models import NEEDS_MATCH, Case, PlayerReport, Queue, ReportKind
from moderation.models.reports import LONGEST_REPORT
from moderation.plain_text import tidy_text
from moderation.refusals import (
    NotInMatchTogetherError,
    ReportOpenError,
    ReportsItselfError,
    TooManyReportsError,
    WrongReportError,
)
from ratings.merging.meant import meant_by
from ratings.models import Match, Participant, Player
from ratings.players.site_ids import say_deleted
from talk.models import Line

__all__ = ["MOST_A_DAY", "lines_with", "page_of_report", "report_player"]

MOST_A_DAY = 10
_DAY = timedelta(days=1)
# Lines that were written where the two met: (reporter, reported, match, now) to rows of plain values.
Lines = Callable[[Player, Player, Match | None, datetime], Sequence[Mapping[str, Any]]]
_lines: list[Lines] = []


def lines_with(reader: Lines) -> None:
    """Let a part of the site say what was written, of what it has kept itself. Called from an app's `ready()`."""
    _lines.append(reader)


def page_of_report(line: Line) -> str:
    """Where a line that somebody wrote is reported, with the match it was written in."""
    query = urlencode(
        {"kind": ReportKind.CHAT, **({"match": line.match_id} if line.match_id else {})}
    )
    return f"{reverse('report-player', args=[line.author_id])}?{query}"


def report_player(
    *,
    reporter: Player,
    reported: Player,
    kind: ReportKind,
    text: str = "",
    match_id: int | None = None,
) -> PlayerReport:
    """Keep a report and open its case. The lines that were written are added by the site, not by the reporter.

    Raises ReportsItselfError, WrongReportError, NotInMatchTogetherError, ReportOpenError and TooManyReportsError.
    """
    reporter, reported = meant_by(reporter), meant_by(reported)
    if reporter.pk == reported.pk:
        raise ReportsItselfError
    if reporter.game_id != reported.game_id:
        raise WrongReportError(_("That player plays another game."))
    if words := say_deleted(reported):
        raise WrongReportError(words)
    tidy = tidy_text(text)
    _check_text(kind, tidy)
    match = _match_of(reporter, reported, match_id)
    if kind in NEEDS_MATCH and match is None:
        raise WrongReportError(_("Say in which match it was."))
    with briefly() as now:
        # Two at once wait for each other here, so that nobody reports more often than once too often.
        Player.objects.select_for_update(no_key=True).get(pk=reporter.pk)
        before = PlayerReport.objects.filter(reporter=reporter, reported=reported, match=match)
        if (open_one := before.filter(closed_at=None).first()) is not None:
            raise ReportOpenError(open_one.pk)
        _check_number(reporter, now)
        lines = [dict(row) for reader in _lines for row in reader(reporter, reported, match, now)]
        try:
            with transaction.atomic():
                report = PlayerReport.objects.create(
                    reporter=reporter,
                    reported=reported,
                    match=match,
                    kind=kind,
                    text=tidy,
                    lines=lines,
                    at=now,
                )
        except IntegrityError:
            raise ReportOpenError(before.values_list("pk", flat=True)[0]) from None
        queue = Queue.NAME if kind == ReportKind.NAME else Queue.REPORT
        Case.objects.create(queue=queue, report=report, opened_at=now)
    return report


def _check_text(kind: ReportKind, text: str) -> None:
    if len(text) > LONGEST_REPORT:
        words = _("Your text has %(length)d characters; it can have %(most)d at most.")
        raise WrongReportError(words % {"length": len(text), "most": LONGEST_REPORT})
    if kind == ReportKind.OTHER and not text:
        raise WrongReportError(_("Say what it is about."))


def _match_of(reporter: Player, reported: Player, match_id: int | None) -> Match | None:
    if match_id is None:
        return None
    both = Participant.objects.filter(match=match_id, player__in=[reporter.pk, reported.pk])
    if both.count() != 2:  # one and the same answer for a match that is not there
        raise NotInMatchTogetherError(match_id)
    return Match.objects.get(pk=match_id)


def _check_number(reporter: Player, now: datetime) -> None:
    lately = PlayerReport.objects.filter(
        reporter=reporter, at__gt=now - _DAY, at__lte=now + timekeeping.AHEAD
    ).order_by("-at")
    times = list(lately.values_list("at", flat=True)[:MOST_A_DAY])
    if len(times) >= MOST_A_DAY:
        raise TooManyReportsError(MOST_A_DAY, times[-1] + _DAY)


def latest_matches(reporter: Player, reported: Player) -> list[Match]:
    """The last matches of both, the latest first: for the form."""
    own = Participant.objects.filter(player=reporter).values("match")
    met = Participant.objects.filter(player=reported, match__in=own).values("match")
    since = clock.now() - timedelta(days=90)
    found = Match.objects.filter(pk__in=met, played_at__gt=since).select_related("ladder")
    return list(found.order_by("-pk")[:20])
