"""What must hold of a site after the fire. Each check is one query that counts what is wrong.

The season before was written, not played: what is asked of offers and events is asked of matches with an offer.
"""

# ruff: noqa: S608 - every part of every query is a constant

from collections.abc import Mapping

from tests.under_fire.checks import KEPT, PLAY

__all__ = ["CHECKS", "KEEP"]

KEEP = "CREATE TEMP TABLE kept (what text, ticket bigint, match bigint, player bigint, offer bigint, name text)"
_PLAYED = "ratings_match AS match JOIN matchmaking_offer AS offer ON offer.match_id = match.id"
# Those hold at any moment; the others ask for a trial that began with nothing and has come to rest.
_AT_ANY_TIME = [
    name
    for name in PLAY
    if not name.startswith(("stuck", "left over", "events", "tracks", "sequence", "never"))
    and name not in {"matches without an offer", "ratings whose games do not add up"}
]
CHECKS: Mapping[str, str] = {
    **{name: PLAY[name] for name in _AT_ANY_TIME},
    "confirmed matches without a place": PLAY["sequence: confirmed matches without a place"],
    "never rated, where ratings follow each match": """
        SELECT count(*) FROM ratings_ratingtrack AS track JOIN ratings_match AS match USING (ladder_id)
        JOIN ratings_participant AS part ON part.match_id = match.id
        WHERE track.period_days IS NULL AND match.state = 'confirmed' AND NOT EXISTS (
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
    **KEPT,
    "acknowledged matches that are lost": """
        SELECT count(*) FROM kept WHERE match IS NOT NULL
        AND NOT EXISTS (SELECT FROM ratings_match WHERE id = kept.match)""",
}  # fmt: skip
