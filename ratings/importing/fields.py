"""The fields of a match file that only importing knows; the others are `ratings.evaluation.reading.cells`."""

import unicodedata
from datetime import datetime
from functools import lru_cache
from hashlib import blake2b

from ratings.evaluation.reading.cells import normalize_name

__all__ = ["identity_of", "read_name", "read_truth"]

LONGEST_NAME = 100
_TRUTHS = {"1": True, "true": True, "yes": True, "": False, "0": False, "false": False, "no": False}


def read_truth(text: str) -> bool:
    """Read yes or no in the spellings of tables; empty is no. Raises ValueError."""
    if (word := text.lower()) not in _TRUTHS:
        raise ValueError(text)
    return _TRUTHS[word]


@lru_cache(maxsize=1 << 16)
def read_name(text: str) -> str:
    """Return a player's name; one name is one sequence of signs (Unicode NFC).

    Raises ValueError for a name that is empty, too long, or holds signs nobody can see or type.
    """
    name = normalize_name(text)
    if not name or len(name) > LONGEST_NAME:
        raise ValueError(text)
    if any(unicodedata.category(sign) in ("Cc", "Co", "Cs", "Zl", "Zp") for sign in name):
        raise ValueError(text)
    return name


def identity_of(played_at: datetime, *players: str) -> bytes:
    """Return 16 bytes that tell this match from others of its ladder (BLAKE2b); equal ones are then counted."""
    text = "\0".join((played_at.isoformat(), *players))
    return blake2b(text.encode(), digest_size=16).digest()
