"""What opens an account: its addresses, sign-ins and tokens, each with a way to remove it. Works without JavaScript."""

from typing import Any

from allauth.account.internal.flows.manage_email import delete_email
from allauth.account.models import EmailAddress
from allauth.decorators import rate_limit
from allauth.usersessions.models import UserSession
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from accounts import access
from accounts.audited_admin import actor_of
from api.auth.issue import tokens_of
from foundation import clock

__all__ = ["end_all", "end_sign_in", "overview", "remove_address"]


@never_cache
@login_required
@require_GET
def overview(request: HttpRequest) -> HttpResponse:
    """Everything by which somebody gets into the account. Also shown after a confirmation and a new password."""
    user = actor_of(request)
    tokens = tokens_of(user).filter(revoked_at=None)
    context: dict[str, Any] = {
        "after_reset": request.GET.get("after") == "reset",
        "addresses": EmailAddress.objects.filter(user=user).order_by("-primary", "email"),
        "sign_ins": UserSession.objects.purge_and_list(user),
        "tokens": tokens.select_related("player__game").order_by("-pk")[:200],
        "own": request.session.session_key,
        "now": clock.now(),
    }
    return render(request, "account/security.html", context)


@never_cache
@login_required
@require_POST
@rate_limit(action="manage_email")  # type: ignore[untyped-decorator]
def remove_address(request: HttpRequest, pk: int) -> HttpResponse:
    """Remove an address of the account. When it is the primary one, another takes that place first."""
    address = get_object_or_404(EmailAddress, pk=pk, user=actor_of(request))
    with transaction.atomic():
        others = EmailAddress.objects.filter(user=address.user).exclude(pk=pk)
        heir = others.order_by("-verified", "pk").first()
        if address.primary and heir is not None:
            heir.set_as_primary()
            address.refresh_from_db()
        delete_email(request, address)
    return redirect("account-security")


@never_cache
@login_required
@require_POST
def end_sign_in(request: HttpRequest, pk: int) -> HttpResponse:
    """Sign one other browser out."""
    sign_in = get_object_or_404(UserSession, pk=pk, user=actor_of(request))
    if sign_in.session_key == request.session.session_key:
        return redirect("account_logout")
    access.end_sign_in(sign_in)
    messages.success(request, _("That browser is signed out."))
    return redirect("account-security")


@never_cache
@login_required
@require_POST
def end_all(request: HttpRequest) -> HttpResponse:
    """Sign out everybody else and end all tokens."""
    user = actor_of(request)
    access.end_access(user, why="asked for by the owner", actor=user, keep=request)
    messages.success(request, _("Everybody else is signed out, and all tokens have ended."))
    return redirect("account-security")
