"""What must hold when all is over. Each check is one query that counts what is wrong.

`instant` and `period` are the ids of the two tracks.
"""

# ruff: noqa: S608 - every part of every query is a constant of this file

from collections.abc import Mapping

__all__ = ["AFTER_REPLAY", "EACH_TRACK", "WHOLE"]

_CONFIRMED = "FROM ratings_match WHERE state = 'confirmed'"
_OF_PERIOD = """
ratings_match AS match JOIN ratings_ratingperiod AS period
    ON period.track_id = %(period)s AND match.ladder_seq BETWEEN period.first_seq AND period.last_seq
"""
_PLAYED = f"""
SELECT period.number, participant.player_id, count(*) AS games
FROM {_OF_PERIOD} JOIN ratings_participant AS participant ON participant.match_id = match.id GROUP BY 1, 2
"""
_CLOSED = """
SELECT period.number, change.player_id, change.games
FROM ratings_ratingchange AS change JOIN ratings_ratingperiod AS period ON period.id = change.period_id
WHERE change.track_id = %(period)s
"""

WHOLE: Mapping[str, str] = {
    "sequence: confirmed matches without a place": f"SELECT count(*) {_CONFIRMED} AND ladder_seq IS NULL",
    "sequence: places given twice": f"SELECT count(ladder_seq) - count(DISTINCT ladder_seq) {_CONFIRMED}",
    "sequence: places left out": f"""
        SELECT greatest((SELECT max(last_seq) FROM ratings_ladder), max(ladder_seq))
               - count(DISTINCT ladder_seq) {_CONFIRMED}""",
    "sequence: ladder ends elsewhere": f"""
        SELECT abs((SELECT max(last_seq) FROM ratings_ladder) - max(ladder_seq)) {_CONFIRMED}""",
    "sequence: times that go back": f"""
        SELECT count(*) FROM (
            SELECT counts_at < lag(counts_at) OVER (ORDER BY ladder_seq, counts_at) AS back {_CONFIRMED}
        ) AS compared WHERE back""",
    "instant: matches rated twice": """
        SELECT count(*) FROM (SELECT FROM ratings_ratingchange WHERE track_id = %(instant)s
                              GROUP BY match_id, player_id HAVING count(*) > 1) AS doubled""",
    "instant: matches never rated": """
        SELECT count(*) FROM ratings_participant AS participant WHERE NOT EXISTS (
            SELECT FROM ratings_ratingchange AS change WHERE change.track_id = %(instant)s
            AND change.match_id = participant.match_id AND change.player_id = participant.player_id)""",
    "period: closed twice": """
        SELECT count(*) - count(DISTINCT number) FROM ratings_ratingperiod WHERE track_id = %(period)s""",
    "period: ranges with gaps or overlaps": """
        SELECT count(*) FROM (
            SELECT first_seq, 1 + coalesce(lag(last_seq) OVER (ORDER BY number, id), 0) AS expected
            FROM ratings_ratingperiod WHERE track_id = %(period)s) AS compared
        WHERE first_seq <> expected""",
    "period: matches in no period": f"""
        SELECT (SELECT count(*) {_CONFIRMED}) - count(DISTINCT match.id) FROM {_OF_PERIOD}""",
    "period: matches outside the time of theirs": f"""
        SELECT count(*) FROM {_OF_PERIOD}
        WHERE counts_at NOT BETWEEN starts_at AND ends_at - interval '1 microsecond'""",
    "period: players rated twice in one": f"""
        SELECT count(*) FROM (SELECT FROM ({_CLOSED}) AS closed
                              GROUP BY number, player_id HAVING count(*) > 1) AS doubled""",
    "period: players never rated in one": f"""
        SELECT count(*) FROM ({_PLAYED}) AS played LEFT JOIN ({_CLOSED}) AS closed USING (number, player_id)
        WHERE closed.player_id IS NULL""",
    "period: rows with other games than were played": f"""
        SELECT count(*) FROM ({_PLAYED}) AS played JOIN ({_CLOSED}) AS closed USING (number, player_id)
        WHERE played.games <> closed.games""",
    "events: periods told of out of turn": """
        SELECT count(*) FROM (
            SELECT (payload->>'last')::bigint AS last,
                   lag((payload->>'last')::bigint) OVER (ORDER BY transaction, id) AS previous
            FROM events_event WHERE kind = 'period.closed' AND (payload->>'track')::bigint = %(period)s
        ) AS told WHERE last <= previous""",
    "left over: claims": "SELECT count(*) FROM ratings_ratingrun",
    "left over: staging tables": "SELECT count(*) FROM pg_class WHERE relpersistence = 't' AND relkind = 'r'",
    "left over: locks": """
        SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())""",
}

# For both tracks; `track` is the id of one.
EACH_TRACK: Mapping[str, str] = {
    "track not at the end of the sequence": """
        SELECT count(*) FROM ratings_ratingtrack AS track JOIN ratings_ladder AS ladder
            ON ladder.id = track.ladder_id
        WHERE track.id = %(track)s AND track.rated_seq <> ladder.last_seq""",
    "players with two ratings": """
        SELECT count(*) - count(DISTINCT player_id) FROM ratings_rating WHERE track_id = %(track)s""",
    "ratings unlike the last row of the ledger": """
        SELECT count(*) FROM ratings_rating AS rating FULL JOIN (
            SELECT DISTINCT ON (player_id) player_id, value_after, deviation_after FROM ratings_ratingchange
            WHERE track_id = %(track)s ORDER BY player_id, id DESC
        ) AS change ON change.player_id = rating.player_id
        WHERE (rating.track_id = %(track)s OR rating.id IS NULL)
          AND (rating.value, rating.deviation) IS DISTINCT FROM (change.value_after, change.deviation_after)""",
    "rows of the ledger that do not follow the one before": """
        SELECT count(*) FROM (
            SELECT value_before <> lag(value_after) OVER (PARTITION BY player_id ORDER BY id) AS broken
            FROM ratings_ratingchange WHERE track_id = %(track)s) AS compared
        WHERE broken""",
    "ratings whose games do not add up": """
        SELECT count(*) FROM (
            SELECT mine.player_id, count(*) AS games, count(*) FILTER (WHERE mine.rank < other.rank) AS wins,
                   count(*) FILTER (WHERE mine.rank = other.rank) AS draws
            FROM ratings_participant AS mine JOIN ratings_participant AS other
                ON other.match_id = mine.match_id AND other.team <> mine.team GROUP BY 1
        ) AS played
        JOIN (SELECT player_id, sum(games) AS games FROM ratings_ratingchange
              WHERE track_id = %(track)s GROUP BY 1) AS ledger USING (player_id)
        JOIN ratings_rating AS rating USING (player_id)
        WHERE rating.track_id = %(track)s
          AND (rating.games, rating.wins, rating.draws, rating.losses, ledger.games)
              <> (played.games, played.wins, played.draws, played.games - played.wins - played.draws, rating.games)""",
    "revisions told of twice": """
        SELECT count(*) - count(DISTINCT payload->>'revision') FROM events_event
        WHERE kind = 'ratings.changed' AND (payload->>'track')::bigint = %(track)s""",
    "revisions that changed ratings and were not told of": """
        SELECT count(DISTINCT revision) FROM ratings_rating WHERE track_id = %(track)s
        AND revision::text NOT IN (SELECT payload->>'revision' FROM events_event
            WHERE kind = 'ratings.changed' AND (payload->>'track')::bigint = %(track)s)""",
    "commits and events differ in number": """
        SELECT abs(revision - (SELECT count(*) FROM events_event WHERE kind = 'ratings.changed'
                               AND (payload->>'track')::bigint = %(track)s))
        FROM ratings_ratingtrack WHERE id = %(track)s AND period_days IS NULL""",
}

_COLUMNS = (
    "games, expected, actual, weight, value_before, value_after, deviation_before, deviation_after,"
    " status_before, at"
)
_RATING = "value, deviation, volatility, as_of, games, counted, wins, draws, losses, leaves, status, last_played_at"
# `again` is the track on which one process rated the same sequence in peace.
AFTER_REPLAY: Mapping[str, str] = {
    "ratings unlike those of a clean run": f"""
        SELECT count(*) FROM
            (SELECT player_id, ROW({_RATING}) AS it FROM ratings_rating WHERE track_id = %(track)s) AS one
        FULL JOIN
            (SELECT player_id, ROW({_RATING}) AS it FROM ratings_rating WHERE track_id = %(again)s) AS two
        USING (player_id) WHERE one.it IS DISTINCT FROM two.it""",
    "rows of the ledger unlike those of a clean run": " FULL JOIN ".join(
        f"""{start} (
            SELECT change.player_id, coalesce(match_id, period.number) AS cause, ROW({columns}) AS it
            FROM ratings_ratingchange AS change LEFT JOIN ratings_ratingperiod AS period
                ON period.id = change.period_id WHERE change.track_id = %({track})s) AS {name}"""
        for start, columns, track, name in (
            ("SELECT count(*) FROM", _COLUMNS.replace("games", "change.games"), "track", "one"),
            ("", _COLUMNS.replace("games", "change.games"), "again", "two"),
        )
    )
    + " USING (cause, player_id) WHERE one.it IS DISTINCT FROM two.it",
    "periods unlike those of a clean run": """
        SELECT count(*) FROM
            (SELECT * FROM ratings_ratingperiod WHERE track_id = %(track)s) AS one
        FULL JOIN
            (SELECT * FROM ratings_ratingperiod WHERE track_id = %(again)s) AS two USING (number)
        WHERE (one.first_seq, one.last_seq, one.games, one.players, one.new_players, one.mean, one.spread)
            IS DISTINCT FROM
              (two.first_seq, two.last_seq, two.games, two.players, two.new_players, two.mean, two.spread)""",
    "pool grown elsewhere than in a clean run": """
        SELECT count(*) FROM ratings_ratingtrack AS one JOIN ratings_ratingtrack AS two ON two.id = %(again)s
        WHERE one.id = %(track)s AND one.pool_grown_from IS DISTINCT FROM two.pool_grown_from""",
}
