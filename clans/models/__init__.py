"""The nouns of clans, one a file."""

from clans.models.asked import Application, Invitation, Removal
from clans.models.clans import Access, Clan
from clans.models.members import Membership, Role, Span, end_spans
from clans.models.rules import BoardBy, ClanRules

__all__ = [
    "Access",
    "Application",
    "BoardBy",
    "Clan",
    "ClanRules",
    "Invitation",
    "Membership",
    "Removal",
    "Role",
    "Span",
    "end_spans",
]
