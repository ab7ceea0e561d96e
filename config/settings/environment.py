"""Settings read from the environment that have a form of their own: limits, days, origins of web sites."""

import math
from urllib.parse import urlsplit

from environs import Env, EnvValidationError

__all__ = ["read_days", "read_limit", "read_origins"]


def read_limit(env: Env, name: str, default: str) -> tuple[int, float] | None:
    """Read `600/60`, 600 requests in any 60 seconds; None for `off`. EnvValidationError names a bad value."""
    text = env.str(name, default).strip().lower()
    if text == "off":
        return None
    count, slash, seconds = text.partition("/")
    try:
        limit = (int(count), float(seconds))
    except ValueError:
        limit = (0, 0.0)
    if not slash or limit[0] < 1 or not 0 < limit[1] < math.inf:
        words = f"{name} is {text!r}: must be requests/seconds, such as {default}, or off"
        raise EnvValidationError(words, [words])
    return limit


def read_days(env: Env, name: str, default: str, *, at_least: float) -> float | None:
    """Read a number of days, None for `off` (for ever). EnvValidationError names a bad value."""
    text = env.str(name, default).strip().lower()
    if text == "off":
        return None
    try:
        days = float(text)
    except ValueError:
        days = -1.0
    if not at_least <= days <= 100_000:
        words = (
            f"{name} is {text!r}: must be a number of days from {at_least:g} on, or off for ever"
        )
        raise EnvValidationError(words, [words])
    return days


def read_origins(env: Env, name: str) -> frozenset[str]:
    """Read `https://play.example.org,http://localhost:5173`; none by default. EnvValidationError names a bad value."""
    texts = [text.strip() for text in env.str(name, "").split(",")]
    return frozenset(_origin(text, name) for text in texts if text)


def _origin(text: str, name: str) -> str:
    """The origin as browsers send it: small letters, nothing after the port, no port that goes without saying."""
    try:
        parts = urlsplit(text.lower())
        port = parts.port
    except ValueError:
        raise _wrong(text, name) from None
    usual = {"http": 80, "https": 443}
    plain = f"{parts.scheme}://{parts.netloc}"
    if parts.scheme not in usual or not parts.hostname or "@" in plain or plain != text.lower():
        raise _wrong(text, name)
    return plain.removesuffix(f":{port}") if port == usual[parts.scheme] else plain


def _wrong(text: str, name: str) -> EnvValidationError:
    words = (
        f"{name} has {text!r}: must be the origin of a web site such as https://play.example.org,"
        " without a path or a slash at the end"
    )
    return EnvValidationError(words, [words])
