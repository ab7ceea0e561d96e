"""Rounds of a queue that are to come, as pages and the API show them."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from django.db.models import Count, Exists, OuterRef, Q, Value
from django.db.models.fields import BooleanField

from matchmaking.models import EntryState, Round, RoundEntry
from matchmaking.rounds.join import THERE

__all__ = ["MOST", "ComingRound", "coming_rounds"]

MOST = 20


@dataclass(frozen=True, slots=True)
class ComingRound:
    """A round: how many have joined, and whether the player who asks has, and has said to be there.

    asks_now: whether saying so counts by now.
    """

    round: Round
    joined: int
    is_in: bool
    is_there: bool
    asks_now: bool

    def local(self, zone: ZoneInfo) -> datetime:
        """When it begins by the clocks of a zone."""
        return self.round.starts_at.astimezone(zone)


def coming_rounds(queue_id: int, player_id: int | None, now: datetime) -> list[ComingRound]:
    """The next rounds of a queue. One query."""
    own = RoundEntry.objects.filter(round=OuterRef("pk"), player=player_id, state=EntryState.JOINED)
    nobody = Value(False, output_field=BooleanField())
    rounds = Round.objects.to_come().filter(queue=queue_id, starts_at__gt=now)
    rows: Any = rounds.annotate(
        joined=Count("entries", filter=Q(entries__state=EntryState.JOINED)),
        is_in=Exists(own) if player_id else nobody,
        last=own.values("seen_at")[:1] if player_id else nobody,
    )[:MOST]
    return [
        ComingRound(
            round=one,
            joined=one.joined,
            is_in=one.is_in,
            is_there=bool(one.is_in and one.last >= one.starts_at - THERE),
            asks_now=one.starts_at - THERE <= now,
        )
        for one in rows
    ]
