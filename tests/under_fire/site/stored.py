"""What a site has stored, held against what its callers were told."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

import psycopg

from config.embedded.processes import wait_until
from tests.under_fire.servers.checks import CHECKS, load_kept
from tests.under_fire.servers.players import Kept
from tests.under_fire.site.results import Results

__all__ = ["LONGEST", "PLAYED", "compare", "count"]

LONGEST = 120.0  # seconds for which anything is waited for
PLAYED = "SELECT count(*) FROM matchmaking_offer WHERE match_id IS NOT NULL"
_UNRATED = f"""
SELECT ({CHECKS["confirmed matches without a place"]}) + ({CHECKS["never rated, where ratings follow each match"]})
"""


def compare(database: str, kept: Sequence[Kept], senders: Sequence[Results]) -> dict[str, int]:
    """Wait until the site has come to rest; gives what each check has counted, 0 where nothing is wrong."""
    wrong: Counter[str] = Counter()
    with psycopg.connect(database, autocommit=True) as session:
        if not wait_until(lambda: _number(session, _UNRATED) == 0, seconds=LONGEST, every=0.5):
            wrong["it did not come to rest"] = 1
        load_kept(session, kept)
        wrong.update({name: _number(session, query) for name, query in CHECKS.items()})
        for sender in senders:
            wrong.update(sender.wrongs(session))
    return dict(wrong)


def count(database: str, query: str) -> int:
    """The number that a query gives."""
    with psycopg.connect(database) as session:
        return _number(session, query)


def _number(session: psycopg.Connection[Any], query: str) -> int:
    row = session.execute(query).fetchone()
    return int(row[0]) if row else -1
