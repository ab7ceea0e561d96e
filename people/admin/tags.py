"""The tags that players of a game may choose for their profiles."""

from django.contrib import admin
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from accounts.audited_admin import AuditedAdmin
from people.models import Tag

__all__ = ["TagAdmin"]


@admin.register(Tag)
class TagAdmin(AuditedAdmin[Tag]):
    """Tags are taken out of the offer, not deleted: who has chosen one keeps it."""

    list_display = ["name", "slug", "game", "offered"]
    list_select_related = ["game"]
    list_filter = ["game", "offered"]
    search_fields = ["name", "slug"]
    search_help_text = _("Name or short name of a tag.")
    fields = ["game", "slug", "name", "offered"]
    actions = None

    def get_readonly_fields(self, request: HttpRequest, obj: Tag | None = None) -> list[str]:
        return ["game", "slug"] if obj else []

    def has_delete_permission(self, request: HttpRequest, obj: Tag | None = None) -> bool:
        return False
