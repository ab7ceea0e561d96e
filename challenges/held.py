"""A challenge whose row is held: what may happen to it, and its end. Locks: a challenge's row comes before all others.

Whoever holds one may take rows of players, and begin a match; searches are ended before it is held.
"""

from collections.abc import Iterable

from challenges.models import Challenge, ChallengeState
from challenges.refusals import ChallengeOverError, NotAcceptedError
from challenges.told import ASKS
from events.kinds import Kind
from foundation import clock, timekeeping
from foundation.templatetags.display import utc_text
from matchmaking.broadcasts import broadcast_to_players
from notifications.tell import mark_done, take_back
from notifications.tell import tell as notice

__all__ = [
    "end_held",
    "hold",
    "is_expired",
    "mark_answered",
    "mark_over",
    "notify",
    "over_of",
    "tell",
]

_KINDS = {
    ChallengeState.DECLINED: Kind.CHALLENGE_DECLINED,
    ChallengeState.WITHDRAWN: Kind.CHALLENGE_WITHDRAWN,
    ChallengeState.EXPIRED: Kind.CHALLENGE_EXPIRED,
    ChallengeState.MISSED: Kind.CHALLENGE_MISSED,
    ChallengeState.CANCELLED: Kind.CHALLENGE_CANCELLED,
}
# What nobody is to read any more.
_NOBODY_NEEDS_TO_ANSWER = [ChallengeState.WITHDRAWN, ChallengeState.EXPIRED]
# What asks the two to come.
_CALLS = (
    "challenge.accepted",
    "appointment.agreed",
    "appointment.reminded",
    "appointment.called",
)


def hold(pk: int) -> Challenge:
    """Hold a challenge until the transaction ends, with its ladder and players. Raises Challenge.DoesNotExist."""
    rows = Challenge.objects.select_for_update(no_key=True, of=("self",))
    found: Challenge = rows.select_related(
        "ladder__game", "challenger__game", "challenged__game"
    ).get(pk=pk)
    return found


def end_held(challenge: Challenge, state: ChallengeState) -> None:
    """End a held challenge in this way, and tell its two."""
    # This transaction may have begun before the one that made it.
    challenge.ended_at = max(clock.now(), challenge.created_at)
    challenge.state, challenge.due_at = state, None
    challenge.save(update_fields=["state", "due_at", "ended_at"])
    tell([challenge], _KINDS[state])
    if challenge.state in _NOBODY_NEEDS_TO_ANSWER:
        for kind in ASKS:
            take_back(kind, _about(challenge), players=challenge.players)
    mark_over(challenge)


def mark_answered(challenge: Challenge) -> None:
    """Nobody needs to answer a held challenge any more: what asked for it counts as read."""
    mark_done(ASKS, _about(challenge), challenge.players)


def mark_over(challenge: Challenge) -> None:
    """A held challenge has ended, or its match begun: nothing that its two were told of it before asks for anything."""
    mark_done((*ASKS, *_CALLS), _about(challenge), challenge.players)


def over_of(challenge: Challenge) -> ChallengeOverError | NotAcceptedError:
    """What is answered to whoever came too late, or too early for what only an accepted challenge allows."""
    if challenge.state == ChallengeState.OPEN:
        return NotAcceptedError(challenge.pk, challenge.state)
    return ChallengeOverError(challenge.pk, challenge.state, challenge.match_id)


def is_expired(challenge: Challenge) -> bool:
    """Whether the time to accept a held, open challenge is over."""
    return timekeeping.deadlines().is_over(began=challenge.created_at, ends=challenge.expires_at)


def tell(challenges: Iterable[Challenge], kind: Kind) -> None:
    """Broadcast to the two of each, and to the servers of their game."""
    for one in challenges:
        broadcast_to_players(one.ladder.game_id, one.players, kind, challenge=one.pk)


def _about(challenge: Challenge) -> str:
    return f"challenge:{challenge.pk}"


def notify(kind: str, challenge: Challenge, players: Iterable[int]) -> None:
    """Tell players, each of the other, by the ways they have chosen. In the transaction in which it happens."""
    data = {
        "challenge": challenge.pk,
        "ladder": challenge.ladder.name,
        "time": None if challenge.at is None else utc_text(challenge.at),
    }
    for player in players:
        other = challenge.other_of(player)
        by = {} if other is None else {"by": other.pk}
        notice(kind, [player], about=_about(challenge), data={**data, **by})
