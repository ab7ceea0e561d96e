"""Whose word a decision has contradicted: remembered, so that who is often wrong can be told from who is lied about."""

from ratings.matches.end import Held
from ratings.matches.result import Result
from ratings.matches.verdict import Said, outcome_of, place_of
from ratings.models import MatchState, Outcome, Report

__all__ = ["note_overruled"]

# What a word claims of two sides. Not to have played is better than to have lost.
_CLAIMS = {Outcome.LOST: 0, Outcome.NOT_PLAYED: 1, Outcome.DRAWN: 1, Outcome.WON: 2}


def note_overruled(held: Held, result: Result) -> None:
    """Note who has claimed more than `result` gives, in a dispute that it decides. Before the match ends."""
    if held.match.state != MatchState.DISPUTED:
        return
    wrong = [seat.player_id for seat in held.seats if _claims_more(seat.said, result.ranks)]
    Report.objects.filter(match=held.match, player__in=wrong).update(overruled=True)


def _claims_more(said: Said, ranks: tuple[int, ...]) -> bool:
    if not said.outcome:
        return False
    if said.place is not None:
        return said.place < place_of(ranks, said.team)
    return _CLAIMS[Outcome(said.outcome)] > _CLAIMS[outcome_of(ranks, said.team)]
