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
# Who was there and neither fragged nor was fragged has no row in the ledger of a match that was told event by event.
# What follows a match. On a demo the simulated players play on: it is asked of what was confirmed when the trial ended.
_LATER = ("confirmed matches without a place", "never rated, where ratings follow each match")
_UNRATED = """
SELECT count(*) FROM ratings_match AS match WHERE state = 'confirmed' AND rated AND confirmed_at <= %(by)s AND (
    ladder_seq IS NULL OR EXISTS (
        SELECT FROM ratings_logtally AS tally WHERE tally.match_id = match.id AND weight > 0 AND NOT in_ledger
    ) OR NOT EXISTS (SELECT FROM ratings_matchlog AS log WHERE log.match_id = match.id) AND EXISTS (
        SELECT FROM ratings_ratingtrack AS track JOIN ratings_participant AS part ON part.match_id = match.id
        WHERE track.ladder_id = match.ladder_id AND track.period_days IS NULL AND NOT EXISTS (
            SELECT FROM ratings_ratingchange AS change WHERE change.track_id = track.id
            AND change.match_id = match.id AND change.player_id = part.player_id)))
"""


def compare(database: str, kept: Sequence[Kept], senders: Sequence[Results]) -> dict[str, int]:
    """Wait until what was confirmed is rated; gives what each check has counted, 0 where nothing is wrong."""
    wrong: Counter[str] = Counter()
    with psycopg.connect(database, autocommit=True) as session:
        by = session.execute("SELECT now()").fetchone() or (None,)

        def unrated() -> int:
            return _number(session, _UNRATED, by=by[0])

        if not wait_until(lambda: unrated() == 0, seconds=LONGEST, every=0.5):
            wrong["matches not rated, or without a place"] = unrated()
        load_kept(session, kept)
        checks = {name: query for name, query in CHECKS.items() if name not in _LATER}
        wrong.update({name: _number(session, query) for name, query in checks.items()})
        for sender in senders:
            wrong.update(sender.wrongs(session))
    return dict(wrong)


def count(database: str, query: str) -> int:
    """The number that a query gives."""
    with psycopg.connect(database) as session:
        return _number(session, query)


def _number(session: psycopg.Connection[Any], query: str, **given: object) -> int:
    row = session.execute(query, given or None).fetchone()
    return int(row[0]) if row else -1
