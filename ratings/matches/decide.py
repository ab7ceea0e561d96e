"""Who decides a match besides its players: the game's server, and operators."""

from django.db import transaction
from django.utils.translation import gettext as _

from accounts import audit
from accounts.models import User
from events.kinds import Kind
from foundation.postgresql.lease import hold_firmly
from foundation.postgresql.locks import Lock
from ratings.disputes import note_overruled
from ratings.matches.end import Held, announcement_of, end_match, hold_match
from ratings.matches.player_stats import (
    check_demands,
    check_figures,
    demands_of,
)
from ratings.matches.refusals import (
    MatchDecidedError,
    NotConfirmedError,
    NotDisputedError,
    NotInMatchError,
    WrongResultError,
    check_by_results,
)
from ratings.matches.result import Result, check_ranks, check_scores, check_times, same_order
from ratings.matches.revising.annulled import Annulled, follow
from ratings.matches.verdict import PARTNER_TEAM
from ratings.merging.meant import one_person_in, say_twice
from ratings.models import OPEN, Match, MatchState
from ratings.players.map_games import uncount_maps
from ratings.players.own_matters import check_not_own
from ratings.runs.replay import request_replays

__all__ = ["abort", "annul", "confirm_by_server", "resolve_dispute"]

# A server that was away may still tell how a match went of which the players said nothing, or not the same.
_SERVER_MAY_DECIDE = [*OPEN, MatchState.DISPUTED, MatchState.ABANDONED]
_MAY_ABORT = [*OPEN, MatchState.DISPUTED]
_LONGEST_MAP = 100
# What a result says of single players, and in which column of a participant it stands.
_OF_PLAYERS = {"player_scores": "score", "minutes": "minutes", "characters": "character"}


def confirm_by_server(*, match_id: int, result: Result, server_key: int | None = None) -> Match:
    """Let the result that the game's server gives count at once, whatever the players said.

    `server_key`: the number of the server's key, kept with the match.

    A match that is confirmed with the same placing, by whomever, is answered as it is where the result says nothing
    else that is new. Raises MatchDecidedError, which names what is, NotInMatchError for a player in `result.left`,
    WrongResultError and Match.DoesNotExist.
    """
    with transaction.atomic():
        held = hold_match(match_id)
        match = held.match
        check_by_results(match.ladder)
        _check(held, result)
        if match.state == MatchState.CONFIRMED and same_order(result.ranks, held.ranks):
            if news := what_is_new(match, result):
                raise MatchDecidedError(match.state, news)
            return match
        if match.state not in _SERVER_MAY_DECIDE:
            raise MatchDecidedError(match.state)
        if match.state == MatchState.ABANDONED:  # merging has found nothing to decide there
            merged = one_person_in(held.players, match.played_at)
            if merged is not None and merged.merged_into is not None:
                names = merged.external_id, merged.merged_into.external_id
                raise WrongResultError(say_twice(*names))
        check_times(match.played_at, result.ended_at, held.now)
        # Players and operators know no figures: what they decide counts, and is passed over where a system needs them.
        needs = demands_of([match.ladder_id]).get(match.ladder_id, frozenset())
        check_demands(needs, result, held.teams)
        note_overruled(held, result)
        match.server_key = server_key
        end_match(held, MatchState.CONFIRMED, result)
        return match


def abort(*, match_id: int, by: User | None = None, note: str = "") -> Match:
    """End a match without result: it did not take place. The same again is answered as before.

    Audited when an operator does it. Raises MatchDecidedError, OwnMatterError and Match.DoesNotExist.
    """
    with transaction.atomic():
        held = hold_match(match_id)
        check_not_own(by, held.players)
        match, before = held.match, held.match.state
        check_by_results(match.ladder)
        if before == MatchState.ABORTED:
            return match
        if before not in _MAY_ABORT:
            raise MatchDecidedError(before)
        end_match(held, MatchState.ABORTED)
        if by is not None:
            _audit(match, "match.aborted", by, note, before)
        return match


def resolve_dispute(*, match_id: int, result: Result | None, by: User, note: str) -> Match:
    """Decide a disputed match as an operator; without a result it was not played. Audited.

    Raises NotDisputedError, NotInMatchError for a player in `result.left`, WrongResultError, OwnMatterError and
    Match.DoesNotExist.
    """
    with transaction.atomic():
        held = hold_match(match_id)
        check_not_own(by, held.players)
        match = held.match
        if match.state != MatchState.DISPUTED:
            raise NotDisputedError(match.state)
        if result is not None:
            _check(held, result)
            check_times(match.played_at, result.ended_at, held.now)
            note_overruled(held, result)
        end_match(held, MatchState.CONFIRMED if result else MatchState.ABORTED, result)
        more = {"ranks": list(result.ranks)} if result else {}
        _audit(match, "match.dispute_resolved", by, note, MatchState.DISPUTED, **more)
        return match


def annul(*, match_id: int, by: User | None, note: str) -> Match:
    """Let a confirmed match count no longer; what came after it is rated anew, as if it had never been. Audited.

    The present ratings stay until the new ones are complete. The same again is answered as before. Raises
    NotConfirmedError, OwnMatterError and Match.DoesNotExist. Waits for the ladder's lock.
    """
    ladder_id = Match.objects.values_list("ladder_id", flat=True).get(pk=match_id)
    with transaction.atomic():
        # While it is held, no match gets its number in the sequence.
        hold_firmly(Lock.LADDER, ladder_id)
        held = hold_match(match_id)
        check_not_own(by, held.players)
        match = held.match
        if match.state == MatchState.ANNULLED:
            return match
        if match.state != MatchState.CONFIRMED:
            raise NotConfirmedError(match.state)
        match.state = MatchState.ANNULLED
        match.save(update_fields=["state"])
        uncount_maps([match.pk])
        seq = match.ladder_seq
        replays = [] if seq is None else request_replays(ladder_id=ladder_id, from_seq=seq)
        announcement_of([match], Kind.MATCH_ANNULLED, held.players).write()
        follow(Annulled([match.pk], list(held.players)))
        _audit(match, "match.annulled", by, note, MatchState.CONFIRMED, replays=replays)
    return match


def _check(held: Held, result: Result) -> None:
    """Raise unless the result fits the match's teams and players."""
    teams = len(held.ranks)
    check_ranks(result.ranks, teams)
    check_scores(result.scores, teams)
    if len(result.map) > _LONGEST_MAP or "\0" in result.map:
        raise WrongResultError(_("The map's name has more than 100 characters, or a NUL."))
    if strangers := result.left - set(held.players):
        raise NotInMatchError(min(strangers))
    check_figures(result, held.players)


def _audit(
    match: Match, action: str, by: User | None, note: str, before: str, **after: object
) -> None:
    audit.record(
        actor=by,
        action=action,
        target=match,
        before={"state": str(before)},
        after={"state": str(match.state), **after},
        note=note,
    )


def what_is_new(match: Match, result: Result) -> list[str]:
    """Names of what a result with the same placing says otherwise; what it leaves out it does not say.

    When the match ended does not count: clocks differ.
    """
    participants = list(match.participants.all())
    scores = dict(enumerate(result.scores or ()))
    noted_as_left = {
        participant.player_id for participant in participants if participant.left_early
    }
    news = {
        "scores": (
            match.partner != ""
            and scores.get(PARTNER_TEAM, match.partner_score) != match.partner_score
        )
        or any(
            participant.score != scores.get(participant.team, participant.score)
            for participant in participants
            if participant.player_id not in result.player_scores
        ),
        **{
            name: any(
                getattr(participant, column) != said
                for participant in participants
                if (said := getattr(result, name).get(participant.player_id)) is not None
            )
            for name, column in _OF_PLAYERS.items()
        },
        "left": not result.left <= noted_as_left,
        "neutral": result.neutral not in (None, match.is_neutral),
        "map": result.map not in ("", match.map),
    }
    return [name for name, is_new in news.items() if is_new]
