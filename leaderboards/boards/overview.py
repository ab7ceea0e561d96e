"""Ladders at a glance: who leads, how many play, how fresh it is. A constant number of queries for any number."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any

from django.contrib.postgres.expressions import ArraySubquery
from django.db import connection
from django.db.models import OuterRef, Subquery, Sum
from django.db.models.functions import JSONObject

from foundation import clock
from leaderboards.models import Board, RankBucket, Standing
from leaderboards.visibility import shown_tracks
from ratings.matches.counting import matches_that_count
from ratings.models import OPEN, Game, Ladder, MatchState, RatingTrack, Status

__all__ = ["LadderCard", "activity_now", "cards_of", "games_of"]

LEADERS = 3


_ACTIVITY = """
WITH public(id) AS ({public})
SELECT (SELECT count(*) FROM matchmaking_ticketmember AS member
            JOIN matchmaking_ticket AS ticket ON ticket.id = member.ticket_id
            JOIN matchmaking_queue AS queue ON queue.id = ticket.queue_id
        WHERE member.live AND queue.ladder_id IN (SELECT id FROM public)),
       (SELECT count(*) FROM ratings_match WHERE state IN (%s, %s) AND ladder_id IN (SELECT id FROM public)),
       (SELECT coalesce(sum(today.number), 0)
        FROM public CROSS JOIN LATERAL
            (SELECT count(*) AS number FROM ratings_match
             WHERE ladder_id = public.id AND state = %s
               AND played_at >= date_trunc('day', coalesce(%s::timestamptz, now()), 'UTC')) AS today)
"""


@dataclass(frozen=True, slots=True)
class Leader:
    """One of the best listed players; equal ratings share a rank."""

    rank: int
    player_id: int
    name: str
    looks_alike: bool
    clan_tag: str
    value: float
    provisional: bool

    @property
    def pk(self) -> int:
        """The player's number."""
        return self.player_id


@dataclass(frozen=True, slots=True)
class LadderCard:
    """A ladder, as home and game pages show it. `track` is None while nothing rates it; `matches`: how many count."""

    ladder: Ladder
    track: RatingTrack | None
    leaders: list[Leader]
    players: int
    matches: int
    updated_at: datetime | None

    @property
    def deviations(self) -> float:
        """How many deviations below the rating leaders are shown and ordered by; 0: by the rating."""
        board = getattr(self.track, "board", None)
        return board.deviations if board else 0.0


@dataclass(frozen=True, slots=True)
class GameCards:
    """A game with its public ladders."""

    game: Game
    ladders: list[LadderCard]


@dataclass(frozen=True, slots=True)
class ActivityNow:
    """What goes on at the moment on ranked ladders, over all games.

    Normal mode is left out: where one person searches, a total is that person.
    """

    searching: int
    playing: int
    today: int


def activity_now() -> ActivityNow:
    """Players that search, matches that go on, and matches confirmed since midnight UTC. One query.

    A match goes on until it is decided, as `matchmaking.pages.queue_cards` counts them, too.
    """
    statement, chosen = _activity()
    going_on = [state.value for state in OPEN]
    given = [*chosen, *going_on, MatchState.CONFIRMED.value, clock.replaced()]
    with connection.cursor() as cursor:  # planned by its values: by any, all matches might be read
        cursor.execute(statement, given)
        return ActivityNow(*map(int, cursor.fetchone()))


@cache
def _activity() -> tuple[str, Sequence[Any]]:
    """The statement, and the first of its values."""
    public, chosen = Ladder.objects.public().order_by().values("pk").query.sql_with_params()
    return _ACTIVITY.format(public=public), chosen


def cards_of(
    ladders: Sequence[Ladder], tracks: Mapping[int, RatingTrack] | None = None
) -> list[LadderCard]:
    """A card for each of the ladders, in their order. Three queries; two with their `tracks`, from `shown_tracks`."""
    if tracks is None:
        tracks = shown_tracks(ladders)
    # Of public boards, which are asked for below; see `_listing` in leaderboards.boards.ranking.
    standings = Standing.objects.filter(track=OuterRef("pk"), listed=True)
    shown = JSONObject(
        player_id="player_id",
        value="order_value",
        name="player__name",
        looks_alike="player__looks_alike",
        clan_tag="player__clan_tag",
        status="rating__status",
    )
    ordered = standings.order_by("-order_value", "player_id").values(row=shown)[:LEADERS]
    buckets = RankBucket.objects.filter(track=OuterRef("pk")).values("track")
    totals = buckets.annotate(players=Sum("total")).values("players")
    public = Board.objects.public().filter(track__in=list(tracks.values()))
    found = public.annotate(leading=ArraySubquery(ordered), players=Subquery(totals))
    boards = {board.pk: board for board in found}
    players = {pk: int(getattr(board, "players", None) or 0) for pk, board in boards.items()}
    matches = matches_that_count(ladders)
    leaders = {pk: _ranked(getattr(board, "leading", ())) for pk, board in boards.items()}
    return [
        LadderCard(
            ladder=ladder,
            track=(track := tracks.get(ladder.pk)),
            leaders=leaders.get(track.pk, []) if track else [],
            players=players.get(track.pk, 0) if track else 0,
            matches=matches[ladder.pk],
            updated_at=track.updated_at if track else None,
        )
        for ladder in ladders
    ]


def _ranked(rows: Iterable[Mapping[str, Any]]) -> list[Leader]:
    """The best of a board, in their order, with their ranks."""
    found: list[Leader] = []
    for row in rows:
        value = float(row["value"])
        rank = found[-1].rank if found and found[-1].value == value else len(found) + 1
        is_provisional = row["status"] != Status.ESTABLISHED
        found.append(
            Leader(
                rank=rank,
                player_id=row["player_id"],
                name=row["name"],
                looks_alike=row["looks_alike"],
                clan_tag=row["clan_tag"],
                value=value,
                provisional=is_provisional,
            )
        )
    return found


def games_of(cards: Sequence[LadderCard]) -> list[GameCards]:
    """The cards by game, games in the order of their first card."""
    by_game: dict[int, GameCards] = {}
    for card in cards:
        game = card.ladder.game
        by_game.setdefault(game.pk, GameCards(game, [])).ladders.append(card)
    return list(by_game.values())
