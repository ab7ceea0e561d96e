"""Answers to what fails outside every view: pages for people, problems (RFC 9457) for callers of the API."""

import math
import sys
from contextlib import suppress
from http import HTTPStatus
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.http import (
    Http404,
    HttpRequest,
    HttpResponse,
    HttpResponseBase,
    HttpResponseForbidden,
    HttpResponseNotFound,
)
from django.middleware.csrf import REASON_BAD_ORIGIN, REASON_BAD_REFERER
from django.template.loader import render_to_string
from django.utils.cache import add_never_cache_headers
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views import defaults

from accounts.entrance.limits import seconds_to_wait
from api.contract.error_responses import plain_problem_response, unavailable
from api.contract.problems import ProblemError
from foundation.page_parts import wants_part
from foundation.postgresql.connections import is_database_away
from leaderboards.archived import archived_at, is_worth_another_look

__all__ = ["bad_request", "expired_form", "not_found", "server_error", "too_many_requests"]

_BACK_AFTER = 5  # seconds after which a database that is away is worth another try
# How Django begins to say that a form comes from elsewhere: "Origin checking failed", "Referer checking failed".
_ELSEWHERE = tuple(it.partition(" - ")[0] for it in (REASON_BAD_ORIGIN, REASON_BAD_REFERER))
_LONG = 120  # seconds, from which on they are told in minutes


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponseBase:
    """Such as a host that is not served here."""
    if not _is_of_api(request):
        return defaults.bad_request(request, exception)
    words = _("The request is not one for this site. Is the host in the address right?")
    return plain_problem_response(ProblemError("bad_request", words), request)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponseBase:
    """An address that is none, or of what is archived.

    Files are answered out of turn (config.web), so their absence costs nothing either.
    """
    if request.path.startswith(settings.STATIC_URL):
        return HttpResponseNotFound("There is no such file.\n", content_type="text/plain")
    if not _is_of_api(request):
        if (gone := archived_at(request.resolver_match)) is not None:
            page = render_to_string("410.html", {"reason": str(gone)}, request)
            answer = HttpResponse(page, status=gone.status)
            # Else browsers keep a 410 for good, also once the thing is restored.
            add_never_cache_headers(answer)
            return answer
        found = request.resolver_match
        if found is not None and is_worth_another_look(found, request.method):
            with suppress(Http404):
                again: HttpResponseBase = found.func(request, *found.args, **found.kwargs)
                return again
        return defaults.page_not_found(request, exception)
    words = _("There is nothing at this address. Everything is below /api/v1/.")
    return plain_problem_response(ProblemError("not_found", words), request)


def expired_form(request: HttpRequest, reason: str = "") -> HttpResponse:
    """A form of a page from before its reader signed in or out, say; leads back to that page, where it is of here.

    Another reason is that the form comes from elsewhere, or that the site does not know its own address.
    """
    page, is_from_elsewhere = request.headers.get("Referer", ""), reason.startswith(_ELSEWHERE)
    is_ours = not is_from_elsewhere and url_has_allowed_host_and_scheme(
        page, {request.get_host()}, request.is_secure()
    )
    if wants_part(request) and not is_from_elsewhere:  # the page loads itself anew, and shows it
        messages.warning(
            request,
            _("This form was opened before you signed in or out. Nothing was changed."),
        )
    told = {"page": page if is_ours else "", "is_from_elsewhere": is_from_elsewhere}
    return HttpResponseForbidden(render_to_string("403_csrf.html", told, request))


def too_many_requests(request: HttpRequest) -> HttpResponse:
    """Somebody guesses too often; django-allauth asks for this page. The API says the same in its own way."""
    seconds = seconds_to_wait(request)
    if seconds < _LONG:
        wait = ngettext("%d second", "%d seconds", seconds) % seconds
    else:
        minutes = math.ceil(seconds / 60)
        wait = ngettext("%d minute", "%d minutes", minutes) % minutes
    return HttpResponse(
        render_to_string("429.html", {"wait": wait}, request),
        status=HTTPStatus.TOO_MANY_REQUESTS,
        headers={"Retry-After": str(seconds)},
    )


def server_error(request: HttpRequest, *args: Any) -> HttpResponseBase:
    """A fault of ours, or a database that is away."""
    away = is_database_away(sys.exception())
    if _is_of_api(request):
        if away:
            problem = unavailable(request)
        else:
            problem = ProblemError(
                "internal_error", _("Something went wrong here. It is in the log.")
            )
        answer: HttpResponse = plain_problem_response(problem, request)
        return answer
    if not away:
        return defaults.server_error(request)
    return HttpResponse(
        render_to_string("503.html"),
        status=HTTPStatus.SERVICE_UNAVAILABLE,
        headers={"Retry-After": str(_BACK_AFTER)},
    )


def _is_of_api(request: HttpRequest) -> bool:
    return request.path == "/api" or request.path.startswith("/api/")
