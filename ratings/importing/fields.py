"""The fields of a match file: what each may hold, and what it becomes."""

import unicodedata
from datetime import UTC, datetime
from functools import lru_cache
from hashlib import blake2b
from math import isfinite

__all__ = ["identity_of", "read_moment", "read_name", "read_points", "read_score", "read_truth"]

LONGEST_NAME = 100
_TRUTHS = {"1": True, "true": True, "yes": True, "": False, "0": False, "false": False, "no": False}
_SCORES = {"1": 1.0, "0.5": 0.5, "0": 0.0}


def read_moment(text: str) -> datetime:
    """Read an ISO date or time; without zone it is UTC, and a date is its midnight. Raises ValueError."""
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is None:
        return moment.replace(tzinfo=UTC)
    try:
        return moment.astimezone(UTC)
    except OverflowError as error:
        raise ValueError(text) from error


def read_score(text: str) -> float:
    """Read the score of player_a: 1, 0.5 or 0 in any spelling of a number. Raises ValueError."""
    score = _SCORES.get(text)
    if score is None:
        score = float(text)
        if score not in (0.0, 0.5, 1.0):
            raise ValueError(text)
    return score


def read_truth(text: str) -> bool:
    """Read yes or no in the spellings of tables; empty is no. Raises ValueError."""
    if (word := text.lower()) not in _TRUTHS:
        raise ValueError(text)
    return _TRUTHS[word]


def read_points(text: str) -> float | None:
    """Read what a player counted in the game: any finite number, or nothing. Raises ValueError."""
    points = float(text) if text else None
    if points is not None and not isfinite(points):
        raise ValueError(text)
    return points


@lru_cache(maxsize=1 << 16)
def read_name(text: str) -> str:
    """Return a player's name; one name is one sequence of signs (Unicode NFC).

    Raises ValueError for a name that is empty, too long, or holds signs nobody can see or type.
    """
    name = unicodedata.normalize("NFC", text)
    if not name or len(name) > LONGEST_NAME:
        raise ValueError(text)
    if any(unicodedata.category(sign) in ("Cc", "Co", "Cs", "Zl", "Zp") for sign in name):
        raise ValueError(text)
    return name


def identity_of(played_at: datetime, *players: str) -> bytes:
    """Return 16 bytes that tell this match from others of its ladder (BLAKE2b); equal ones are then counted."""
    text = "\0".join((played_at.isoformat(), *players))
    return blake2b(text.encode(), digest_size=16).digest()
