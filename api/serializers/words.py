"""Words that programs read: they stay the same in every language."""

from typing import Any

from rest_framework import serializers

from challenges.models import ChallengeState
from events.kinds import Kind
from matchmaking.models import TicketState
from ratings.logs.given import KINDS
from ratings.models import Facet, MatchState, RatedBy, Status
from rooms.models import RoomState

__all__ = [
    "CHALLENGE_STATES",
    "EVENT_IDS",
    "EVENT_KINDS",
    "FACETS",
    "MATCH_EVENT_TYPES",
    "MATCH_STATES",
    "RATED_BY",
    "ROOM_STATES",
    "STATUSES",
    "TICKET_STATES",
    "StatusField",
]

MATCH_STATES = list(MatchState.values)
TICKET_STATES = list(TicketState.values)
CHALLENGE_STATES = list(ChallengeState.values)
ROOM_STATES = list(RoomState.values)
FACETS = [facet for facet in Facet.values if facet]
EVENT_KINDS = [kind.value for kind in Kind if kind.topics]
EVENT_IDS = sorted({name for kind in Kind if kind.topics for name in kind.ids})
MATCH_EVENT_TYPES = list(KINDS)
RATED_BY = list(RatedBy.values)
STATUSES = [status.name.lower() for status in Status]


class StatusField(serializers.ChoiceField):
    """`new`, `provisional` or `established`."""

    def __init__(self, **options: Any) -> None:
        super().__init__(choices=STATUSES, **options)

    def in_answers(self, status: int) -> str:
        """The word for what is stored."""
        return Status(status).name.lower()
