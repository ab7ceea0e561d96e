"""Middleware: one log line and one set of metrics a request."""

import time
from collections.abc import Callable

import structlog
from django.http import HttpRequest, HttpResponse

from foundation.metrics import REQUEST_SECONDS, REQUESTS

log = structlog.get_logger("evenmatch.requests")

# Anything may stand in a request line: only what is known becomes a label.
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})


class RequestLogMiddleware:
    """Logs method, route, status and seconds; counts them by route, never by address: labels stay few."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

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
