"""One game with a queue of every shape, and its players: made once, emptied before each run."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from django.db import connection

from accounts.models import User
from foundation import clock
from matchmaking.models import Queue
from ratings.models import Game, Ladder, Mode, Player, Rating
from ratings.tracks.parameters import create_track
from tests.emptying import put_back, rows_by_table
from tests.ratings.plain import NOON, PLAIN

__all__ = ["PLAYERS", "SHAPES", "World", "make_world"]

PLAYERS = 6
_APART = 45.0  # rating points from one player to the next
_COMMON: dict[str, Any] = {
    "accept_seconds": 10,
    "heartbeat_seconds": 60,
    "gap_per_second": 2.0,
}
# Teams, players in each, and what is special about the queue. Only the first looks at ratings and languages closely.
SHAPES: dict[str, tuple[int, int, dict[str, Any]]] = {
    "duel": (
        2,
        1,
        {"gap_start": 50.0, "gap_cap": 150.0, "settings": {"language": {"use": "must"}}},
    ),
    "blitz": (2, 1, {"gap_start": 400.0, "accepts_by_itself": True}),
    "pairs": (2, 2, {"gap_start": 400.0}),
    "three": (3, 1, {"gap_start": 400.0, "accepts_by_itself": True}),
}
_TRUESKILL = {"start": 1500.0, "deviation_start": 300.0, "beta": 200.0, "tau": 4.0}
# Everybody who is free, each alone.
_FILL = """
WITH free AS MATERIALIZED (
    SELECT player.id, nextval(pg_get_serial_sequence('matchmaking_ticket', 'id')) AS ticket
    FROM ratings_player AS player
    WHERE NOT EXISTS (SELECT FROM matchmaking_ticketmember WHERE player_id = player.id AND live)
      AND NOT EXISTS (SELECT FROM ratings_participant WHERE player_id = player.id AND playing)
      AND NOT EXISTS (SELECT FROM rooms_roommember WHERE player_id = player.id AND live AND seat IS NOT NULL)
      AND NOT EXISTS (SELECT FROM matchmaking_conductstanding WHERE player_id = player.id AND cooling_until > %(now)s)
    ORDER BY player.id
), tickets AS (
    INSERT INTO matchmaking_ticket (id, queue_id, state, waiting_since, seen_at)
    SELECT ticket, %(queue)s, 'waiting', %(now)s, %(now)s FROM free
), members AS (
    INSERT INTO matchmaking_ticketmember (ticket_id, player_id, live) SELECT ticket, id, true FROM free
)
SELECT ticket FROM free
"""


@dataclass
class World:
    """Who is there, what time it is, and what has been acknowledged.

    rows       what each table begins with, as JSON
    seconds    since NOON
    began      when each acknowledged search began, by ticket
    cancelled  tickets of which somebody was told that they are cancelled
    matched    tickets of which somebody was told that the match won
    wrong      what was found wrong in this run
    """

    queues: list[Queue]
    players: list[Player]
    operator: User
    rows: Mapping[str, str]
    seconds: float = 0.0
    began: dict[int, datetime] = field(default_factory=dict)
    cancelled: set[int] = field(default_factory=set)
    matched: set[int] = field(default_factory=set)
    wrong: list[str] = field(default_factory=list)

    @property
    def now(self) -> datetime:
        return NOON + timedelta(seconds=self.seconds)

    @contextmanager
    def at_now(self) -> Iterator[None]:
        with clock.at(self.now):
            yield

    def number(self, player_id: int) -> int:
        """The place of a player in the order of strength."""
        return next(place for place, one in enumerate(self.players) if one.pk == player_id)

    def note(self, words: str) -> None:
        """Keep what was found wrong: what comes at once need not happen again when it is tried again."""
        self.wrong.append(words)

    def fill(self, queue: Queue) -> None:
        """Let everybody wait there who is free to, as if each had just joined; by joining this would take ten times
        as long, and joining is tried elsewhere.
        """
        with connection.cursor() as cursor:
            cursor.execute(_FILL, {"queue": queue.pk, "now": self.now})
            self.began |= {ticket: self.now for (ticket,) in cursor.fetchall()}

    def told(self) -> dict[str, Any]:
        """What was acknowledged, as the questions to the database name it."""
        return {
            "cancelled": list(self.cancelled),
            "matched": list(self.matched),
            "joined": list(self.began),
            "since": list(self.began.values()),
        }

    def clean(self) -> None:
        """Begin anew with nobody searching, and everything else as it was: a run leaves nothing to the next."""
        self.seconds = 0.0
        self.began, self.cancelled, self.matched = {}, set(), set()
        put_back(self.rows)


def make_world() -> World:
    """Make the game with its queues and players, who have ratings in every ladder."""
    game = Game.objects.create(slug="anything", name="Anything")
    players = Player.objects.bulk_create(
        Player(game=game, external_id=f"p{n}", name=f"p{n}", skeleton=f"p{n}")
        for n in range(PLAYERS)
    )
    operator = User.objects.create_user("operator", "operator@example.org", "difference")
    queues = [_make_queue(game, name, players) for name in SHAPES]
    return World(queues, list(players), operator, rows_by_table())


def _make_queue(game: Game, name: str, players: list[Player]) -> Queue:
    count, size, special = SHAPES[name]
    ladder = Ladder.objects.create(
        game=game, slug=name, name=name, mode=Mode.RANKED, team_count=count, team_size=size
    )
    is_duel = (count, size) == (2, 1)
    system, parameters = ("elo", {}) if is_duel else ("trueskill", _TRUESKILL)
    with clock.at(NOON):
        track = create_track(
            ladder=ladder, system=system, parameters=parameters, period_days=None, shown=True
        )
    plain = {**PLAIN, "deviation": None if is_duel else 100.0, "revision": 1}
    Rating.objects.bulk_create(
        Rating(track=track, player=player, value=1400 + _APART * n, **plain)
        for n, player in enumerate(players)
    )
    given = {**_COMMON, **special}
    given["settings"] = {"rematch": {"use": "off"}, **given.get("settings", {})}
    return Queue.objects.create(ladder=ladder, slug=name, name=name, **given)
