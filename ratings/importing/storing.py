"""From the staging table to players and matches: under the ladder's lock, by a few statements over all rows."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import connection
from django.utils.translation import gettext as _

from ratings.figures import demands_of
from ratings.importing.problems import Problems
from ratings.models import ImportedFile, Ladder

__all__ = [
    "Stored",
    "refuse_changed_scores",
    "refuse_missing_points",
    "store_matches",
    "store_players",
]

# A match is known again by this name, whatever file it stands in.
_EXTERNAL_ID = """
    'import-' || %(ladder)s || '-' || encode(staged.identity, 'hex')
    || CASE WHEN staged.occurrence > 1 THEN '-' || staged.occurrence ELSE '' END
"""

_CHANGED_SCORES = f"""
SELECT staged.line, staged.score_a, known.score_a
FROM import_staging AS staged
CROSS JOIN LATERAL (
    SELECT CASE WHEN a.rank < b.rank THEN 1.0 WHEN a.rank > b.rank THEN 0.0 ELSE 0.5 END AS score_a
    FROM ratings_match AS match
    JOIN ratings_participant AS a ON a.match_id = match.id AND a.team = 0
    JOIN ratings_participant AS b ON b.match_id = match.id AND b.team = 1
    WHERE match.game_id = %(game)s AND match.external_id = {_EXTERNAL_ID}
) AS known
WHERE known.score_a <> staged.score_a
ORDER BY staged.line
LIMIT %(limit)s
"""  # noqa: S608

_WITHOUT_POINTS = """
SELECT line FROM import_staging WHERE points_a IS NULL OR points_b IS NULL ORDER BY line LIMIT 20
"""

# In one order everywhere: two files with the same new players then wait for each other, and never in a circle.
_PLAYERS = """
INSERT INTO ratings_player (game_id, kind, external_id, name, skeleton)
SELECT DISTINCT ON (named.name) %(game)s, 'person', named.name, named.name, named.skeleton
FROM (
    SELECT player_a AS name, skeleton_a AS skeleton FROM import_staging
    UNION ALL
    SELECT player_b, skeleton_b FROM import_staging
) AS named
WHERE NOT EXISTS (
    SELECT FROM ratings_player AS player
    WHERE player.game_id = %(game)s AND player.external_id = named.name
)
ORDER BY named.name
ON CONFLICT (game_id, external_id) DO NOTHING
"""

# Which rows are new, and the ids of their matches: given here, so that nothing has to look them up again.
_FRESH = f"""
CREATE TEMPORARY TABLE import_fresh ON COMMIT DROP AS
SELECT nextval(pg_get_serial_sequence('ratings_match', 'id')) AS match_id, ordered.*
FROM (
    SELECT staged.*, {_EXTERNAL_ID} AS external_id
    FROM import_staging AS staged
    WHERE NOT EXISTS (
        SELECT FROM ratings_match AS match
        WHERE match.game_id = %(game)s AND match.external_id = {_EXTERNAL_ID}
    )
    ORDER BY staged.line
) AS ordered
"""  # noqa: S608

_MATCHES = """
INSERT INTO ratings_match
    (id, ladder_id, game_id, external_id, state, map, is_neutral, played_at, confirmed_at, counts_at, ladder_seq,
     source_id, extra)
SELECT
    match_id, %(ladder)s, %(game)s, external_id, 'confirmed', '', neutral, played_at, %(now)s,
    greatest(max(played_at) OVER (ORDER BY line), %(counted_until)s),
    %(last_seq)s + row_number() OVER (ORDER BY line), %(source)s, extra
FROM import_fresh
ORDER BY line
"""

_PARTICIPANTS = """
INSERT INTO ratings_participant (match_id, player_id, team, rank, score, character, left_early)
SELECT fresh.match_id, player.id, side.team, side.rank, side.points, '', false
FROM import_fresh AS fresh
CROSS JOIN LATERAL (VALUES
    (0, fresh.player_a, CASE WHEN fresh.score_a < 0.5 THEN 1 ELSE 0 END, fresh.points_a),
    (1, fresh.player_b, CASE WHEN fresh.score_a > 0.5 THEN 1 ELSE 0 END, fresh.points_b)
) AS side (team, name, rank, points)
JOIN ratings_player AS player ON player.game_id = %(game)s AND player.external_id = side.name
ORDER BY fresh.line, side.team
"""

_SUMMARY = """
SELECT max(counts_at), count(*) FILTER (WHERE played_at < %(counted_until)s)
FROM ratings_match
WHERE ladder_id = %(ladder)s AND ladder_seq > %(last_seq)s
"""


@dataclass(frozen=True, slots=True)
class Stored:
    """How many matches are new, how many of them late, and the new end of the ladder's sequence."""

    matches: int
    late: int
    last_seq: int
    counted_until: datetime | None


def refuse_changed_scores(ladder: Ladder, problems: Problems) -> None:
    """Note every staged row whose match is known with another score."""
    with connection.cursor() as cursor:
        cursor.execute(_CHANGED_SCORES, {"ladder": ladder.pk, "game": ladder.game_id, "limit": 20})
        for line, new, old in cursor.fetchall():
            text = _(
                "the match is known with %(old)g; must be the same, a file does not change results"
            )
            problems.add(line, "score_a", f"{new:g}", text % {"old": old})


def refuse_missing_points(ladder: Ladder, problems: Problems) -> None:
    """Note every staged row without points where the ladder's shown system cannot do without them."""
    needs = demands_of([ladder.pk]).get(ladder.pk, frozenset())
    if not needs & {"points", "score"}:
        return
    with connection.cursor() as cursor:
        cursor.execute(_WITHOUT_POINTS)
        for (line,) in cursor.fetchall():
            text = _("must both be there: this ladder is rated by what each player counted")
            problems.add(line, "points_a, points_b", "", text)


def store_players(ladder: Ladder) -> int:
    """Add the players that the ladder's game does not know yet; return how many."""
    with connection.cursor() as cursor:
        cursor.execute(_PLAYERS, {"game": ladder.game_id})
        added: int = cursor.rowcount
    return added


def store_matches(ladder: Ladder, source: ImportedFile, *, now: datetime) -> Stored:
    """Add the matches that the ladder does not have yet, at the end of its sequence, in the file's order.

    The caller holds the ladder's lock and gives the ladder as it is under it.
    """
    values: dict[str, Any] = {
        "ladder": ladder.pk,
        "game": ladder.game_id,
        "source": source.pk,
        "now": now,
        "last_seq": ladder.last_seq,
        "counted_until": ladder.counted_until,
    }
    with connection.cursor() as cursor:
        cursor.execute("DROP TABLE IF EXISTS pg_temp.import_fresh")
        cursor.execute(_FRESH, values)
        matches: int = cursor.rowcount
        if not matches:
            return Stored(0, 0, ladder.last_seq, ladder.counted_until)
        cursor.execute("ANALYZE import_fresh")
        cursor.execute(_MATCHES, values)
        cursor.execute(_PARTICIPANTS, values)
        cursor.execute(_SUMMARY, values)
        counted_until, late = cursor.fetchone()
    return Stored(matches, late, ladder.last_seq + matches, counted_until)
