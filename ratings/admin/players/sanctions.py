"""Sanctions: imposed from a player's page, listed, and lifted. Each asks why, and tells the player."""

from datetime import timedelta
from typing import Any

from django import forms
from django.contrib import admin
from django.core.exceptions import ValidationError
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import URLPattern, reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.admin_actions import AdminAction, NoteForm, carry_out, require
from accounts.audited_admin import actor_of
from accounts.models import User
from foundation import clock
from foundation.admin_filters import ChoiceFilter
from foundation.read_only_admin import ReadOnlyAdmin, own_pages
from ratings.admin.fields import RangedFloat
from ratings.admin.players.players import find_players
from ratings.models import Player, Sanction, SanctionKind, SuspendedFrom
from ratings.models.sanctions import LONGEST_REASON
from ratings.players.own_matters import own_matter
from ratings.players.site_ids import say_deleted
from ratings.sanctions import check_impose, check_lift, impose, in_force, lift

__all__ = ["MAY_IMPOSE", "SanctionAdmin"]

MAY_IMPOSE, MAY_LIFT = "ratings.add_sanction", "ratings.change_sanction"
_SHORTEST, _LONGEST = 1 / 24, 3650.0  # days


class SanctionForm(NoteForm):
    """What is imposed, for how long, and what the player reads."""

    kind = forms.ChoiceField(label=gettext_lazy("Sanction"), choices=SanctionKind)
    suspended_from = forms.ChoiceField(
        label=gettext_lazy("Suspended from"),
        choices=[("", "–"), *SuspendedFrom.choices],
        required=False,
        help_text=gettext_lazy(
            "Of a suspension: what the player cannot do. Results: the player reports none, and those that servers send"
            " with the player are refused; what the others report still counts and is rated."
        ),
    )
    days = RangedFloat(
        label=gettext_lazy("Days"),
        low=_SHORTEST,
        high=_LONGEST,
        required=False,
        help_text=gettext_lazy("For how long; 0.5 is half a day. Empty: until it is lifted."),
    )
    reason = forms.CharField(
        label=gettext_lazy("Reason"),
        max_length=LONGEST_REASON,
        widget=forms.Textarea(attrs={"rows": 3, "cols": 60}),
        help_text=gettext_lazy("The player reads it, unless it is a note."),
    )
    field_order = ("kind", "suspended_from", "days", "reason", "note")

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        is_suspension = cleaned.get("kind") == SanctionKind.SUSPENDED
        if is_suspension and not cleaned.get("suspended_from"):
            self.add_error(
                "suspended_from", ValidationError(_("Say what the player is suspended from."))
            )
        if "kind" in cleaned and not is_suspension and cleaned.get("suspended_from"):
            words = _("Only a suspension says this. Leave it empty, or choose “suspended” above.")
            self.add_error("suspended_from", ValidationError(words))
        return cleaned


class InForceFilter(ChoiceFilter):
    """Those that hold now."""

    title = gettext_lazy("in force")
    parameter_name = "now"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [("1", gettext_lazy("Now")), ("0", gettext_lazy("Over"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Sanction]) -> QuerySet[Sanction]:
        is_over = Q(lifted_at__isnull=False) | Q(until__lte=clock.now())
        if self.value() == "1":
            return queryset.exclude(is_over)
        return queryset.filter(is_over) if self.value() == "0" else queryset


@admin.register(Sanction)
class SanctionAdmin(ReadOnlyAdmin[Sanction]):
    """The newest first. What was imposed stays as it is; lifting it is written beside."""

    change_form_template = "admin/ratings/players/sanctions/change_form.html"
    list_display = [
        "player", "kind", "suspended_from", "imposed_at", "until", "lifted_at", "imposed_by",
    ]  # fmt: skip
    list_filter = [InForceFilter, "kind", "suspended_from", "player__game"]
    list_select_related = ["player", "imposed_by"]
    search_fields = ["player__name"]
    search_help_text = gettext_lazy(
        "Beginning of a player's name, or a player's number or id in the game."
    )
    sortable_by = ()
    fields = [
        "player", "kind", "suspended_from", "reason", "imposed_at", "imposed_by", "until", "lifted_at", "lifted_by",
    ]  # fmt: skip

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Sanction], search_term: str
    ) -> tuple[QuerySet[Sanction], bool]:
        if not search_term.strip():
            return queryset, False
        return queryset.filter(player__in=find_players(search_term).values("pk")), False

    def get_urls(self) -> list[URLPattern]:
        """Imposing one on a player, and lifting one."""
        views = {
            "impose/<id:pk>/": ("ratings_sanction_impose", impose_on),
            "<id:pk>/lift/": ("ratings_sanction_lift", lift_one),
        }
        return own_pages(self.admin_site, views) + super().get_urls()

    def render_change_form(
        self, request: HttpRequest, context: Any, *args: Any, **kwargs: Any
    ) -> HttpResponse:
        is_in_force = in_force().filter(pk=kwargs["obj"].pk).exists()
        context["can_lift"] = is_in_force and actor_of(request).has_perm(MAY_LIFT)
        return super().render_change_form(request, context, *args, **kwargs)


def impose_on(request: HttpRequest, site: admin.AdminSite, pk: int) -> HttpResponse:
    """Impose a sanction on a player."""
    require(request, [MAY_IMPOSE])
    player = get_object_or_404(Player.objects.select_related("game"), pk=pk)
    page = reverse("admin:ratings_player_change", args=[pk])
    deleted = say_deleted(player)

    def act(actor: User, said: dict[str, Any]) -> str:
        days, suspended_from = said["days"], said["suspended_from"]
        impose(
            player=player,
            kind=SanctionKind(said["kind"]),
            suspended_from=SuspendedFrom(suspended_from) if suspended_from else None,
            reason=said["reason"],
            until=None if days is None else clock.now() + timedelta(days=days),
            by=actor,
            note=said["note"],
        )
        return _("The sanction on %(player)s is in force.") % {"player": player}

    admin_action = AdminAction(
        title=_("Sanction %(player)s") % {"player": player},
        button=_("Impose"),
        template="admin/ratings/players/sanctions/impose.html",
        act=act,
        back=page if actor_of(request).has_perm("ratings.view_player") else reverse("admin:index"),
        form=SanctionForm(request.POST or None),
        context={
            "deleted": deleted,
            "is_impossible": bool(deleted),
            "sanctions": in_force().filter(player=player).select_related("imposed_by"),
            "own_matter": own_matter(lambda: check_impose(actor_of(request), pk)),
        },
    )
    return carry_out(request, site, player, admin_action)


def lift_one(request: HttpRequest, site: admin.AdminSite, pk: int) -> HttpResponse:
    """Lift a sanction."""
    require(request, [MAY_LIFT])
    sanction = get_object_or_404(Sanction.objects.select_related("player__game"), pk=pk)

    def act(actor: User, said: dict[str, Any]) -> str:
        lift(sanction_id=pk, by=actor, note=said["note"])
        return _("The sanction on %(player)s is lifted.") % {"player": sanction.player}

    admin_action = AdminAction(
        title=_("Lift the sanction on %(player)s") % {"player": sanction.player},
        button=_("Lift the sanction"),
        template="admin/ratings/players/sanctions/lift.html",
        act=act,
        back=reverse("admin:ratings_sanction_change", args=[pk]),
        form=NoteForm(request.POST or None),
        context={
            "is_impossible": not in_force().filter(pk=pk).exists(),
            "own_matter": own_matter(lambda: check_lift(actor_of(request), sanction.player_id)),
        },
    )
    return carry_out(request, site, sanction, admin_action)
