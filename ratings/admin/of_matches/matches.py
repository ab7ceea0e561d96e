"""Matches: results come from reports and files; operators decide disputes, abort and annul."""

from collections.abc import Callable
from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import Q, QuerySet, prefetch_related_objects
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.decorators import method_decorator
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from accounts.audited_admin import actor_of, may_see
from foundation.read_only_admin import ReadOnlyAdmin, ReadOnlyInline, own_pages
from ratings.admin.filters import with_points
from ratings.admin.of_matches import match_actions
from ratings.admin.of_matches.disputes import show_disputants, show_disputes
from ratings.admin.of_matches.match_log import show_log
from ratings.admin.results.correct import correct_result
from ratings.matches.revising.annulment_preview import replays_under_way
from ratings.matches.revising.corrections import corrections_of
from ratings.matches.summary import people_of_matches
from ratings.models import Match, MatchState, Participant, RatedBy, RatingChange, Report

__all__ = ["show_origin_with"]

LARGEST_ID = 2**63 - 1
# How a match came about, as text of the page; empty where that is not known.
Origin = Callable[[HttpRequest, Match], str]
_origins: list[Origin] = []


def show_origin_with(origin: Origin) -> None:
    """Let `origin` say on a match's page how it came about: apps above this one know of offers."""
    _origins.append(origin)


class ParticipantInline(ReadOnlyInline[Participant, Match]):
    """Who took part."""

    model = Participant
    fields = ("player", "team", "rank", "score", "character", "minutes", "left_early")
    readonly_fields = ("player", "team", "rank", "score", "character", "minutes", "left_early")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Participant]:
        return super().get_queryset(request).select_related("player", "match")


class ReportInline(ReadOnlyInline[Report, Match]):
    """What they said of it."""

    model = Report
    fields = ("player", "outcome", "place", "left_early", "at")
    readonly_fields = ("player", "outcome", "place", "left_early", "at")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Report]:
        return super().get_queryset(request).select_related("player", "match")


@admin.register(Match)
class MatchAdmin(ReadOnlyAdmin[Match]):
    """Filter by ladder, state and date; search by number or id in the game."""

    change_form_template = "admin/ratings/match/change_form.html"
    change_list_template = "admin/ratings/match/change_list.html"
    list_display = ["id", "ladder", "state", "played_at", "ladder_seq", "external_id", "source"]
    list_filter = ["state", "ladder", "played_at"]
    search_fields = ["=external_id"]
    search_help_text = _("A match's number, or its id in the game.")
    sortable_by = ["id"]
    inlines = [ParticipantInline, ReportInline]

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

    def get_urls(self) -> list[URLPattern]:
        """The pages on which operators decide, and the part that shows how far replays are."""
        views: dict[str, tuple[str, Callable[..., HttpResponse]]] = {
            "disputes/": ("ratings_match_disputes", show_disputes),
            "disputes/players/": ("ratings_match_disputants", show_disputants),
            "<int:pk>/resolve/": ("ratings_match_resolve", match_actions.resolve),
            "<int:pk>/abort/": ("ratings_match_abort", match_actions.abort),
            "<int:pk>/annul/": ("ratings_match_annul", match_actions.annul),
            "<int:pk>/correct/": ("ratings_match_correct", correct_result),
            "<int:pk>/log/": ("ratings_match_log", show_log),
        }
        replays = self.admin_site.admin_view(self.replays_view)
        own = path("<int:pk>/replays/", replays, name="ratings_match_replays")
        return [*own_pages(self.admin_site, views), own, *super().get_urls()]

    @method_decorator(require_safe)
    def replays_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """The part of an annulled match's page that follows the replays."""
        match = get_object_or_404(Match, pk=pk)
        if not self.has_view_permission(request):
            raise PermissionDenied
        context = {"original": match, "replays": replays_under_way(match.ladder_id)}
        return TemplateResponse(request, "admin/ratings/match/replays.html", context)

    def render_change_form(
        self, request: HttpRequest, context: Any, *args: Any, **kwargs: Any
    ) -> HttpResponse:
        match = kwargs["obj"]
        may_decide = actor_of(request).has_perm("ratings.change_match")
        context["admin_actions"] = match_actions.actions_for(match) if may_decide else []
        if match.ladder.rated_by == RatedBy.EVENTS:
            page = reverse("admin:ratings_match_log", args=[match.pk])
            context["admin_actions"] = [(_("Log of the server"), page), *context["admin_actions"]]
        context["changes"] = list(
            with_points(RatingChange.objects.filter(match=match)).order_by("track_id", "id")[:200]
        )
        for name in ("player", "ratingchange"):
            context[f"sees_{name}"] = may_see(request, f"ratings.{name}")
        context["origins"] = [origin(request, match) for origin in _origins]
        if match.corrected_at is not None:
            prefetch_related_objects([match], people_of_matches())
        context["corrections"] = corrections_of(match)
        if match.state == MatchState.ANNULLED or match.corrected_at is not None:
            context["replays"] = replays_under_way(match.ladder_id)
        return super().render_change_form(request, context, *args, **kwargs)
