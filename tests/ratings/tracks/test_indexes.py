"""Places of texts in a list, as PostgreSQL finds them, and ratings of a ledger."""

from typing import Any

import pytest
from django.db import connection

from foundation.postgresql.bulk import fetch_columns, whole
from ratings.models import RatingChange
from ratings.tracks.facets import as_indexes, index_of
from tests.ratings.arena import make_arena

pytestmark = pytest.mark.django_db

TEXTS = [
    "",
    "river",
    "River",
    "Äther",
    "A\u0308ther",
    'a "b" {c}',
    "back\\slash",
    "1",
    "日本",
    " 1",
]


def test_each_text_is_found_where_it_stands() -> None:
    columns = {
        "place": whole(index_of("text", "%(places)s", default=-1)),
        "ordinal": whole("ordinal - 1"),
    }
    source = "unnest(%(texts)s::text[]) WITH ORDINALITY AS given (text, ordinal)"
    found = fetch_columns(columns, source, {"texts": TEXTS, "places": as_indexes(TEXTS)})
    assert len(found["place"]) == len(TEXTS)
    assert (found["place"] == found["ordinal"]).all()


def test_another_text_has_the_default() -> None:
    columns = {"place": whole(index_of("text", "%(places)s", default=7))}
    source = "unnest(%(texts)s::text[]) AS given (text)"
    asked = {"texts": ["RIVER", "2", "a"], "places": as_indexes(TEXTS)}
    assert fetch_columns(columns, source, asked)["place"].tolist() == [7, 7, 7]


_RATINGS = """
INSERT INTO ratings_rating (track_id, player_id, value, as_of, games, counted, wins, draws, losses, leaves, status,
    last_played_at, revision)
SELECT %s, id, 1500, now(), 0, 0, 0, 0, 0, 0, 0, now(), 1 FROM ratings_player
"""
_CHANGES = """
INSERT INTO ratings_ratingchange (track_id, player_id, kind, at, games, value_before, value_after)
SELECT track_id, player_id, 'manual', now(), 1, 1500, 1500 FROM ratings_rating WHERE track_id = %s
"""
_LOOKS = """
SELECT idx_scan, idx_tup_fetch + seq_tup_read FROM pg_stat_xact_user_tables WHERE relname = 'ratings_rating'
"""


def test_ratings_of_changes_are_looked_up_one_by_one_with_statistics_from_before_there_were_any() -> (
    None
):
    """As they are when a large run has not committed yet: a table of many pages and no row."""
    players = 1000
    track = make_arena(players).track()

    def looks(cursor: Any) -> tuple[int, int]:
        cursor.execute(_LOOKS)
        scans, rows = cursor.fetchone()
        return scans, rows

    with connection.cursor() as cursor:
        cursor.execute(_RATINGS, [track.pk])
        cursor.execute(
            "DELETE FROM ratings_rating; SET CONSTRAINTS ALL IMMEDIATE; SET CONSTRAINTS ALL DEFERRED"
        )
        cursor.execute("ANALYZE ratings_rating")
        cursor.execute(_RATINGS, [track.pk])
        before = looks(cursor)
        cursor.execute(_CHANGES, [track.pk])
        after = looks(cursor)
    assert RatingChange.objects.count() == players
    assert after[0] - before[0] >= players
    # Each once by the key, and once by the statement itself, which may find those that were deleted too.
    assert after[1] - before[1] <= 4 * players
