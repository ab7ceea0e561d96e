"""Whether players found clans, how large these may be, and by what they are ordered on ladders."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from accounts.audited_admin import AuditedAdmin
from clans.models import ClanRules

__all__ = ["ClanRulesAdmin"]


@admin.register(ClanRules)
class ClanRulesAdmin(AuditedAdmin[ClanRules]):
    """One for each game that is to have other clans than usual."""

    actions = None
    list_display = ["game", "is_open", "most_members", "counted", "board_by"]
    list_select_related = ["game"]
    fields = ["game", "is_open", "most_members", "counted", "board_by"]

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """What a game's clans are is changed, and stays told."""
        return False

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> list[str]:
        """The game stays."""
        return ["game"] if obj else []
