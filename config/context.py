"""What every template knows of the site."""

from django.conf import settings
from django.http import HttpRequest


def site(request: HttpRequest) -> dict[str, object]:
    """Version of the software, for the footer."""
    return {"site_version": settings.VERSION}
