"""A rating like any other, for tests that give players ratings as a run would."""

from datetime import UTC, datetime
from typing import Any

from ratings.models import Status

__all__ = ["NOON", "PLAIN"]

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
PLAIN: dict[str, Any] = {
    "deviation": None,
    "as_of": NOON,
    "games": 40,
    "counted": 40,
    "wins": 20,
    "draws": 10,
    "losses": 10,
    "status": Status.ESTABLISHED,
    "last_played_at": NOON,
}
