"""Deadlines of matches: what happens when nobody, or only one side, says how it went. Nobody stays in a match."""

from collections import defaultdict

from foundation import clock
from foundation.brief import briefly
from ratings.endings import close_without_result
from ratings.models import OPEN, Match, MatchState, Participant, Report
from ratings.reporting import settle, weigh

__all__ = ["settle_due"]

_BATCH = 100


def settle_due() -> int:
    """Decide every open match whose deadline is over; returns how many.

    A report that was not contradicted stands; a match without any is abandoned, unrated. A match that somebody is at
    right now is left for the next time. Correct when run never, once, twice or twice at once.
    """
    settled = 0
    while batch := _settle_batch():
        settled += batch
    return settled


def _settle_batch() -> int:
    with briefly():
        now = clock.now()
        due = Match.objects.filter(state__in=OPEN, due_at__lte=now).order_by("due_at", "pk")
        held = due.select_for_update(skip_locked=True, of=("self",), no_key=True)
        matches = list(held.select_related("ladder")[:_BATCH])
        said: dict[int, list[Report]] = defaultdict(list)
        for report in Report.objects.filter(match__in=matches):
            said[report.match_id].append(report)
        teams: dict[int, dict[int, int]] = defaultdict(dict)
        for seat in Participant.objects.filter(match__in=said):
            teams[seat.match_id][seat.player_id] = seat.team
        for match in matches:
            reports = said[match.pk]
            claims, _spoken = weigh(reports, teams[match.pk])
            if not claims:
                close_without_result(match, MatchState.ABANDONED, now)
            else:  # a second claim would have made it a dispute when it came
                settle(match, claims.pop(), reports, now)
    return len(matches)
