"""What a suspension ends at once: the player's search, and membership in a party.

A search that began at the same moment is ended by the next sweep, which looks for itself.
"""

from contextlib import suppress
from datetime import timedelta
from typing import Any

from django.db import connection

from foundation import clock
from foundation.refusals import RefusedError
from matchmaking.conduct.standing import COOLING
from matchmaking.models import OfferState, Ticket, TicketMember
from matchmaking.models.tickets import LIVE
from matchmaking.parties.lifecycle import leave_party
from matchmaking.parties.membership import party_of
from matchmaking.refusals import AlreadyMatchedError
from matchmaking.tickets.characters import forget_made_up
from matchmaking.tickets.lifecycle import cancel
from ratings.models import Sanction, SuspendedFrom
from ratings.sanctions import SUSPENDED_NOW

__all__ = ["end_suspended", "follow", "offered_with", "suspended_tickets"]

# Who is suspended for longer has no search any more: each looks before it begins.
_LATELY = timedelta(hours=1)
_SEARCHING = f"""
SELECT ticket.id FROM matchmaking_ticket AS ticket
JOIN matchmaking_ticketmember AS member ON member.ticket_id = ticket.id AND member.live
JOIN ratings_sanction AS sanction ON sanction.player_id = member.player_id
WHERE ticket.queue_id = %(queue)s AND ticket.state IN ('waiting', 'offered')
  AND sanction.suspended_from IN ('searching', 'all') AND {SUSPENDED_NOW}
  AND sanction.imposed_at > coalesce(%(at)s::timestamptz, now()) - %(lately)s
UNION
SELECT ticket.id FROM matchmaking_conductstanding AS standing
JOIN matchmaking_ticketmember AS member ON member.player_id = standing.player_id AND member.live
JOIN matchmaking_ticket AS ticket ON ticket.id = member.ticket_id
WHERE ticket.queue_id = %(queue)s AND ticket.state IN ('waiting', 'offered') AND {COOLING}
ORDER BY id
"""  # noqa: S608 - constants


def end_suspended(queue_id: int) -> int:
    """End the searches in a queue whose players were suspended, or cool off, since these began; returns how many.

    One query.
    """
    tickets = suspended_tickets(queue_id)
    for pk in tickets:
        with suppress(AlreadyMatchedError):
            cancel(ticket_id=pk)
    return len(tickets)


def suspended_tickets(queue_id: int) -> list[int]:
    """Ids of the searches that `end_suspended` would end now. One query."""
    given: dict[str, Any] = {"queue": queue_id, "at": clock.replaced(), "lately": _LATELY}
    with connection.cursor() as cursor:
        cursor.execute(_SEARCHING, given)
        return [pk for (pk,) in cursor.fetchall()]


def offered_with(player: int) -> set[int]:
    """Whom a player is to meet in an offer that waits for answers, itself among them. One query."""
    own = TicketMember.objects.filter(player=player, live=True).values("ticket__offers__offer")
    offered = TicketMember.objects.filter(
        ticket__offers__live=True,
        ticket__offers__offer__state=OfferState.PENDING,
        ticket__offers__offer__in=own,
    )
    return set(offered.values_list("player", flat=True))


def follow(sanction: Sanction) -> None:
    """End what a suspension forbids. A match that has begun goes on: its opponents have done nothing."""
    if sanction.lifted_at is not None:
        return
    player, what = sanction.player, sanction.suspended_from
    if what in {SuspendedFrom.SEARCHING, SuspendedFrom.ALL}:
        searches = Ticket.objects.filter(members__player=player, members__live=True, state__in=LIVE)
        for pk in searches.values_list("pk", flat=True):
            with suppress(AlreadyMatchedError):
                cancel(ticket_id=pk)
    if what in {SuspendedFrom.PARTIES, SuspendedFrom.ALL} and (party := party_of(player.pk)):
        with suppress(RefusedError):  # it has ended meanwhile, or its match has begun
            leave_party(party_id=party.pk, player=player)
    if what in {SuspendedFrom.TALK, SuspendedFrom.ALL}:
        forget_made_up(player)
