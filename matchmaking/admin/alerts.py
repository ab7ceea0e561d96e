"""Wishes for alerts, for looking."""

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from foundation.read_only_admin import ReadOnlyAdmin
from matchmaking.models import AlertWish
from ratings.admin.players import find_players


@admin.register(AlertWish)
class AlertWishAdmin(ReadOnlyAdmin[AlertWish]):
    """Who wants to be told of searches where, until when, and when that was done last."""

    list_display = ["id", "player", "queue", "near", "until", "told_at"]
    list_select_related = ["player", "queue"]
    list_filter = ["queue"]
    ordering = ["-id"]
    sortable_by = ()
    search_fields = ["=player__id"]
    search_help_text = _("Beginning of a player's name, or a player's number or id in the game.")

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[AlertWish], search_term: str
    ) -> tuple[QuerySet[AlertWish], bool]:
        if not search_term.strip():
            return queryset, False
        return queryset.filter(player__in=find_players(search_term).values("pk")), False
