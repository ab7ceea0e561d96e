"""What the views have in common: parameters of addresses, refusals that say why."""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.utils.translation import gettext as _

__all__ = [
    "BadParameterError",
    "cursor_of",
    "link",
    "positive",
    "refuses_bad_parameters",
]

C = TypeVar("C")
P = ParamSpec("P")
MOST = 2**63 - 1
_DIGITS = 19  # of that


class BadParameterError(ValueError):
    """A parameter of the address that means nothing. The message is for the visitor."""


def refuses_bad_parameters(
    view: Callable[Concatenate[HttpRequest, P], HttpResponse],
) -> Callable[Concatenate[HttpRequest, P], HttpResponse]:
    """Answer a BadParameterError of the view with status 400 and its message on a page."""

    @wraps(view)
    def answer(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        try:
            return view(request, *args, **kwargs)
        except BadParameterError as error:
            context = {"problem": str(error), "way_on": request.path}
            return render(request, "leaderboard/bad_request.html", context, status=400)

    return answer


def positive(given: QueryDict, name: str) -> int | None:
    """The whole number from 1 of a parameter, of huge ones the largest there can be; None when it is not there."""
    text = given.get(name, "").strip()
    if not text:
        return None
    if not (text.isascii() and text.isdigit() and text.strip("0")):
        raise BadParameterError(
            _("“%(name)s” is %(value)s: it must be a whole number from 1.")
            % {"name": name, "value": text[:40]}
        )
    digits = text.lstrip("0")
    return MOST if len(digits) > _DIGITS else min(int(digits), MOST)


def cursor_of(text: str, parse: Callable[[str], C], problem: str) -> C | None:
    """The place in a list that a parameter names; None without one, BadParameterError where it names none."""
    try:
        return parse(text) if text else None
    except ValueError:
        raise BadParameterError(problem) from None


def link(path: str, **parameters: object) -> str:
    """An address with those of the parameters that have a value."""
    query = QueryDict(mutable=True)
    query.update({name: str(value) for name, value in parameters.items() if value})
    return f"{path}?{query.urlencode()}" if query else path
