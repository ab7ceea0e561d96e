"""The matches whose players disagree, and what each says: where an operator was called first, then the oldest.

And the players who do so most often.
"""

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _

from accounts.audited_admin import actor_of
from ratings.admin.of_matches.match_actions import participants_of
from ratings.disputes import count_disputes, disputants, disputed_matches
from ratings.models import Match

__all__ = ["show_disputants", "show_disputes"]

SHOWN = 100


def show_disputes(request: HttpRequest, site: admin.AdminSite) -> HttpResponse:
    """List them, with what both sides report and state. Five queries."""
    may_decide = _may_decide(request)
    matches = list(disputed_matches().select_related("ladder__game")[:SHOWN])
    participants = participants_of(matches)
    context = {
        **site.each_context(request),
        "title": _("Disputes"),
        "opts": Match._meta,
        "rows": [(match, participants[match.pk]) for match in matches],
        "all": count_disputes(),
        "may_decide": may_decide,
    }
    return TemplateResponse(request, "admin/ratings/match/disputes.html", context)


def show_disputants(request: HttpRequest, site: admin.AdminSite) -> HttpResponse:
    """List the players of disputes: who is kept out of ranked queues first, then the most often wrong. One query."""
    _may_decide(request)
    rows = disputants(SHOWN + 1)
    context = {
        **site.each_context(request),
        "title": _("Players with disputes"),
        "opts": Match._meta,
        "rows": rows[:SHOWN],
        "shown": SHOWN,
        "has_more": len(rows) > SHOWN,
        "may_see_players": actor_of(request).has_perm("ratings.view_player"),
    }
    return TemplateResponse(request, "admin/ratings/match/disputants.html", context)


def _may_decide(request: HttpRequest) -> bool:
    """Whether the operator may decide matches; who may not even see them is refused."""
    actor = actor_of(request)
    may_decide = actor.has_perm("ratings.change_match")
    if not (may_decide or actor.has_perm("ratings.view_match")):
        raise PermissionDenied
    return may_decide
