"""What every template knows of the site."""

from functools import partial

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from accounts.mail import is_configured
from foundation.page_parts import is_attended
from matchmaking.pages.ongoing import ongoing_of


def site(request: HttpRequest) -> dict[str, object]:
    """Version of the software, whether mail is sent, and what goes on for the visitor, read where a template asks."""
    user = getattr(request, "user", AnonymousUser())
    return {
        "site_version": settings.VERSION,
        "sends_mail": is_configured(),
        "ongoing": SimpleLazyObject(partial(ongoing_of, user, is_there=is_attended(request))),
    }
