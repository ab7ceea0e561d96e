"""The fields of a match file: what each may hold, and what it becomes."""

import unicodedata
from datetime import UTC, datetime
from functools import lru_cache
from hashlib import blake2b

from ratings.naming import skeleton_of

__all__ = ["identity_of", "read_moment", "read_name", "read_score"]

LONGEST_NAME = 100
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


@lru_cache(maxsize=1 << 16)
def read_name(text: str) -> tuple[str, str]:
    """Return a player's name and its comparable form; one name is one sequence of signs (Unicode NFC).

    Raises ValueError for a name that is empty, too long, or holds signs nobody can see or type.
    """
    name = unicodedata.normalize("NFC", text)
    if not name or len(name) > LONGEST_NAME:
        raise ValueError(text)
    if any(unicodedata.category(sign) in ("Cc", "Co", "Cs", "Zl", "Zp") for sign in name):
        raise ValueError(text)
    return name, skeleton_of(name)


def identity_of(played_at: datetime, player_a: str, player_b: str) -> bytes:
    """Return 16 bytes that tell this row from others of its ladder (BLAKE2b); equal rows are then counted."""
    text = f"{played_at.isoformat()}\0{player_a}\0{player_b}"
    return blake2b(text.encode(), digest_size=16).digest()
