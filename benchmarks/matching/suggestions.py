"""Suggesting friends and groups in a game of 1,000,000 matches of 100,000 players, to whoever plays most and others.

The floor reads, in one bare statement, who was met in the same 200 matches and what was said of them.
"""

import random
import time
from collections.abc import Callable, Iterator

import numpy as np
from django.db import connection

from benchmarks.figure import Figure
from benchmarks.load.rated_players import add_rated_players
from groups.models import SuggestionWish
from groups.suggest import LOOKS_BACK, suggestions_for
from ratings.models import Game, Ladder, Player
from ratings.tracks.parameters import create_track

NAME = "suggestions"
PLAYERS, MATCHES, GROUPS, MEMBERS = 100_000, 1_000_000, 20_000, 10
CALLS, ASKED = 20, 200
_MATCHES = """
INSERT INTO ratings_match
    (ladder_id, game_id, external_id, state, map, played_at, confirmed_at, counts_at, ladder_seq, extra)
SELECT %(ladder)s, %(game)s, 'm' || n, 'confirmed', '', now(), now(), now(), n, '{}'
FROM generate_series(1, %(matches)s) AS n
"""
# Everybody meets those near by again and again, as where strength decides; the first player is in very many.
_LINE_UPS = """
INSERT INTO ratings_participant (match_id, player_id, team, rank, character, left_early)
SELECT id, %(first)s + CASE side WHEN 0 THEN one ELSE (one + apart) %% %(players)s END, side, side + 1, '', false
FROM (
    SELECT id, CASE WHEN ladder_seq %% 50 = 0 THEN 0 ELSE floor(random() * %(players)s)::int END AS one,
           1 + floor(random() * random() * 60)::int AS apart
    FROM ratings_match WHERE game_id = %(game)s OFFSET 0
) AS pairs CROSS JOIN generate_series(0, 1) AS side
"""
_WORDS = """
INSERT INTO matchmaking_feedback (game_id, author_id, subject_id, enjoyed, tags, at)
SELECT %(game)s, author, subject, random() < 0.7, '{}', now()
FROM (
    SELECT one.player_id AS author, other.player_id AS subject
    FROM ratings_participant AS one JOIN ratings_participant AS other USING (match_id)
    WHERE one.player_id <> other.player_id AND one.match_id %% 2 = 0
    GROUP BY one.player_id, other.player_id
) AS met
"""
_GROUPS = """
WITH made AS (
    INSERT INTO groups_group (game_id, owner_id, name, note, access, most, is_drawn, created_at)
    SELECT %(game)s, %(first)s + n * %(players)s / %(groups)s, 'Group ' || n, '', 'open', 30, false, now()
    FROM generate_series(0, %(groups)s - 1) AS n RETURNING id, owner_id
)
INSERT INTO groups_membership (group_id, player_id, place, most, shows, keeps, joined_at)
SELECT id, %(first)s + (owner_id - %(first)s + 3 * place) %% %(players)s, place, 30, false, false, now()
FROM made CROSS JOIN generate_series(0, %(members)s - 1) AS place
"""
_FLOOR = """
SELECT other.player_id, count(*), bool_or(said.enjoyed)
FROM (
    SELECT match_id FROM ratings_participant WHERE player_id = %(player)s AND NOT playing
    ORDER BY match_id DESC LIMIT %(back)s
) AS mine
JOIN ratings_participant AS other ON other.match_id = mine.match_id AND other.player_id <> %(player)s
LEFT JOIN matchmaking_feedback AS said ON said.author_id = %(player)s AND said.subject_id = other.player_id
GROUP BY other.player_id
"""


def run() -> Iterator[Figure]:
    """Load, then ask for whoever plays most again and again, and once for others."""
    begin = time.perf_counter()
    players = load()
    yield Figure(name="suggestions: load", value=round(time.perf_counter() - begin, 1), unit="s")
    busiest, *others = players
    asked = random.Random(7).sample(others, ASKED)
    for name, whom in (("busiest", [busiest] * CALLS), (f"{ASKED} players", asked)):
        for player in whom[:5]:
            suggestions_for(player)
        floor = [seconds_of(lambda: read_floor(player)) for player in whom]  # noqa: B023
        times = [seconds_of(lambda: suggestions_for(player)) for player in whom]  # noqa: B023
        for share in (50, 99):
            yield Figure(
                name=f"suggestions: {name}, p{share}",
                value=round(1000 * float(np.percentile(times, share)), 2),
                unit="ms",
                peer="one bare statement",
                peer_value=round(1000 * float(np.percentile(floor, share)), 2),
            )
        found = [suggestions_for(player) for player in whom]
        told = float(np.mean([len(one.players) for one in found]))
        groups = float(np.mean([len(one.groups) for one in found]))
        yield Figure(name=f"suggestions: {name}, suggested", value=told, unit="players")
        yield Figure(
            name=f"suggestions: {name}, suggested in the mean", value=groups, unit="groups"
        )


def load() -> list[Player]:
    """Players, matches, what half of those who met have said, and groups of people who are near by."""
    game = Game.objects.create(slug=f"bench-{time.time_ns()}", name="Benchmark")
    ladder = Ladder.objects.create(game=game, slug=game.slug, name="Benchmark")
    track = create_track(ladder=ladder, system="elo", parameters={}, period_days=None, shown=True)
    add_rated_players(track, PLAYERS)
    players = list(Player.objects.filter(game=game).order_by("pk"))
    given = {
        "game": game.pk,
        "ladder": ladder.pk,
        "first": players[0].pk,
        "players": PLAYERS,
        "matches": MATCHES,
        "groups": GROUPS,
        "members": MEMBERS,
    }
    with connection.cursor() as cursor:
        for statement in (_MATCHES, _LINE_UPS, _WORDS, _GROUPS):
            cursor.execute(statement, given)
            cursor.execute("VACUUM (ANALYZE)")
    SuggestionWish.objects.bulk_create(SuggestionWish(player=player) for player in players)
    return players


def read_floor(player: Player) -> None:
    """What nobody can do without, in one statement."""
    with connection.cursor() as cursor:
        cursor.execute(_FLOOR, {"player": player.pk, "back": LOOKS_BACK})
        cursor.fetchall()


def seconds_of(call: Callable[[], object]) -> float:
    """How long a call takes."""
    begin = time.perf_counter()
    call()
    return time.perf_counter() - begin
