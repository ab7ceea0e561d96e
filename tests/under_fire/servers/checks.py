"""What must hold of a site after the fire. Each check is one query that counts what is wrong.

The season before was written, not played: what is asked of offers and events is asked of matches with an offer.
"""

# ruff: noqa: S608 - every part of every query is a constant

from collections.abc import Iterable, Mapping
from typing import Any

import psycopg

from tests.under_fire.checks import KEPT, PLAY

__all__ = ["AT_ANY_TIME", "CHECKS", "load_kept"]

_KEEP = "CREATE TEMP TABLE kept (what text, ticket bigint, match bigint, player bigint, offer bigint, name text)"
# The API names players by their ids in the game, and no offer where there is a match already.
_COMPLETE = (
    "UPDATE kept SET player = player.id FROM ratings_player AS player WHERE player.external_id = kept.name",
    "UPDATE kept SET offer = offer.id FROM matchmaking_offer AS offer WHERE kept.offer IS NULL"
    " AND offer.match_id = kept.match",
)
_PLAYED = "ratings_match AS match JOIN matchmaking_offer AS offer ON offer.match_id = match.id"
# These hold at any moment; the others ask for a trial that began with nothing and has come to rest.
AT_ANY_TIME: Mapping[str, str] = {
    **{
        name: query
        for name, query in PLAY.items()
        if not name.startswith(("stuck", "left over", "events", "tracks", "sequence", "never"))
        and name not in {"matches without an offer", "ratings whose games do not add up"}
    },
    **KEPT,
    "acknowledged matches that are lost": """
        SELECT count(*) FROM kept WHERE match IS NOT NULL
        AND NOT EXISTS (SELECT FROM ratings_match WHERE id = kept.match)""",
    "acknowledged words of the game that are lost": """
        SELECT count(*) FROM kept JOIN ratings_match AS match ON match.id = kept.match
        WHERE (what = 'result told' AND match.state <> 'confirmed')
        OR (what = 'abort told' AND match.state <> 'aborted')""",
}
CHECKS: Mapping[str, str] = {
    **AT_ANY_TIME,
    "confirmed matches without a place": PLAY["sequence: confirmed matches without a place"],
    "never rated, where ratings follow each match": """
        SELECT count(*) FROM ratings_ratingtrack AS track JOIN ratings_match AS match USING (ladder_id)
        JOIN ratings_participant AS part ON part.match_id = match.id
        WHERE track.period_days IS NULL AND match.state = 'confirmed' AND match.rated AND NOT EXISTS (
            SELECT FROM ratings_ratingchange AS change WHERE change.track_id = track.id
            AND change.match_id = match.id AND change.player_id = part.player_id)""",
    "events: matches whose start was told not once": f"""
        SELECT count(*) FROM {_PLAYED} WHERE 1 <> (
            SELECT count(*) FROM events_event
            WHERE kind = 'match.started' AND (payload->>'match')::bigint = match.id)""",
    "events: matches whose end was told not once": f"""
        SELECT count(*) FROM {_PLAYED} WHERE match.state NOT IN ('playing', 'reported') AND 1 <> (
            SELECT count(*) FROM events_event WHERE kind = 'match.' || match.state
            AND (payload->>'match')::bigint = match.id)""",
}  # fmt: skip


def load_kept(session: psycopg.Connection[Any], kept: Iterable[Mapping[str, object]]) -> None:
    """Put what was acknowledged into the table `kept` of this session, to be asked about."""
    session.execute(_KEEP)
    columns = ("what", "ticket", "match", "offer", "name")
    with (
        session.cursor() as cursor,
        cursor.copy(f"COPY kept ({', '.join(columns)}) FROM STDIN") as copy,
    ):
        for row in kept:
            copy.write_row([row.get(column) for column in columns])
    for complete in _COMPLETE:
        session.execute(complete)
