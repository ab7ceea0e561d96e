"""Own tokens: see, make, revoke. Works without JavaScript."""

from typing import Any

from allauth.decorators import rate_limit
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts import audit
from accounts.audited_admin import actor_of
from accounts.entrance.fresh import ask_again, is_fresh
from accounts.last_admin import LastAdminError
from api.auth.issue import issue_token, revoke_token, tokens_of
from api.contract.problems import ProblemError
from api.site.delete_person import delete_account, players_of
from api.site.forms import DeleteForm, TokenForm
from api.site.own_data import own_data
from foundation import clock
from foundation.postgresql.transactions import one_snapshot
from foundation.refusals import RefusedError
from ratings.models import Player

__all__ = ["data", "delete", "revoke", "tokens"]


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def delete(request: HttpRequest) -> HttpResponse:
    """Delete the own account: says what goes and what stays, and asks for its name, and for a fresh sign-in."""
    user = actor_of(request)
    if request.method == "POST" and not is_fresh(request):
        return ask_again(request)
    form = DeleteForm(user, request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        try:
            delete_account(user, by=user)
        except LastAdminError as error:
            form.add_error(None, str(error))
        else:
            logout(request)
            messages.success(request, _("Your account is deleted."))
            return redirect("home")
    return render(request, "account/delete.html", {"form": form, "players": players_of(user)})


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@rate_limit(action="own_data")  # type: ignore[untyped-decorator]
def data(request: HttpRequest) -> HttpResponse:
    """Say what is in the file of one's own data, and give it out. The audit log says when it was."""
    if request.method != "POST":
        return render(request, "account/data.html")
    user = actor_of(request)
    with transaction.atomic():
        audit.record(actor=user, action="user.data_exported", target=user)
    with one_snapshot():
        found = own_data(user)
    answer = JsonResponse(found, json_dumps_params={"ensure_ascii": False, "indent": 1})
    answer["Content-Disposition"] = 'attachment; filename="evenmatch-data.json"'
    return answer


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@rate_limit(action="make_token")  # type: ignore[untyped-decorator]
def tokens(request: HttpRequest) -> HttpResponse:
    """The tokens of the account's players, and a form for a new one, whose secret is on the answer only."""
    owned = Player.objects.filter(user=actor_of(request)).select_related("game")
    players = list(owned.order_by("game__name", "pk"))
    form = TokenForm(players, request.POST if request.method == "POST" else None)
    secret = ""
    if request.method == "POST" and form.is_valid():
        if not is_fresh(request):
            return ask_again(request)
        try:
            with transaction.atomic():
                token, secret = issue_token(**form.chosen())
                after = {"player": token.player_id, "name": token.name, "scopes": token.scopes}
                audit.record(
                    actor=actor_of(request), action="playertoken.added", target=token, after=after
                )
        except (ProblemError, RefusedError) as error:  # merged, moved or deleted at this moment
            form.add_error(None, str(error.detail))
        else:
            form = TokenForm(players)
    # Those that have expired are forgotten after a while.
    usable = tokens_of(actor_of(request)).filter(revoked_at=None)
    context: dict[str, Any] = {
        "form": form,
        "players": players,
        "secret": secret,
        "tokens": list(usable.select_related("player__game").order_by("-pk")[:200]),
        "now": clock.now(),
    }
    return render(request, "account/tokens.html", context)


@never_cache
@login_required
@require_POST
def revoke(request: HttpRequest, pk: int) -> HttpResponse:
    """End one of them."""
    token = get_object_or_404(tokens_of(actor_of(request)), pk=pk)
    with transaction.atomic():
        revoke_token(token)
        audit.record(actor=actor_of(request), action="playertoken.revoked", target=token)
    messages.success(request, _("“%(name)s” is revoked.") % {"name": token.name})
    return redirect("player-tokens")
