"""Telling of searches where 100,000 players want to be told: whose turn it is, marked and written with their notices.

Of one search: most fit, nobody fits (so that everybody is looked at), and a ladder that hides ratings. Of a hundred at
once: most fit, and nobody does, with searches far above all, and far on both sides. Each as a share of the time from
one look to the next, which a worker has for it.
"""

import time
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from django.db import connection

from benchmarks.figure import Figure
from benchmarks.load.rated_players import add_rated_players
from matchmaking.alerts.send import tell_of_searches
from matchmaking.models import AlertWish, Queue, Ticket
from notifications.models import Notice
from ratings.models import Game, Ladder, Mode, Rating
from ratings.tracks.parameters import create_track

NAME = "alerts"
WISHES, SEARCHES, ROUNDS = 100_000, 100, 5
BEAT = 5.0  # seconds from one look to the next
_WISHES = """
INSERT INTO matchmaking_alertwish (player_id, queue_id, near)
SELECT id, %(queue)s, 'close' FROM ratings_player WHERE game_id = %(game)s ORDER BY id OFFSET %(searches)s
"""
_SEARCH = """
WITH searcher AS (
    SELECT id, row_number() OVER (ORDER BY id) AS number FROM ratings_player
    WHERE game_id = %(game)s ORDER BY id LIMIT %(searches)s
), made AS (
    INSERT INTO matchmaking_ticket (queue_id, state, waiting_since, seen_at)
    SELECT %(queue)s, 'waiting', now() - interval '20 seconds', now() FROM searcher RETURNING id
)
INSERT INTO matchmaking_ticketmember (ticket_id, player_id, live)
SELECT ticket.id, searcher.id, true
FROM (SELECT id, row_number() OVER (ORDER BY id) AS number FROM made) AS ticket JOIN searcher USING (number)
"""


@dataclass(frozen=True)
class Case:
    """What is measured: its name, how many search, and with which rating; every second one with `other`, if any."""

    name: str
    rating: float
    mode: Mode = Mode.RANKED
    searches: int = 1
    other: float | None = None


def run() -> Iterator[Figure]:
    """Tell of searches several times in each case; each figure is the median."""
    ladder = _make_ladder()
    queue = Queue.objects.create(ladder=ladder, slug="alerts", name="Alerts", gap_start=300)
    keys = {"queue": queue.pk, "game": ladder.game_id}
    with connection.cursor() as cursor:
        cursor.execute(_WISHES, {**keys, "searches": SEARCHES})
        cursor.execute("ANALYZE")
    searchers = list(ladder.game.player_set.order_by("pk").values_list("pk", flat=True)[:SEARCHES])
    middle = float(np.median(list(Rating.objects.values_list("value", flat=True))))
    far = middle + 100_000
    for case in (
        Case("most fit", middle),
        Case("nobody fits", far),
        Case("ratings hidden", middle, Mode.NORMAL),
        Case("most fit", middle, searches=SEARCHES),
        Case("nobody fits", far, searches=SEARCHES),
        Case("nobody between fits", far, searches=SEARCHES, other=middle - 100_000),
    ):
        Ladder.objects.update(mode=case.mode)
        Rating.objects.filter(player__in=searchers).update(value=case.rating)
        if case.other is not None:
            Rating.objects.filter(player__in=searchers[::2]).update(value=case.other)
        seconds, told = [], 0
        for _ in range(ROUNDS):
            AlertWish.objects.update(told_at=None)
            Notice.objects.all().delete()
            Ticket.objects.all().delete()
            with connection.cursor() as cursor:
                cursor.execute(_SEARCH, {**keys, "searches": case.searches})
                cursor.execute("VACUUM ANALYZE matchmaking_alertwish")
            begin = time.perf_counter()
            told = tell_of_searches()
            seconds.append(time.perf_counter() - begin)
        name = f"alerts: {WISHES:,} wishes, searches: {case.searches}, {case.name}"
        share = float(np.median(seconds)) / BEAT
        yield Figure(name=name, value=round(100 * share, 2), unit="% of a beat")
        yield Figure(name=f"{name}, told", value=told, unit="players")


def _make_ladder() -> Ladder:
    game = Game.objects.create(slug="alerts", name="Alerts")
    ladder = Ladder.objects.create(game=game, slug="alerts", name="Alerts")
    track = create_track(ladder=ladder, system="elo", parameters={}, period_days=None, shown=True)
    add_rated_players(track, WISHES + SEARCHES)
    return ladder
