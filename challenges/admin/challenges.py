"""Challenges, for looking: players answer them, and time ends them."""

from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from challenges.models import Challenge
from foundation.read_only_admin import ReadOnlyAdmin
from ratings.admin.players import find_players

LARGEST_ID = 2**63 - 1


@admin.register(Challenge)
class ChallengeAdmin(ReadOnlyAdmin[Challenge]):
    """Whoever has the code of a link may take it, so it is not shown."""

    list_display = [
        *("id", "ladder", "challenger", "challenged"),
        *("state", "rated", "at", "created_at"),
    ]
    list_filter = ["state", "ladder"]
    list_select_related = ["ladder", "challenger", "challenged"]
    search_fields = ["=id"]
    search_help_text = _("A challenge's number, or the name of one of its two players.")
    sortable_by = ["id"]
    fields = [
        *("ladder", "challenger", "challenged", "state", "side", "rated", "note", "at"),
        *("rematch_of", "created_at", "expires_at", "answered_at", "due_at", "ended_at", "match"),
    ]

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Challenge], search_term: str
    ) -> tuple[QuerySet[Challenge], bool]:
        term = search_term.strip()
        if not term:
            return queryset, False
        players = find_players(term).values("pk")
        wanted = Q(challenger__in=players) | Q(challenged__in=players)
        if term.isdecimal() and int(term) <= LARGEST_ID:
            wanted |= Q(pk=int(term))
        return queryset.filter(wanted), False
