"""Where requests come from."""

import ipaddress
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from django.conf import settings

if TYPE_CHECKING:  # the web server has this before gevent replaces what Django takes
    from django.http import HttpRequest

__all__ = ["address_of", "network_of", "origin_of", "plain"]


def address_of(request: "HttpRequest") -> str:
    """The network a request comes from: an address, of IPv6 the /64 that one household has."""
    return origin_of(request.META)


def origin_of(environ: Mapping[str, Any]) -> str:
    """The same by what the web server knows of a request."""
    text: str = environ.get("REMOTE_ADDR", "")
    trusted = getattr(settings, "ALLAUTH_TRUSTED_PROXY_COUNT", 0)
    forwarded = environ.get("HTTP_X_FORWARDED_FOR", "").split(",")
    if trusted and len(forwarded) >= trusted:
        text = forwarded[-trusted].strip() or text
    return network_of(text) or "unknown"


def network_of(text: str) -> str | None:
    """The network of an address; None where it is none."""
    try:
        address = ipaddress.ip_address(plain(text))
    except ValueError:
        return None
    if address.version == 4:
        return str(address)
    return str(ipaddress.ip_network((address, 64), strict=False))


def plain(text: str) -> str:
    """The address without the clothes of the other kind: what listens for both calls 192.0.2.7 ::ffff:192.0.2.7.

    All addresses of IPv4 are in one /64 then, so that everybody would be one visitor.
    """
    try:
        mapped = ipaddress.IPv6Address(text).ipv4_mapped
    except ValueError:
        return text
    return text if mapped is None else str(mapped)
