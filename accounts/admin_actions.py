"""What operators do to a thing besides editing it: a page says what follows, they say why, and it is done once."""

import argparse
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db import DatabaseError
from django.db.models import Model
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.audited_admin import actor_of
from accounts.models import AuditEntry, User
from foundation.postgresql.connections import is_database_away
from foundation.refusals import RefusedError

__all__ = [
    "SAY_WHY",
    "AdminAction",
    "NoteForm",
    "add_note_argument",
    "carry_out",
    "read_note",
    "require",
    "tell_of_others",
    "was_done_by",
]

SAY_WHY = gettext_lazy("Say why, so that others can understand it later.")


class NoteForm(forms.Form):
    """Why. Forms of actions that ask for more are made from it."""

    note = forms.CharField(
        label=gettext_lazy("Why"),
        help_text=gettext_lazy("Kept in the audit log, with your name."),
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 3, "cols": 60}),
        error_messages={"required": SAY_WHY},
    )


def read_note(text: str) -> str:
    """Why, as a command is told: the `type` of an argument. As in the admin, blanks say nothing."""
    if not (note := text.strip()):
        raise argparse.ArgumentTypeError(str(SAY_WHY))
    return note


def add_note_argument(parser: argparse.ArgumentParser) -> None:
    """`--note`, which commands that do the same as an action need as well."""
    parser.add_argument(
        "--note", required=True, type=read_note, metavar="WHY", help="kept in the audit log"
    )


@dataclass(frozen=True, slots=True)
class AdminAction:
    """One thing to do.

    act       does it; returns the words that say so. What it refuses is told as a RefusedError
    back      where to go afterwards
    explain   adds to a refusal what has become of the thing meanwhile
    is_ready  False where a valid form is shown again before anything is done: with what would follow
    """

    title: str
    button: str
    template: str
    act: Callable[[User, dict[str, Any]], str]
    back: str
    form: forms.Form
    explain: Callable[[], str] = str
    context: dict[str, Any] = field(default_factory=dict)
    is_ready: bool = True


def require(request: HttpRequest, names: Iterable[str]) -> None:
    """Refuse whoever lacks one of these permissions."""
    if not actor_of(request).has_perms(list(names)):
        raise PermissionDenied


def carry_out(
    request: HttpRequest, site: admin.AdminSite, thing: Model, admin_action: AdminAction
) -> HttpResponse:
    """Show the page of an action (GET), or do it (POST). Check permissions before."""
    is_asked = request.method == "POST" and admin_action.is_ready
    if is_asked and admin_action.form.is_valid() and _is_settled(request, admin_action):
        return HttpResponseRedirect(admin_action.back)
    context = {
        **site.each_context(request),
        "title": admin_action.title,
        "opts": thing._meta,
        "original": thing,
        "admin_action": admin_action,
        "form": admin_action.form,
        **admin_action.context,
    }
    return TemplateResponse(request, admin_action.template, context)


def _is_settled(request: HttpRequest, admin_action: AdminAction) -> bool:
    """Do it, and say what has become of it; False where its form says so, to be sent again as it was typed."""
    try:
        messages.success(
            request, admin_action.act(actor_of(request), admin_action.form.cleaned_data)
        )
    except RefusedError as error:
        if error.is_busy:
            admin_action.form.add_error(None, str(error))
            return False
        words = (str(error), admin_action.explain())
        messages.error(request, " ".join(word for word in words if word))
    except DatabaseError as error:
        tell_of_others(request, error)
    return True


def tell_of_others(request: HttpRequest, error: DatabaseError) -> None:
    """Say that others hold what was to be changed, so that nothing was. Raises what is wrong otherwise."""
    if not is_database_away(error):
        raise error
    words = _(
        "Somebody else is changing this right now, so nothing was changed. Try again in a moment."
    )
    messages.error(request, words)


def was_done_by(actor: User, *, target: Model, action: str, note: str) -> bool:
    """Whether the last entry of this kind is the one that `actor` has just left; else another was faster."""
    entries = AuditEntry.objects.filter(
        target_type=target._meta.label_lower, target_id=str(target.pk), action=action
    )
    last = entries.order_by("-pk").first()
    return last is not None and (last.actor_id, last.note) == (actor.pk, note)
