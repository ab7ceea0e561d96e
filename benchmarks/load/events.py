"""Events of servers: received in batches and rated, beside a bare COPY of the same rows; and what they take on disk."""

import random
import time
from collections.abc import Iterator
from contextlib import closing

import msgspec
import psycopg
from django.db import connection

from benchmarks.figure import Figure
from benchmarks.period import copy_in, copy_out
from ratings.logs.accept import accept_events
from ratings.logs.given import read_events
from ratings.logs.servers import find_server, obtain_server
from ratings.models import Game, GameServer, Ladder, RatedBy, RatingTrack
from ratings.runs.run import rate_track
from ratings.tracks.parameters import create_track

NAME = "events"
SERVERS = 20
PLAYERS = 16  # on each server
MATCHES = 25  # on each server
FRAGS = 1_000  # of each match
BATCH = 1_000
_MANY = 10_000_000
_TABLES = ("logevent", "logstretch", "logtally", "ratingchange", "matchlog")
_ROWS = (
    "SELECT log_id, player_id, victim_id, at, weight, number, kind, counts, detail, guest, guest_victim"
    " FROM ratings_logevent"
)


def run() -> Iterator[Figure]:
    """Twenty servers tell twenty-five matches of a thousand frags each, in turns, a batch at a time."""
    track, servers = _fill()
    bodies = [*_bodies()]
    frags = SERVERS * MATCHES * FRAGS
    before = _bytes()
    began, reading = time.monotonic(), 0.0
    for slug, body in bodies:
        at = time.monotonic()
        events = read_events(body)
        reading += time.monotonic() - at
        answer = accept_events(servers[slug], events)
        assert not answer.refused, answer.refused
    accepted = time.monotonic() - began
    began = time.monotonic()
    rate_track(track.pk)
    rated = time.monotonic() - began
    peer = _copy()
    events_a_second = {"unit": "events/s", "peer": "bare COPY in of the same rows"}
    yield Figure(
        name=f"events: {frags:,} frags in batches of {BATCH:,}, from JSON to the commit",
        value=round(frags / accepted),
        peer_value=round(frags / peer),
        **events_a_second,
    )
    yield Figure(
        name="events: the same, rated to the commit, matches into the ledger",
        value=round(frags / rated),
        peer_value=round(frags / peer),
        **events_a_second,
    )
    yield Figure(
        name="events: received and rated, one after the other",
        value=round(frags / (accepted + rated)),
        peer_value=round(frags / peer),
        **events_a_second,
    )
    yield Figure(
        name="events: of receiving, reading and checking the JSON",
        value=round(reading / accepted, 3),
        unit="share",
    )
    gigabytes = (_bytes() - before) * _MANY / frags / 1e9
    yield Figure(
        name=f"events: {_MANY:,} frags on disk with tallies, ledger and indexes, reckoned from these",
        value=round(gigabytes, 3),
        unit="GB",
        peer="the aim",
        peer_value=2.0,
    )


def _fill() -> tuple[RatingTrack, dict[str, GameServer]]:
    game = Game.objects.create(slug="bench-events", name="Events", simulated=True)
    ladder = Ladder.objects.create(
        game=game, slug="bench-events", name="Events", rated_by=RatedBy.EVENTS
    )
    track = create_track(ladder=ladder, system="frags", parameters={}, period_days=None, shown=True)
    for number in range(SERVERS):
        obtain_server(ladder, f"s{number}", name=f"Server {number}")
    return track, {f"s{number}": find_server(game, f"s{number}") for number in range(SERVERS)}


def _bodies() -> Iterator[tuple[str, bytes]]:
    """What the servers send, in turns."""
    luck = random.Random(1)
    for match in range(MATCHES):
        told: dict[str, list[dict[str, object]]] = {}
        for server in range(SERVERS):
            players = [f"s{server}-p{one}" for one in range(PLAYERS)]
            name = f"m{match}"
            events: list[dict[str, object]] = []
            for number in range(1, FRAGS + 1):
                killer, victim = luck.sample(players, 2)
                events.append(
                    {
                        "match": name,
                        "number": number,
                        "type": "frag",
                        "at": f"2026-11-30T12:{number // 60 % 60:02}:{number % 60:02}Z",
                        "player": killer,
                        "victim": victim,
                        "weapon": luck.choice(["rocket", "railgun", "shotgun"]),
                    }
                )
            events.append({"match": name, "number": FRAGS + 1, "type": "end"})
            told[f"s{server}"] = events
        for first in range(0, FRAGS + 1, BATCH):
            for slug, events in told.items():
                yield slug, msgspec.json.encode({"events": events[first : first + BATCH]})


def _copy() -> float:
    """Seconds to COPY the rows of all events into a bare table."""
    connection.ensure_connection()
    native: psycopg.Connection[tuple[object, ...]] = connection.connection
    with closing(native.cursor()) as cursor:
        return copy_in(cursor, _ROWS, copy_out(cursor, _ROWS))


def _bytes() -> int:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT sum(pg_total_relation_size(('ratings_' || name)::regclass)) FROM unnest(%s::text[]) AS name",
            [list(_TABLES)],
        )
        return int(cursor.fetchone()[0])
