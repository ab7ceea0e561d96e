"""Games in browsers: which other web sites may call the API from their pages.

A browser asks before it lets the page of another site (origin) call us: the CORS protocol of the Fetch standard,
<https://fetch.spec.whatwg.org/#http-cors-protocol>. The operator lists the sites; none is listed by default. Cookies
are not part of it, as the API never looks at them. Pages outside the API stay closed to all other sites.
"""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.cache import patch_vary_headers

__all__ = ["CorsMiddleware", "is_from_listed_site"]

_METHODS = "GET, POST, PUT, DELETE"
_SENT = "Authorization, Content-Type, Idempotency-Key"
_READ = (
    "Allow, Idempotent-Replayed, Location, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset,"
    " Retry-After"
)
_KEPT_FOR = "7200"  # seconds for which a browser need not ask again


def is_from_listed_site(request: HttpRequest) -> bool:
    """Whether a page of one of the listed sites sends the request."""
    return request.headers.get("Origin") in settings.API_CORS_ORIGINS


class CorsMiddleware:
    """Tells browsers which sites may call the API, and answers when they ask before a call."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if not settings.API_CORS_ORIGINS or not request.path_info.startswith(reverse("api:index")):
            return self.get_response(request)
        is_listed = is_from_listed_site(request)
        response = _permit(request) if is_listed else None
        response = response or self.get_response(request)
        patch_vary_headers(response, ["Origin"])
        if is_listed:
            response["Access-Control-Allow-Origin"] = request.headers["Origin"]
            response["Access-Control-Expose-Headers"] = _READ
        return response


def _permit(request: HttpRequest) -> HttpResponse | None:
    """The answer to a browser that asks first; None for every other request."""
    if request.method != "OPTIONS" or "Access-Control-Request-Method" not in request.headers:
        return None
    permitted = {
        "Access-Control-Allow-Methods": _METHODS,
        "Access-Control-Allow-Headers": _SENT,
        "Access-Control-Max-Age": _KEPT_FOR,
    }
    return HttpResponse(status=204, headers=permitted)
