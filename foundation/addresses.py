"""Where requests come from."""

import ipaddress

from django.conf import settings
from django.http import HttpRequest

__all__ = ["address_of"]


def address_of(request: HttpRequest) -> str:
    """The network a request comes from: an address, of IPv6 the /64 that one household has."""
    text = request.META.get("REMOTE_ADDR", "")
    trusted = getattr(settings, "ALLAUTH_TRUSTED_PROXY_COUNT", 0)
    forwarded = request.headers.get("X-Forwarded-For", "").split(",")
    if trusted and len(forwarded) >= trusted:
        text = forwarded[-trusted].strip() or text
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return "unknown"
    if address.version == 4:
        return str(address)
    return str(ipaddress.ip_network((address, 64), strict=False))
