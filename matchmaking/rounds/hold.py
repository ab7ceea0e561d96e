"""Announcing rounds, reminding of them, and beginning those that are due. Found in the database: right when run twice.

A round begins in one transaction: all who joined and are there get their tickets, and whoever cannot is told why. A
worker that is killed before the end has begun nothing.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import structlog
from django.db import IntegrityError, transaction
from django.db.models import Q

from events.kinds import Kind
from events.live import broadcast
from foundation import clock, timekeeping
from foundation.archiving import in_use
from foundation.postgresql.transactions import after_commit, briefly
from foundation.refusals import RefusedError
from foundation.wakeups import wake
from matchmaking.models import EntryState, Round, RoundEntry, RoundState, RoundTime
from matchmaking.rounds.join import THERE, is_there
from matchmaking.rounds.times import moments
from matchmaking.tickets.create import Application, begin_search
from notifications.tell import tell
from ratings.merging.meant import meant_by

__all__ = ["AHEAD", "KEPT", "LATE", "announce_rounds", "hold_due_rounds", "remind"]

log = structlog.get_logger(__name__)

# Rounds are announced so long beforehand; one that could not begin within so long after its time is cancelled; and
# what came of one is kept for so long.
AHEAD, LATE, KEPT = timedelta(days=7), timedelta(minutes=10), timedelta(days=30)
_ELSEWHERE = {
    "already_searching",
    "already_playing",
    "member_searching",
    "member_playing",
    "in_room",
}


def announce_rounds() -> int:
    """Announce the rounds of the coming week, and cancel those that were switched off; returns how many are new."""
    if not timekeeping.is_steady():  # by a wrong clock each round is over, or a new one due
        return 0
    now, new = clock.now(), 0
    used = in_use("queue__", "queue__ladder__", "queue__ladder__game__")
    known = set(Round.objects.filter(starts_at__gt=now).values_list("queue", "starts_at"))
    for each in RoundTime.objects.filter(used, is_on=True).select_related("queue__ladder"):
        try:
            zone = ZoneInfo(each.zone)
        except (ZoneInfoNotFoundError, ValueError):
            log.warning("rounds.unknown_zone", zone=each.zone, queue=each.queue.slug)
            continue
        moments_ahead = moments(each.weekdays, each.at, zone, now, now + AHEAD)
        if wanted := [one for one in moments_ahead if (each.queue_id, one) not in known]:
            new += _announce(each, wanted)
    off = ~used | Q(time__is_on=False)
    for pk in Round.objects.filter(off, state=RoundState.ANNOUNCED).values_list("pk", flat=True):
        _cancel(pk)
    return new


def _announce(time: RoundTime, wanted: Sequence[datetime]) -> int:
    with briefly():
        # Whoever looks ahead at the same time announces the same.
        made = [
            Round.objects.get_or_create(
                queue=time.queue, starts_at=moment, defaults={"time": time}
            )[1]
            for moment in wanted
        ]
        new = sum(made)
        if new:
            topic = f"game:{time.queue.ladder.game_id}"
            broadcast([topic], Kind.ROUND_ANNOUNCED, queue=time.queue_id)
        return new


def remind() -> None:
    """Ask those who joined a round that begins soon whether they are there."""
    if not timekeeping.is_steady():
        return
    soon = clock.now() + THERE
    due = Round.objects.to_come().filter(reminded_at__isnull=True, starts_at__lte=soon)
    for pk in due.values_list("pk", flat=True):
        with briefly() as now:
            found = _hold(pk)
            if found is None or found.reminded_at is not None:
                continue
            found.reminded_at = now
            found.save(update_fields=["reminded_at"])
            players = list(found.entries.values_list("player", flat=True))
            if players and found.starts_at > now:
                _tell("round.soon", found, players)


def hold_due_rounds() -> int:
    """Begin every round whose time has come; returns how many searches began."""
    if not timekeeping.is_steady():
        return 0
    begun = 0
    due = Round.objects.filter(state=RoundState.ANNOUNCED, starts_at__lte=clock.now())
    for pk in due.order_by("starts_at", "pk").values_list("pk", flat=True):
        begun += _begin(pk)
    return begun


def _hold(pk: int) -> Round | None:
    """The round, if it is still to come and nobody else is at it."""
    held = Round.objects.select_for_update(of=("self",), no_key=True, skip_locked=True)
    announced = held.filter(pk=pk, state=RoundState.ANNOUNCED)
    return announced.select_related("queue__ladder__game").first()


def _begin(pk: int) -> int:
    with briefly() as now:
        found = _hold(pk)
        if found is None:
            return 0
        if found.queue.is_archived or not found.queue.is_open or found.starts_at < now - LATE:
            _end(found, RoundState.CANCELLED, now)
            return 0
        begun: list[int] = []
        passed: dict[str, list[int]] = {}
        entries = list(found.entries.select_related("player__merged_into"))
        # As everybody takes rows of players.
        entries.sort(key=lambda entry: meant_by(entry.player).pk)
        for entry in entries:
            entry.state, why = _enter(found, entry, now)
            entry.save(update_fields=["state", "ticket"])
            if entry.state == EntryState.SEARCHED:
                begun.append(entry.player_id)
            else:
                passed.setdefault(why, []).append(entry.player_id)
        _end(found, RoundState.HELD, now, told=False)
        _tell("round.began", found, begun)
        for why, players in sorted(passed.items()):
            _tell(f"round.{why}", found, players)
        if begun:
            after_commit(wake, "matchmaking.run_queues")
        log.info("round.held", round=found.pk, queue=found.queue.slug, searches=len(begun))
        return len(begun)


def _enter(found: Round, entry: RoundEntry, now: datetime) -> tuple[EntryState, str]:
    """Let a player search; else say what is in the way."""
    if not is_there(entry, found.starts_at):
        return EntryState.ABSENT, "absent"
    asked = Application(found.queue, meant_by(entry.player), None, {}, {})
    try:
        with transaction.atomic():
            entry.ticket = begin_search(asked, now)
    except RefusedError as refusal:
        if refusal.code in _ELSEWHERE:
            return EntryState.ELSEWHERE, "elsewhere"
        return EntryState.REFUSED, "refused"
    except IntegrityError as error:
        if "ticket_one_live_per_player" not in str(error):
            raise
        return EntryState.ELSEWHERE, "elsewhere"
    return EntryState.SEARCHED, ""


def _cancel(pk: int) -> None:
    with briefly() as now:
        if (found := _hold(pk)) is not None:
            _end(found, RoundState.CANCELLED, now)


def _end(found: Round, state: RoundState, now: datetime, *, told: bool = True) -> None:
    found.state, found.ended_at = state, now
    found.save(update_fields=["state", "ended_at"])
    kind = Kind.ROUND_BEGAN if state == RoundState.HELD else Kind.ROUND_CANCELLED
    topic = f"game:{found.queue.ladder.game_id}"
    broadcast([topic], kind, round=found.pk, queue=found.queue_id)
    if told:
        _tell("round.cancelled", found, list(found.entries.values_list("player", flat=True)))


def _tell(kind: str, found: Round, players: Sequence[int]) -> None:
    if players:
        data = {"queue": found.queue.name, "slug": found.queue.slug}
        tell(kind, players, about=f"round:{found.pk}", data=data)
