"""A game's answer to a request for a partner: supplied, and the match begins; or declined, and the search goes on.

The answer holds the ticket, as a sweep does that offers it a match: one of the two comes first, and the other finds the
ticket, or the request, as that has left it.
"""

from datetime import datetime

from django.utils.translation import gettext_noop

from foundation import timekeeping
from foundation.names import clean_name
from foundation.postgresql.transactions import briefly
from foundation.refusals import RefusedError
from matchmaking.models import PartnerRequest, PartnerState, Ticket, TicketState
from matchmaking.offers.close import end_tickets
from matchmaking.offers.line_up import chosen_and_named
from matchmaking.partners.ask import end_held, tell
from matchmaking.partners.refusals import PartnerRequestOverError
from ratings.matches.start import AlreadyPlayingError, Terms, begin_match
from ratings.sanctions import SuspendedError

__all__ = ["UNNAMED", "accept", "decline"]

# What a partner is called whom the game gives no name.
UNNAMED = gettext_noop("Partner")


def accept(*, request_id: int, name: str = "", note: str = "") -> PartnerRequest:
    """Let the match with a partner begin, called `name`; `note` is shown to the players. It is not rated. What is kept
    of both can be shown in one line: nothing in it turns the direction of what stands around it.

    The same again gives the same. Raises PartnerRequestOverError and PartnerRequest.DoesNotExist.
    """
    with briefly() as now:
        answer = _accept(request_id, _shown(name) or UNNAMED, _shown(note), now)
    if isinstance(answer, RefusedError):  # only now: what was over has been closed, and that stays
        raise answer
    return answer


def decline(*, request_id: int) -> PartnerRequest:
    """Supply nobody; the search goes on as it was. The same again gives the same. Raises as `accept` does."""
    with briefly() as now:
        answer = _decline(request_id, now)
    if isinstance(answer, RefusedError):
        raise answer
    return answer


def _shown(text: str) -> str:
    return clean_name(text) if text.strip() else ""


def _accept(
    request_id: int, name: str, note: str, now: datetime
) -> PartnerRequest | PartnerRequestOverError:
    request = _hold(request_id, now)
    if request.state == PartnerState.ACCEPTED:
        return request
    if request.state != PartnerState.ASKED:
        return PartnerRequestOverError(request.pk, request.state)
    ticket = request.ticket
    characters, named = chosen_and_named([ticket.pk])
    terms = Terms(
        neutral=True,
        rated=False,
        characters=characters,
        reported_as=named,
        partner=name,
        note=note,
    )
    players = list(ticket.members.order_by("pk").values_list("player", flat=True))
    try:
        match = begin_match(ticket.queue.ladder, [players], terms)
    except (AlreadyPlayingError, SuspendedError):  # since the game was asked
        end_held([ticket.pk], PartnerState.WITHDRAWN, now)
        return PartnerRequestOverError(request.pk, PartnerState.WITHDRAWN)
    Ticket.objects.filter(pk=ticket.pk).update(supplied=True)
    end_tickets([ticket.pk], TicketState.MATCHED, now)
    request.state, request.match_id, request.ended_at = PartnerState.ACCEPTED, match, now
    request.save(update_fields=["state", "match", "ended_at"])
    tell([request.pk])
    return request


def _decline(request_id: int, now: datetime) -> PartnerRequest | PartnerRequestOverError:
    request = _hold(request_id, now)
    if request.state == PartnerState.ASKED:
        end_held([request.ticket_id], PartnerState.DECLINED, now)
        request.state, request.ended_at = PartnerState.DECLINED, now
    elif request.state != PartnerState.DECLINED:
        return PartnerRequestOverError(request.pk, request.state)
    return request


def _hold(request_id: int, now: datetime) -> PartnerRequest:
    """Lock the ticket of a request, and read both; one that is over, and that nobody has closed yet, is closed."""
    tickets = Ticket.objects.select_for_update(of=("self",)).select_related("queue__ladder")
    asked = PartnerRequest.objects.values_list("ticket", flat=True).get(pk=request_id)
    ticket = tickets.get(pk=asked)
    request = PartnerRequest.objects.get(pk=request_id)
    request.ticket = ticket
    if request.state != PartnerState.ASKED:
        return request
    is_late = timekeeping.deadlines().is_over(began=request.asked_at, ends=request.expires_at)
    if ticket.state != TicketState.WAITING or is_late:
        waits = ticket.state == TicketState.WAITING
        request.state = PartnerState.EXPIRED if waits else PartnerState.WITHDRAWN
        end_held([ticket.pk], request.state, now)
    return request
