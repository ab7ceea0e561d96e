"""A pool of players who have played a ladder, with ratings that follow from their results."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta

import numpy as np
from django.db import connection

from foundation import clock
from matchmaking.alerts.send import tell_of_searches
from matchmaking.models import AlertWish, Queue
from matchmaking.pairing.nearness import Nearness
from matchmaking.tickets.lifecycle import cancel, join
from ratings.matches.played_match import PlayedMatch
from ratings.matches.record import record_results
from ratings.models import Ladder, Match, Mode, Player, Rating
from ratings.runs import run as runs
from ratings.runs.sequence import sequence_confirmed
from ratings.tracks.parameters import create_track
from rooms.coming import watch
from rooms.lifecycle import open_room
from tests.hidden.theatre import ACTS, NOON, Theatre, make_theatre

__all__ = ["Pool", "make_pool"]

# Differences between players, in points of Elo: as wide as those of a large site.
_SPREAD = 250.0
_BATCH = 500
_LETTERS = "bcdfghjklmnpqrstvwxz"


@dataclass(frozen=True, slots=True)
class Pool:
    """The play with its pool, whose first player, Otto, sees what players see."""

    theatre: Theatre
    players: list[Player]
    results: list[PlayedMatch]

    def record(self) -> None:
        """Let the game's server tell of all matches, and rate them."""
        ladder = self.theatre.ladder
        with self.theatre.at_now():
            for start in range(0, len(self.results), _BATCH):
                batch = self.results[start : start + _BATCH]
                answers = record_results(game=self.theatre.game, results=batch)
                assert all(answer.is_new for answer in answers)
            sequence_confirmed(ladder.pk)
            runs.rate_track(self.theatre.track.pk)
            self._open_rooms()
        self._tell_of_searches()
        self.theatre.matches[:] = ladder.matches.order_by("pk").values_list("pk", flat=True)

    def _open_rooms(self) -> None:
        """Half of them have a room, with filters, in which others sit or look on: lists name them in some order, and
        say why somebody may not come in.
        """
        ladder = self.theatre.ladder
        hosts, guests = self.players[1::2], self.players[2::2]
        for number, (host, guest) in enumerate(zip(hosts, guests, strict=False)):
            filters = {"languages": ["de"]} if number % 2 else {"conduct": True}
            room = open_room(
                player=host, ladder=ladder, settings={"name": "Room", "filters": filters}
            )
            watch(room_id=room.pk, player=host)  # who only looks on can be in matches, too
            if number % 3 == 0:
                watch(room_id=room.pk, player=guest)

    def _tell_of_searches(self) -> None:
        """Everybody wants to be told of searches, Otto too; and three of them search."""
        now, queue = self.theatre.now, self.theatre.queue
        AlertWish.objects.bulk_create(
            AlertWish(player=player, queue=queue, near=Nearness.ANYBODY) for player in self.players
        )
        with clock.at(now - timedelta(seconds=20)):
            searches = [join(queue=queue, player=player).pk for player in self.players[1:4]]
        with self.theatre.at_now():
            assert tell_of_searches() > 0
            for ticket in searches:
                cancel(ticket_id=ticket)

    def hidden_values(self) -> list[float]:
        """What nobody may learn, in the order of players."""
        ratings = Rating.objects.filter(track=self.theatre.track)
        values = dict(ratings.values_list("player", "value"))
        return [values[player.pk] for player in self.players]


def make_pool(mode: Mode, *, players: int, rounds: int, seed: int = 1) -> Pool:
    """Set up so many players, each of whom has a match in every round; nothing is told of them yet."""
    chance = np.random.default_rng(seed)
    theatre = make_theatre(mode)
    with theatre.at_now():
        ACTS["searching"](theatre)
    ladder = Ladder.objects.create(game=theatre.game, slug="pool", name="Pool", mode=mode)
    queue = Queue.objects.create(ladder=ladder, slug="pool", name="Pool")
    with clock.at(NOON - timedelta(days=100)):
        track = create_track(
            ladder=ladder,
            system="elo",
            parameters={},
            period_days=None,
            shown=True,
        )
    theatre.ladder, theatre.track, theatre.queue = ladder, track, queue
    otto = theatre.people["Otto"].player
    _begin_keys_high()
    names = list(_names(chance, players - 1))
    others = [Player(game=theatre.game, external_id=f"id{name}") for name in names]
    for player, name in zip(others, names, strict=True):
        player.call(name)
    Player.objects.bulk_create(others)
    pool = [otto, *others]
    strengths = chance.normal(0, _SPREAD, players)
    return Pool(theatre, pool, list(_results(chance, pool, strengths, rounds)))


def _begin_keys_high() -> None:
    """Let keys of the pool's players and matches be numbers that stand nowhere else."""
    with connection.cursor() as cursor:
        for table in (Player._meta.db_table, Match._meta.db_table):
            cursor.execute("SELECT setval(pg_get_serial_sequence(%s, 'id'), 7000000)", [table])


def _names(chance: np.random.Generator, count: int) -> Iterator[str]:
    """Words that stand on no page by themselves. They begin alike, so that one search finds them all."""
    known = set[str]()
    while len(known) < count:
        name = "A" + "".join(chance.choice(list(_LETTERS), 8))
        if name not in known:
            known.add(name)
            yield name


def _results(
    chance: np.random.Generator, pool: Sequence[Player], strengths: np.ndarray, rounds: int
) -> Iterator[PlayedMatch]:
    """Everybody plays once a round, against anybody; who wins is drawn as Elo says."""
    for number in range(rounds):
        order = chance.permutation(len(pool))
        for first, second in order.reshape(-1, 2).tolist():
            expected = 1 / (1 + 10 ** ((strengths[second] - strengths[first]) / 400))
            has_won = chance.random() < expected
            yield PlayedMatch(
                ladder="pool",
                external_id=f"r{number}-{first}-{second}",
                teams=[[pool[first].external_id], [pool[second].external_id]],
                ranks=[0, 1] if has_won else [1, 0],
                played_at=NOON - timedelta(days=rounds - number),
            )
