"""Who decides a match besides its players: the game's server, and operators."""

from django.db import transaction
from django.utils.translation import gettext as _

from accounts import audit
from accounts.models import User
from foundation import clock
from foundation.brief import briefly
from foundation.holders import hold_firmly
from foundation.locks import Lock
from ratings.endings import announce, close_without_result, confirm, lock_match
from ratings.models import OPEN, Match, MatchState, Participant
from ratings.play_refusals import (
    MatchDecidedError,
    NotDisputedError,
    NotInMatchError,
    WrongResultError,
)
from ratings.replay import request_replays
from ratings.results import Result, check_ranks, same_order

__all__ = ["abort", "annul", "confirm_by_server", "resolve_dispute"]

# A server that was away may still tell how a match went of which the players said nothing, or not the same.
_SERVER_MAY_DECIDE = [*OPEN, MatchState.DISPUTED, MatchState.ABANDONED]
_MAY_ABORT = [*OPEN, MatchState.DISPUTED]


def confirm_by_server(*, match_id: int, result: Result) -> Match:
    """Let the result that the game's server gives count at once, whatever the players said.

    The same result again is answered as before. Raises MatchDecidedError, NotInMatchError for a player in
    `result.left`, WrongResultError and Match.DoesNotExist.
    """
    with briefly():
        match = lock_match(match_id)
        _check(match, result)
        if match.state == MatchState.CONFIRMED and same_order(result.ranks, _ranks_of(match)):
            return match
        if match.state not in _SERVER_MAY_DECIDE:
            raise MatchDecidedError(match.state)
        return confirm(match, result, clock.now())


def abort(*, match_id: int) -> Match:
    """End a match without result: it did not take place. The same again is answered as before.

    Raises MatchDecidedError and Match.DoesNotExist.
    """
    with briefly():
        match = lock_match(match_id)
        if match.state == MatchState.ABORTED:
            return match
        if match.state not in _MAY_ABORT:
            raise MatchDecidedError(match.state)
        return close_without_result(match, MatchState.ABORTED, clock.now())


def resolve_dispute(*, match_id: int, result: Result | None, by: User, note: str) -> Match:
    """Decide a disputed match as an operator; without a result it was not played. Audited.

    Raises NotDisputedError, WrongResultError and Match.DoesNotExist.
    """
    with briefly():
        match = lock_match(match_id)
        if match.state != MatchState.DISPUTED:
            raise NotDisputedError(match.state)
        if result is None:
            close_without_result(match, MatchState.ABORTED, clock.now())
        else:
            _check(match, result)
            confirm(match, result, clock.now())
        ranks = None if result is None else list(result.ranks)
        _audit(match, "resolve_dispute", by, note, MatchState.DISPUTED, ranks=ranks)
        return match


def annul(*, match_id: int, by: User | None, note: str) -> Match:
    """Let a confirmed match count no longer; what came after it is rated anew, as if it had never been. Audited.

    The present ratings stay until the new ones are complete. The same again is answered as before. Raises
    MatchDecidedError for a match that is not confirmed, and Match.DoesNotExist.
    """
    ladder_id = Match.objects.values_list("ladder_id", flat=True).get(pk=match_id)
    with transaction.atomic():
        hold_firmly(Lock.LADDER, ladder_id)
        match = lock_match(match_id)
        if match.state == MatchState.ANNULLED:
            return match
        if match.state != MatchState.CONFIRMED:
            raise MatchDecidedError(match.state)
        match.state = MatchState.ANNULLED
        match.save(update_fields=["state"])
        if match.ladder_seq is not None:
            request_replays(ladder_id=ladder_id, from_seq=match.ladder_seq)
        announce(match, "annulled")
        _audit(match, "annul", by, note, MatchState.CONFIRMED)
    return match


def _check(match: Match, result: Result) -> None:
    check_ranks(result.ranks, match.ladder.team_count)
    if result.scores is not None and len(result.scores) != len(result.ranks):
        detail = _(
            "The result has %(scores)d scores and %(ranks)d ranks. Give one a team, or none."
        )
        raise WrongResultError(detail % {"scores": len(result.scores), "ranks": len(result.ranks)})
    if result.ended_at is not None and result.ended_at < match.played_at:
        raise WrongResultError(_("The match ends before it began."))
    known = Participant.objects.filter(match=match, player__in=result.left)
    if strangers := result.left - set(known.values_list("player", flat=True)):
        raise NotInMatchError(min(strangers))


def _ranks_of(match: Match) -> list[int]:
    seats = Participant.objects.filter(match=match).values_list("team", "rank").distinct()
    return [rank or 0 for _team, rank in sorted(seats)]


def _audit(
    match: Match, action: str, by: User | None, note: str, before: MatchState, **after: object
) -> None:
    audit.record(
        actor=by,
        action=action,
        target=match,
        before={"state": before.value},
        after={"state": str(match.state), **after},
        note=note,
    )
