"""Middleware: the database is let go before an answer is sent; own pages stay out of caches; one log line and one set
of metrics a request; no writing while the disk is full.
"""

import time
from collections.abc import Callable
from http import HTTPStatus
from typing import Any

import structlog
from django.conf import settings
from django.db import OperationalError, connections
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_cache_control
from django.utils.translation import gettext_lazy
from psycopg.errors import DiskFull

from accounts.entrance.hashing import LineFullError, coming_from
from api.contract.error_responses import plain_problem_response
from api.contract.problems import ProblemError
from foundation.metrics import REQUEST_SECONDS, REQUESTS
from foundation.requests.addresses import address_of
from foundation.requests.time_limits import allow_time

log = structlog.get_logger("evenmatch.requests")

# Anything may stand in a request line: only what is known becomes a label.
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
NO_ROOM = gettext_lazy("The disk of this site is full. Nothing was changed; try again later.")
_LINE_MOVES_AFTER = 5  # seconds
ROOM_AGAIN_AFTER = 10  # seconds after which a refused caller may ask again


class _Middleware:
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response


class LetGoMiddleware(_Middleware):
    """Gives the connection to the database back before the answer is sent.

    Django does so once it has been sent: some dozens of visitors who do not read their answers held every connection
    there is, for as long as they liked.
    """

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        let_go()
        return response

    def process_view(self, request: HttpRequest, view: Callable[..., Any], *_: Any) -> None:
        """Have the web server patient with what takes longer than other requests."""
        allow_time(request, view)


def let_go() -> None:
    """Give connections to the database back to the pool, or keep them for as long as the settings say without one.

    One in a transaction stays: it is needed, as of a test.
    """
    for connection in connections.all(initialized_only=True):
        if not connection.in_atomic_block:
            connection.close_if_unusable_or_obsolete()


class OwnPagesMiddleware(_Middleware):
    """Lets no cache on the way keep a page of somebody with a session, and browsers ask again before they show it."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if settings.SESSION_COOKIE_NAME in request.COOKIES and "Cache-Control" not in response:
            patch_cache_control(response, private=True, no_cache=True)
        return response


class RequestLogMiddleware(_Middleware):
    """Logs method, route, status and seconds; counts them by route, never by address: labels stay few."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        started = time.perf_counter()
        response = self.get_response(request)
        seconds = time.perf_counter() - started
        route = request.resolver_match.route if request.resolver_match else "unmatched"
        method = request.method if request.method in METHODS else "other"
        REQUESTS.labels(method, route, str(response.status_code)).inc()
        REQUEST_SECONDS.labels(method, route).observe(seconds)
        log.info(
            "request",
            method=method,
            route=route,
            status=response.status_code,
            seconds=round(seconds, 4),
        )
        return response


class FullLineMiddleware(_Middleware):
    """Tells whoever would wait for seconds until a password can be hashed to come again. Nothing was compared."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.method in SAFE_METHODS:
            return self.get_response(request)
        with coming_from(address_of(request)):
            return self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """Say so."""
        if not isinstance(error, LineFullError):
            return None
        response = render(request, "503.html", status=HTTPStatus.SERVICE_UNAVAILABLE)
        response["Retry-After"] = str(_LINE_MOVES_AFTER)
        return response


class FreeSpaceMiddleware(_Middleware):
    """Refuses what would write while the disk is nearly full, with 503 and nothing done; readers are served on."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.method not in SAFE_METHODS and settings.FREE_SPACE.shortage():
            return _no_room(request)
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """Say the same where PostgreSQL, maybe on a machine of its own, found no room."""
        if isinstance(error, OperationalError) and isinstance(error.__cause__, DiskFull):
            log.error("no_room", error=str(error))
            return _no_room(request)
        return None


def _no_room(request: HttpRequest) -> HttpResponse:
    if request.path.startswith("/api/"):
        response = plain_problem_response(ProblemError("no_room", NO_ROOM), request)
    else:
        response = render(
            request, "503.html", {"is_full": True}, status=HTTPStatus.SERVICE_UNAVAILABLE
        )
    response["Retry-After"] = str(ROOM_AGAIN_AFTER)
    return response
