"""Addresses of browsers: whoever subscribes names one, and this site then calls it. It must lead out of here.

Looked at when somebody subscribes, and again for each push: a name may lead elsewhere by then. The connection is made
to the very address that was looked at.
"""

import ipaddress
import socket
from collections.abc import Sequence
from http import HTTPStatus
from urllib.parse import SplitResult, urlsplit

from django.conf import settings
from django.utils.translation import gettext as _

from foundation.refusals import RefusedError

__all__ = ["WrongPushAddressError", "addresses_of", "parts_of"]

LONGEST = 1000
# Not global either, though older releases of Python take them for it: RFC 7723, RFC 7526, RFC 9637.
_RESERVED = tuple(map(ipaddress.ip_network, ("192.0.0.0/24", "192.88.99.0/24", "3fff::/20")))
_TRANSLATED = (ipaddress.ip_network("64:ff9b::/96"), ipaddress.ip_network("64:ff9b:1::/48"))


class WrongPushAddressError(RefusedError):
    """No address to which a push may be sent."""

    code = "wrong_push_address"
    status = HTTPStatus.UNPROCESSABLE_ENTITY


def parts_of(endpoint: str) -> SplitResult:
    """The parts of an address. Raises WrongPushAddressError for one that cannot be a browser's."""
    try:
        parts = urlsplit(endpoint)
        port = parts.port
    except ValueError:
        raise WrongPushAddressError(_say_form()) from None
    is_plain = endpoint.isascii() and endpoint.isprintable() and " " not in endpoint
    is_whole = parts.scheme == "https" and parts.hostname and not parts.fragment
    has_user = "@" in parts.netloc
    may_port = port in {None, 443} or settings.PUSH_TO_PRIVATE
    if not (is_plain and is_whole and may_port) or has_user or len(endpoint) > LONGEST:
        raise WrongPushAddressError(_say_form())
    return parts


def addresses_of(endpoint: str) -> Sequence[str]:
    """The network addresses that its host has now. Raises WrongPushAddressError where one of them is not public."""
    parts = parts_of(endpoint)
    host = parts.hostname or ""
    try:
        found = socket.getaddrinfo(host, parts.port or 443, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise WrongPushAddressError(_say_not_public(host)) from None
    addresses = list(dict.fromkeys(str(one[4][0]) for one in found))
    if not settings.PUSH_TO_PRIVATE and not all(map(_is_public, addresses)):
        raise WrongPushAddressError(_say_not_public(host))
    return addresses


def _say_form() -> str:
    return _(
        "This is no address of a browser: it must begin with https://, have no port of its own, no name and no"
        " password, and at most 1000 characters. Take the one that the browser gives."
    )


def _say_not_public(host: str) -> str:
    """One sentence for hosts that are not there and for those of this network: else its names could be tried out."""
    words = _(
        "“%(host)s” is no host of the public network. Take the address that the browser gives."
    )
    return words % {"host": host[:100]}


def _is_public(text: str) -> bool:
    """Whether an address belongs to the public network, also the one that is packed into it."""
    address = ipaddress.ip_address(text.partition("%")[0])
    if any(address in network for network in _RESERVED):
        return False
    if isinstance(address, ipaddress.IPv6Address):
        if any(address in network for network in _TRANSLATED):
            return _is_public(str(ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)))
        for inner in (address.ipv4_mapped, address.sixtofour):
            if inner is not None and not _is_public(str(inner)):
                return False
        if address.teredo is not None or address.is_site_local:
            return False
        if address.ipv4_mapped is not None:
            return True
    # Reserved are, besides, ::/8, whose addresses carry those of version 4 at their end, and segments of routes.
    return address.is_global and not (address.is_multicast or address.is_reserved)
