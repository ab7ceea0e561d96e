"""Deadlines of matches: what happens when nobody, or only one side, says how it went. Nobody stays in a match."""

from foundation import clock
from foundation.brief import briefly
from ratings.agreement import judge
from ratings.endings import Ending, Seat, end_matches, read_seats
from ratings.models import OPEN, Match
from ratings.results import Result

__all__ = ["settle_due"]

# What is sent back fits into the buffers between server and client, so that a client that stops does not keep the
# server, and with it the rows, waiting.
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
        held = due.select_for_update(skip_locked=True, no_key=True, of=("self",))
        matches = list(held.select_related("ladder")[:_BATCH])
        if matches:
            seats = read_seats([match.pk for match in matches])
            end_matches([_ending(match, seats[match.pk]) for match in matches], now)
    return len(matches)


def _ending(match: Match, seats: list[Seat]) -> Ending:
    verdict = judge((seat.said for seat in seats), is_final=True)
    result = Result(ranks=verdict.ranks) if verdict.ranks else None
    return Ending(match, [seat.player_id for seat in seats], verdict.state, result)
