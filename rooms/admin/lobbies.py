"""Lobbies: what a game's rooms are sorted under, and how long they wait."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from accounts.audited_admin import AuditedAdmin
from rooms.models import Lobby

__all__ = ["LobbyAdmin"]


@admin.register(Lobby)
class LobbyAdmin(AuditedAdmin[Lobby]):
    """One for each game that is to have other rooms than usual."""

    actions = None
    list_display = ["game", "is_open", "idle_minutes", "silent_seconds", "turn_seconds"]
    list_select_related = ["game"]
    fields = [
        "game",
        "is_open",
        "categories",
        "idle_minutes",
        "silent_seconds",
        "turn_seconds",
        "most_rooms",
    ]

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> list[str]:
        """The game stays."""
        return ["game"] if obj else []

    def has_delete_permission(self, request: HttpRequest, obj: Lobby | None = None) -> bool:
        """It stays, for rooms of before were made by it."""
        return False
