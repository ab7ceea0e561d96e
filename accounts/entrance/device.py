"""What is kept of where somebody signs in from."""

from django.http import HttpRequest

from foundation.requests.addresses import address_of
from foundation.templatetags.browsers import browser_of, shortened

__all__ = ["device_of"]


def device_of(request: HttpRequest) -> dict[str, str]:
    """Browser and shortened address, as JSON values."""
    agent = request.headers.get("User-Agent", "")
    return {"browser": browser_of(agent), "address": shortened(address_of(request))}
