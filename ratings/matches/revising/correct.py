"""Correcting the result of a match that counts: what stood there is kept beside, and what followed is rated anew.

The match keeps its id, its address and its place in the ladder's sequence: the ratings become what they would be had
the corrected result stood there from the start.
"""

from collections.abc import Sequence
from typing import Any

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from accounts import audit
from accounts.models import User
from events.kinds import Kind
from foundation.postgresql.lease import hold_firmly
from foundation.postgresql.locks import Lock
from foundation.refusals import RefusedError
from ratings.disputes import decided_at
from ratings.matches.end import announcement_of, hold_match
from ratings.matches.player_stats import check_figures
from ratings.matches.refusals import WrongResultError, check_by_results
from ratings.matches.result import Result, check_ranks, check_scores, same_order
from ratings.models import Correction, EarlierResult, Match, MatchState, Participant
from ratings.players.own_matters import check_not_own
from ratings.runs.replay import request_replays

__all__ = [
    "CorrectedMeanwhileError",
    "DecidedByOperatorError",
    "NotCorrectableError",
    "correct",
    "put_result",
    "say_result",
]

_FIGURES = ("rank", "score", "minutes")


class NotCorrectableError(RefusedError):
    """Only a result that counts can be corrected. `extra` names the match's state."""

    code = "match_not_confirmed"

    def __init__(self, state: str) -> None:
        words = _("Only a confirmed result can be corrected; this match has none that counts.")
        if state == MatchState.ANNULLED:
            words = _(
                "This match was annulled: its result counts no longer and cannot be corrected."
            )
        super().__init__(words, state=state)


class CorrectedMeanwhileError(RefusedError):
    """Somebody else was first. `extra` says how many corrections there are now."""

    code = "match_corrected"

    def __init__(self, corrections: int) -> None:
        words = _("Somebody else has corrected this match meanwhile. Nothing was changed.")
        super().__init__(words, corrections=corrections)


class DecidedByOperatorError(RefusedError):
    """A server may not correct what an operator has decided. `extra` names the match's state."""

    code = "match_decided"

    def __init__(self, state: str) -> None:
        words = _("An operator has decided this match, so only an operator can correct it.")
        super().__init__(words, state=state)


def correct(
    *,
    match_id: int,
    result: Result,
    reason: str,
    by: User | None = None,
    server_key: int | None = None,
    seen: int | None = None,
) -> Match:
    """Put another result in the place of that of a confirmed match. Audited, told to everybody, one replay.

    Of `result` ranks, scores and minutes count; what it leaves out stays. `reason` is shown on the match's page.
    `server_key`: the number of the key whose server corrects. `seen`: how many corrections were shown to whoever
    corrects. A result that the match has already is answered as it is.

    Raises NotCorrectableError, CorrectedMeanwhileError, DecidedByOperatorError, WrongResultError, OwnMatterError,
    RatedByEventsError and Match.DoesNotExist. Waits for the ladder's lock.
    """
    ladder_id = Match.objects.values_list("ladder_id", flat=True).get(pk=match_id)
    with transaction.atomic():
        # While it is held, no match gets its number in the sequence, and no run commits what it has read.
        hold_firmly(Lock.LADDER, ladder_id)
        held = hold_match(match_id)
        check_not_own(by, held.players)
        match = held.match
        check_by_results(match.ladder)  # another result would change no rating: events make them
        if match.state != MatchState.CONFIRMED:
            raise NotCorrectableError(match.state)
        if match.partner:
            raise WrongResultError(
                _(
                    "This match was against a partner of the game and counts for no rating: annul it instead."
                )
            )
        check_ranks(result.ranks, len(held.ranks))
        check_scores(result.scores, len(held.ranks))
        check_figures(result, held.players)
        participants = list(match.participants.order_by("team", "pk"))
        before = say_result(participants)
        earlier = {one.pk: (one.rank, one.score, one.minutes) for one in participants}
        put_result(participants, result)
        if say_result(participants) == before:
            return match
        made = list(match.corrections.order_by("number"))
        if seen is not None and seen != len(made):
            raise CorrectedMeanwhileError(len(made))
        is_operators = decided_at(match) is not None or (made and made[-1].server_key is None)
        if server_key is not None and is_operators:
            raise DecidedByOperatorError(match.state)
        correction = Correction.objects.create(
            match=match,
            number=len(made) + 1,
            reason=reason,
            at=held.now,
            by=by,
            server_key=server_key,
        )
        EarlierResult.objects.bulk_create(
            EarlierResult(
                correction=correction,
                participant_id=pk,
                rank=rank or 0,
                score=score,
                minutes=minutes,
            )
            for pk, (rank, score, minutes) in earlier.items()
        )
        Participant.objects.bulk_update(participants, _FIGURES)
        match.corrected_at, match.server_key = held.now, server_key
        match.save(update_fields=["corrected_at", "server_key"])
        seq = match.ladder_seq
        replays = [] if seq is None else request_replays(ladder_id=ladder_id, from_seq=seq)
        announcement_of([match], Kind.MATCH_CORRECTED, held.players).write()
        audit.record(
            actor=by,
            action="match.corrected",
            target=match,
            before={"result": before},
            after={
                "result": say_result(participants),
                "correction": correction.number,
                "server_key": server_key,
                "replays": replays,
            },
            note=reason,
        )
    return match


def put_result(participants: Sequence[Participant], result: Result) -> None:
    """Set ranks, scores and minutes on the participants of a match, team by team; nothing is written.

    Ranks that place the teams as before stay the numbers that they were.
    """
    ranks = {one.team: one.rank or 0 for one in participants}
    before = [ranks[team] for team in sorted(ranks)]
    after = before if same_order(before, result.ranks) else result.ranks
    for one in participants:
        one.rank = after[one.team]
        if result.scores is not None:
            one.score = result.scores[one.team]
        one.score = result.player_scores.get(one.player_id, one.score)
        one.minutes = result.minutes.get(one.player_id, one.minutes)


def say_result(participants: Sequence[Participant]) -> list[dict[str, Any]]:
    """The result as the audit log keeps it: a row for each participant."""
    return [
        {"player": one.player_id, **{name: getattr(one, name) for name in _FIGURES}}
        for one in participants
    ]
