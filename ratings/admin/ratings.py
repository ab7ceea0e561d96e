"""Ratings as computed last, for looking only."""

from django.contrib import admin
from django.utils.translation import gettext_lazy as _

from ratings.admin.filters import TrackFilter
from ratings.admin.players import PlayersRowsAdmin
from ratings.models import Rating
from ratings.wording import points_in_words


@admin.register(Rating)
class RatingAdmin(PlayersRowsAdmin[Rating]):
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
    ordering = ["-id"]
    sortable_by = ()

    @admin.display(description=_("rating"))
    def rounded(self, rating: Rating) -> str:
        """Rating, and deviation where there is one."""
        return points_in_words(rating.track, rating.value, rating.deviation)
