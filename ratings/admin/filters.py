"""Filters of the admin's lists that need few queries."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from ratings.models import RatingTrack

__all__ = ["TrackFilter"]


class TrackFilter(admin.SimpleListFilter):
    """By rating track. Django's own would ask for the ladder of each track in turn."""

    title = _("rating track")
    parameter_name = "track"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        tracks = RatingTrack.objects.select_related("ladder")
        return [(str(track.pk), f"{track} ({track.pk})") for track in tracks]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        value = self.value()
        return queryset.filter(track_id=int(value)) if value and value.isdecimal() else queryset
