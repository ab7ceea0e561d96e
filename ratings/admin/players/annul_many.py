"""Annulling a player's matches of a span at once: chosen, previewed on the same page, and done with a reason."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

from django import forms
from django.contrib import admin
from django.db.models import Model
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from accounts.admin_actions import AdminAction, NoteForm, carry_out, require
from accounts.audited_admin import actor_of
from accounts.models import User
from ratings.admin.fields import DayField, midnight
from ratings.matches.revising.annul_many import (
    Chosen,
    OtherMatchesError,
    annul_many,
    preview_many,
)
from ratings.models import Ladder, Player
from ratings.players.own_matters import check_no_own_match, own_matter

__all__ = ["annul_chosen", "annul_matches_of"]


class SpanForm(forms.Form):
    """Which of the matches of a player, or of a server key."""

    ladder = forms.ModelChoiceField(
        label=gettext_lazy("Ladder"),
        queryset=Ladder.objects.none(),
        required=False,
        empty_label=gettext_lazy("All ladders"),
    )
    since = DayField(
        label=gettext_lazy("From"),
        required=False,
        help_text=gettext_lazy("Empty: from the first match."),
    )
    until = DayField(
        label=gettext_lazy("To"),
        required=False,
        help_text=gettext_lazy("This day included. Empty: up to now."),
    )

    def __init__(self, *args: Any, of: Chosen, game: int, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._of = of
        ladders: Any = self.fields["ladder"]
        ladders.queryset = Ladder.objects.filter(game=game)

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        since, until = cleaned.get("since"), cleaned.get("until")
        if since and until and until < since:
            self.add_error("until", _("The last day comes before the first."))
        return cleaned

    def chosen(self) -> Chosen:
        """What a valid form says; days begin at midnight of the operator's time zone."""
        said = self.cleaned_data
        since, until = said["since"], said["until"]
        return replace(
            self._of,
            ladder=said["ladder"],
            since=None if since is None else midnight(since),
            until=None if until is None else midnight(until + timedelta(days=1)),
        )


class SeenForm(NoteForm):
    """Why, and how many matches were shown."""

    seen = forms.IntegerField(widget=forms.HiddenInput)


def annul_matches_of(request: HttpRequest, site: admin.AdminSite, pk: int) -> HttpResponse:
    """Choose matches of a player (in the address), say what annulling them would do, and annul them."""
    player = get_object_or_404(Player.objects.select_related("game"), pk=pk)
    page = reverse("admin:ratings_player_change", args=[pk])
    return annul_chosen(request, site, player, Chosen(player=player), player.game_id, back=page)


def annul_chosen(
    request: HttpRequest, site: admin.AdminSite, thing: Model, of: Chosen, game: int, *, back: str
) -> HttpResponse:
    """The same of whatever `of` chooses in a game, about `thing`; `back` is where to go afterwards."""
    require(request, ["ratings.change_match"])
    is_asked = "ladder" in request.GET
    span = SpanForm(request.GET if is_asked else None, of=of, game=game)
    chosen = span.chosen() if is_asked and span.is_valid() else None
    preview = None if chosen is None else preview_many(chosen)

    def act(actor: User, said: dict[str, Any]) -> str:
        if chosen is None:  # the page has no button then
            raise OtherMatchesError(_("Choose the matches first."))
        count, _replays = annul_many(chosen, by=actor, note=said["note"], seen=said["seen"])
        text = ngettext(
            "%(count)d match no longer counts. What follows from it is being recalculated.",
            "%(count)d matches no longer count. What follows from it is being recalculated.",
            count,
        )
        return text % {"count": count}

    def check() -> None:
        if chosen is not None:
            check_no_own_match(actor_of(request), chosen.matches)

    is_impossible = preview is None or not preview.matches
    admin_action = AdminAction(
        title=_("Annul matches of %(player)s") % {"player": thing},
        button=_("Annul these matches"),
        template="admin/ratings/players/annul.html",
        act=act,
        back=back,
        form=SeenForm(
            None if is_impossible else request.POST or None,
            initial={"seen": preview.matches if preview else 0},
        ),
        context={
            "span": span,
            "preview": preview,
            "is_impossible": is_impossible,
            "own_matter": own_matter(check),
        },
    )
    return carry_out(request, site, thing, admin_action)
