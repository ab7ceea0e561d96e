"""Queues, tickets and offers in the admin."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from accounts.audited import AuditedAdmin
from foundation.browsing import ReadOnlyAdmin, ReadOnlyInline
from matchmaking.models import Offer, OfferTicket, Queue, Ticket, TicketMember


@admin.register(Queue)
class QueueAdmin(AuditedAdmin[Queue]):
    """A queue stays with its ladder, and is closed rather than deleted."""

    list_display = ["name", "ladder", "is_open", "accept_seconds", "heartbeat_seconds"]
    list_filter = ["is_open", "ladder"]
    list_select_related = ["ladder"]
    search_fields = ["name", "slug"]
    fields = [
        "ladder",
        "name",
        "slug",
        "is_open",
        "accept_seconds",
        "heartbeat_seconds",
        "accepts_by_itself",
        "created_at",
    ]
    actions = None

    def get_readonly_fields(self, request: HttpRequest, obj: Queue | None = None) -> list[str]:
        return ["ladder", "created_at"] if obj else ["created_at"]

    def get_prepopulated_fields(self, request: HttpRequest, obj: Queue | None = None) -> Any:
        return {} if obj else {"slug": ["name"]}

    def has_delete_permission(self, request: HttpRequest, obj: Queue | None = None) -> bool:
        return False


class TicketMemberInline(ReadOnlyInline[TicketMember, Ticket]):
    """Who is on the ticket."""

    model = TicketMember
    fields = ("player", "live")
    readonly_fields = ("player", "live")

    def get_queryset(self, request: HttpRequest) -> QuerySet[TicketMember]:
        return super().get_queryset(request).select_related("player")


@admin.register(Ticket)
class TicketAdmin(ReadOnlyAdmin[Ticket]):
    """Who is searching, and who was."""

    list_display = ["id", "queue", "state", "waiting_since", "seen_at", "ended_at"]
    list_filter = ["state", "queue"]
    list_select_related = ["queue"]
    search_fields = ["=id"]
    search_help_text = _("A ticket's number.")
    sortable_by = ["id"]
    inlines = [TicketMemberInline]


class OfferTicketInline(ReadOnlyInline[OfferTicket, Offer]):
    """The tickets of the offer, and their answers."""

    model = OfferTicket
    fields = ("ticket", "team", "live", "accepted_at", "declined_at")
    readonly_fields = ("ticket", "team", "live", "accepted_at", "declined_at")

    def get_queryset(self, request: HttpRequest) -> QuerySet[OfferTicket]:
        return super().get_queryset(request).select_related("ticket__queue")


@admin.register(Offer)
class OfferAdmin(ReadOnlyAdmin[Offer]):
    """Proposed matches."""

    list_display = ["id", "queue", "state", "created_at", "expires_at", "match"]
    list_filter = ["state", "queue"]
    list_select_related = ["queue", "match"]
    search_fields = ["=id"]
    search_help_text = _("An offer's number.")
    sortable_by = ["id"]
    inlines = [OfferTicketInline]
