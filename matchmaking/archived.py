"""What archiving ends at once: the searches in a queue that is archived, or whose ladder or game is; a game's parties.

A search that began at the same moment is ended by the next sweep, which looks for itself; a party by whoever wakes the
sweeps.
"""

from contextlib import suppress

from django.db.models import Q, QuerySet

from foundation.archiving import Archivable
from matchmaking.models import PartyMember, Queue, Ticket
from matchmaking.models.tickets import LIVE
from matchmaking.parties.lifecycle import end_party
from matchmaking.refusals import AlreadyMatchedError, PartyOverError
from matchmaking.tickets.lifecycle import cancel
from ratings.models import Game, Ladder

__all__ = ["end_archived", "end_parties", "follow", "searches_of"]


def end_archived(queue_id: int) -> int:
    """End all searches of the queue if it is archived; returns how many. One query where it is not."""
    return _end(Ticket.objects.filter(queue=queue_id))


def follow(thing: Archivable) -> None:
    """End the searches of what was archived, and the parties. A match that has begun goes on."""
    if thing.archived_at is not None:
        _end(searches_of(thing))
        end_parties()


def end_parties() -> None:
    """End the parties of games that are archived. One query where there are none."""
    there = PartyMember.objects.filter(live=True, party__game__archived_at__isnull=False)
    for pk in there.order_by("party_id").values_list("party_id", flat=True).distinct():
        with suppress(AlreadyMatchedError, PartyOverError):
            end_party(party_id=pk)


def searches_of(thing: Archivable) -> QuerySet[Ticket]:
    """The searches that are live in a game, in a ladder or in a queue; of anything else none."""
    paths = {Game: "queue__ladder__game", Ladder: "queue__ladder", Queue: "queue"}
    path = paths.get(type(thing))
    mine = Q(**{path: thing.pk}) if path else Q(pk__in=[])
    return Ticket.objects.filter(mine, state__in=LIVE)


def _end(tickets: QuerySet[Ticket]) -> int:
    is_used = Queue.objects.in_use()
    live = tickets.filter(state__in=LIVE).exclude(queue__in=is_used).order_by("pk")
    ended = 0
    for pk in live.values_list("pk", flat=True):
        with suppress(AlreadyMatchedError):
            cancel(ticket_id=pk)
            ended += 1
    return ended
