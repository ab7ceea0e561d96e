"""What the actions have in common: who may act, and refusals as messages."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Concatenate, ParamSpec, cast

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from accounts.models import User
from foundation.connections import is_database_away
from foundation.refusals import RefusedError

__all__ = ["account_of", "action", "number_in", "refusals_as_messages"]

P = ParamSpec("P")
# The page shows by itself why these could not be done: it shows the search, or the match.
_SELF_EVIDENT = {"already_searching", "already_playing", "already_matched", "too_many_disputes"}


def action(
    view: Callable[Concatenate[HttpRequest, P], HttpResponse],
) -> Callable[Concatenate[HttpRequest, P], HttpResponse]:
    """Let an account post to the view. Visitors are sent to sign in and back (`config/web/signed_out.py`)."""
    return require_POST(login_required(view))


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
