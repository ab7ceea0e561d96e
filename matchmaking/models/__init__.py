"""The nouns of matchmaking, one a file."""

from matchmaking.models.offers import Offer, OfferState, OfferTicket
from matchmaking.models.queues import Queue
from matchmaking.models.tickets import Ticket, TicketMember, TicketState

__all__ = ["Offer", "OfferState", "OfferTicket", "Queue", "Ticket", "TicketMember", "TicketState"]
