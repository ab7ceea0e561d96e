"""Games."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from accounts.audited_admin import AuditedAdmin
from ratings.admin.archiving import ArchivableAdmin, ArchivedFilter
from ratings.admin.fields import field_of
from ratings.models import Game


@admin.register(Game)
class GameAdmin(ArchivableAdmin, AuditedAdmin[Game]):
    """A game can be deleted only while nothing belongs to it; any other is archived."""

    list_display = ["name", "slug", "simulated", "created_at"]
    list_filter = [ArchivedFilter, "simulated"]
    search_fields = ["name", "slug"]
    readonly_fields = ["created_at"]
    actions = None

    def get_prepopulated_fields(self, request: HttpRequest, obj: Game | None = None) -> Any:
        return {} if obj else {"slug": ["name"]}

    def formfield_for_dbfield(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        """Errors of numbers name the range."""
        if db_field.name == "disputes_at_most":
            field = field_of(db_field, low=0, high=100)
            field.initial = db_field.default
            return field
        return super().formfield_for_dbfield(db_field, request, **kwargs)

    def has_delete_permission(self, request: HttpRequest, obj: Game | None = None) -> bool:
        if obj is None or obj.ladders.exists() or obj.player_set.exists():
            return False
        return super().has_delete_permission(request, obj)
