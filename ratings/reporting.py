"""What players say of a match. Teams that agree confirm it, teams that differ dispute it, silence has a deadline.

Whatever comes at the same moment (two reports, a report and the deadline, a report and the server's word) takes turns
at the match's row; each sees what the one before it has left.
"""

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from django.db import connection

from foundation.brief import briefly
from ratings.agreement import Said, judge, outcome_of
from ratings.endings import Seat, announce, end_match, lock_match, read_seats, tell_pages
from ratings.models import OPEN, Match, MatchState, Outcome
from ratings.play_refusals import MatchDecidedError, MatchDisputedError, NotInMatchError
from ratings.results import Result

__all__ = ["leave", "report"]

_SAY = """
WITH said AS (
    INSERT INTO ratings_report (match_id, player_id, outcome, left_early, at)
    VALUES (%(match)s, %(player)s, %(outcome)s, %(left)s, %(now)s)
    ON CONFLICT (match_id, player_id)
    DO UPDATE SET outcome = excluded.outcome, left_early = excluded.left_early, at = excluded.at
)
UPDATE ratings_participant SET playing = false, left_early = %(left)s
WHERE match_id = %(match)s AND player_id = %(player)s
"""


def report(*, match_id: int, player_id: int, outcome: Outcome, left_early: bool = False) -> Match:
    """Take a player's word on a match; returns the match as it is then.

    The player is free to play elsewhere. The same word again is answered as before; until the match is decided another
    one takes its place. One report a team is enough: when every team has spoken the match is confirmed, or aborted if
    all say it was not played. Words that differ dispute it. Raises NotInMatchError, MatchDecidedError,
    MatchDisputedError and Match.DoesNotExist.
    """
    with briefly():
        match, now = lock_match(match_id)
        seats = {seat.player_id: seat for seat in read_seats([match_id])[match_id]}
        if player_id not in seats:
            raise NotInMatchError(player_id)
        own = seats[player_id]
        if match.state not in OPEN:
            return _answer_late(match, own.said, outcome, seats.values())
        said = Said(own.said.team, outcome, left_early)
        if said != own.said:
            seats[player_id] = replace(own, said=said)
            _say(match, player_id, said, now)
            _follow_up(match, seats.values(), now, is_correction=bool(own.said.outcome))
        return match


def leave(*, match_id: int, player_id: int) -> Match:
    """Give a match up: reported as lost, and noted as left early. Raises what `report` raises."""
    return report(match_id=match_id, player_id=player_id, outcome=Outcome.LOST, left_early=True)


def _say(match: Match, player_id: int, said: Said, now: datetime) -> None:
    given: dict[str, Any] = {
        "match": match.pk,
        "player": player_id,
        "outcome": str(said.outcome),
        "left": said.left_early,
        "now": now,
    }
    with connection.cursor() as cursor:
        cursor.execute(_SAY, given)


def _follow_up(match: Match, seats: Iterable[Seat], now: datetime, *, is_correction: bool) -> None:
    """End the match if every team has spoken, or set its deadline."""
    verdict = judge(seat.said for seat in seats)
    players = [seat.player_id for seat in seats]
    if verdict.state not in OPEN:
        result = Result(ranks=verdict.ranks) if verdict.ranks else None
        end_match(match, verdict.state, now, result)
    elif match.state == MatchState.PLAYING and verdict.state == MatchState.REPORTED:
        match.state = MatchState.REPORTED
        match.due_at = now + timedelta(minutes=match.ladder.report_minutes)
        match.ended_at = max(now, match.played_at)
        match.save(update_fields=["state", "due_at", "ended_at"])
        announce([match], "reported", players)
    else:
        if match.state == MatchState.REPORTED and is_correction:
            _extend(match, now)
        tell_pages([match], "reported", players)


def _extend(match: Match, now: datetime) -> None:
    """After a correction the others have the whole time to answer again; up to a limit, for no match stays open."""
    ladder = match.ladder
    longest = timedelta(minutes=ladder.abandon_minutes + 2 * ladder.report_minutes)
    due = min(now + timedelta(minutes=ladder.report_minutes), match.played_at + longest)
    if match.due_at is None or due > match.due_at:
        match.due_at = due
        match.save(update_fields=["due_at"])


def _answer_late(match: Match, own: Said, outcome: Outcome, seats: Iterable[Seat]) -> Match:
    """Whoever says what is decided already has nothing to add; anything else comes too late."""
    if match.state == MatchState.DISPUTED:
        if own.outcome == outcome:
            return match
        raise MatchDisputedError
    if match.state == MatchState.ABORTED and outcome == Outcome.NOT_PLAYED:
        return match
    ranks = {seat.said.team: seat.rank or 0 for seat in seats}
    by_team = [ranks[team] for team in sorted(ranks)]
    if match.state == MatchState.CONFIRMED and outcome_of(by_team, own.team) == outcome:
        return match
    raise MatchDecidedError(match.state)
