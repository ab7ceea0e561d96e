"""The ledger: every change of a rating, for looking only."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from foundation.templatetags.display import signed
from ratings.admin.filters import TrackFilter
from ratings.admin.players import PlayersRowsAdmin
from ratings.models import RatingChange
from ratings.wording import points_in_words


@admin.register(RatingChange)
class RatingChangeAdmin(PlayersRowsAdmin[RatingChange]):
    """Filter by track, by kind, and by player: search for a name or an id."""

    list_display = [
        "id",
        "track",
        "player",
        "facet",
        "kind",
        "at",
        "games",
        "expected_score",
        "actual",
        "before",
        "after",
        "change",
    ]
    list_filter = [TrackFilter, "kind"]
    ordering = ["-id"]
    sortable_by = ["id"]

    def lookup_allowed(self, lookup: str, value: Any, request: HttpRequest) -> bool:
        """Links from periods, matches and players."""
        return lookup in {
            "period__id__exact",
            "match__id__exact",
            "player__id__exact",
        } or super().lookup_allowed(lookup, value, request)

    @admin.display(description=_("expected"))
    def expected_score(self, change: RatingChange) -> str:
        """Sum over the games."""
        return "–" if change.expected is None else f"{change.expected:.3f}"

    @admin.display(description=_("before"))
    def before(self, change: RatingChange) -> str:
        """Rating, and deviation where there is one."""
        return points_in_words(change.track, change.value_before, change.deviation_before)

    @admin.display(description=_("after"))
    def after(self, change: RatingChange) -> str:
        """Rating, and deviation where there is one."""
        return points_in_words(change.track, change.value_after, change.deviation_after)

    @admin.display(description=_("change"))
    def change(self, change: RatingChange) -> str:
        """Points won or lost."""
        return signed(change.value_after - change.value_before, change.track.decimals + 1)
