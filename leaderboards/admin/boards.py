"""Leaderboards in the admin, for looking only: they follow the ratings."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, path
from django.utils.translation import gettext_lazy as _

from foundation.read_only_admin import ReadOnlyAdmin
from leaderboards.admin.show_track import show_track
from leaderboards.models import Board, Standing
from ratings.admin.filters import TrackFilter
from ratings.admin.players import find_players


@admin.register(Board)
class BoardAdmin(ReadOnlyAdmin[Board]):
    """How far each leaderboard has followed its track."""

    list_display = ["track", "revision", "track_revision", "updated_at", "compared_to"]
    list_select_related = ["track__ladder"]
    ordering = ["track_id"]
    sortable_by = ()

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(self.show_track_view)
        return [path("show/<int:pk>/", view, name="leaderboards_board_show"), *super().get_urls()]

    def show_track_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """See `show_track`; `pk`: of the track."""
        return show_track(request, self.admin_site, pk)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Board]:
        return super().get_queryset(request).select_related("track__ladder")

    @admin.display(description=_("the track's revision"))
    def track_revision(self, board: Board) -> int:
        """What the board should have reached."""
        return board.track.revision


@admin.register(Standing)
class StandingAdmin(ReadOnlyAdmin[Standing]):
    """Places, best first within a track."""

    list_display = ["player", "track", "order_value", "listed", "listed_until", "hidden_as"]
    list_filter = [TrackFilter, "listed"]
    list_select_related = ["track__ladder", "player"]
    search_fields = ["player__name"]
    search_help_text = _("Beginning of a player's name, or a player's number or id in the game.")
    sortable_by = ()

    def get_ordering(self, request: HttpRequest) -> list[Any]:
        """Within a track best first, for which there is an index."""
        return ["-order_value", "player_id"] if "track" in request.GET else ["-pk"]

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Standing], search_term: str
    ) -> tuple[QuerySet[Standing], bool]:
        if not search_term.strip():
            return queryset, False
        return queryset.filter(player__in=find_players(search_term).values("pk")), False
