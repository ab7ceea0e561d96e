"""A site with games played, rated and on the board, for the tests of its pages."""

import re
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from foundation import clock
from leaderboards.boards import refresh
from ratings.models import Match, Player, RatingTrack, name_columns
from tests.chance import without_chance
from tests.ratings.arena import DAY, START, Arena, Played, make_arena
from tests.shown import as_shown

__all__ = ["HIDDEN", "HTMX", "Site", "add_players", "count_queries", "make_site", "tells_hidden"]

HTMX = {"HX-Request": "true"}
# Where players begin on tracks that nobody may see: far above the keys of rows, which pages are full of.
HIDDEN = {"start": 97_500.0}
_HIDDEN = re.compile(r"(?<!\d)97[,.\s]?\d{3}(?!\d)")
NAMES = ("Anna", "Björn", "Çelik", "Dmitri", "Ánnika", "Otto")


@dataclass(frozen=True)
class Site:
    """A ladder whose players met each other, and the moment at which it is looked at."""

    arena: Arena
    track: RatingTrack
    matches: list[Match]
    now: datetime

    @property
    def anna(self) -> Player:
        """She won every match."""
        return self.arena.players[0]

    @property
    def address(self) -> str:
        """Of the leaderboard."""
        return f"/ladders/{self.arena.ladder.slug}/"

    def play(self, *played: Played) -> list[Match]:
        """More matches, not rated yet."""
        return self.arena.play(*played)

    def rate(self, *, day: float) -> None:
        """Rate what is due at a day after START, and bring the board up to date."""
        self.arena.rate(self.track, day=day)
        with clock.at(START + day * DAY):
            refresh.refresh(self.track.pk)

    def get(self, address: str, headers: dict[str, str] | None = None) -> Any:
        """What the page answers at the moment of the site."""
        with clock.at(self.now):
            return Client().get(address, headers=headers)

    def text(self, address: str, headers: dict[str, str] | None = None) -> str:
        """The page as it is shown; it must be there."""
        answer = self.get(address, headers)
        assert answer.status_code == 200, answer.content.decode()[:500]
        return as_shown(answer.content.decode())


def make_site(
    *,
    players: int = 4,
    rounds: int = 2,
    system: str = "glicko",
    days: float | None = 7.0,
    rated: bool = True,
    shown: bool = True,
    own: dict[str, float] | None = None,
    **rules: Any,
) -> Site:
    """Everyone meets everyone `rounds` times, once a day and pair; the earlier in the list wins."""
    # in a pool so small every game counts towards "established"
    arena = make_arena(players, **{"pool_minimum": 100, **rules})
    for number, player in enumerate(arena.players):
        player.call(NAMES[number] if number < len(NAMES) else f"Player {number}")
    Player.objects.bulk_update(arena.players, ["name", "skeleton", "search_keys"])
    # a few games make nobody certain: this lets them be listed all the same
    listed = {"provisional_deviation": 300.0} if system == "glicko" else {}
    track = arena.track(system, days=days, shown=shown, **{**listed, **(own or {})})
    pairs = [(a, b) for a in range(players) for b in range(a + 1, players)]
    history = [
        Played(day=number * 0.9, first=a, second=b, score=1.0)
        for number, (a, b) in enumerate(pairs * rounds)
    ]
    matches = arena.play(*history)
    last = history[-1].day if history else 0
    site = Site(arena, track, matches, START + (last + 8) * DAY)
    if rated:
        site.rate(day=last + 7.5)
    return site


def add_players(site: Site, count: int) -> None:
    """More players, who have not played yet."""
    names = [f"Newcomer {number}" for number in range(count)]
    more = Player.objects.bulk_create(
        Player(game=site.arena.game, external_id=name, **name_columns(name)) for name in names
    )
    site.arena.players = [*site.arena.players, *more]


def tells_hidden(text: str) -> bool:
    """Whether a rating that began at `HIDDEN` stands in a page, however it is written."""
    return _HIDDEN.search(without_chance(text)) is not None


def count_queries(site: Site, address: str, headers: dict[str, str] | None = None) -> int:
    """How many queries a page needs."""
    with CaptureQueriesContext(connection) as queries:
        site.text(address, headers)
    return len(queries)
