"""The outbox in the admin, for looking only. Subscriptions are in `config.admin`: letting one go on is audited."""

from django.contrib import admin
from django.utils.translation import gettext_lazy as _

from events.models import Event, Notice
from foundation.read_only_admin import ReadOnlyAdmin


@admin.register(Event)
class EventAdmin(ReadOnlyAdmin[Event]):
    """Facts, newest first."""

    list_display = ["id", "kind", "at", "payload"]
    search_fields = ["=kind"]
    search_help_text = _("A kind, such as ratings.changed.")
    ordering = ["-id"]
    sortable_by = ["id"]


@admin.register(Notice)
class NoticeAdmin(ReadOnlyAdmin[Notice]):
    """Live messages, newest first."""

    list_display = ["id", "kind", "at", "topics", "ids"]
    search_fields = ["=kind"]
    search_help_text = _("A kind, such as match.confirmed.")
    ordering = ["-id"]
    sortable_by = ["id"]
