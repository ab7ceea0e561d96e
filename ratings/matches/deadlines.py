"""Deadlines of matches: what happens when nobody, or only one side, says how it went. Nobody stays in a match."""

from datetime import datetime

from django.db.models import F, Q, QuerySet, Value

from foundation import clock, timekeeping
from foundation.transactions import briefly
from ratings.matches.end import Ending, Seat, end_matches, read_seats
from ratings.matches.result import Result
from ratings.matches.verdict import judge
from ratings.models import OPEN, Match, MatchState

__all__ = ["settle_due"]

# What is sent back fits into the buffers between server and client, so that a client that stops does not keep the
# server, and with it the rows, waiting.
_BATCH = 100


def settle_due() -> int:
    """Decide every open match whose deadline is over; returns how many.

    A report that was not contradicted stands; a match without any is abandoned, unrated. A match that somebody is at
    right now is left for the next time. Correct when run never, once, twice or twice at once. A clock that jumped ahead
    leaves every match the time it had left, and one that was set back gives those begun ahead of it their time anew.
    """
    settled = 0
    if (latest := timekeeping.deadlines().latest_start) is not None:
        _begin_anew(latest)
    while batch := _settle_batch():
        settled += batch
    return settled


def _settle_batch() -> int:
    time = timekeeping.deadlines()
    with briefly():
        is_due = time.are_over(began="played_at", ends="due_at")
        due = Match.objects.filter(is_due, state__in=OPEN).order_by("due_at", "pk")
        held = due.select_for_update(skip_locked=True, no_key=True, of=("self",))
        matches = list(held.select_related("ladder")[:_BATCH])
        if matches:
            seats = read_seats([match.pk for match in matches])
            end_matches([_ending(match, seats[match.pk]) for match in matches], clock.now())
    return len(matches)


def _begin_anew(latest: datetime) -> None:
    """Let matches that began after this moment, which has not come yet, begin now; the open last as long as before.

    Disputed ones too: nobody can decide what lies in the future.
    """
    for undecided in (Q(state__in=OPEN, due_at__gt=latest), Q(state=MatchState.DISPUTED)):
        ahead = Match.objects.filter(undecided, played_at__gt=latest)
        if ahead.exists():  # as hardly ever
            _let_begin(ahead)


def _let_begin(ahead: QuerySet[Match]) -> None:
    with briefly():
        now = clock.now()
        held = ahead.select_for_update(skip_locked=True, no_key=True).order_by("pk")
        ids = list(held.values_list("pk", flat=True)[:_BATCH])
        Match.objects.filter(pk__in=ids).update(
            played_at=now,
            due_at=F("due_at") - F("played_at") + Value(now),
            ended_at=F("ended_at") - F("played_at") + Value(now),
        )


def _ending(match: Match, seats: list[Seat]) -> Ending:
    verdict = judge((seat.said for seat in seats), is_final=True)
    result = Result(ranks=verdict.ranks) if verdict.ranks else None
    return Ending(match, [seat.player_id for seat in seats], verdict.state, result)
