"""The demo's shooter: what it is made with, and what its servers tell while it runs."""

import asyncio
import random

import pytest
from asgiref.sync import sync_to_async
from django.db import connections
from pytest_django.live_server_helper import LiveServer

from demo.arena.fight import Fight
from demo.arena.history import arena_is_made, make_arena
from demo.arena.live import Arena
from demo.arena.setting import ARENA, LADDER, SERVERS, ServerPlan, strengths
from demo.management.commands.demo_play import server_key
from demo.play.client import Client, RateLimit, RefusalError
from demo.season.season import make_season
from foundation import clock
from leaderboards.logs.frag_ranking import rank_frags
from leaderboards.logs.selection import select_matches
from leaderboards.logs.statistics import statistics_of
from ratings.models import EventKind, Game, LogEvent, Match, MatchState, Rating
from tests.demo.test_demo_season import season

LONGEST = 120.0  # seconds, on a machine that has much else to do


@pytest.mark.django_db
def test_it_has_a_history_of_matches_that_are_rated_and_counted() -> None:
    told = make_arena(matches=12)
    assert arena_is_made()
    assert LogEvent.objects.count() == told
    matches = Match.objects.filter(ladder__slug=LADDER)
    assert matches.filter(state=MatchState.CONFIRMED, ladder_seq__isnull=False).count() == 12
    oldest = matches.earliest("played_at")
    assert (clock.now() - oldest.played_at).days >= 18
    assert all(match.ended_at and match.ended_at > match.played_at for match in matches)
    selection = select_matches(Game.objects.get(slug=ARENA))
    assert selection is not None
    found = statistics_of(selection, now=clock.now())
    assert found.total.matches == 12
    assert found.total.frags > 12 * 15
    # Who plays in the cellar meets nobody else.
    ranking = rank_frags(selection, now=clock.now())
    assert {group.players for group in ranking.groups} >= {6}
    assert ranking.group_count == 2


@pytest.mark.django_db
def test_ratings_follow_true_strengths() -> None:
    make_arena(matches=45)
    known = strengths()
    rows = Rating.objects.filter(track__ladder__slug=LADDER, games__gt=3)
    rated = sorted(rows.values_list("value", "player__external_id"))
    assert len(rated) > 20
    third = len(rated) // 3
    low, high = (sum(known[name] for _v, name in part) for part in (rated[:third], rated[-third:]))
    assert high / third > low / third + 100.0


@pytest.mark.django_db
def test_a_demo_of_before_gets_it_once() -> None:
    make_season(players=12, matches=60, days=20.0, seed=2)
    assert "demo shooter is ready" in season()
    assert "already exists" in season()
    assert Game.objects.count() == 2


@pytest.mark.parametrize("plan", SERVERS, ids=lambda plan: plan.slug)
def test_a_fight_is_told_without_gaps_and_by_those_who_are_there(plan: ServerPlan) -> None:
    fight = Fight(plan, "m", strengths(), random.Random(3))
    told = fight.begin()
    while fight.frags < 60:
        told += fight.go_on()
    told += fight.end()
    assert [event["number"] for event in told] == list(range(1, len(told) + 1))
    there: set[str] = set()
    for event in told:
        if event["type"] == "join":
            there.add(event["player"])
        named = {event[key] for key in ("player", "victim") if key in event}
        assert named <= there
        if event["type"] == "leave":
            there.remove(event["player"])
        assert len(there) <= plan.most


@pytest.mark.full
@pytest.mark.django_db(transaction=True)
def test_servers_tell_one_match_after_the_other(live_server: LiveServer) -> None:
    make_arena(matches=0)
    key = server_key(ARENA)

    def are_over() -> bool:
        over = Match.objects.filter(ladder__slug=LADDER, state=MatchState.CONFIRMED)
        return over.values("log__server").distinct().count() == len(SERVERS) and over.count() > 3

    async def run() -> None:
        api = Client(live_server.url, key, rate_limit=RateLimit(200.0, burst=20))
        task = asyncio.create_task(Arena(api, hurry=60.0).live())
        try:
            async with asyncio.timeout(LONGEST):
                while not await sync_to_async(are_over)():
                    if task.done():
                        task.result()
                    await asyncio.sleep(0.2)
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
            await api.close()
            await sync_to_async(connections.close_all)()

    asyncio.run(run())
    kinds = set(LogEvent.objects.values_list("kind", flat=True))
    assert {EventKind.BEGIN, EventKind.JOIN, EventKind.FRAG, EventKind.END} <= kinds


@pytest.mark.django_db(transaction=True)
def test_a_key_that_is_revoked_ends_them(live_server: LiveServer) -> None:
    make_arena(matches=0)

    async def run() -> None:
        api = Client(live_server.url, "ems_nothing", rate_limit=RateLimit(200.0, burst=20))
        try:
            await asyncio.wait_for(Arena(api, hurry=60.0).live(), LONGEST)
        finally:
            await api.close()

    with pytest.raises(RefusalError) as refused:
        asyncio.run(run())
    assert refused.value.is_of_the_key
