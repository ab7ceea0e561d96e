"""How many decimals of a rating people are shown."""

from functools import cache

from ratings.systems import create

__all__ = ["decimals_of"]


@cache
def decimals_of(system: str) -> int:
    """Decimal places in which a rating system shows its ratings. Raises UnknownSystemError."""
    return create(system).places
