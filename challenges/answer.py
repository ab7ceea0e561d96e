"""Answering challenges: accepted, declined, withdrawn, cancelled. Under the challenge's row one answer wins.

Whoever comes too late is told what won (ChallengeOverError); the same answer again changes nothing.
"""

from datetime import datetime

from challenges import limits
from challenges.checks import check_ladder, check_pair, check_self
from challenges.held import end_held, hold, is_expired, mark_answered, notify, over_of, tell
from challenges.meeting import charge_missing, start_if_both
from challenges.models import Challenge, ChallengeState
from challenges.refusals import (
    ChallengesItselfError,
    NotChallengedError,
    NotChallengerError,
    NotInChallengeError,
    UnknownChallengeError,
)
from events.kinds import Kind
from foundation import timekeeping
from foundation.postgresql.transactions import briefly
from foundation.refusals import RefusedError
from matchmaking.playing import playing_of
from ratings.matches.start import AlreadyPlayingError
from ratings.models import Player

__all__ = ["accept", "cancel", "decline", "plain_code", "take", "withdraw"]


def accept(*, challenge_id: int, player: Player) -> Challenge:
    """Accept a challenge; the match begins at once if the challenger is there, an appointment stands for its time.

    Raises NotChallengedError, ChallengeOverError, ArchivedError, SuspendedError, TooManyDisputesError,
    CannotChallengeError, AlreadyPlayingError, Challenge.DoesNotExist, and what apps above refuse with.
    """
    with briefly() as now:
        challenge = hold(challenge_id)
        if challenge.challenged_id != player.pk:
            raise NotChallengedError(challenge_id)
        refusal = _accept(challenge, player, now)
    if refusal is not None:
        raise refusal
    return start_if_both(challenge_id, asked_by=player.pk)


def take(*, code: str, player: Player) -> Challenge:
    """Accept the challenge of a link. The first who does has it; to them the same again changes nothing.

    Raises UnknownChallengeError, ChallengesItselfError, and what `accept` does.
    """
    wanted = plain_code(code)
    known = Challenge.objects.filter(code=wanted, ladder__game=player.game_id).first()
    if known is None or not wanted:
        raise UnknownChallengeError
    with briefly() as now:
        challenge = hold(known.pk)
        if challenge.challenger_id == player.pk:
            raise ChallengesItselfError(player.pk)
        if challenge.challenged_id not in (None, player.pk):
            raise over_of(challenge)
        challenge.challenged = player
        refusal = _accept(challenge, player, now)
    if refusal is not None:
        raise refusal
    return start_if_both(known.pk, asked_by=player.pk)


def decline(*, challenge_id: int, player: Player) -> Challenge:
    """Decline a challenge as the challenged. Raises NotChallengedError, ChallengeOverError, Challenge.DoesNotExist."""
    with briefly():
        challenge = hold(challenge_id)
        if challenge.challenged_id != player.pk:
            raise NotChallengedError(challenge_id)
        refusal = _end_open(challenge, ChallengeState.DECLINED)
        if refusal is None:
            notify("challenge.declined", challenge, [challenge.challenger_id])
    if refusal is not None:
        raise refusal
    return challenge


def withdraw(*, challenge_id: int, player: Player) -> Challenge:
    """Take back a challenge that nobody has answered, as who made it.

    Raises NotChallengerError, ChallengeOverError and Challenge.DoesNotExist.
    """
    with briefly():
        challenge = hold(challenge_id)
        if challenge.challenger_id != player.pk:
            raise NotChallengerError(challenge_id)
        refusal = _end_open(challenge, ChallengeState.WITHDRAWN)
    if refusal is not None:
        raise refusal
    return challenge


def cancel(*, challenge_id: int, player: Player) -> Challenge:
    """Call off what was accepted and has not begun, as one of the two. Of an appointment whose time has come, and for
    which the other is there, it counts as missing it.

    Raises NotInChallengeError, NotAcceptedError, ChallengeOverError and Challenge.DoesNotExist.
    """
    with briefly() as now:
        challenge = hold(challenge_id)
        if player.pk not in challenge.players:
            raise NotInChallengeError(challenge_id)
        if challenge.state == ChallengeState.CANCELLED:
            return challenge
        if challenge.state != ChallengeState.ACCEPTED:
            raise over_of(challenge)
        end_held(challenge, ChallengeState.CANCELLED)
        other = challenge.other_of(player.pk)
        if other is not None:
            notify("challenge.cancelled", challenge, [other.pk])
        if other is not None:
            charge_missing(challenge, now, unless=other.pk)
    return challenge


def plain_code(text: str) -> str:
    """A code as it is stored, from what somebody has typed."""
    return "".join(sign for sign in text.upper() if sign.isalnum())[:20]


def _accept(challenge: Challenge, player: Player, now: datetime) -> RefusedError | None:
    """Accept a held challenge. What it comes to is written even where that is its end: then the refusal is given."""
    if challenge.state in {ChallengeState.ACCEPTED, ChallengeState.STARTED}:
        return None
    if challenge.state != ChallengeState.OPEN:
        return over_of(challenge)
    if is_expired(challenge):
        if challenge.code is not None and challenge.answered_at is None:
            challenge.challenged = None
        end_held(challenge, ChallengeState.EXPIRED)
        return over_of(challenge)
    check_ladder(challenge.ladder, player)
    check_pair(player, challenge.challenger)
    check_self(player, challenge.ladder, rated=challenge.rated, at=challenge.at)
    if challenge.at is None:
        busy = playing_of([player.pk])
        if player.pk in busy:
            raise AlreadyPlayingError(player.pk, busy[player.pk])
        challenge.due_at = now + limits.WAITS_FOR_BOTH
        challenge.challenged_here_at = now
        seen = challenge.challenger_seen_at
        # Who was seen at a time that is to come was seen by a clock that ran ahead: when, nobody knows.
        if seen is not None and now - limits.COUNTS_AS_HERE <= seen <= now + timekeeping.AHEAD:
            challenge.challenger_here_at = now
    else:
        challenge.due_at = challenge.at + limits.LATE_BY
    challenge.state, challenge.answered_at = ChallengeState.ACCEPTED, now
    challenge.save()
    tell([challenge], Kind.CHALLENGE_ACCEPTED)
    mark_answered(challenge)
    is_waited_for = challenge.at is not None or challenge.challenger_here_at is None
    if is_waited_for:
        kind = "challenge.accepted" if challenge.at is None else "appointment.agreed"
        notify(kind, challenge, [challenge.challenger_id])
    return None


def _end_open(challenge: Challenge, state: ChallengeState) -> RefusedError | None:
    if challenge.state == state:
        return None
    if challenge.state != ChallengeState.OPEN:
        return over_of(challenge)
    if is_expired(challenge):
        end_held(challenge, ChallengeState.EXPIRED)
        return over_of(challenge)
    end_held(challenge, state)
    return None
