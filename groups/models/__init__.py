"""The nouns of groups, one a file."""

from groups.models.groups import Access, Group, Invitation, Membership, Removal
from groups.models.rules import GroupRules
from groups.models.wishes import DrawWish, SuggestionWish

__all__ = [
    "Access",
    "DrawWish",
    "Group",
    "GroupRules",
    "Invitation",
    "Membership",
    "Removal",
    "SuggestionWish",
]
