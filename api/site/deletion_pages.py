"""Where operators delete a person: the button on an account's page, and on a player's, leads here."""

from typing import Any, ClassVar

from django.contrib import admin
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from accounts.admin_actions import AdminAction, NoteForm, carry_out
from accounts.audited_admin import actor_of
from accounts.models import User
from accounts.own_matters import check_access, own_matter
from api.site.delete_person import delete_account, delete_player, deletion_of, is_named_in
from api.site.foreseen import deleted_already, foresee, would_keep_a_name
from foundation.refusals import RefusedError
from ratings.models import Player
from ratings.players.own_matters import check_not_own, met_by

__all__ = ["delete_account_page", "delete_player_page"]

_MAY_DELETE_ACCOUNT, _MAY_DELETE_PLAYER = "accounts.delete_user", "ratings.delete_player"


class _NamelessNoteForm(NoteForm):
    """Why, without what the person is called: the note stays. `who` is to be deleted."""

    who: ClassVar[User | Player]

    def clean_note(self) -> str:
        note: str = self.cleaned_data["note"]
        if is_named_in(note, self.who):
            raise ValidationError(would_keep_a_name())
        return note


def delete_account_page(
    request: HttpRequest, site: admin.AdminSite, user: User, back: str
) -> HttpResponse:
    """Delete an account with its players. Whoever calls it has looked whether the operator may."""

    def check(by: User) -> None:
        check_access(by, user, _MAY_DELETE_ACCOUNT)

    def act(by: User, given: dict[str, Any]) -> str:
        check(by)
        earlier = delete_account(user, by=by, note=given["note"])
        done = _("The account is deleted. Its row is %s now.") % user.username
        return done if earlier is None else deleted_already(earlier)

    words = own_matter(lambda: check(actor_of(request)))
    action = AdminAction(
        title=_("Delete a person: the account with its players"),
        button=_("Delete this person"),
        template="admin/delete_person.html",
        act=act,
        back=back,
        form=_form(request, user),
        context={"own_matter": words, **_foreseen(request, user, words)},
    )
    return carry_out(request, site, user, action)


def delete_player_page(
    request: HttpRequest, site: admin.AdminSite, player: Player, back: str
) -> HttpResponse:
    """Delete one player, and leave the account that it may belong to. Whoever calls it has looked as well."""

    def check(by: User) -> None:
        check_not_own(by, {player.pk, *met_by(player.pk)}, right=_MAY_DELETE_PLAYER)

    def act(by: User, given: dict[str, Any]) -> str:
        check(by)
        earlier = delete_player(player, by=by, note=given["note"])
        done = _("What was known of player %d is deleted.") % player.pk
        return done if earlier is None else deleted_already(earlier)

    words = own_matter(lambda: check(actor_of(request)))
    action = AdminAction(
        title=_("Delete a person: this player alone"),
        button=_("Delete this person"),
        template="admin/delete_person.html",
        act=act,
        back=back,
        form=_form(request, player),
        context={"own_matter": words, "account": player.user, **_foreseen(request, player, words)},
    )
    return carry_out(request, site, player, action)


def _form(request: HttpRequest, who: User | Player) -> NoteForm:
    form = type("NamelessNoteForm", (_NamelessNoteForm,), {"who": who})
    made: NoteForm = form(request.POST or None)
    return made


def _foreseen(request: HttpRequest, who: User | Player, own: str) -> dict[str, Any]:
    """What would happen, or why it cannot. Not looked at while it is done."""
    if (earlier := deletion_of(who)) is not None:
        return {"is_impossible": True, "why_not": deleted_already(earlier)}
    if own or request.method == "POST":
        return {}
    try:
        return {"foreseen": foresee(who)}
    except RefusedError as error:
        return {"is_impossible": True, "why_not": str(error)}
