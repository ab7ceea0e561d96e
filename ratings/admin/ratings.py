"""Ratings as computed last, for looking only."""

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from foundation.read_only_admin import ReadOnlyAdmin
from ratings.admin.filters import TrackFilter
from ratings.admin.players import find_players
from ratings.models import Rating
from ratings.wording import points_in_words


@admin.register(Rating)
class RatingAdmin(ReadOnlyAdmin[Rating]):
    """Where players stand on each track."""

    list_display = [
        "player",
        "track",
        "facet",
        "rounded",
        "status",
        "games",
        "wins",
        "draws",
        "losses",
        "last_played_at",
    ]
    list_filter = [TrackFilter, "status"]
    list_select_related = ["track__ladder", "player"]
    search_fields = ["player__name"]
    search_help_text = _("Beginning of a player's name, or a player's number or id in the game.")
    ordering = ["-id"]
    sortable_by = ()

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Rating], search_term: str
    ) -> tuple[QuerySet[Rating], bool]:
        if not search_term.strip():
            return queryset, False
        return queryset.filter(player__in=find_players(search_term).values("pk")), False

    @admin.display(description=_("rating"))
    def rounded(self, rating: Rating) -> str:
        """Rating, and deviation where there is one."""
        return points_in_words(rating.track, rating.value, rating.deviation)
