"""Deadlines of matches: what happens when nobody, or only one side, says how it went. Nobody stays in a match."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

from django.db.models import F, Q, QuerySet, Value

from foundation import timekeeping
from foundation.postgresql.transactions import briefly
from ratings.matches.end import Ending, HeldParticipant, end_matches, read_participants
from ratings.matches.result import Result
from ratings.matches.silenced import due_silenced
from ratings.matches.verdict import judge, with_partner
from ratings.models import OPEN, Match, MatchState, Report

__all__ = ["settle_due"]

# What is sent back fits into the buffers between server and client, so that a client that stops does not keep the
# server, and with it the rows, waiting.
_BATCH = 100


def settle_due() -> int:
    """Decide every open match whose deadline is over; returns how many.

    A report that was not contradicted stands; a match without any is abandoned, unrated. A match that somebody is at
    right now is left for the next time. Correct when run never, once, twice or twice at once. A clock that jumped ahead
    leaves every match the time it had left, and one that was set back gives those begun ahead of it their time anew.
    Those of which nobody may report any more are decided sooner: see `ratings.matches.silenced`.
    """
    if (latest := timekeeping.deadlines().latest_start) is not None:
        _begin_anew(latest)
    settled = _settle_silenced()
    while True:
        time = timekeeping.deadlines()
        with briefly() as now:
            # Whoever could not contradict a report while the site was away has a minute for it now.
            is_due = time.are_over(began="played_at", ends="due_at") & time.not_in_outage("due_at")
            # Those that a server tells event by event end otherwise: see `ratings.logs.ending`.
            due = Match.objects.filter(is_due, state__in=OPEN, log__isnull=True).order_by(
                "due_at", "pk"
            )
            held = due.select_for_update(skip_locked=True, no_key=True, of=("self",))
            matches = list(held.select_related("ladder")[:_BATCH])
            if not matches:
                return settled
            _settle(matches, read_participants([match.pk for match in matches]), now)
        settled += len(matches)


def _begin_anew(latest: datetime) -> None:
    """Take back what a clock that ran ahead has written of undecided matches: what is later than `latest`."""
    began = Q(played_at__gt=latest)
    said = Q(state=MatchState.REPORTED, ended_at__gt=latest)
    is_open = Match.objects.filter(state__in=OPEN, due_at__gt=latest)
    if is_open.filter(began | said).exists():
        _begin_now(is_open.filter(began))
        _say_now(is_open.filter(said), latest)
    # Nobody can decide what lies in the future.
    disputed = Match.objects.filter(began, state=MatchState.DISPUTED)
    if disputed.exists():
        _begin_now(disputed)


def _begin_now(ahead: QuerySet[Match]) -> None:
    """Matches that began after a moment which has not come yet begin now; the open last as long as before."""
    with briefly() as now:
        Match.objects.filter(pk__in=_hold_some(ahead)).update(
            played_at=now,
            due_at=F("due_at") - F("played_at") + Value(now),
            ended_at=F("ended_at") - F("played_at") + Value(now),
        )


def _say_now(ahead: QuerySet[Match], latest: datetime) -> None:
    """Of those that had begun before, a report from ahead is one of now, and stands as long from now on."""
    with briefly() as now:
        ids = _hold_some(ahead)
        Report.objects.filter(match__in=ids, at__gt=latest).update(at=now)
        Match.objects.filter(pk__in=ids).update(
            due_at=F("due_at") - F("ended_at") + Value(now), ended_at=now
        )


def _hold_some(matches: QuerySet[Match]) -> list[int]:
    held = matches.select_for_update(skip_locked=True, no_key=True).order_by("pk")
    return list(held.values_list("pk", flat=True)[:_BATCH])


def _settle_silenced() -> int:
    """Decide matches that wait for nobody; how many. One query where there are none."""
    if not (ids := due_silenced(_BATCH)):
        return 0
    time = timekeeping.deadlines()
    with briefly() as now:
        found = Match.objects.filter(pk__in=ids, state__in=OPEN).select_related("ladder")
        held = found.select_for_update(skip_locked=True, no_key=True, of=("self",)).order_by("pk")
        matches = list(held)
        participants = read_participants([match.pk for match in matches])
        matches = [
            match
            for match in matches
            if all(
                it.said.outcome or it.is_silent_until(match.due_at) for it in participants[match.pk]
            )
            and (match.state == MatchState.REPORTED or _has_had_its_time(match, time))
        ]
        _settle(matches, participants, now)
    return len(matches)


def _has_had_its_time(match: Match, time: timekeeping.Deadlines) -> bool:
    ends = match.played_at + timedelta(minutes=match.ladder.report_minutes)
    return time.is_over(began=match.played_at, ends=ends)


def _settle(
    matches: Sequence[Match], participants: Mapping[int, list[HeldParticipant]], now: datetime
) -> None:
    """Let what was said of these, which are held, stand."""
    endings = []
    for match in matches:
        said = participants[match.pk]
        words = with_partner((participant.said for participant in said), match.partner)
        verdict = judge(words, is_final=True)
        players = [participant.player_id for participant in said]
        result = Result(ranks=verdict.ranks) if verdict.ranks else None
        endings.append(Ending(match, players, verdict.state, result))
    end_matches(endings, now)
