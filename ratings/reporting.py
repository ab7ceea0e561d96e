"""What players say of a match. Teams that agree confirm it, teams that differ dispute it, silence has a deadline."""

from collections.abc import Iterable
from datetime import datetime, timedelta

from django.utils.translation import gettext as _

from foundation import clock
from foundation.brief import briefly
from ratings.endings import announce, close_without_result, confirm, free_players, lock_match
from ratings.models import OPEN, Match, MatchState, Outcome, Participant, Report
from ratings.play_refusals import (
    MatchDecidedError,
    MatchDisputedError,
    NotInMatchError,
    WrongResultError,
)
from ratings.results import Result, ranks_claimed, same_order

__all__ = ["Claim", "leave", "report", "settle", "weigh"]

Claim = tuple[int, ...] | None  # ranks by team; None: it was not played


def report(*, match_id: int, player_id: int, outcome: Outcome, left_early: bool = False) -> Match:
    """Take a player's word on a match; returns the match as it is then.

    The same word again is answered as before; until the match is decided another one takes its place. One report a
    team is enough: when every team has spoken the match is confirmed, or aborted if all say it was not played. Words
    that differ dispute it. Raises NotInMatchError, MatchDecidedError, MatchDisputedError, WrongResultError and
    Match.DoesNotExist.
    """
    with briefly():
        match = lock_match(match_id)
        seats = list(Participant.objects.filter(match=match))
        own = next((seat for seat in seats if seat.player_id == player_id), None)
        if own is None:
            raise NotInMatchError(player_id)
        if match.state not in OPEN:
            return _answer_late(match, own, outcome, seats)
        if match.ladder.team_count != 2:
            raise WrongResultError(_("Matches of more than two teams are reported by the game."))
        return _take(match, own, outcome, left_early, seats)


def leave(*, match_id: int, player_id: int) -> Match:
    """Give a match up: reported as lost, and noted as left early. Raises what `report` raises."""
    return report(match_id=match_id, player_id=player_id, outcome=Outcome.LOST, left_early=True)


def weigh(reports: Iterable[Report], teams: dict[int, int]) -> tuple[set[Claim], set[int]]:
    """What is claimed, and by which teams; `teams` gives the team of each player."""
    claims, spoken = set(), set()
    for one in reports:
        team = teams[one.player_id]
        claims.add(ranks_claimed(one.outcome, team))
        spoken.add(team)
    return claims, spoken


def settle(match: Match, claim: Claim, reports: Iterable[Report], now: datetime) -> Match:
    """End a locked match as its reports claim."""
    if claim is None:
        return close_without_result(match, MatchState.ABORTED, now)
    left = frozenset(one.player_id for one in reports if one.left_early)
    return confirm(match, Result(ranks=claim, left=left), now)


def _take(
    match: Match, own: Participant, outcome: Outcome, left_early: bool, seats: list[Participant]
) -> Match:
    now = clock.now()
    before = Report.objects.filter(match=match, player=own.player_id).first()
    if before and (before.outcome, before.left_early) == (outcome, left_early):
        return match
    words = {"outcome": outcome, "left_early": left_early, "at": now}
    Report.objects.update_or_create(match=match, player_id=own.player_id, defaults=words)
    reports = list(Report.objects.filter(match=match))
    claims, spoken = weigh(reports, {seat.player_id: seat.team for seat in seats})
    if len(claims) > 1:
        return close_without_result(match, MatchState.DISPUTED, now)
    if spoken == {seat.team for seat in seats}:
        return settle(match, claims.pop(), reports, now)
    return _wait_for_others(match, own, now)


def _wait_for_others(match: Match, own: Participant, now: datetime) -> Match:
    """The first word sets the deadline; a correction does not move it."""
    free_players(match, player=own.player_id)
    if match.state == MatchState.PLAYING:
        match.state = MatchState.REPORTED
        match.due_at = now + timedelta(minutes=match.ladder.report_minutes)
        match.ended_at = max(now, match.played_at)
        match.save(update_fields=["state", "due_at", "ended_at"])
    announce(match, "reported")
    return match


def _answer_late(
    match: Match, own: Participant, outcome: Outcome, seats: list[Participant]
) -> Match:
    """Whoever says what is decided already has nothing to add; anything else comes too late."""
    if match.state == MatchState.DISPUTED:
        if Report.objects.filter(match=match, player=own.player_id, outcome=outcome).exists():
            return match
        raise MatchDisputedError
    if match.state == MatchState.ABORTED and outcome == Outcome.NOT_PLAYED:
        return match
    if match.state == MatchState.CONFIRMED and _is_result(outcome, own.team, seats):
        return match
    raise MatchDecidedError(match.state)


def _is_result(outcome: Outcome, team: int, seats: list[Participant]) -> bool:
    ranks = {seat.team: seat.rank or 0 for seat in seats}
    claim = ranks_claimed(outcome, team) if len(ranks) == 2 else None
    return claim is not None and same_order(claim, [ranks[0], ranks[1]])
