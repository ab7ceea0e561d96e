"""Writing rated events: ratings and tallies at once, and the ledger of matches that are over. All or nothing."""

from typing import Any

from django.db import connection, transaction

from events import outbox
from events.kinds import Kind
from foundation import clock
from foundation.postgresql.bulk import copy_lines, escaped
from foundation.postgresql.lease import hold_firmly
from foundation.postgresql.locks import Lock
from ratings.runs.events import RatedEvents
from ratings.runs.position import Position
from ratings.runs.write import move_track

__all__ = ["commit_events"]

# Kept for the session and emptied by every commit: making it anew would churn the catalogue.
_STAGES = (
    "CREATE TEMP TABLE IF NOT EXISTS staged_tally (match int8, player int8, team text, frags int4, deaths int4,"
    " suicides int4, team_kills int4, goals int4, expected float8, actual float8, weight float8, before float8,"
    " after float8, points float8) ON COMMIT DELETE ROWS",
    "CREATE TEMP TABLE IF NOT EXISTS staged_value (player int8, value float8) ON COMMIT DELETE ROWS",
    "DELETE FROM staged_tally",
    "DELETE FROM staged_value",
)
_TALLY_COLUMNS = (
    "match",
    "player",
    "team",
    "frags",
    "deaths",
    "suicides",
    "team_kills",
    "goals",
    "expected",
    "actual",
    "weight",
    "before",
    "after",
    "points",
)
# Games are counted when a match is over.
_PUT_RATINGS = """
INSERT INTO ratings_rating (track_id, player_id, facet, value, games, counted, wins, draws, losses, leaves, status,
                            as_of, last_played_at, revision)
SELECT %(track)s, staged.player, '', staged.value, 0, 0, 0, 0, 0, 0, 0, %(now)s, %(now)s, %(revision)s
FROM staged_value AS staged ORDER BY staged.player
ON CONFLICT (player_id, track_id, facet)
DO UPDATE SET value = excluded.value, as_of = excluded.as_of, revision = excluded.revision
"""
_PUT_TALLIES = """
INSERT INTO ratings_logtally AS tally (match_id, track_id, player_id, team, frags, deaths, suicides, team_kills, goals,
                                       expected, actual, weight, value_before, value_after, points)
SELECT match, %(track)s, player, team, frags, deaths, suicides, team_kills, goals, expected, actual, weight, before,
       after, points
FROM staged_tally
ON CONFLICT (match_id, track_id, player_id) DO UPDATE SET
    team = excluded.team, frags = tally.frags + excluded.frags, deaths = tally.deaths + excluded.deaths,
    suicides = tally.suicides + excluded.suicides, team_kills = tally.team_kills + excluded.team_kills,
    goals = tally.goals + excluded.goals, expected = tally.expected + excluded.expected,
    actual = tally.actual + excluded.actual, weight = tally.weight + excluded.weight,
    value_before = CASE WHEN tally.weight > 0 THEN tally.value_before ELSE excluded.value_before END,
    value_after = CASE WHEN excluded.weight > 0 THEN excluded.value_after ELSE tally.value_after END,
    points = tally.points + excluded.points
"""
# One row a player and match: shares are means by the weight of each event, so that weight times surprise is the change.
# Whoever plays several matches at once was moved by each: a row has what its own match did, behind the rows before it.
_INSERT_CHANGES = """
WITH over AS (
    UPDATE ratings_logtally SET in_ledger = true
    WHERE track_id = %(track)s AND match_id = %(match)s AND weight > 0
    RETURNING *
), placed AS (
    SELECT over.*, rating.status, rating.value - going_on.points AS reached,
           going_on.matches = 0 AND abs(over.value_after - over.value_before - over.points) < 1e-6 AS is_alone
    FROM over JOIN ratings_rating AS rating
        ON rating.track_id = over.track_id AND rating.player_id = over.player_id AND rating.facet = ''
    CROSS JOIN LATERAL (
        SELECT count(*) AS matches, coalesce(sum(other.points), 0) AS points FROM ratings_logtally AS other
        WHERE other.track_id = over.track_id AND other.player_id = over.player_id AND NOT other.in_ledger
          AND other.match_id <> over.match_id AND other.weight > 0
    ) AS going_on
)
INSERT INTO ratings_ratingchange (track_id, kind, player_id, facet, match_id, at, games, expected, actual, weight,
                                  value_before, value_after, status_before)
SELECT placed.track_id, 'match', placed.player_id, '', placed.match_id, match.counts_at, 1,
       placed.expected / placed.weight, placed.actual / placed.weight, placed.weight,
       CASE WHEN is_alone THEN value_before ELSE greatest(reached - placed.points, 0) END,
       CASE WHEN is_alone THEN value_after ELSE reached END, placed.status
FROM placed JOIN ratings_match AS match ON match.id = placed.match_id
ORDER BY placed.player_id
"""
# Whoever was alone has beaten nobody: a draw.
_COUNT_GAMES = """
UPDATE ratings_rating AS rating
SET games = rating.games + played.games, counted = rating.counted + played.games, wins = rating.wins + played.wins,
    draws = rating.draws + played.draws, losses = rating.losses + played.games - played.wins - played.draws,
    status = CASE WHEN rating.counted + played.games >= %(established_after)s THEN 2 ELSE 1 END,
    last_played_at = greatest(rating.last_played_at, played.at), revision = %(revision)s
FROM (
    SELECT tally.player_id, count(*) AS games, max(match.ended_at) AS at,
           count(*) FILTER (WHERE participant.rank = 0 AND best.teams = 1 AND best.others > 0) AS wins,
           count(*) FILTER (WHERE participant.rank = 0 AND (best.teams > 1 OR best.others = 0)) AS draws
    FROM ratings_logtally AS tally
    JOIN ratings_match AS match ON match.id = tally.match_id
    JOIN ratings_participant AS participant
        ON participant.match_id = tally.match_id AND participant.player_id = tally.player_id
    CROSS JOIN LATERAL (
        SELECT count(DISTINCT team) FILTER (WHERE rank = 0) AS teams, count(*) FILTER (WHERE rank > 0) AS others
        FROM ratings_participant AS anybody WHERE anybody.match_id = tally.match_id
    ) AS best
    WHERE tally.track_id = %(track)s AND tally.match_id = %(match)s AND tally.weight > 0
    GROUP BY tally.player_id
) AS played
WHERE rating.track_id = %(track)s AND rating.player_id = played.player_id AND rating.facet = ''
"""


def commit_events(position: Position, rated: RatedEvents) -> None:
    """Write everything a chunk of events leads to in one transaction. Raises StalePositionError; nothing is written
    then.
    """
    track, revision = position.track_id, position.revision + 1
    given: dict[str, Any] = {"track": track, "revision": revision, "now": clock.now()}
    with transaction.atomic():
        has_tallies = _stage(rated)
        hold_firmly(Lock.LADDER, position.ladder_id)
        move_track(
            position,
            rated_seq=rated.rated_seq,
            closed_periods=0,
            drifted_periods=0,
            drifted_player=0,
            grown_from=position.pool_grown_from,
        )
        with connection.cursor() as cursor:
            if has_tallies:  # else the staging tables may hold what an earlier chunk has put there
                cursor.execute(_PUT_RATINGS, given)
                cursor.execute(_PUT_TALLIES, given)
            for match, established_after in rated.ended.items():  # in the sequence
                over = {**given, "match": match, "established_after": established_after}
                cursor.execute(_INSERT_CHANGES, over)
                cursor.execute(_COUNT_GAMES, over)
        if rated.tallies or rated.ended:
            outbox.publish(Kind.RATINGS_CHANGED, track=track, revision=revision)


def _stage(rated: RatedEvents) -> bool:
    """Copy what was rated into the staging tables of this session; whether there is anything."""
    lines: list[str] = []
    for match, stream in rated.streams.items():
        for who, done in stream.tallies().items():
            tally = rated.tallies.get((match, who))
            value = rated.ratings[who]
            sums = (
                (
                    tally.expected,
                    tally.actual,
                    tally.weight,
                    tally.before,
                    tally.after,
                    tally.points,
                )
                if tally
                else (0.0, 0.0, 0.0, value, value, 0.0)
            )
            counts = (done.frags, done.deaths, done.suicides, done.team_kills, done.events)
            team = escaped(done.team or "")
            lines.append(
                "\t".join((str(match), who.name, team, *map(str, counts), *map(repr, sums)))
            )
    values = [f"{player}\t{value!r}" for player, value in rated.moved.items()]
    if not lines:
        return False
    with connection.cursor() as cursor:
        for statement in _STAGES:
            cursor.execute(statement)
    copy_lines("staged_tally", _TALLY_COLUMNS, lines)
    copy_lines("staged_value", ("player", "value"), values)
    return True
