"""Joining a round beforehand, saying that one is there, and leaving it again."""

from datetime import datetime, timedelta

from foundation.postgresql.transactions import briefly
from matchmaking.conduct.refusals import CoolingOffError
from matchmaking.conduct.standing import cooling_until
from matchmaking.models import EntryState, Round, RoundEntry, RoundState
from matchmaking.refusals import QueueClosedError, WrongGameError
from matchmaking.rounds.refusals import RoundOverError
from ratings.archiving import ArchivedError
from ratings.models import Player, SuspendedFrom
from ratings.sanctions import SuspendedError, suspended

__all__ = ["THERE", "is_there", "join_round", "leave_round"]

# Whoever was heard from within this time before a round begins is there.
THERE = timedelta(minutes=15)


def join_round(*, round_id: int, player: Player) -> RoundEntry:
    """Join a round; the same again is a sign that one is there still.

    Raises Round.DoesNotExist, RoundOverError, ArchivedError, QueueClosedError, WrongGameError, SuspendedError and
    CoolingOffError.
    """
    with briefly() as now:
        # Held, so that it does not begin meanwhile.
        held = Round.objects.select_for_update(of=("self",), no_key=True)
        found = held.select_related("queue__ladder__game").get(pk=round_id)
        _check(found, player, now)
        entry, _is_new = RoundEntry.objects.update_or_create(
            round=found, player=player, defaults={"seen_at": now}
        )
        return entry


def leave_round(*, round_id: int, player: Player) -> bool:
    """Leave a round that has not begun; returns whether the player had joined it. Raises RoundOverError."""
    with briefly():
        found = Round.objects.select_for_update(of=("self",), no_key=True).get(pk=round_id)
        entry = RoundEntry.objects.filter(round=found, player=player)
        if found.state != RoundState.ANNOUNCED and entry.exists():
            raise RoundOverError(found.pk, found.state)
        return bool(entry.delete()[0])


def is_there(entry: RoundEntry, starts_at: datetime) -> bool:
    """Whether the player has given a sign of being there shortly before the round begins."""
    return entry.state == EntryState.JOINED and entry.seen_at >= starts_at - THERE


def _check(found: Round, player: Player, now: datetime) -> None:
    if found.queue.is_archived:
        raise ArchivedError(found.queue, queue=found.queue.slug)
    if found.state != RoundState.ANNOUNCED or found.starts_at <= now:
        raise RoundOverError(found.pk, found.state)
    if found.queue.ladder.game_id != player.game_id:
        raise WrongGameError(player.pk)
    if not found.queue.is_open:
        raise QueueClosedError(found.queue.slug)
    sanctions = suspended([player.pk], SuspendedFrom.SEARCHING)
    if player.pk in sanctions:
        raise SuspendedError(sanctions[player.pk], is_own=True)
    until = cooling_until(player.pk)
    if until is not None and until > found.starts_at:  # who may play again by then may join
        raise CoolingOffError(player.pk, until, now)
