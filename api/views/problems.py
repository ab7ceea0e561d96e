"""Pages that explain the codes of problems: where their `type` leads."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from api.problems import PROBLEMS

__all__ = ["problem", "problems"]


@require_safe
def problems(request: HttpRequest) -> HttpResponse:
    """All codes."""
    return render(request, "api/problems.html", {"problems": PROBLEMS.values()})


@require_safe
def problem(request: HttpRequest, code: str) -> HttpResponse:
    """One code."""
    if code not in PROBLEMS:
        raise Http404
    return render(request, "api/problem.html", {"problem": PROBLEMS[code]})
