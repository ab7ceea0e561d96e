"""Giving a player to another account: who it is, what follows, and why."""

from typing import Any

from django import forms
from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.admin_actions import AdminAction, NoteForm, carry_out, require
from accounts.audited_admin import actor_of
from accounts.models import User
from ratings.models import Player
from ratings.players.accounts import check_move, move_player, why_not
from ratings.players.own_matters import MAY_MOVE, own_matter
from ratings.players.site_ids import say_deleted

__all__ = ["move_one"]


class AccountForm(NoteForm):
    """To whom, and why."""

    account = forms.CharField(
        label=gettext_lazy("Account"),
        max_length=150,
        help_text=gettext_lazy("Username, or number, of the account that gets the player."),
    )
    field_order = ["account", "note"]

    def __init__(self, *args: Any, player: Player, by: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.player, self.by = player, by

    def clean_account(self) -> User:
        """The account that is meant, which can have the player."""
        text = self.cleaned_data["account"].strip()
        accounts = User.objects.filter(username=text)
        if not accounts and text.isdecimal() and len(text) < 19:
            accounts = User.objects.filter(pk=int(text))
        user = accounts.filter(is_active=True).first()
        if user is None:
            raise forms.ValidationError(_("There is no open account with this name or number."))
        if user.pk == self.player.user_id:
            raise forms.ValidationError(_("The account has this player already."))
        if reason := why_not(self.player, user):
            raise forms.ValidationError(reason)
        if user == self.by and (words := _own_matter(self.by, self.player, user)):
            raise forms.ValidationError(words)
        return user


def move_one(request: HttpRequest, site: admin.AdminSite, pk: int) -> HttpResponse:
    """Give a player (in the address) to another account."""
    require(request, [MAY_MOVE])
    player = get_object_or_404(Player.objects.select_related("game", "user"), pk=pk)

    deleted = say_deleted(player)

    def act(actor: User, said: dict[str, Any]) -> str:
        move_player(player=player, to=said["account"], by=actor, note=said["note"])
        words = _("%(player)s is the player of %(account)s now.")
        return words % {"player": player, "account": said["account"]}

    admin_action = AdminAction(
        title=_("Move %(player)s to another account") % {"player": player},
        button=_("Move"),
        template="admin/ratings/players/move.html",
        act=act,
        back=reverse("admin:ratings_player_change", args=[pk]),
        form=AccountForm(request.POST or None, player=player, by=actor_of(request)),
        context={
            "deleted": deleted,
            "is_impossible": bool(deleted) or player.merged_into_id is not None,
            "own_matter": _own_matter(actor_of(request), player),
        },
    )
    return carry_out(request, site, player, admin_action)


def _own_matter(by: User, player: Player, to: User | None = None) -> str:
    return own_matter(lambda: check_move(by, player.pk, to=to))
