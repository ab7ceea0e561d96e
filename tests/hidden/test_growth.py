"""Pages need as many queries for many rows as for few: every address, as its visitors see it."""

from datetime import timedelta

import pytest
from django.core.cache import cache
from django.db import connection
from django.test.utils import CaptureQueriesContext

from api.auth.issue import issue_token
from api.auth.scopes import Scope
from leaderboards.boards import refresh
from matchmaking.models import Offer, OfferTicket, Queue, Ticket, TicketMember
from ratings.models import Game, Ladder, Match, Mode, Participant, Player, Rating, Report
from ratings.tracks.parameters import create_track
from tests.hidden.surfaces import (
    addresses,
    ask,
    concerns,
    is_for_all_times,
    is_for_staff,
    routes,
    visitors,
)
from tests.hidden.theatre import ACTS, NOON, Theatre, make_theatre

pytestmark = pytest.mark.django_db(transaction=True)
LOOKERS = ("nobody", "a player", "a player's token", "the game's server")
# What comes by itself: a session that is written anew, a page more to link to.
SLACK = 2


def grow(theatre: Theatre, name: str, count: int) -> None:
    """So many more of everything that a list can hold."""
    game, ladder, anna = theatre.game, theatre.ladder, theatre.people["Anna"].player
    players = Player.objects.bulk_create(
        Player(game=game, external_id=f"{name}{n}", name=f"an {name}{n}", skeleton=f"an {name}{n}")
        for n in range(count)
    )
    Rating.objects.bulk_create(
        Rating(track=theatre.track, player=player, value=1000.0 + n, **RATED)
        for n, player in enumerate(players)
    )
    theatre.track.refresh_from_db()
    theatre.track.revision += 1
    theatre.track.save(update_fields=["revision"])
    Rating.objects.filter(player__in=players).update(revision=theatre.track.revision)
    refresh.relist(theatre.track.pk)
    _add_matches(ladder, anna, players, name)
    _add_searches(theatre.queue, players)
    for n, player in enumerate(players):
        issue_token(player=anna, name=f"{name}{n}", scopes=[Scope.READ])
        Game.objects.create(slug=f"{name}-{n}", name=f"{name}{n}")
        more = Ladder.objects.create(game=game, slug=f"more-{name}-{n}", name=f"{name}{n}")
        # Anna does not play there: for each ladder that a player plays, ranks take some queries more.
        create_track(ladder=more, system="elo", parameters={}, period_days=None, shown=True)
        Queue.objects.create(ladder=more, slug=f"{name}-{n}", name=player.name)


RATED = {
    "deviation": 50.0,
    "as_of": NOON,
    "games": 40,
    "counted": 40,
    "wins": 20,
    "draws": 10,
    "losses": 10,
    "status": 2,
    "last_played_at": NOON,
    "revision": 1,
}


def _add_matches(ladder: Ladder, anna: Player, players: list[Player], name: str) -> None:
    matches = Match.objects.bulk_create(
        Match(
            ladder=ladder,
            game=ladder.game,
            external_id=f"{name}{n}",
            state="confirmed",
            played_at=NOON,
            confirmed_at=NOON,
        )
        for n in range(len(players))
    )
    for team in (0, 1):
        Participant.objects.bulk_create(
            Participant(match=match, player=player if team else anna, team=team, rank=team)
            for match, player in zip(matches, players, strict=True)
        )
    Report.objects.bulk_create(Report(match=one, player=anna, outcome="won") for one in matches)


def _add_searches(queue: Queue, players: list[Player]) -> None:
    """Half of them are offered a match."""
    tickets = Ticket.objects.bulk_create(
        Ticket(queue=queue, waiting_since=NOON, seen_at=NOON, state="offered") for _ in players
    )
    TicketMember.objects.bulk_create(
        TicketMember(ticket=ticket, player=player)
        for ticket, player in zip(tickets, players, strict=True)
    )
    pairs = list(zip(tickets[::2], tickets[1::2], strict=True))
    offers = Offer.objects.bulk_create(
        Offer(queue=queue, created_at=NOON, expires_at=NOON + timedelta(seconds=20)) for _ in pairs
    )
    OfferTicket.objects.bulk_create(
        OfferTicket(offer=offer, ticket=ticket, team=team)
        for offer, pair in zip(offers, pairs, strict=True)
        for team, ticket in enumerate(pair)
    )


def count_everywhere(theatre: Theatre) -> dict[str, int]:
    """Queries by address and visitor."""
    counts = {}
    cache.clear()  # or the one count has what the other finds grown old
    with theatre.at_now():
        for route in routes():
            if is_for_staff(route) or is_for_all_times(route):
                continue
            for address in addresses(route, theatre):
                for visitor in visitors(theatre):
                    if visitor.name not in LOOKERS or not concerns(visitor, address):
                        continue
                    with CaptureQueriesContext(connection) as queries:
                        ask(visitor, address)
                    counts[f"{address} as {visitor.name}"] = len(queries)
    return counts


@pytest.mark.full
def test_more_rows_need_no_more_queries() -> None:
    theatre = make_theatre(Mode.RANKED)
    with theatre.at_now():
        ACTS["searching"](theatre)
        grow(theatre, "a", 4)
        few = count_everywhere(theatre)
        grow(theatre, "b", 20)
        many = count_everywhere(theatre)
    assert sum(few.values()) > 500
    assert {at: (few[at], many[at]) for at in few if many[at] > few[at] + SLACK} == {}
