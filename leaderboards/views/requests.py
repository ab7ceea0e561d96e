"""What the views have in common: parts for htmx, parameters of addresses, refusals that say why."""

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, Concatenate, ParamSpec

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext as _

__all__ = ["BadParameterError", "link", "positive", "refuses_bad_parameters", "show", "wants_part"]

P = ParamSpec("P")
MOST = 2**63 - 1


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


def show(
    request: HttpRequest, template: str, context: Mapping[str, Any], *, part: str
) -> HttpResponse:
    """Render the page, or only `part` of it when htmx asks."""
    response = render(request, part if wants_part(request) else template, dict(context))
    patch_vary_headers(response, ["HX-Request", "HX-History-Restore-Request"])
    return response


def wants_part(request: HttpRequest) -> bool:
    """Whether htmx asks for a part. Going back in the history it asks for the whole page."""
    htmx = getattr(request, "htmx", None)
    return bool(htmx) and not getattr(htmx, "history_restore_request", False)


def positive(given: QueryDict, name: str) -> int | None:
    """The whole number from 1 of a parameter; None when it is not there."""
    text = given.get(name, "").strip()
    if not text:
        return None
    if not (text.isascii() and text.isdigit() and 0 < int(text[:19]) <= MOST and len(text) < 20):
        raise BadParameterError(
            _("“%(name)s” is %(value)s: it must be a whole number from 1.")
            % {"name": name, "value": text[:40]}
        )
    return int(text)


def link(path: str, **parameters: object) -> str:
    """An address with those of the parameters that have a value."""
    query = QueryDict(mutable=True)
    query.update({name: str(value) for name, value in parameters.items() if value})
    return f"{path}?{query.urlencode()}" if query else path
