"""Matches, for looking only: results come from reports and files."""

from typing import Any

from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _

from foundation.browsing import ReadOnlyAdmin, ReadOnlyInline
from ratings.admin.changes import with_points
from ratings.models import Match, Participant, RatingChange

__all__ = ["MatchAdmin"]

LARGEST_ID = 2**63 - 1


class ParticipantInline(ReadOnlyInline[Participant, Match]):
    """Who took part."""

    model = Participant
    fields = ("player", "team", "rank", "score", "character", "minutes", "left_early")
    readonly_fields = ("player", "team", "rank", "score", "character", "minutes", "left_early")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Participant]:
        return super().get_queryset(request).select_related("player", "match")


@admin.register(Match)
class MatchAdmin(ReadOnlyAdmin[Match]):
    """Filter by ladder, state and date; search by number or id in the game."""

    change_form_template = "admin/ratings/match/change_form.html"
    list_display = ["id", "ladder", "state", "played_at", "ladder_seq", "external_id", "source"]
    list_filter = ["state", "ladder", "played_at"]
    list_select_related = ["ladder", "source"]
    search_fields = ["=external_id"]
    search_help_text = _("A match's number, or its id in the game.")
    sortable_by = ["id"]
    inlines = [ParticipantInline]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Match]:
        return super().get_queryset(request).select_related("ladder", "game", "source")

    def lookup_allowed(self, lookup: str, value: Any, request: HttpRequest) -> bool:
        """Links from players."""
        return lookup == "participants__player__id__exact" or super().lookup_allowed(
            lookup, value, request
        )

    def get_ordering(self, request: HttpRequest) -> list[Any]:
        """Within a ladder by date, for which there is an index; else the newest number first."""
        if "ladder__id__exact" in request.GET:
            return ["-played_at", "-id"]
        return ["-id"]

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Match], search_term: str
    ) -> tuple[QuerySet[Match], bool]:
        term = search_term.strip()
        if not term:
            return queryset, False
        wanted = Q(external_id=term)
        if term.isdecimal() and int(term) <= LARGEST_ID:
            wanted |= Q(pk=int(term))
        return queryset.filter(wanted), False

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        changes = RatingChange.objects.filter(match_id=object_id) if object_id.isdecimal() else None
        shown = {"changes": _with_names(changes), **(extra_context or {})}
        return super().change_view(request, object_id, form_url, shown)


def _with_names(changes: QuerySet[RatingChange] | None) -> list[RatingChange]:
    if changes is None:
        return []
    return list(with_points(changes).order_by("track_id", "id")[:200])
