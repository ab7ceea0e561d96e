"""Where operators delete a person: the button on an account's page, and on a player's, leads here."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

from django.contrib import admin
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from accounts.admin_actions import AdminAction, NoteForm, carry_out
from accounts.audited_admin import actor_of
from accounts.models import AuditEntry, User
from accounts.own_matters import check_access, own_matter
from api.site.delete_person import delete_account, delete_player, deletion_of, is_named_in
from api.site.foreseen import deleted_already, foresee, would_keep_a_name
from foundation.refusals import RefusedError
from ratings.models import Player
from ratings.players.own_matters import check_not_own, met_by

__all__ = ["delete_account_page", "delete_player_page"]

_MAY_DELETE_ACCOUNT, _MAY_DELETE_PLAYER = "accounts.delete_user", "ratings.delete_player"


@dataclass(frozen=True, slots=True)
class _Ways:
    """What differs between an account and a player. `check` raises OwnMatterError."""

    title: str
    check: Callable[[User], object]
    delete: Callable[[User, str], AuditEntry | None]
    done: Callable[[], str]


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

    def delete(by: User, note: str) -> AuditEntry | None:
        return delete_account(user, by=by, note=note)

    ways = _Ways(
        title=_("Delete a person: the account with its players"),
        check=lambda by: check_access(by, user, _MAY_DELETE_ACCOUNT),
        delete=delete,
        done=lambda: _("The account is deleted. Its row is %s now.") % user.username,
    )
    return _show(request, site, user, back, ways)


def delete_player_page(
    request: HttpRequest, site: admin.AdminSite, player: Player, back: str
) -> HttpResponse:
    """Delete one player, and leave the account that it may belong to. Whoever calls it has looked as well."""

    def delete(by: User, note: str) -> AuditEntry | None:
        return delete_player(player, by=by, note=note)

    concerned = {player.pk, *met_by(player.pk)}
    ways = _Ways(
        title=_("Delete a person: this player alone"),
        check=lambda by: check_not_own(by, concerned, right=_MAY_DELETE_PLAYER),
        delete=delete,
        done=lambda: _("What was known of player %d is deleted.") % player.pk,
    )
    return _show(request, site, player, back, ways, account=player.user)


def _show(
    request: HttpRequest,
    site: admin.AdminSite,
    who: User | Player,
    back: str,
    ways: _Ways,
    account: User | None = None,
) -> HttpResponse:
    """`account`: stays, though the player that is deleted is its."""

    def act(by: User, given: dict[str, Any]) -> str:
        ways.check(by)
        earlier = ways.delete(by, given["note"])
        return ways.done() if earlier is None else deleted_already(earlier)

    words = own_matter(lambda: ways.check(actor_of(request)))
    form = type("NamelessNoteForm", (_NamelessNoteForm,), {"who": who})(request.POST or None)
    foreseen = {} if words or form.is_valid() else _foreseen(who)
    action = AdminAction(
        title=ways.title,
        button=_("Delete this person"),
        template="admin/delete_person.html",
        act=act,
        back=back,
        form=form,
        context={"own_matter": words, "account": account, **foreseen},
    )
    return carry_out(request, site, who, action)


def _foreseen(who: User | Player) -> dict[str, Any]:
    """What would happen, or why it cannot."""
    if (earlier := deletion_of(who)) is not None:
        return {"is_impossible": True, "why_not": deleted_already(earlier)}
    try:
        return {"foreseen": foresee(who)}
    except RefusedError as error:
        return {"is_impossible": True, "why_not": str(error)}
