"""The page on which an operator chooses what a track's leaderboard is ordered by."""

from typing import Any

from django import forms
from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.admin_actions import AdminAction, NoteForm, carry_out, require
from accounts.models import User
from ratings.models import RatingTrack
from ratings.models.tracks import BoardBy
from ratings.systems import declaration_of
from ratings.tracks.board_order import order_board_by

__all__ = ["order_board"]


class OrderForm(NoteForm):
    """By what, and why."""

    board_by = forms.ChoiceField(label=gettext_lazy("Leaderboard ordered by"), choices=BoardBy)
    field_order = ("board_by", "note")


def order_board(request: HttpRequest, site: admin.AdminSite, pk: int) -> HttpResponse:
    """Say what would change (GET), or do it (POST)."""
    require(request, ["ratings.change_ratingtrack"])
    track = get_object_or_404(RatingTrack.objects.select_related("ladder__game"), pk=pk)
    admin_action = AdminAction(
        title=_("Order of the leaderboard of %(track)s") % {"track": track},
        button=_("Order it so"),
        template="admin/leaderboards/board/order.html",
        act=lambda actor, said: _act(track, actor, said),
        back=reverse("admin:ratings_ratingtrack_change", args=[pk]),
        form=OrderForm(request.POST or None, initial={"board_by": track.board_by}),
        context={"deviations": declaration_of(track.system).conservative_deviations},
    )
    return carry_out(request, site, track, admin_action)


def _act(track: RatingTrack, actor: User, said: dict[str, Any]) -> str:
    order_board_by(track=track, board_by=said["board_by"], by=actor, note=said["note"])
    text = _("The leaderboard of %(track)s is put in order by %(what)s, usually within seconds.")
    return text % {"track": track, "what": track.get_board_by_display()}
