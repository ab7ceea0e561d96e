"""Ladders at a glance: who leads, how many play, how fresh it is. A constant number of queries for any number."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import Count, OuterRef, Subquery, Sum

from leaderboards.models import Board, RankBucket, Standing
from leaderboards.visibility import shown_tracks
from matchmaking.models import TicketMember
from ratings.models import Game, Ladder, Match, MatchState, RatingTrack, Status

__all__ = ["LadderCard", "activity_now", "cards_of", "games_of"]

LEADERS = 3


@dataclass(frozen=True, slots=True)
class Leader:
    """One of the best listed players; equal ratings share a rank."""

    rank: int
    player_id: int
    name: str
    looks_alike: bool
    value: float
    provisional: bool

    @property
    def pk(self) -> int:
        """The player's number."""
        return self.player_id


@dataclass(frozen=True, slots=True)
class LadderCard:
    """A ladder, as home and game pages show it. `track` is None while nothing rates it."""

    ladder: Ladder
    track: RatingTrack | None
    leaders: list[Leader]
    players: int
    updated_at: datetime | None

    @property
    def matches(self) -> int:
        """Matches in the ladder's sequence."""
        return self.ladder.last_seq


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


def activity_now(now: datetime) -> ActivityNow:
    """Players that search, matches being played, and matches confirmed since midnight UTC. Three queries."""
    midnight = now.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    today = Match.objects.filter(
        ladder=OuterRef("pk"), state=MatchState.CONFIRMED, played_at__gte=midnight
    )
    counted = today.order_by().values("ladder").annotate(number=Count("pk")).values("number")
    public = Ladder.objects.public()
    found = public.aggregate(today=Sum(Subquery(counted), default=0))
    searching = TicketMember.objects.filter(live=True, ticket__queue__ladder__in=public)
    playing = Match.objects.filter(state=MatchState.PLAYING, ladder__in=public)
    return ActivityNow(searching=searching.count(), playing=playing.count(), today=found["today"])


def cards_of(ladders: Sequence[Ladder]) -> list[LadderCard]:
    """A card for each of the ladders, in their order. Three queries."""
    tracks = shown_tracks(ladders)
    standings = Standing.objects.filter(track=OuterRef("pk"), listed=True)
    ordered = standings.order_by("-order_value", "player_id").values("pk")[:LEADERS]
    buckets = RankBucket.objects.filter(track=OuterRef("pk")).values("track")
    totals = buckets.annotate(players=Sum("total")).values("players")
    public = Board.objects.public().filter(track__in=list(tracks.values()))
    found = public.annotate(leading=ArraySubquery(ordered), players=Subquery(totals))
    boards = {board.pk: board for board in found}
    players = {pk: int(getattr(board, "players", None) or 0) for pk, board in boards.items()}
    rows = (
        Standing.objects.public()
        .filter(pk__in=[pk for board in boards.values() for pk in getattr(board, "leading", ())])
        .order_by("track_id", "-order_value", "player_id")
        .values_list(
            "track_id",
            "player_id",
            "order_value",
            "player__name",
            "player__looks_alike",
            "rating__status",
        )
    )
    leaders: dict[int, list[Leader]] = {}
    for track_id, player_id, value, name, alike, status in rows:
        above = leaders.setdefault(track_id, [])
        rank = above[-1].rank if above and above[-1].value == value else len(above) + 1
        above.append(Leader(rank, player_id, name, alike, value, status != Status.ESTABLISHED))
    return [
        LadderCard(
            ladder=ladder,
            track=(track := tracks.get(ladder.pk)),
            leaders=leaders.get(track.pk, []) if track else [],
            players=players.get(track.pk, 0) if track else 0,
            updated_at=track.updated_at if track else None,
        )
        for ladder in ladders
    ]


def games_of(cards: Sequence[LadderCard]) -> list[GameCards]:
    """The cards by game, games in the order of their first card."""
    by_game: dict[int, GameCards] = {}
    for card in cards:
        game = card.ladder.game
        by_game.setdefault(game.pk, GameCards(game, [])).ladders.append(card)
    return list(by_game.values())
