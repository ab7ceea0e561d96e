"""Matches that end in disputes, and how an operator ends those."""

from accounts.models import User
from ratings.matches import report
from ratings.matches.decide import resolve_dispute
from ratings.matches.result import Result
from ratings.matches.start import start_match
from ratings.models import Match, MatchState, Outcome
from tests.matchmaking.hall import Hall

__all__ = ["decide", "quarrel", "say", "withdraw"]


def say(match: Match, hall: Hall, number: int, outcome: Outcome) -> Match:
    return report.report(match_id=match.pk, player_id=hall.players[number].pk, outcome=outcome)


def quarrel(hall: Hall, one: int, other: int) -> Match:
    """A match of two that both say they have won."""
    teams = [[hall.players[one].pk], [hall.players[other].pk]]
    match = start_match(ladder=hall.ladder, teams=teams)
    say(match, hall, one, Outcome.WON)
    found = say(match, hall, other, Outcome.WON)
    assert found.state == MatchState.DISPUTED
    return found


def withdraw(match: Match, hall: Hall, number: int) -> None:
    """Somebody says after all that the match was lost."""
    assert say(match, hall, number, Outcome.LOST).state == MatchState.CONFIRMED


def decide(match: Match, *, winner: int) -> None:
    """An operator says which side of the match has won."""
    result = Result(ranks=(winner, 1 - winner))
    judge, _new = User.objects.get_or_create(username="judge")
    resolve_dispute(match_id=match.pk, result=result, by=judge, note="Seen it.")
