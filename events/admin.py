"""The outbox in the admin, for looking only."""

from django.contrib import admin
from django.utils.translation import gettext_lazy as _

from events.models import Event, Subscription
from foundation.browsing import ReadOnlyAdmin


@admin.register(Event)
class EventAdmin(ReadOnlyAdmin[Event]):
    """Facts, newest first."""

    list_display = ["id", "kind", "at", "payload"]
    search_fields = ["=kind"]
    search_help_text = _("A kind, such as ratings.changed.")
    ordering = ["-id"]
    sortable_by = ["id"]


@admin.register(Subscription)
class SubscriptionAdmin(ReadOnlyAdmin[Subscription]):
    """How far each subscriber has read."""

    list_display = ["name", "transaction", "event_id"]
