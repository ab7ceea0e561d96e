"""How long a request may take where it is not as long as any other, and what is waited for besides requests."""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:  # the web server has this before gevent replaces what Django takes
    from django.http import HttpRequest

__all__ = [
    "ALLOW",
    "FINISH",
    "OVER",
    "allow_time",
    "is_time_over",
    "limit_by",
    "limited",
    "take_time_of",
    "takes",
    "time_to_finish",
]

# In the environ of a request: how the web server is told.
ALLOW = "evenmatch.allow"
FINISH = "evenmatch.finish"
OVER = "evenmatch.over"
_TO_FINISH = 5.0  # seconds
_LONG = 60.0  # seconds: pages of the admin have much to look through

View = TypeVar("View", bound=Callable[..., Any])


def takes(seconds: float) -> Callable[[View], View]:
    """Let a view, or a class of views, take so many seconds."""

    def declare(view: View) -> View:
        view.request_seconds = seconds  # type: ignore[attr-defined]
        return view

    return declare


Limit = Callable[[float], AbstractContextManager[object]]
_limit: Limit = nullcontext  # where no web server says otherwise, nothing ends


def limited(seconds: float) -> AbstractContextManager[object]:
    """Wait for the database no longer than this within the block; then it has gone away."""
    return _limit(seconds)


def time_to_finish(request: "HttpRequest") -> AbstractContextManager[object]:
    """Let the time of the request end nothing in the block, for some seconds at least: what is soon done, and whole."""
    finishing = request.META.get(FINISH)
    return nullcontext() if finishing is None else finishing(_TO_FINISH)


def is_time_over(request: "HttpRequest") -> bool:
    """Whether the web server has ended something in the way of the request, whose time was over."""
    over = request.META.get(OVER)
    return over is not None and bool(over())


def limit_by(limit: Limit) -> None:
    """Let a web server end what takes too long in its way."""
    global _limit  # noqa: PLW0603 - of this process
    _limit = limit


def take_time_of(
    environ: Mapping[str, Any], request: "HttpRequest", view: Callable[..., Any]
) -> None:
    """Let a view that answers in the place of another take as long as if it had been asked itself.

    environ  of the request as the web server gave it
    """
    request.META.update({key: environ[key] for key in (ALLOW, FINISH, OVER) if key in environ})
    allow_time(request, view)


def allow_time(request: "HttpRequest", view: Callable[..., Any]) -> None:
    """Tell the web server how long this view may take, where it says so; the pages of the admin are long."""
    allow = request.META.get(ALLOW)
    if allow is None:  # another web server
        return
    declared = getattr(getattr(view, "cls", view), "request_seconds", None)
    is_admin = request.resolver_match is not None and "admin" in request.resolver_match.app_names
    if seconds := declared or (_LONG if is_admin else None):
        allow(seconds)
