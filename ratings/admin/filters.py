"""What lists of the admin share: filters that need few queries, and rows of the ledger as other pages show them."""

from typing import Any

from django.db.models import F, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from foundation.admin_filters import ChoiceFilter
from ratings.models import RatingChange, RatingTrack

__all__ = ["TrackFilter", "with_points"]


class TrackFilter(ChoiceFilter):
    """By rating track. Django's own would ask for the ladder of each track in turn."""

    title = _("rating track")
    parameter_name = "track"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        tracks = RatingTrack.objects.select_related("ladder")
        return [(str(track.pk), f"{track} ({track.pk})") for track in tracks]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        value = self.value()
        return queryset.filter(track_id=int(value)) if value and value.isdecimal() else queryset


def with_points(changes: QuerySet[RatingChange]) -> QuerySet[RatingChange]:
    """Load what names the rows, and add `points`: what each won or lost."""
    return changes.select_related("track__ladder", "player").annotate(
        points=F("value_after") - F("value_before")
    )
