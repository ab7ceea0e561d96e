"""Parts of pages for htmx: the same view answers with the page, with a part of it, or that nothing has changed.

A part that asks again by itself sends the version it shows as `seen`. While the version is the same the answer is
204, which htmx leaves the page alone for: no flicker, no lost focus, nothing rendered or sent.
"""

import hashlib
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_vary_headers
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import get_language

__all__ = [
    "ask_again",
    "asks_again",
    "is_attended",
    "is_unchanged",
    "nothing_new",
    "page_before",
    "show",
    "version_of",
    "wants_part",
]


def wants_part(request: HttpRequest) -> bool:
    """Whether htmx asks for a part. Going back in the history it asks for the whole page."""
    htmx = getattr(request, "htmx", None)
    return bool(htmx) and not getattr(htmx, "history_restore_request", False)


def is_attended(request: HttpRequest) -> bool:
    """Whether somebody is known to be at the page that asks: not one that says it is hidden, nor one that has loaded
    itself, which browsers tell where they tell anything (without scripts nothing else is known).
    """
    if "X-Page-Hidden" in request.headers:
        return False
    headers = request.headers
    by_itself = headers.get("Sec-Fetch-Mode") == "navigate" and "Sec-Fetch-User" not in headers
    return not by_itself


def page_before(request: HttpRequest) -> str:
    """Path and query of the page on which a form was sent; empty where none of this site is named."""
    before = request.headers.get("HX-Current-URL") or request.headers.get("Referer", "")
    if not url_has_allowed_host_and_scheme(before, {request.get_host()}, request.is_secure()):
        return ""
    page = urlsplit(before)
    return urlunsplit(("", "", page.path, page.query, ""))


def show(
    request: HttpRequest, template: str, context: Mapping[str, Any], *, part: str
) -> HttpResponse:
    """Render the page, or only `part` of it when htmx asks."""
    response = render(request, part if wants_part(request) else template, dict(context))
    patch_vary_headers(response, ["HX-Request", "HX-History-Restore-Request"])
    return response


def version_of(*shown: object) -> str:
    """Return a short name for what a part shows: another for other values, and for another language."""
    text = repr((get_language(), *shown))
    return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()


def ask_again(request: HttpRequest, version: str) -> str:
    """Return the address at which the part that shows `version` asks for news of itself."""
    given = request.GET.copy()
    given["seen"] = version
    return f"{request.path}?{given.urlencode()}"


def asks_again(request: HttpRequest) -> bool:
    """Whether a part asks by itself for news, without anybody having done something."""
    return wants_part(request) and "seen" in request.GET


def is_unchanged(request: HttpRequest, version: str) -> bool:
    """Whether a part asks for news, and there is none."""
    return asks_again(request) and request.GET["seen"] == version


def nothing_new() -> HttpResponse:
    """Answer that leaves the page as it is."""
    response = HttpResponse(status=204)
    patch_vary_headers(response, ["HX-Request", "HX-History-Restore-Request"])
    return response
