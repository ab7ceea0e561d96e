"""Reading rate limits from the environment."""

import math

from environs import Env, EnvValidationError

__all__ = ["read_limit"]


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
