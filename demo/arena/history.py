"""What was played on the shooter's servers before the demo began: told as servers tell it, in the past."""

import random
from datetime import datetime, timedelta

import msgspec
from django.db import transaction

from demo.arena.fight import Event, Fight
from demo.arena.setting import ARENA, SERVERS, found_arena, strengths
from foundation import clock
from leaderboards.boards import refresh
from ratings.logs.accept import accept_events
from ratings.logs.counting import count_logs
from ratings.logs.given import read_events
from ratings.management.catch_up import catch_up
from ratings.models import Game, GameServer, Ladder

__all__ = ["arena_is_made", "make_arena"]

MATCHES = 45
_DAYS = 20
_FRAGS = (25, 60)
_BETWEEN = (2.0, 9.0)  # seconds from one event to the next


def arena_is_made() -> bool:
    """Whether the shooter's game is there."""
    return Game.objects.filter(slug=ARENA).exists()


def make_arena(*, matches: int = MATCHES, seed: int = 1) -> int:
    """Make the shooter with what was played there until now; returns how many events were told.

    One transaction, and rated behind it: the game is there with its history, or not at all. The same seed makes the
    same history, told from another now.
    """
    now = clock.now()
    start = now - timedelta(days=_DAYS)
    with transaction.atomic():
        with clock.at(start):
            ladder = found_arena()
        told = _play(ladder, start, matches, random.Random(seed))  # noqa: S311 - a simulation
    with clock.at(now):
        catch_up(ladder, quiet=True)
        count_logs()
        refresh.refresh_due()  # events are delivered later where other transactions are open
    return told


def _play(ladder: Ladder, start: datetime, matches: int, luck: random.Random) -> int:
    servers = list(GameServer.objects.filter(ladder=ladder).select_related("ladder__game", "game"))
    by_slug = {server.slug: server for server in servers}
    gap = timedelta(days=_DAYS - 0.1) / max(matches, 1)
    told = 0
    for number in range(matches):
        plan = SERVERS[number % len(SERVERS)]
        began = start + number * gap + luck.uniform(0.1, 0.6) * gap
        fight = Fight(plan, f"past-{number + 1:03}", strengths(), luck)
        first, frags, at = fight.begin(began), luck.randint(*_FRAGS), began
        then: list[Event] = []
        while fight.frags < frags:
            at += timedelta(seconds=luck.uniform(*_BETWEEN))
            then += fight.go_on(at)
        then += fight.end(at)
        for moment, events in ((began, first), (at, then)):
            _tell(by_slug[plan.slug], events, moment)
        told += len(first) + len(then)
    return told


def _tell(server: GameServer, events: list[Event], moment: datetime) -> None:
    with clock.at(moment):
        accepted = accept_events(server, read_events(msgspec.json.encode({"events": events})))
    for error in accepted.refused.values():
        raise error
