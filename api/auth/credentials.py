"""Secrets of keys and tokens: made once, shown once, kept as a digest only.

`em_srv_3f9k2m1x_<64 hexadecimal digits>` is a server key, `em_ply_…` a player's token: known at a glance, to people
and to programs that look for secrets in code. The part in the middle finds the row and is no secret.
"""

import re
import secrets
import string
from dataclasses import dataclass
from hashlib import sha256
from hmac import compare_digest

__all__ = ["Credential", "Kind", "Secret", "make_secret", "matches", "parse"]

PREFIX_LENGTH = 8
_SIGNS = string.ascii_lowercase + string.digits
_FORM = re.compile(r"em_(srv|ply)_([a-z0-9]{8})_[0-9a-f]{64}")

Kind = str
SERVER: Kind = "srv"
PLAYER: Kind = "ply"


@dataclass(frozen=True, slots=True)
class Credential:
    """A well-formed key or token that somebody sent."""

    kind: Kind
    prefix: str
    text: str


@dataclass(frozen=True, slots=True)
class Secret:
    """A new one: `text` is for its holder, `prefix` and `digest` are what is kept."""

    text: str
    prefix: str
    digest: str


def make_secret(kind: Kind) -> Secret:
    """Draw 256 random bits, and a name for them."""
    prefix = "".join(secrets.choice(_SIGNS) for _ in range(PREFIX_LENGTH))
    text = f"em_{kind}_{prefix}_{secrets.token_hex(32)}"
    return Secret(text, prefix, _digest(text))


def parse(text: str) -> Credential | None:
    """Read what was sent; None when it cannot be a key or token."""
    found = _FORM.fullmatch(text)
    return Credential(found[1], found[2], text) if found else None


def matches(credential: Credential, digest: str) -> bool:
    """Compare with the digest that is kept, in a time that does not tell how far they agree."""
    return compare_digest(_digest(credential.text), digest)


def _digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()
