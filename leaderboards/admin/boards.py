"""Leaderboards in the admin, for looking only: they follow the ratings."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import URLPattern
from django.utils.translation import gettext_lazy as _

from foundation.read_only_admin import ReadOnlyAdmin, own_pages
from leaderboards.admin.order_board import order_board
from leaderboards.admin.show_track import show_track
from leaderboards.models import Board, Standing
from ratings.admin.filters import TrackFilter
from ratings.admin.players import PlayersRowsAdmin


@admin.register(Board)
class BoardAdmin(ReadOnlyAdmin[Board]):
    """How far each leaderboard has followed its track."""

    list_display = ["track", "revision", "track_revision", "updated_at", "compared_to"]
    ordering = ["track_id"]
    sortable_by = ()

    def get_urls(self) -> list[URLPattern]:
        own = {  # of a track
            "show/<int:pk>/": ("leaderboards_board_show", show_track),
            "order/<int:pk>/": ("leaderboards_board_order", order_board),
        }
        return own_pages(self.admin_site, own) + super().get_urls()

    def get_queryset(self, request: HttpRequest) -> QuerySet[Board]:
        return super().get_queryset(request).select_related("track__ladder")

    @admin.display(description=_("the track's revision"))
    def track_revision(self, board: Board) -> int:
        """What the board should have reached."""
        return board.track.revision


@admin.register(Standing)
class StandingAdmin(PlayersRowsAdmin[Standing]):
    """Places, best first within a track."""

    list_display = ["player", "track", "order_value", "listed", "listed_until", "hidden_as"]
    list_filter = [TrackFilter, "listed"]
    sortable_by = ()

    def get_ordering(self, request: HttpRequest) -> list[Any]:
        """Within a track best first, for which there is an index."""
        return ["-order_value", "player_id"] if "track" in request.GET else ["-pk"]
