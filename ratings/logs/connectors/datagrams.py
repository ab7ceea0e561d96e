"""Datagrams that servers of the Half-Life family send to `logaddress`: read, and matched with whoever may send them.

Each begins with four bytes 255 and a letter: `R` and a line, `S`, the `sv_logsecret` and a line, or in Half-Life itself
the word `log` and a line. Between secret and line there may be the token of `logaddress_add_ts`, which is passed over.
"""

import ipaddress
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from foundation.requests.addresses import plain
from ratings.logs.connectors.connect import digest_of
from ratings.models import ConnectorKind, ServerConnector

__all__ = ["Datagram", "Dropped", "Senders", "read_datagram", "read_senders"]

_DATAGRAM = re.compile(
    rb"\xff{4}(?:R|log |S(?P<secret>[^\n]{1,64}?))(?:T[0-9A-Fa-f]{16} )?"
    rb"(?P<line>L \d\d/\d\d/\d{4} - \d\d:\d\d:\d\d(?:\.\d{1,3})?: .*)",
    re.DOTALL,
)


class Datagram(NamedTuple):
    """A line, and the secret that came with it; None: none did."""

    secret: str | None
    line: str


class Dropped(NamedTuple):
    """Why a datagram is not taken, and whose connector it would have been; None: nobody knows."""

    why: Literal["form", "secret", "address"]
    connector: int | None


class _Sender(NamedTuple):
    connector: int
    address: str | None
    port: int | None


@dataclass(slots=True)
class Senders:
    """Who may send: by the digest of its secret, by address and port; and who sends from an address at all."""

    by_secret: dict[str, _Sender] = field(default_factory=dict)
    by_source: dict[tuple[str, int], int] = field(default_factory=dict)
    at_address: dict[str, list[int]] = field(default_factory=dict)

    def find(self, datagram: Datagram, address: str, port: int) -> int | Dropped:
        """The connector that a datagram belongs to, by its secret and by where it comes from."""
        address = _plain(address)
        if datagram.secret is None:
            connector = self.by_source.get((address, port))
            return Dropped("address", self._one_at(address)) if connector is None else connector
        sender = self.by_secret.get(digest_of(datagram.secret))
        if sender is None:
            return Dropped("secret", self._one_at(address))
        is_there = sender.address in {None, address} and sender.port in {None, port}
        return sender.connector if is_there else Dropped("address", sender.connector)

    def _one_at(self, address: str) -> int | None:
        """The only connector of an address; of several nobody knows which was meant."""
        found = self.at_address.get(address, [])
        return found[0] if len(found) == 1 else None


def read_datagram(data: bytes) -> Datagram | None:
    """The line in a datagram; None: it is none of a game server."""
    found = _DATAGRAM.fullmatch(data.rstrip(b"\r\n\0"))
    if found is None:
        return None
    secret = found["secret"]
    return Datagram(
        None if secret is None else secret.decode("latin-1"),
        found["line"].decode(errors="replace"),
    )


def read_senders() -> Senders:
    """Who may send now."""
    found = ServerConnector.objects.filter(kind=ConnectorKind.SOURCE)
    return _senders(found.values_list("pk", "secret_digest", "address", "port"))


def _senders(rows: Iterable[tuple[int, str, str | None, int | None]]) -> Senders:
    senders = Senders()
    for connector, digest, address, port in rows:
        if digest:
            senders.by_secret[digest] = _Sender(connector, address, port)
        elif address is not None and port is not None:
            senders.by_source[address, port] = connector
        if address is not None:
            senders.at_address.setdefault(address, []).append(connector)
    return senders


def _plain(address: str) -> str:
    """An address as the database writes it."""
    try:
        return str(ipaddress.ip_address(plain(address)))
    except ValueError:
        return address
