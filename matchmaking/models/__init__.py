"""The nouns of matchmaking, one a file."""

from matchmaking.models.alerts import NEARNESS_WORDS, AlertWish, SearchTold
from matchmaking.models.avoiding import Avoided
from matchmaking.models.conduct import Conduct
from matchmaking.models.conduct_rules import ConductRules
from matchmaking.models.feedback import Feedback, FeedbackTag, TasteModel
from matchmaking.models.offences import (
    Absence,
    AppealState,
    ConductStanding,
    Offence,
    OffenceAppeal,
    OffenceKind,
    Teller,
)
from matchmaking.models.offers import Offer, OfferState, OfferTicket
from matchmaking.models.parties import Party, PartyMember
from matchmaking.models.partner_requests import PartnerRequest, PartnerState
from matchmaking.models.preferences import Preference
from matchmaking.models.queues import Queue
from matchmaking.models.rounds import EntryState, Round, RoundEntry, RoundState, RoundTime
from matchmaking.models.tickets import Ticket, TicketMember, TicketState

__all__ = [
    "NEARNESS_WORDS",
    "Absence",
    "AlertWish",
    "AppealState",
    "Avoided",
    "Conduct",
    "ConductRules",
    "ConductStanding",
    "EntryState",
    "Feedback",
    "FeedbackTag",
    "Offence",
    "OffenceAppeal",
    "OffenceKind",
    "Offer",
    "OfferState",
    "OfferTicket",
    "PartnerRequest",
    "PartnerState",
    "Party",
    "PartyMember",
    "Preference",
    "Queue",
    "Round",
    "RoundEntry",
    "RoundState",
    "RoundTime",
    "SearchTold",
    "TasteModel",
    "Teller",
    "Ticket",
    "TicketMember",
    "TicketState",
]
