"""Disputed matches: which wait for an operator, when one decided, and the reports that a decision has contradicted."""

from datetime import datetime

from django.db.models import F, Min, QuerySet

from accounts.models import AuditEntry
from ratings.matches.end import Held
from ratings.matches.result import Result, outcome_of, place_of
from ratings.models import Match, MatchState, Outcome, Report

__all__ = ["count_disputes", "decided_at", "disputed_matches", "note_overruled"]

# What a report claims of two sides. Not to have played is better than to have lost.
_CLAIMS = {Outcome.LOST: 0, Outcome.NOT_PLAYED: 1, Outcome.DRAWN: 1, Outcome.WON: 2}


def disputed_matches() -> QuerySet[Match]:
    """Return the matches that wait for an operator's word: where one was called first, then the oldest.

    `called_at` is when the first player called, or None.
    """
    waiting = Match.objects.filter(state=MatchState.DISPUTED)
    called = waiting.annotate(called_at=Min("statements__called_at"))
    return called.order_by(F("called_at").asc(nulls_last=True), "pk")


def count_disputes() -> int:
    """How many wait."""
    return Match.objects.filter(state=MatchState.DISPUTED).count()


def decided_at(match: Match) -> datetime | None:
    """When an operator decided the dispute about a match. One query, of matches that are over.

    None where there was no dispute, or its players or a server ended it.
    """
    if match.state not in {MatchState.CONFIRMED, MatchState.ABORTED, MatchState.ANNULLED}:
        return None
    entries = AuditEntry.objects.filter(
        target_type=Match._meta.label_lower,
        target_id=str(match.pk),
        action__in=["match.dispute_resolved", "match.aborted"],
        before__state=MatchState.DISPUTED.value,
    )
    return entries.order_by("-pk").values_list("at", flat=True).first()


def note_overruled(held: Held, result: Result) -> None:
    """Note the players who have claimed more than `result` gives, in a dispute that it decides. Before the match ends.

    It is remembered, so that a player who is often wrong can be told from one who is lied about.
    """
    if held.match.state != MatchState.DISPUTED:
        return
    wrong, ranks = [], result.ranks
    for participant in held.participants:
        said = participant.said
        if said.place is not None:
            claims_more = said.place < place_of(ranks, said.team)
        else:
            claim = _CLAIMS[Outcome(said.outcome)] if said.outcome else 0
            claims_more = claim > _CLAIMS[outcome_of(ranks, said.team)]
        if claims_more:
            wrong.append(participant.player_id)
    Report.objects.filter(match=held.match, player__in=wrong).update(overruled=True)
