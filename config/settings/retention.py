"""Reading from the environment for how long things are kept."""

from environs import Env, EnvValidationError

__all__ = ["read_days"]


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
