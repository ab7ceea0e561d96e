"""Forms whose sender is signed out: elsewhere, in another window, or because the session has ended."""

from collections.abc import Callable
from typing import cast
from urllib.parse import parse_qs, urlsplit, urlunsplit

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import resolve_url
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django_htmx.http import HttpResponseClientRedirect

from foundation.page_parts import wants_part

# Where forms are sent to addresses that are no pages.
_ACTIONS = ("/play/", "/challenges/", "/notifications/")


class SignedOutMiddleware:
    """Tells whoever is sent from a form to sign in that nothing was changed, and leads back to the page of the form.

    Views need only send them there (`login_required`): by itself that would lead on to the form's address, which may be
    none that shows a page.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if request.method != "POST" or not _leads_back_here(request, response):
            return response
        if request.user.is_authenticated:
            return response
        messages.warning(request, _("You're not signed in, so nothing was changed."))
        way_in = redirect_to_login(_page_of_form(request))
        if wants_part(request):
            return cast("HttpResponse", HttpResponseClientRedirect(way_in.url))
        return way_in


def _leads_back_here(request: HttpRequest, response: HttpResponse) -> bool:
    """Whether one is sent to sign in only to come back to the form's address; a view may lead elsewhere by itself."""
    to = urlsplit(response.headers.get("Location", ""))
    after = parse_qs(to.query).get("next", [""])[0]
    is_to_sign_in = to.path == resolve_url(settings.LOGIN_URL)
    return is_to_sign_in and urlsplit(after).path == request.path


def _page_of_form(request: HttpRequest) -> str:
    """The page that the browser names, if it is one of this site; else a page from where the form can be found."""
    before = request.headers.get("HX-Current-URL") or request.headers.get("Referer", "")
    page = urlsplit(before)
    is_ours = url_has_allowed_host_and_scheme(before, {request.get_host()}, request.is_secure())
    is_action = request.path.startswith(_ACTIONS)
    if is_ours and not (is_action and page.path == request.path):
        return urlunsplit(("", "", page.path, page.query, ""))
    return reverse("play" if is_action else "home")
