"""Answering offers. The last to accept starts the match; whoever declines ends the own search only."""

from matchmaking.models import Offer

__all__ = ["accept", "decline", "expire_offers"]


def accept(*, ticket_id: int, offer_id: int | None = None) -> Offer:
    """Accept what is offered to a ticket; with the last acceptance the match begins, and the offer names it.

    With `offer_id` only that offer, so that nobody accepts one that was not seen. The same again gives the same.
    Raises NoOfferError, OfferOverError, AlreadyPlayingError, and Ticket.DoesNotExist.
    """
    raise NotImplementedError


def decline(*, ticket_id: int, offer_id: int | None = None) -> Offer:
    """Decline what is offered to a ticket, which ends; the others wait on. The same again gives the same.

    Raises NoOfferError, OfferOverError, AlreadyMatchedError, and Ticket.DoesNotExist.
    """
    raise NotImplementedError


def expire_offers(queue_id: int) -> int:
    """Close the offers of a queue whose time is over; returns how many. Whoever has accepted waits on."""
    raise NotImplementedError
