"""Rating tracks: how far each is, what its sides are worth, and the versions of its parameters, which "Tune" makes."""

from typing import Any

from django.contrib import admin
from django.contrib.admin.utils import display_for_value
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.audited_admin import actor_of
from foundation.read_only_admin import ReadOnlyAdmin, own_pages
from foundation.templatetags.display import signed
from ratings.admin.archiving import ArchivableAdmin, ArchivedFilter
from ratings.admin.filters import TrackFilter
from ratings.admin.history import history_of
from ratings.admin.tune import tune
from ratings.models import ParameterVersion, RatingTrack, SideEstimate, TrackState
from ratings.tracks.board_order import can_be_ordered
from ratings.tracks.passed_over import passed_over_in_words
from ratings.tracks.periods import calendar_of
from ratings.tracks.promotion import can_be_requested
from ratings.wording import say, span_in_words, track_name

SIDES_SHOWN = 30


@admin.register(RatingTrack)
class RatingTrackAdmin(ArchivableAdmin, ReadOnlyAdmin[RatingTrack]):
    """A track is added on its ladder's page and changed on its own "Tune" page; rating runs do the rest."""

    change_form_template = "admin/ratings/ratingtrack/change_form.html"
    list_display = [
        "ladder",
        "name",
        "generation",
        "state_in_words",
        "shown",
        "period",
        "backlog",
        "closed_periods",
        "next_due",
        "updated_at",
        "tune_link",
        "compare_link",
    ]
    list_filter = [ArchivedFilter, "shown", "state", "system", "ladder"]
    search_fields = ["ladder__name", "ladder__slug"]
    fields = [
        "ladder",
        "name",
        "facet",
        "generation",
        "state_in_words",
        "replaces",
        "shown",
        "shown_next",
        "shown_since",
        "board_by",
        "period",
        "starts_at",
        "rated_seq",
        "backlog",
        "passed_over",
        "closed_periods",
        "next_due",
        "pool_grown_from",
        "sides",
        "updated_at",
        "created_at",
    ]

    def get_queryset(self, request: HttpRequest) -> QuerySet[RatingTrack]:
        return super().get_queryset(request).select_related("ladder")

    def get_list_display(self, request: HttpRequest) -> Any:
        """Without the way to what only those open who may change tracks."""
        may = actor_of(request).has_perm("ratings.change_ratingtrack")
        return [name for name in super().get_list_display(request) if may or name != "tune_link"]

    def get_urls(self) -> list[URLPattern]:
        own = {"<int:pk>/tune/": ("ratings_ratingtrack_tune", tune)}
        return own_pages(self.admin_site, own) + super().get_urls()

    def render_change_form(
        self, request: HttpRequest, context: Any, *args: Any, **kwargs: Any
    ) -> HttpResponse:
        track = kwargs.get("obj")
        if track is not None:
            context["history"] = history_of(track)
            may = actor_of(request).has_perm("ratings.change_ratingtrack")
            context["can_tune"] = may and track.state == TrackState.LIVE
            context["can_order"] = may and can_be_ordered(track)
            context["can_show"] = may and can_be_requested(track)
        return super().render_change_form(request, context, *args, **kwargs)

    @admin.display(description=_("rating system"))
    def name(self, track: RatingTrack) -> str:
        """The system, and its facet."""
        return track_name(track)

    @admin.display(description=_("state"))
    def state_in_words(self, track: RatingTrack) -> str:
        """Of a replay also how far it is."""
        if track.state != TrackState.REPLAY:
            return track.get_state_display()
        words = {"rated": say(track.rated_seq), "of": say(track.ladder.last_seq)}
        return str(_("replaying: %(rated)s of %(of)s matches")) % words

    @admin.display(description=_("period"))
    def period(self, track: RatingTrack) -> str:
        """Its length."""
        if track.period_days is None:
            return str(_("at once"))
        return span_in_words(track.period_days)

    @admin.display(description=_("matches still to rate"))
    def backlog(self, track: RatingTrack) -> str:
        """Of a track with periods: those of the open period too."""
        if track.state == TrackState.RETIRED:
            return "–"
        return say(track.ladder.last_seq - track.rated_seq)

    @admin.display(description=_("matches passed over"))
    def passed_over(self, track: RatingTrack) -> str:
        """Those that will never be rated; they are not behind."""
        return passed_over_in_words(track) or "–"

    @admin.display(description=_("next due"))
    def next_due(self, track: RatingTrack) -> str:
        """When the open period ends."""
        calendar = calendar_of(track) if track.state != TrackState.RETIRED else None
        return display_for_value(calendar and calendar.ends_at(track.closed_periods), "–")

    @admin.display(description=_("worth of the side"))
    def sides(self, track: RatingTrack) -> str:
        """Estimated from history."""
        return sides_in_words(track)

    @admin.display(description=_("parameters"))
    def tune_link(self, track: RatingTrack) -> str:
        """To the form."""
        if track.state != TrackState.LIVE:
            return "–"
        address = reverse("admin:ratings_ratingtrack_tune", args=[track.pk])
        return format_html('<a href="{}">{}</a>', address, _("Tune"))

    @admin.display(description=_("figures"))
    def compare_link(self, track: RatingTrack) -> str:
        """To all live tracks of the ladder side by side."""
        if track.state != TrackState.LIVE:
            return "–"
        address = reverse("admin:ratings_ladder_compare", args=[track.ladder_id])
        return format_html('<a href="{}">{}</a>', address, _("Compare"))


def sides_in_words(track: RatingTrack) -> SafeString:
    """The worth of the first team's side over all maps, and on those played most; one query."""
    rows = list(SideEstimate.objects.filter(track=track).order_by("-games", "map"))
    overall = next((row for row in rows if not row.map), None)
    if overall is None:
        return format_html("{}", gettext("Not estimated yet."))
    as_of = date_format(timezone.localtime(overall.as_of), "DATETIME_FORMAT")
    first = gettext("%(side)s, as of %(date)s UTC") % {
        "side": _in_words(track, overall),
        "date": as_of,
    }
    maps = [(row.map, _in_words(track, row)) for row in rows if row.map][:SIDES_SHOWN]
    if not maps:
        return format_html("{}", first)
    return format_html("{}<ul>{}</ul>", first, format_html_join("", "<li>{}: {}</li>", maps))


def _in_words(track: RatingTrack, row: SideEstimate) -> str:
    words = {"points": signed(row.points, track.decimals + 1), "games": say(row.games)}
    return gettext("%(points)s points for the first team (%(games)s matches)") % words


@admin.register(ParameterVersion)
class ParameterVersionAdmin(ReadOnlyAdmin[ParameterVersion]):
    """What was in force when."""

    list_display = ["track", "number", "applies_from", "created_at", "created_by", "note"]
    list_filter = [TrackFilter]
    list_select_related = ["track__ladder", "created_by"]
    ordering = ["-id"]
