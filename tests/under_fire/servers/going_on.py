"""How soon play goes on: a match begins, a rating is written, an event reaches a stream."""

import time
from collections.abc import Mapping
from dataclasses import dataclass

import psycopg

from tests.under_fire.servers.listener import Listener

__all__ = ["SIGNS", "seconds_until_play"]

SIGNS = ("match", "rating", "event")
LONGEST = 60.0  # seconds for which anybody waits
_NEWEST = """
SELECT (SELECT coalesce(max(id), 0) FROM ratings_match), (SELECT coalesce(max(id), 0) FROM ratings_ratingchange)
"""


@dataclass(frozen=True)
class _Newest:
    """Ids of the newest match, and of the newest row of the ledger."""

    match: int
    change: int


def seconds_until_play(database_url: str, listener: Listener) -> Mapping[str, float]:
    """Return the seconds from now until each of SIGNS; one that does not come is left out.

    The event has to name a match that began after now, or a later one.
    """
    began = time.monotonic()
    waits: dict[str, float] = {}
    with psycopg.connect(database_url, autocommit=True) as session:
        before = _newest(session)
        while len(waits) < len(SIGNS) and time.monotonic() < began + LONGEST:
            now = _newest(session)
            seen = {
                "match": now.match > before.match,
                "rating": now.change > before.change,
                "event": listener.newest_match > before.match,
            }
            for sign in SIGNS:
                if seen[sign]:
                    waits.setdefault(sign, time.monotonic() - began)
            time.sleep(0.02)
    return waits


def _newest(session: psycopg.Connection[tuple[int, int]]) -> _Newest:
    row = session.execute(_NEWEST).fetchone()
    return _Newest(*(row or (0, 0)))
