"""Rating runs by period: what each closed period came to."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _

from foundation.read_only_admin import ReadOnlyAdmin
from ratings.admin.filters import TrackFilter
from ratings.models import RatingPeriod
from ratings.wording import points_in_words, say


@admin.register(RatingPeriod)
class RatingPeriodAdmin(ReadOnlyAdmin[RatingPeriod]):
    """Closed periods in which matches counted."""

    list_display = [
        "name",
        "track",
        "starts_at",
        "ends_at",
        "games",
        "players",
        "new_players",
        "mean_rating",
        "rating_spread",
        "ledger",
    ]
    list_filter = [TrackFilter]
    ordering = ["-id"]
    sortable_by = ["name"]
    fields = [
        "name",
        "track",
        "version_number",
        "starts_at",
        "ends_at",
        "first_seq",
        "last_seq",
        "games",
        "players",
        "new_players",
        "mean",
        "spread",
        "closed_at",
        "ledger",
    ]

    def get_queryset(self, request: HttpRequest) -> Any:
        return super().get_queryset(request).select_related("track__ladder", "version")

    @admin.display(description=_("period"), ordering="number")
    def name(self, period: RatingPeriod) -> str:
        """The same as in the API."""
        return say(period.number)

    @admin.display(description=_("parameters"))
    def version_number(self, period: RatingPeriod) -> str:
        """The version that was in force."""
        return str(_("version %(number)s")) % {"number": period.version.number}

    @admin.display(description=_("mean"))
    def mean_rating(self, period: RatingPeriod) -> str:
        """Of everyone rated so far."""
        return points_in_words(period.track, period.mean)

    @admin.display(description=_("spread"))
    def rating_spread(self, period: RatingPeriod) -> str:
        """Standard deviation of those ratings."""
        return points_in_words(period.track, period.spread)

    @admin.display(description=_("ledger"))
    def ledger(self, period: RatingPeriod) -> str:
        """Link to the period's rows."""
        address = reverse("admin:ratings_ratingchange_changelist")
        query = f"?track={period.track_id}&period__id__exact={period.pk}"
        return format_html('<a href="{}{}">{}</a>', address, query, _("Rating changes"))
