"""What the actions have in common: who may act, and refusals as messages."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Concatenate, ParamSpec, cast
from urllib.parse import urlsplit, urlunsplit

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST
from django_htmx.http import HttpResponseClientRedirect

from accounts.models import User
from foundation.connections import is_database_away
from foundation.page_parts import wants_part
from foundation.refusals import RefusedError

__all__ = ["account_of", "action", "number_in", "refusals_as_messages"]

P = ParamSpec("P")
# The page shows by itself why these could not be done: it shows the search, or the match.
_SELF_EVIDENT = {"already_searching", "already_playing", "already_matched", "too_many_disputes"}


def action(
    view: Callable[Concatenate[HttpRequest, P], HttpResponse],
) -> Callable[Concatenate[HttpRequest, P], HttpResponse]:
    """Let an account post to the view. Visitors are told that nothing was done, and sent to sign in and back again."""

    @wraps(view)
    def answer(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        if request.user.is_authenticated:
            return view(request, *args, **kwargs)
        messages.warning(request, _("You're not signed in, so nothing was changed."))
        # They may have signed out in another window. Where the form has no page of its own there is the list of queues.
        before = request.headers.get("HX-Current-URL") or request.headers.get("Referer", "")
        page = urlsplit(before)
        is_ours = url_has_allowed_host_and_scheme(before, {request.get_host()}, request.is_secure())
        has_page = is_ours and page.path != request.path
        back = urlunsplit(("", "", page.path, page.query, "")) if has_page else reverse("play")
        way_in = redirect_to_login(back)
        return (
            cast("HttpResponse", HttpResponseClientRedirect(way_in.url))
            if wants_part(request)
            else way_in
        )

    return require_POST(answer)


def account_of(request: HttpRequest) -> User:
    """The account that acts; the view is an `action`."""
    return cast("User", request.user)


def number_in(request: HttpRequest, name: str) -> int | None:
    """An id that a form sent along; None where it is none."""
    given = request.POST.get(name, "")
    return int(given) if given.isascii() and given.isdigit() and len(given) < 19 else None


@contextmanager
def refusals_as_messages(request: HttpRequest) -> Iterator[None]:
    """Turn what the rules refuse into a message on the next page."""
    try:
        yield
    except RefusedError as refusal:
        if refusal.code not in _SELF_EVIDENT:
            messages.error(request, str(refusal))
    except DatabaseError as error:
        if not is_database_away(error):
            raise
        messages.error(request, _("The server is busy right now. Nothing was changed; try again."))
