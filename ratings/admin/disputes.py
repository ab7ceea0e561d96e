"""The matches whose players disagree, and what each says: where an operator was called first, then the oldest."""

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _

from accounts.audited import actor_of
from ratings.admin.match_deeds import seats_of
from ratings.disputing import count_disputes, disputed_matches
from ratings.models import Match

__all__ = ["show_disputes"]

SHOWN = 100


def show_disputes(request: HttpRequest, site: admin.AdminSite) -> HttpResponse:
    """List them, with what both sides report and state. Five queries."""
    actor = actor_of(request)
    may_decide = actor.has_perm("ratings.change_match")
    if not (may_decide or actor.has_perm("ratings.view_match")):
        raise PermissionDenied
    matches = list(disputed_matches().select_related("ladder__game")[:SHOWN])
    seats = seats_of(matches)
    context = {
        **site.each_context(request),
        "title": _("Disputes"),
        "opts": Match._meta,
        "rows": [(match, seats[match.pk]) for match in matches],
        "all": count_disputes(),
        "may_decide": may_decide,
    }
    return TemplateResponse(request, "admin/ratings/match/disputes.html", context)
