"""What the pages on which people act have in common: who may act, and refusals as messages."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Concatenate, ParamSpec, cast
from urllib.parse import urlencode, urlsplit

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST
from django_htmx.http import HttpResponseClientRedirect

from accounts.models import User
from accounts.texts.consent import must_accept
from accounts.texts.current import site_texts
from foundation.page_parts import page_before, wants_part
from foundation.postgresql.connections import is_database_away
from foundation.refusals import RefusedError

__all__ = [
    "account_of",
    "action",
    "for_those_who_accept",
    "number_in",
    "refusals_as_messages",
]

P = ParamSpec("P")
# The page shows by itself why these could not be done: it shows the search, or the match.
_SELF_EVIDENT = {"already_searching", "already_playing", "already_matched", "too_many_disputes"}


def action(
    view: Callable[Concatenate[HttpRequest, P], HttpResponse],
) -> Callable[Concatenate[HttpRequest, P], HttpResponse]:
    """Let an account post to the view. Visitors are sent to sign in and back (`config/web/signed_out.py`)."""
    return require_POST(login_required(view))


def for_those_who_accept(
    view: Callable[Concatenate[HttpRequest, P], HttpResponse],
) -> Callable[Concatenate[HttpRequest, P], HttpResponse]:
    """Lead accounts that have not accepted the rules to these first, where everybody is asked; the view is an `action`.

    They come back to the page on which they were, and press again what they pressed.
    """

    @wraps(view)
    def answer(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        if not must_accept(account_of(request), site_texts()):
            return view(request, *args, **kwargs)
        before = page_before(request)
        has_page = before and urlsplit(before).path != request.path
        query = urlencode({"next": before if has_page else reverse("play")})
        address = f"{reverse('accept-rules')}?{query}"
        if wants_part(request):
            return cast("HttpResponse", HttpResponseClientRedirect(address))
        return HttpResponseRedirect(address)

    return answer


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
            messages.error(request, refusal.on_pages)
    except DatabaseError as error:
        if not is_database_away(error):
            raise
        messages.error(request, _("The server is busy right now. Nothing was changed; try again."))
