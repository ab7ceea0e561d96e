"""Pages that explain the codes of problems: where their `type` leads."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from api.contract.error_responses import not_allowed
from api.contract.problems import PROBLEMS

__all__ = ["problem", "problems"]

_SAFE = ("GET", "HEAD")


def problems(request: HttpRequest) -> HttpResponse:
    """All codes."""
    if request.method not in _SAFE:
        return not_allowed(request, *_SAFE)
    return render(request, "api/problems.html", {"problems": PROBLEMS.values()})


def problem(request: HttpRequest, code: str) -> HttpResponse:
    """One code."""
    if request.method not in _SAFE:
        return not_allowed(request, *_SAFE)
    if code not in PROBLEMS:
        raise Http404
    return render(request, "api/problem.html", {"problem": PROBLEMS[code]})
