"""How large groups may be, what is suggested, and when random groups are drawn."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from accounts.audited_admin import AuditedAdmin
from groups.models import GroupRules

__all__ = ["GroupRulesAdmin"]


@admin.register(GroupRules)
class GroupRulesAdmin(AuditedAdmin[GroupRules]):
    """One for each game that is to have other groups than usual."""

    actions = None
    list_display = [
        "game",
        "is_open",
        "most_members",
        "suggests",
        "draws",
        "draw_hours",
        "drawn_at",
    ]
    list_select_related = ["game"]
    fields = [
        "game",
        "is_open",
        "most_members",
        "most_groups",
        "suggests",
        "draws",
        "draw_hours",
        "draw_size",
        "draw_days",
        "drawn_at",
    ]

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> list[str]:
        """The game stays."""
        return ["game", "drawn_at"] if obj else ["drawn_at"]

    def has_delete_permission(self, request: HttpRequest, obj: GroupRules | None = None) -> bool:
        """It stays, for the last draw stands in it."""
        return False
