"""Merging a player into another: chosen, previewed on the same page, and done with a reason; and taking it back."""

from datetime import datetime
from functools import partial
from typing import Any

from django import forms
from django.contrib import admin
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.functional import SimpleLazyObject
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.admin_actions import AdminAction, NoteForm, carry_out, require
from accounts.audited_admin import actor_of, may_see
from accounts.models import User
from ratings.admin.fields import DayField, midnight
from ratings.merging.merge import check_own, merge
from ratings.merging.preview import MergePreview, preview_merge
from ratings.merging.refusals import CannotMergeError
from ratings.merging.running import open_matches
from ratings.merging.unmerge import check_own as check_own_parted
from ratings.merging.unmerge import unmerge
from ratings.models import Participant, Player, PlayerMerge
from ratings.players.own_matters import (
    MAY_DECIDE,
    MAY_IMPOSE,
    MAY_MERGE,
    MAY_MOVE,
    own_matter,
)
from ratings.players.site_ids import is_deleted, say_deleted

__all__ = ["MAY_MERGE", "MAY_MOVE", "merge_one", "unmerge_one"]

_LARGEST_ID = 2**63 - 1


class IntoForm(forms.Form):
    """Into whom, and from when on."""

    into = forms.CharField(
        label=gettext_lazy("Merge into"),
        max_length=100,
        help_text=gettext_lazy("Number, or id in the game, of the player who stays."),
    )
    since = DayField(
        label=gettext_lazy("From"),
        required=False,
        help_text=gettext_lazy("Matches played from this day on change hands. Empty: all."),
    )

    def __init__(self, *args: Any, player: Player, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.player = player

    def clean_into(self) -> Player:
        """The player who is meant, of the same game."""
        text = self.cleaned_data["into"].strip()
        meant = Q(external_id=text)
        if text.isdecimal() and int(text) <= _LARGEST_ID:
            meant |= Q(pk=int(text))
        players = Player.objects.filter(meant, game=self.player.game_id).select_related("game")
        found = list(players.order_by("pk")[:2])
        if not found:
            raise forms.ValidationError(_("The game has no player with this number or id."))
        if len(found) > 1:
            words = _(
                "It is the number of one player and the id of another: %(first)d or %(second)d?"
            )
            raise forms.ValidationError(words % {"first": found[0].pk, "second": found[1].pk})
        return found[0]

    @property
    def moment(self) -> datetime | None:
        """From when on, of a valid form: midnight of the operator's time zone."""
        day = self.cleaned_data["since"]
        return None if day is None else midnight(day)


class MergeForm(NoteForm):
    """Why, what is ended for it, and how many matches were shown. What stands in the way has to be ended."""

    annul_shared = forms.BooleanField(
        label=gettext_lazy("Annul the matches in which both took part"), required=False
    )
    end_what_runs = forms.BooleanField(
        label=gettext_lazy("End what the player is doing now"), required=False
    )
    seen = forms.IntegerField(widget=forms.HiddenInput)
    field_order = ("annul_shared", "end_what_runs", "note")

    def __init__(self, *args: Any, preview: MergePreview | None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if preview is None or not preview.shared:
            del self.fields["annul_shared"]
        if preview is None or not preview.running:
            del self.fields["end_what_runs"]

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        for name, words in (
            ("annul_shared", _("They stand in the way: tick this, or choose a later day above.")),
            ("end_what_runs", _("It stands in the way: tick this, or wait until it is over.")),
        ):
            if name in self.fields and not cleaned.get(name):
                self.add_error(name, words)
        return cleaned


def merge_one(request: HttpRequest, site: admin.AdminSite, pk: int) -> HttpResponse:
    """Choose into whom a player (in the address) is merged, say what that would do, and do it."""
    require(request, [MAY_MERGE])
    player = get_object_or_404(Player.objects.select_related("game", "user"), pk=pk)
    choice = IntoForm(request.GET if "into" in request.GET else None, player=player)
    into = choice.cleaned_data["into"] if choice.is_bound and choice.is_valid() else None
    preview: MergePreview | None = None
    shown: object = None
    if into is not None:
        preview = preview_merge(player, into, choice.moment, reckon=False)
        # What would come of ratings is worked out where the page is shown: whoever sends the form has seen it.
        shown = SimpleLazyObject(partial(preview_merge, player, into, choice.moment))

    def act(actor: User, said: dict[str, Any]) -> str:
        if into is None or preview is None:  # the page has no button then
            raise CannotMergeError(_("Choose the other player first."))
        needed = [MAY_DECIDE] * (said["annul_shared"] or said["end_what_runs"])
        needed += [MAY_MOVE] * preview.concerns_account + [MAY_IMPOSE] * bool(preview.sanctions)
        require(request, needed)
        merge(
            player=player,
            into=into,
            since=choice.moment,
            by=actor,
            note=said["note"],
            annul_shared=said["annul_shared"],
            end_what_runs=said["end_what_runs"],
            seen=said["seen"],
        )
        words = _("%(player)s counts as %(into)s now. Ratings are being recalculated.")
        return words % {"player": player, "into": into}

    def check() -> None:
        if into is not None and preview is not None:
            ended = [*(one.match for one in preview.shared), *open_matches(player)]
            check_own(player, into, since=choice.moment, by=actor_of(request), ended=ended)

    is_closed = preview is not None and preview.concerns_account and not _may(request, MAY_MOVE)
    has_hurdles = preview is not None and bool(preview.shared or preview.running)
    is_barred = has_hurdles and not _may(request, MAY_DECIDE)
    imposes = preview is not None and bool(preview.sanctions) and not _may(request, MAY_IMPOSE)
    is_impossible = preview is None or bool(preview.why_not) or is_closed or is_barred or imposes
    form = MergeForm(
        None if is_impossible else request.POST or None,
        preview=preview,
        initial={"seen": preview.matches if preview else 0},
    )
    admin_action = AdminAction(
        title=_("Merge %(player)s") % {"player": player},
        button=_("Merge"),
        template="admin/ratings/players/merge.html",
        act=lambda actor, said: act(actor, {"annul_shared": False, "end_what_runs": False, **said}),
        back=reverse("admin:ratings_player_change", args=[pk]),
        form=form,
        context={
            "choice": choice,
            "deleted": say_deleted(player),
            "preview": shown,
            "into": into,
            "is_closed": is_closed,
            "is_barred": is_barred,
            "imposes": imposes,
            "sees_match": may_see(request, "ratings.match"),
            "is_impossible": is_impossible,
            "own_matter": own_matter(check),
            "sanctions": preview.sanctions
            if preview is not None and may_see(request, "ratings.sanction")
            else [],
        },
    )
    return carry_out(request, site, player, admin_action)


def unmerge_one(request: HttpRequest, site: admin.AdminSite, pk: int) -> HttpResponse:
    """Say what comes of taking a merge back, and do it."""
    require(request, [MAY_MERGE])
    player = get_object_or_404(Player.objects.select_related("game"), pk=pk)
    merges = PlayerMerge.objects.select_related("into", "account", "by")
    made = merges.filter(merged=player, undone_at=None).first()
    is_closed = made is not None and made.account_came_along and not _may(request, MAY_MOVE)

    def act(actor: User, said: dict[str, Any]) -> str:
        if is_closed:
            require(request, [MAY_MOVE])
        unmerge(player=player, by=actor, note=said["note"])
        words = _("%(player)s counts for itself again. Ratings are being recalculated.")
        return words % {"player": player}

    def check() -> None:
        if made is not None:
            check_own_parted(made, by=actor_of(request))

    admin_action = AdminAction(
        title=_("Unmerge %(player)s") % {"player": player},
        button=_("Unmerge"),
        template="admin/ratings/players/unmerge.html",
        act=act,
        back=reverse("admin:ratings_player_change", args=[pk]),
        form=NoteForm(request.POST or None),
        context={
            "merge": made,
            "is_deleted": is_deleted(player),
            "matches": Participant.objects.filter(reported_as=player).count(),
            "is_closed": is_closed,
            "is_impossible": made is None or is_closed,
            "own_matter": own_matter(check),
        },
    )
    return carry_out(request, site, player, admin_action)


def _may(request: HttpRequest, name: str) -> bool:
    return actor_of(request).has_perm(name)
