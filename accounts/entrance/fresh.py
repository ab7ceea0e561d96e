"""Asking who it is once more, before somebody with rights changes what matters: a browser left open is not enough."""

import time

from allauth.account.adapter import get_adapter
from allauth.account.internal.flows.login import get_authentication_records
from allauth.account.utils import get_next_redirect_url
from allauth.core.internal.httpkit import deserialize_request, serialize_request
from allauth.core.internal.urlkit import script_aware_resolve
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import REDIRECT_FIELD_NAME
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.crypto import get_random_string
from django.utils.http import urlencode
from django.utils.translation import gettext as _

from accounts.audited_admin import actor_of
from foundation.requests.time_limits import take_time_of

__all__ = ["ask_again", "carry_out", "is_fresh"]

# What was sent and waits, in the session, by a name of its own: somebody may have several pages open.
_WAITING = "forms_that_wait"
_WAIT_AT_MOST = 5


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
    page = request.path
    if request.method == "POST" and not any("password" in name for name in request.POST):
        name = get_random_string(12)
        waiting = [*request.session.get(_WAITING, {}).items(), (name, serialize_request(request))]
        request.session[_WAITING] = dict(waiting[-_WAIT_AT_MOST:])
        page = f"{page}#{name}"  # the pages that ask hand it on, and browsers do not mind it
    else:
        messages.warning(request, _("Nothing was changed yet. Please send it once more."))
    address = f"{ways[0]['url']}?{urlencode({REDIRECT_FIELD_NAME: page})}"
    if request.headers.get("HX-Request"):
        answer = HttpResponse()
        answer["HX-Redirect"] = address  # else htmx would put the page into a part of this one
        return answer
    return HttpResponseRedirect(address)


def carry_out(request: HttpRequest) -> HttpResponse | None:
    """Carry out the form that waits for this confirmation, or say that none does; None where none was to wait."""
    address = get_next_redirect_url(request, REDIRECT_FIELD_NAME) or ""
    page, has_name, name = address.partition("#")
    if not has_name:
        return None
    waiting = dict(request.session.get(_WAITING, {}))
    if name not in waiting:  # the oldest of many, of a sign-in that has ended, or confirmed already
        words = _(
            "This confirmation carried nothing out: what you sent no longer waits for it."
            " See whether it is done, and send it again if not."
        )
        messages.error(request, words)
        return HttpResponseRedirect(page)
    environ = request.META
    sent = deserialize_request(waiting.pop(name), request)  # the same, made into what was sent then
    sent.session[_WAITING] = waiting
    sent.resolver_match = found = script_aware_resolve(sent.path)
    take_time_of(environ, sent, found.func)
    answer: HttpResponse = found.func(sent, *found.args, **found.kwargs)
    return answer
