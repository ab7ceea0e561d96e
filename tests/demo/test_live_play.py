"""Simulated players on a running site: through its real API, with real sweeps, in a hurry."""

import asyncio
import random
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, TypeVar

import pytest
from asgiref.sync import sync_to_async
from django.db import connections
from pytest_django.live_server_helper import LiveServer

from api.models import ServerKey
from demo.management.commands.demo_play import server_key
from demo.maps import MAPS, side_worth
from demo.play import crowd, player
from demo.play.client import Client, RateLimit, RefusalError
from demo.play.crowd import Crowd, load_roster, open_queues, paired_queues
from demo.play.player import World
from demo.play.truth import MatchTruth
from demo.play.waiting_people import see_waiting
from demo.season.season import make_season
from matchmaking.models import Queue, Ticket, TicketMember
from matchmaking.offers import answer as offers
from matchmaking.refusals import OfferOverError
from matchmaking.sweep.run import queues_with_work, run_queue
from matchmaking.tickets import lifecycle
from matchmaking.tickets.status import look
from ratings.matches import report
from ratings.models import Game, Match, MatchState, Outcome, Participant, Player, Rating, Report

pytestmark = pytest.mark.django_db(transaction=True)

T = TypeVar("T")
HURRY = 20.0
# Seconds of a player between two looks at the own ticket: in a hurry most of the work would be looks that see nothing.
LOOKS = (5.0, 7.0)
LONGEST = 600.0  # seconds, on a machine that has much else to do


@dataclass
class League:
    """A small league whose players are online while `run` waits for something."""

    url: str
    online: int = 8
    key: str = field(default_factory=server_key)
    is_social: bool = False

    def run(self, until: Callable[[], Any]) -> None:
        """Let them play until `until` returns something true."""
        asyncio.run(self._run(until))

    async def _run(self, until: Callable[[], Any]) -> None:
        roster, queues = await sync_to_async(load_roster)(), await sync_to_async(open_queues)()
        api = Client(self.url, self.key, rate_limit=RateLimit(200.0, burst=20))
        paired = await sync_to_async(paired_queues)()
        world = World(
            api, roster, queues, seed=1, hurry=HURRY, paired=paired, social=self.is_social
        )
        everyone = Crowd(world, random.Random(1), fewest=self.online, most=self.online)
        task = asyncio.create_task(everyone.live())
        try:
            async with asyncio.timeout(LONGEST):
                while not await sync_to_async(_sweep_and)(until):
                    if task.done():
                        task.result()
                    await asyncio.sleep(0.1)
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
            await api.close()
            await sync_to_async(connections.close_all)()


def _sweep_and(then: Callable[[], T]) -> T:
    for queue in queues_with_work():
        run_queue(queue)
    return then()


@pytest.fixture
def league(live_server: LiveServer, monkeypatch: pytest.MonkeyPatch) -> League:
    """Nobody in it loses patience with a machine that is held up."""
    monkeypatch.setattr(crowd, "_GOODBYE", LONGEST)
    monkeypatch.setattr(player, "_LAST_ANSWER", LONGEST)
    monkeypatch.setattr(player, "_LOOKS", LOOKS)
    make_season(players=24, matches=200, days=20.0, seed=2)
    return League(live_server.url)


def lived() -> Any:
    """Matches that are not of the season."""
    return Match.objects.exclude(external_id__startswith="season-")


def make_person(name: str = "Ada") -> Player:
    return Player.objects.create(
        game=Game.objects.get(slug="demo"), external_id=f"account-{name}", name=name, skeleton=name
    )


@pytest.mark.full
def test_they_search_play_and_report(league: League) -> None:
    # So few meet the same again at once, or wait long for it.
    Queue.objects.exclude(slug="demo-duel").update(is_open=False)
    queue = Queue.objects.get(slug="demo-duel")
    queue.settings["rematch"] = {"use": "off"}
    queue.save()
    league.run(lambda: lived().filter(state=MatchState.CONFIRMED).count() >= 6)
    confirmed = list(lived().filter(state=MatchState.CONFIRMED))
    # a lie may stand when the other one forgets
    assert sum(ended_as_decided(match) for match in confirmed) >= len(confirmed) - 1
    assert all(match.offer.state == "accepted" for match in confirmed)
    assert {match.map for match in confirmed} <= set(MAPS)
    assert Ticket.objects.exclude(wishes={}).exists()


def ended_as_decided(match: Match) -> bool:
    """Whether everybody's result is what truly happened."""
    roster = load_roster()
    teams: dict[int, list[Participant]] = {}
    for seat in match.participants.select_related("player").order_by("team", "pk"):
        teams.setdefault(seat.team, []).append(seat)
    personas = [[roster[seat.player.external_id] for seat in team] for team in teams.values()]
    side = 0.0 if match.is_neutral else side_worth(match.map)
    truth = MatchTruth.of(match.pk, personas, seed=1, side=side)
    return all(
        (seat.rank == 0) == (truth.outcome_for(seat.player.external_id) != "lost")
        for team in teams.values()
        for seat in team
    )


@pytest.mark.full
def test_they_play_in_teams_and_everyone_for_themselves(league: League) -> None:
    slugs = ("demo-pairs", "demo-four")
    Queue.objects.exclude(slug__in=slugs).update(is_open=False)
    league.online = 20
    confirmed = lived().filter(state=MatchState.CONFIRMED)
    parties = Ticket.objects.filter(party__isnull=False, state="matched")

    def have_played() -> bool:
        return parties.exists() and all(confirmed.filter(ladder__slug=slug) for slug in slugs)

    league.run(have_played)
    for slug in slugs:
        match = confirmed.filter(ladder__slug=slug).latest("pk")
        assert match.participants.filter(rank__isnull=False).count() == 4


@pytest.mark.full
def test_they_take_up_what_an_earlier_run_began(league: League) -> None:
    """It leaves nobody searching when it stops; and the key of the later run ends its own."""
    Queue.objects.exclude(slug="demo-duel").update(is_open=False)  # of others nobody reports
    begun: set[int] = set()
    searching = TicketMember.objects.filter(live=True)

    def are_playing() -> bool:
        nonlocal begun
        begun = set(Participant.objects.filter(playing=True).values_list("match", flat=True))
        # Of one match, both may forget to report.
        return len(begun) > 1 and searching.exists()

    league.run(are_playing)
    assert not searching.exists()
    older, league.key = league.key, server_key()
    assert older != league.key
    assert ServerKey.objects.count() == 1
    league.online = 24
    league.run(lambda: Report.objects.filter(match__in=begun).exists())
    league.key = older
    with pytest.raises(RefusalError) as refused:
        league.run(lambda: False)
    assert refused.value.is_of_the_key


@pytest.mark.full
def test_a_person_is_met_and_believed_and_nobody_answers_for_one(league: League) -> None:
    """Who says nothing has not won or lost: the match is abandoned in the end, and the opponents play on."""
    Queue.objects.exclude(slug="demo-duel").update(is_open=False)  # so few meet rarely in many
    queue = Queue.objects.get(slug="demo-duel")
    speaks, silent = make_person("Ada"), make_person("Eve")
    seats = Participant.objects.filter(player=silent)
    confirmed = Participant.objects.filter(player=speaks, match__state=MatchState.CONFIRMED)
    others = lived().filter(state=MatchState.CONFIRMED)

    def search(person: Player) -> int | None:
        """Search and accept; the match once there is one."""
        search = look(person.pk)
        if search is None:
            lifecycle.join(queue=queue, player=person)
        elif search.offer and not search.offer.is_accepted:
            with suppress(OfferOverError):
                offers.accept(ticket_id=search.ticket_id)
        return search.match_id if search else None

    def play() -> bool:
        if not confirmed.exists():
            if (match := search(speaks)) is None:
                return False
            report.report(match_id=match, player_id=speaks.pk, outcome=Outcome.WON)
        if not seats.exists():  # not before: the two would meet each other
            search(silent)
        return bool(seats.exists() and confirmed.exists())

    league.run(play)
    assert confirmed.get().rank == 0
    before = others.count()
    league.run(lambda: others.count() >= before + 4)
    match = seats.get().match
    assert match.state == MatchState.PLAYING
    assert not match.reports.exists()


def test_who_waits_is_told_with_those_near_in_rating(league: League) -> None:
    assert see_waiting() == []
    person = make_person()
    queue = Queue.objects.get(slug="demo-duel")
    best = Rating.objects.filter(track__ladder=queue.ladder, facet="")
    best = best.order_by("-value", "player")
    ranked = list(best.values_list("player__external_id", flat=True))
    top = best[0]
    top.pk, top.player, top.value = None, person, top.value + 400
    top.save(force_insert=True)
    lifecycle.join(queue=queue, player=person)
    [guest] = see_waiting()
    assert guest.queue == "demo-duel"
    assert list(guest.near) == ranked
