"""Requests of the API pass by what only pages need: sessions, form tokens, accounts, messages, htmx.

The API looks at no cookie. Django, its admin and allauth ask for that middleware by name, so that it stays in the
settings, between the two of this module; what comes before them is for all, as headers and languages are.
"""

import threading
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

__all__ = ["ApiShortcutMiddleware", "EndOfPagesMiddleware"]

GetResponse = Callable[[HttpRequest], HttpResponse]
_API = "/api/v1/"
_ITS_PAGES = ("/api/v1/docs/", "/api/v1/problems/")  # for people, in the frame of the site
_loading = threading.local()


class EndOfPagesMiddleware:
    """Stands last. Django makes it first, from the last inwards to the first."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = _loading.end = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)


class ApiShortcutMiddleware:
    """Goes on after the `EndOfPagesMiddleware` with requests of the API."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response
        self.end: GetResponse = _loading.end

    def __call__(self, request: HttpRequest) -> HttpResponse:
        path = request.path_info
        if path.startswith(_API) and not path.startswith(_ITS_PAGES):
            return self.end(request)
        return self.get_response(request)
