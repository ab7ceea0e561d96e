"""Deadlines of matches: what happens when nobody, or only one side, says how it went. Nobody stays in a match."""

from django.db.models import F, Q, Value

from foundation import timekeeping
from foundation.transactions import briefly
from ratings.matches.end import Ending, end_matches, read_participants
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
    if (latest := timekeeping.deadlines().latest_start) is not None:
        # Matches that began after a moment which has not come yet begin now; the open last as long as before. Disputed
        # ones too: nobody can decide what lies in the future.
        for undecided in (Q(state__in=OPEN, due_at__gt=latest), Q(state=MatchState.DISPUTED)):
            ahead = Match.objects.filter(undecided, played_at__gt=latest)
            if not ahead.exists():
                continue
            with briefly() as now:
                held = ahead.select_for_update(skip_locked=True, no_key=True).order_by("pk")
                ids = list(held.values_list("pk", flat=True)[:_BATCH])
                Match.objects.filter(pk__in=ids).update(
                    played_at=now,
                    due_at=F("due_at") - F("played_at") + Value(now),
                    ended_at=F("ended_at") - F("played_at") + Value(now),
                )
    settled = 0
    while True:
        time = timekeeping.deadlines()
        with briefly() as now:
            is_due = time.are_over(began="played_at", ends="due_at")
            due = Match.objects.filter(is_due, state__in=OPEN).order_by("due_at", "pk")
            held = due.select_for_update(skip_locked=True, no_key=True, of=("self",))
            matches = list(held.select_related("ladder")[:_BATCH])
            if not matches:
                return settled
            participants = read_participants([match.pk for match in matches])
            endings = []
            for match in matches:
                verdict = judge(
                    (participant.said for participant in participants[match.pk]), is_final=True
                )
                players = [participant.player_id for participant in participants[match.pk]]
                result = Result(ranks=verdict.ranks) if verdict.ranks else None
                endings.append(Ending(match, players, verdict.state, result))
            end_matches(endings, now)
        settled += len(matches)
