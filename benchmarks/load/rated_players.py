"""Players with ratings like those of a large game, by statements that make any number of them at once."""

from django.db import connection

from ratings.models import RatingTrack

__all__ = ["add_rated_players"]

_PLAYERS = """
INSERT INTO ratings_player (game_id, kind, external_id, name, skeleton)
SELECT %(game)s, 'person', n, 'Player ' || n, 'player ' || n FROM generate_series(1, %(players)s) AS n
"""
_RATINGS = """
INSERT INTO ratings_rating (track_id, player_id, value, deviation, as_of, games, counted, wins, draws, losses, leaves,
                            status, last_played_at, revision)
SELECT %(track)s, id, 1500 + 300 * sqrt(-2 * ln(1 - random())) * cos(2 * pi() * random()), 40 + 40 * random(),
       now() - interval '1 day', 90, 60, 40, 10, 40, 2, 2, now() - interval '1 day', 1
FROM ratings_player WHERE game_id = %(game)s
"""


def add_rated_players(track: RatingTrack, number: int) -> None:
    """So many players, all of them established on the track of a game that has no others."""
    given = {"game": track.ladder.game_id, "track": track.pk, "players": number}
    with connection.cursor() as cursor:
        cursor.execute(_PLAYERS, given)
        cursor.execute(_RATINGS, given)
