"""Asking who it is once more, before somebody with rights changes what matters: a browser left open is not enough."""

import time

from allauth.account.adapter import get_adapter
from allauth.account.internal.flows.login import get_authentication_records
from allauth.account.internal.flows.reauthentication import STATE_SESSION_KEY
from allauth.core.internal.httpkit import serialize_request
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import REDIRECT_FIELD_NAME
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.http import urlencode
from django.utils.translation import gettext as _

from accounts.audited_admin import actor_of

__all__ = ["ask_again", "is_fresh"]


def is_fresh(request: HttpRequest) -> bool:
    """Whether the account has signed in, or proved it again, a short while ago (FRESH_SIGN_IN, in seconds).

    Where it has a second factor, with that one.
    """
    user = actor_of(request)
    records = get_authentication_records(request, user)
    if user.has_second_factor:
        records = [one for one in records if one["method"] == "mfa"]
    now = time.time()
    return any(abs(now - one["at"]) < settings.FRESH_SIGN_IN for one in records)


def ask_again(request: HttpRequest) -> HttpResponse:
    """Lead to the page that asks; from there what was sent is carried out. Passwords in it have to be typed again."""
    ways = get_adapter().get_reauthentication_methods(actor_of(request))
    if not ways:  # neither a password nor a factor: nothing to ask for but a new sign-in
        return HttpResponse(_("Sign out and in again first."), status=403)
    request.session.pop(STATE_SESSION_KEY, None)
    if request.method == "POST" and not any("password" in name for name in request.POST):
        request.session[STATE_SESSION_KEY] = {"request": serialize_request(request)}
    else:
        messages.warning(request, _("Nothing was changed yet. Please send it once more."))
    address = f"{ways[0]['url']}?{urlencode({REDIRECT_FIELD_NAME: request.path})}"
    if request.headers.get("HX-Request"):
        answer = HttpResponse()
        answer["HX-Redirect"] = address  # else htmx would put the page into a part of this one
        return answer
    return HttpResponseRedirect(address)
