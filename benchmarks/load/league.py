"""A game with a rated ladder, matches that are being played, tickets that wait, and those who may speak for them."""

import time
from dataclasses import dataclass
from datetime import timedelta

from django.db import connection

from api.auth.issue import issue_key, issue_token
from api.auth.scopes import PLAYER_SCOPES, SERVER_SCOPES
from benchmarks.load.rated_players import add_rated_players
from foundation import clock
from leaderboards.boards import refresh
from matchmaking.models import Queue, Ticket, TicketMember, TicketState
from ratings.matches.start import start_matches
from ratings.models import Game, Ladder, Player, RatingTrack
from ratings.tracks.parameters import create_track

__all__ = ["League", "make_league"]

_BATCH = 1000


@dataclass(frozen=True)
class League:
    """matches  ids with the two players' ids in the game      waiting  ids of tickets
    free     players who neither play nor search              tokens   of players in matches
    """

    slug: str
    key: str
    tokens: list[str]
    matches: list[tuple[int, str, str]]
    waiting: list[int]
    free: list[str]


def make_league(*, matches: int, waiting: int, free: int, streams: int) -> League:
    """Fill the database."""
    game = Game.objects.create(slug=f"bench-{time.time_ns()}", name="Benchmark")
    ladder = Ladder.objects.create(game=game, slug=game.slug, name="Benchmark")
    track = create_track(ladder=ladder, system="glicko", parameters={}, period_days=30, shown=True)
    _add_players(track, 2 * matches + waiting + free)
    players = list(Player.objects.filter(game=game).order_by("pk").values_list("pk", "external_id"))
    playing, others = players[: 2 * matches], players[2 * matches :]
    queue = Queue.objects.create(
        ladder=ladder, slug=game.slug, name="Benchmark", heartbeat_seconds=3600
    )
    league = League(
        slug=game.slug,
        key=issue_key(game=game, name="benchmark", scopes=list(SERVER_SCOPES))[1],
        tokens=[_token(pk) for pk, _name in playing[-streams:]],
        matches=_begin(ladder, playing),
        waiting=_wait(queue, [pk for pk, _name in others[:waiting]]),
        free=[name for _pk, name in others[waiting:]],
    )
    with connection.cursor() as cursor:
        cursor.execute("VACUUM (ANALYZE)")
    return league


def _add_players(track: RatingTrack, number: int) -> None:
    add_rated_players(track, number)
    track.revision = 1
    track.save(update_fields=["revision"])
    refresh.refresh(track.pk)


def _begin(ladder: Ladder, players: list[tuple[int, str]]) -> list[tuple[int, str, str]]:
    pairs = list(zip(players[::2], players[1::2], strict=True))
    ids: list[int] = []
    for start in range(0, len(pairs), _BATCH):
        line_ups = [([one[0]], [other[0]]) for one, other in pairs[start : start + _BATCH]]
        ids += start_matches(ladder=ladder, line_ups=line_ups)
    return [(pk, one[1], other[1]) for pk, (one, other) in zip(ids, pairs, strict=True)]


def _wait(queue: Queue, players: list[int]) -> list[int]:
    """Tickets that wait, where others have found a match lately: what polls estimate by."""
    now = clock.now()
    Ticket.objects.bulk_create(
        Ticket(
            queue=queue,
            state=TicketState.MATCHED,
            waiting_since=now - timedelta(seconds=number % 60 + 1),
            seen_at=now,
            ended_at=now,
            rating=1200.0 + number,
        )
        for number in range(600)
    )
    tickets = Ticket.objects.bulk_create(
        Ticket(queue=queue, waiting_since=now, seen_at=now) for _ in players
    )
    TicketMember.objects.bulk_create(
        TicketMember(ticket=ticket, player_id=player)
        for ticket, player in zip(tickets, players, strict=True)
    )
    return [ticket.pk for ticket in tickets]


def _token(player: int) -> str:
    return issue_token(
        player=Player.objects.get(pk=player), name="stream", scopes=list(PLAYER_SCOPES)
    )[1]
