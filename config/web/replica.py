"""Public pages read from a copy of the database that follows it, where the settings name one.

While such a page is made, all that reads "the database" reads the copy, so that a page is of one moment there as it is
here. Whoever is signed in, the API, forms, parts that ask for news and whatever writes stay with the database itself.
A copy that is away or behind is left alone for some seconds, and what it could not answer is answered here: with its
setting a site is never worse off than without.
"""

import time
from collections.abc import Callable
from typing import Any

import structlog
from django.conf import settings
from django.core.exceptions import MiddlewareNotUsed
from django.db import DEFAULT_DB_ALIAS, DatabaseError, connections
from django.http import Http404, HttpRequest, HttpResponse

__all__ = ["PAGES", "REPLICA", "ReplicaMiddleware"]

log = structlog.get_logger(__name__)

REPLICA = "replica"
# By the names of their addresses: what many read who are signed out.
PAGES = frozenset(
    (
        *("home", "game", "leaderboard", "player", "match", "search"),
        *("sitemap-of-site", "sitemap-of-players"),
    )
)
# What the connection to the database itself is called while the copy's has its name.
_ITSELF = "itself"
_CHECKED_EVERY = 1.0  # seconds
_LEFT_ALONE_FOR = 5.0  # seconds after which one that was away or behind is asked again
# By the clock of the database itself: when what was carried out here last was committed there. A site writes every few
# seconds; one that rests is not told from a copy that hangs, and can read its pages itself.
_BEHIND = """
SELECT pg_is_in_recovery(), extract(epoch FROM clock_timestamp() - pg_last_xact_replay_timestamp())
"""


class ReplicaMiddleware:
    """Stands after what other pages need, so that it is the first to hear what a view could not answer."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        if REPLICA not in settings.DATABASES:
            raise MiddlewareNotUsed
        self.get_response = get_response
        self._copy = _Copy()

    def __call__(self, request: HttpRequest) -> HttpResponse:
        try:
            return self.get_response(request)
        finally:
            _read_itself()

    def process_view(self, request: HttpRequest, _view: object, *_: Any) -> None:
        """Let a public page of a visitor be read from the copy."""
        if _may_be_behind(request) and self._copy.is_near():
            connections[_ITSELF] = connections[DEFAULT_DB_ALIAS]
            connections[DEFAULT_DB_ALIAS] = connections[REPLICA]

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """Ask the database itself for what the copy does not have, or not yet."""
        found = request.resolver_match
        if found is None or not _reads_copy() or not isinstance(error, DatabaseError | Http404):
            return None
        if isinstance(error, DatabaseError):
            self._copy.leave_alone(error)
            # It may still be at work for us: the next request gets another session (config.web.deadlines).
            connections[REPLICA].errors_occurred = True
            connections[REPLICA].close_if_unusable_or_obsolete()
        _read_itself()
        answer: HttpResponse = found.func(request, *found.args, **found.kwargs)
        return answer


class _Copy:
    """Whether the copy may be read, as this process knows it."""

    def __init__(self) -> None:
        self._is_near = False
        self._asked_again_at = 0.0
        self._words = ""  # what was logged last

    def is_near(self) -> bool:
        """Whether it is there and hardly behind. It is asked once a second, by one request at a time."""
        now = time.monotonic()
        if now >= self._asked_again_at:
            self._asked_again_at = now + _LEFT_ALONE_FOR  # others go on with what is known
            try:
                behind = _seconds_behind()
            except DatabaseError as error:
                self.leave_alone(error)
            else:
                if behind > settings.REPLICA_BEHIND:
                    self._turn(is_near=False, words="replica.behind", seconds=round(behind, 1))
                else:
                    self._turn(is_near=True, words="replica.read", seconds=round(behind, 1))
                    self._asked_again_at = now + _CHECKED_EVERY
        return self._is_near

    def leave_alone(self, error: DatabaseError) -> None:
        """Read nothing from it for some seconds."""
        self._asked_again_at = time.monotonic() + _LEFT_ALONE_FOR
        self._turn(is_near=False, words="replica.away", error=str(error).strip())

    def _turn(self, *, is_near: bool, words: str, **more: object) -> None:
        self._is_near = is_near
        if words != self._words:  # each turn is told once
            self._words = words
            (log.info if is_near else log.warning)(words, **more)


def _may_be_behind(request: HttpRequest) -> bool:
    """Whether a page may be as it was some seconds ago: who looks has done nothing here, and was told of nothing."""
    found = request.resolver_match
    return (
        found is not None
        and found.url_name in PAGES
        and request.method in {"GET", "HEAD"}
        and settings.SESSION_COOKIE_NAME not in request.COOKIES
        and "HX-Request" not in request.headers
    )


def _seconds_behind() -> float:
    """How far the copy is behind; none at all is infinitely far."""
    with connections[REPLICA].cursor() as cursor:
        cursor.execute(_BEHIND)
        follows, seconds = cursor.fetchone()
    return float(seconds) if follows and seconds is not None else float("inf")


def _reads_copy() -> bool:
    return connections[DEFAULT_DB_ALIAS].alias == REPLICA


def _read_itself() -> None:
    if _reads_copy():
        connections[DEFAULT_DB_ALIAS] = connections[_ITSELF]
