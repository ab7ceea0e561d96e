"""The nouns of clans, one a file."""

from clans.models.asked import Application, Invitation, Removal
from clans.models.clans import Access, Clan
from clans.models.members import Membership, Role, Span
from clans.models.rules import ClanRules

__all__ = [
    "Access",
    "Application",
    "Clan",
    "ClanRules",
    "Invitation",
    "Membership",
    "Removal",
    "Role",
    "Span",
]
