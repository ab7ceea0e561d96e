"""The page that asks, its preview, and the page that shows what was made."""

from typing import Any

from django.contrib import admin
from django.core.exceptions import ValidationError
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.cache import add_never_cache_headers
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_variables
from django.views.decorators.http import require_safe

from accounts.admin_actions import require, tell_of_others
from accounts.audited_admin import actor_of
from config.admin_state import MAKES_A_GAME
from config.new_game.first_request import reading_line, recording_line
from config.new_game.form import Form
from config.new_game.make import MadeGame, set_up
from matchmaking.queues.rescale import misfits
from ratings.admin.parameter_form import explain
from ratings.models import Game
from ratings.systems import ParameterError

__all__ = ["set_up_game", "show_preview"]

TEMPLATES = "admin/new_game/"


def set_up_game(request: HttpRequest, site: admin.AdminSite) -> HttpResponse:
    """Ask (GET), show again with what follows from it, or make all of it (POST)."""
    require(request, MAKES_A_GAME)
    form = _form_of(request)
    if request.method != "POST":
        return _ask(request, site, form, foreseen=[])
    if "_preview" in request.POST:
        return _ask(request, site, form, foreseen=form.foreseen())
    if form.is_valid():
        try:
            made = set_up(form.wanted(), actor=actor_of(request))
            return _show(request, site, made)
        except ValidationError as error:
            form.add_error(None, error)
        except ParameterError as error:
            form.add_error("system", explain(error, form.cleaned_data["system"]))
        except DatabaseError as error:
            tell_of_others(request, error)
    return _ask(request, site, form, foreseen=form.foreseen())


@require_safe
def show_preview(request: HttpRequest, site: admin.AdminSite) -> HttpResponse:
    """What follows from the answers so far, for a page that is being filled in."""
    require(request, MAKES_A_GAME)
    form = Form(request.GET, makes_keys=False)
    return TemplateResponse(request, TEMPLATES + "foreseen.html", {"foreseen": form.foreseen()})


def _form_of(request: HttpRequest) -> Form:
    makes_keys = actor_of(request).has_perm("api.add_serverkey")
    return Form(request.POST or None, makes_keys=makes_keys)


def _ask(
    request: HttpRequest, site: admin.AdminSite, form: Form, *, foreseen: list[str]
) -> HttpResponse:
    context: dict[str, Any] = {
        **site.each_context(request),
        "title": _("Set up a game"),
        "form": form,
        "sections": list(form.sections()),
        "foreseen": foreseen,
        "is_first": not Game.objects.exists(),
        "is_previewed": "_preview" in request.POST,
    }
    return TemplateResponse(request, TEMPLATES + "ask.html", context)


@sensitive_variables()
def _show(request: HttpRequest, site: admin.AdminSite, made: MadeGame) -> HttpResponse:
    """Show what was made, and the key, on this answer only."""
    context: dict[str, Any] = {
        **site.each_context(request),
        "title": _("%(game)s is set up") % {"game": made.game},
        "made": made,
        "reading": reading_line(request, made),
        "recording": recording_line(request, made),
        "warnings": misfits(made.queue) if made.queue else [],
    }
    page = TemplateResponse(request, TEMPLATES + "made.html", context)
    add_never_cache_headers(page)
    return page
