"""How a site grows: the same work on ladders of 10,000 to 10,000,000 matches, and how fast each figure grows with them.

    python -m benchmarks.growth [--most 10000000] [--svg FILE]

Prints one JSON object a size, then one a figure with its exponent: time ~ matches^exponent from each size to the
next, where 1 is in proportion, and n log n is 1.05 to 1.08. Each ladder is what `manage.py make_sample` makes, with a
tenth as many players as matches, on one pair of servers as in production, where all of them stay. With 10,000,000 it
takes an hour.
"""

import argparse
import json
import math
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

from benchmarks.__main__ import servers, use

FIRST, STEP, LOOKS, SEARCHING = 10_000, 10, 5, 1_000
_DRAWN = (
    "make_sample",
    "rate all in periods",
    "an early match annulled",
    "sweep",
    "page, leaderboard around a player",
    "one more match rated",
)

_TICKETS = """
WITH players AS (
    SELECT player_id, row_number() OVER () AS number
    FROM (SELECT player_id FROM ratings_rating WHERE track_id = %(track)s ORDER BY random() LIMIT %(most)s) AS chosen
), made AS (
    INSERT INTO matchmaking_ticket (queue_id, state, waiting_since, seen_at)
    SELECT %(queue)s, 'waiting', now() - random() * interval '30 seconds', now() FROM players RETURNING id
), numbered AS (SELECT id, row_number() OVER () AS number FROM made)
INSERT INTO matchmaking_ticketmember (ticket_id, player_id, live)
SELECT numbered.id, players.player_id, true FROM numbered JOIN players USING (number)
"""
_SIZE = "SELECT pg_database_size(current_database())"


def main(arguments: list[str]) -> int:
    """Measure each size on new servers."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.growth")
    parser.add_argument("--most", type=int, default=10_000_000, help="matches of the largest site")
    parser.add_argument("--svg", type=Path, metavar="FILE", help="draw the figures in seconds")
    given = parser.parse_args(arguments)
    found: list[dict[str, float]] = []
    with servers() as words:
        use(words)
        size = FIRST
        while size <= given.most:
            found.append({"matches": size, **_measure(size)})
            print(json.dumps(found[-1]), flush=True)
            size *= STEP
    for name in found[0]:
        if name != "matches":
            print(json.dumps({"figure": name, "exponents": list(_exponents(found, name))}))
    if given.svg:
        given.svg.write_text(_draw(found), encoding="utf-8")
    return 0


def _draw(found: list[dict[str, float]]) -> str:
    """Seconds over matches, both in powers of ten."""
    from matchmaking.preview.svg_chart import Axis, Series, draw_lines

    lines = [
        Series(name, [(one["matches"], one[f"{name}, s"]) for one in found]) for name in _DRAWN
    ]
    ends = "; ".join(
        f"{line.name}: from {line.points[0][1]} to {line.points[-1][1]}" for line in lines
    )
    return draw_lines(
        "How a site grows",
        f"{ends}.",
        Axis("matches", is_logarithmic=True),
        Axis("seconds", is_logarithmic=True),
        lines,
    )


def _exponents(found: list[dict[str, float]], name: str) -> Iterator[float]:
    for less, more in pairwise(found):
        yield round(math.log(more[name] / less[name]) / math.log(STEP), 2)


def _measure(size: int) -> dict[str, float]:
    """Seconds of each kind of work, and bytes a match, on a site of so many matches."""
    from django.core.management import call_command
    from django.db import connection, transaction

    from foundation import clock
    from leaderboards.boards import refresh
    from matchmaking.models import Queue, TicketMember
    from matchmaking.sweep.run import run_queue
    from ratings.management.catch_up import catch_up
    from ratings.matches.decide import annul
    from ratings.matches.start import start_matches
    from ratings.models import Ladder, Match, Participant, Rating
    from ratings.runs.run import due_replays, rate_track
    from ratings.tracks.parameters import create_track

    figures: dict[str, float] = {}

    def note(name: str, work: Callable[[], object]) -> None:
        began = time.perf_counter()
        work()
        figures[name] = round(time.perf_counter() - began, 4)

    def occupied() -> int:
        with connection.cursor() as cursor:
            cursor.execute(_SIZE)
            return int(cursor.fetchone()[0])

    before, slug = occupied(), f"growth-{size}"
    chosen = {"players": size // 10, "matches": size, "system": "elo", "slug": slug, "verbosity": 0}
    note("make_sample, s", lambda: call_command("make_sample", **chosen))
    ladder = Ladder.objects.get(slug=slug)
    figures["disk, bytes a match"] = round((occupied() - before) / size)
    shown = ladder.tracks.get()
    with transaction.atomic():
        periods = create_track(
            ladder=ladder, system="glicko", parameters={}, period_days=30.0, shown=False
        )
    note("rate all in periods, s", lambda: rate_track(periods.pk))
    figures |= _pages(ladder, shown)

    queue = Queue.objects.create(ladder=ladder, slug=slug, name="Growth")
    with connection.cursor() as cursor:
        given = {"track": shown.pk, "queue": queue.pk, "most": min(SEARCHING, size // 20)}
        cursor.execute(_TICKETS, given)
    note("sweep, s", lambda: run_queue(queue.pk))

    def one_more() -> None:
        searching = TicketMember.objects.filter(live=True).values("player_id")
        free = Rating.objects.filter(track=shown).exclude(player__in=searching)
        one, other = free.order_by("pk").values_list("player_id", flat=True)[:2]
        (match,) = start_matches(ladder=ladder, line_ups=[([one], [other])])
        Participant.objects.filter(match=match).update(rank=0, playing=False)
        Match.objects.filter(pk=match).update(
            state="confirmed", confirmed_at=clock.now(), due_at=None
        )
        rate_track(shown.pk)
        refresh.refresh(shown.pk)

    note("one more match rated, s", one_more)
    first = Match.objects.get(ladder=ladder, ladder_seq=size // 100)

    def take_back() -> None:
        annul(match_id=first.pk, by=None, note="growth")
        for track in due_replays():
            rate_track(track)
        catch_up(ladder, quiet=True)

    note("an early match annulled, s", take_back)
    return figures


def _pages(ladder: Any, track: Any) -> dict[str, float]:
    """Seconds of each page that nobody has seen yet."""
    from django.conf import settings
    from django.test import Client, override_settings

    from foundation.kept_pages import forget_pages
    from ratings.models import Match, Rating

    busiest = Rating.objects.filter(track=track).order_by("-games").values_list("player_id")[0][0]
    match = Match.objects.filter(ladder=ladder).order_by("-ladder_seq").values_list("pk")[0][0]
    board = ladder.get_absolute_url()
    pages = {
        "home": "/",
        "game": f"/games/{ladder.game.slug}/",
        "leaderboard": board,
        "leaderboard around a player": f"{board}?player={busiest}",
        "player with most games": f"/players/{busiest}/",
        "match": f"/matches/{match}/",
        "search": "/search/?q=sample+77",
    }
    storages = {
        **settings.STORAGES,
        "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
    }
    found, client = {}, Client(headers={"host": "localhost"})
    with override_settings(STORAGES=storages):
        for name, address in pages.items():
            times = []
            for _ in range(LOOKS + 1):  # the first reads templates and plans
                forget_pages()
                began = time.perf_counter()
                answer = client.get(address)
                times.append(time.perf_counter() - began)
                if answer.status_code != 200:
                    raise RuntimeError(f"{address} answered {answer.status_code}")
            found[f"page, {name}, s"] = round(statistics.median(times[1:]), 4)
    return found


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
