"""The nouns of matchmaking, one a file."""

from matchmaking.models.avoiding import Avoided
from matchmaking.models.conduct import Conduct
from matchmaking.models.feedback import Feedback, FeedbackTag, TasteModel
from matchmaking.models.offers import Offer, OfferState, OfferTicket
from matchmaking.models.parties import Party, PartyMember
from matchmaking.models.preferences import Preference
from matchmaking.models.queues import Queue
from matchmaking.models.tickets import Ticket, TicketMember, TicketState

__all__ = [
    "Avoided",
    "Conduct",
    "Feedback",
    "FeedbackTag",
    "Offer",
    "OfferState",
    "OfferTicket",
    "Party",
    "PartyMember",
    "Preference",
    "Queue",
    "TasteModel",
    "Ticket",
    "TicketMember",
    "TicketState",
]
