"""Receivers and raters that are killed in the middle, while events come doubled, shuffled and late: each event counts
once, and ratings come to what a clean run makes of them.
"""

import os
import random
import signal
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from django.db import OperationalError

from ratings.logs.ending import end_silent
from ratings.logs.gaps import give_up_gaps
from ratings.models import (
    GameServer,
    LogEvent,
    LogGap,
    LogStretch,
    MatchLog,
    MatchState,
    Rating,
    RatingChange,
)
from ratings.runs.replay import replay_track
from ratings.runs.run import rate_track
from ratings.runs.sequence import sequence_confirmed
from ratings.systems.frags import Competitor, Deathmatch, Frag, FragsParameters, Side
from tests.forms import often
from tests.processes import killed_behind, running
from tests.ratings.logs.telling import event, frag, make_server, ratings, tell, track

pytestmark = pytest.mark.django_db(transaction=True)
_MATCHES = {"one": ("m1", "m2"), "two": ("m3",)}
# Long form: EVENMATCH_LOG_KILLS=500 pytest tests/ratings/logs/test_killed.py
_KILLS = int(os.environ.get("EVENMATCH_LOG_KILLS", "") or often(6, 40))
_EVENTS = max(60, _KILLS)  # so that there is something to do until the last of them
_PLAYERS = [f"p{number}" for number in range(9)]


def plan(match: str) -> list[dict[str, Any]]:
    """What happens in a match."""
    luck = random.Random(match)
    found = [event(1, "begin", match, map="q3dm17")]
    for number in range(2, _EVENTS):
        killer, victim = luck.choices(_PLAYERS, k=2)
        found.append(frag(number, killer, victim, match))
    return [*found, event(_EVENTS, "end", match)]


def act(luck: random.Random) -> None:
    """Give some events of one server, in any order and some twice; or rate; or look for matches that are silent."""
    server = GameServer.objects.get(slug=luck.choice([*_MATCHES]))
    match = luck.choice(_MATCHES[server.slug])
    log = MatchLog.objects.filter(name=match).first()
    at = log.complete_to if log else 0
    coming = plan(match)[max(0, at - 3) : at + luck.randint(1, 12)]
    if coming[-1:] == plan(match)[-1:] and at < _EVENTS - 1:
        coming.pop()  # the end comes when all else is there
    given = [one for one in coming if luck.random() < 0.9] + luck.choices(coming, k=2)
    luck.shuffle(given)
    acts: list[Callable[[], object]] = [
        *[lambda: tell(server, *given)] * 3,
        *[lambda: rate_track(track().pk, wait=False)] * 2,
        lambda: sequence_confirmed(server.ladder_id),
        end_silent,
        give_up_gaps,
    ]
    luck.choice(acts)()


def acting(seed: int, statements: int) -> None:
    """Do that until behind so many statements this process is killed."""
    luck = random.Random(seed)
    with killed_behind(statements):
        while True:
            # A lock of somebody killed may not be free yet: it is tried again.
            with suppress(OperationalError):
                act(luck)


def check_order() -> None:
    """Of each match every event up to where it is complete is there once, and in one stretch at most."""
    for log in MatchLog.objects.all():
        numbers = list(LogEvent.objects.filter(log=log).values_list("number", flat=True))
        assert len(set(numbers)) == len(numbers)
        lost = lost_of(log)
        assert set(range(1, log.complete_to + 1)) <= set(numbers) | lost
        assert not lost & set(numbers)
        reached = 0
        for stretch in LogStretch.objects.filter(log=log).order_by("seq"):
            assert stretch.first == reached + 1
            reached = stretch.last
        assert reached == log.sequenced_to <= log.complete_to


def lost_of(log: MatchLog) -> set[int]:
    """Numbers of events that were given up, where the machine took longer than they are waited for."""
    gaps = LogGap.objects.filter(log=log)
    return {number for gap in gaps for number in range(gap.first, gap.last + 1)}


def clean_run() -> dict[str, float]:
    """Ratings by the stretches as they stand, in one go."""
    shared: dict[Competitor, float] = {}
    streams: dict[int, Deathmatch] = {}
    for stretch in LogStretch.objects.order_by("seq").select_related("log"):
        stream = streams.setdefault(
            stretch.log_id, Deathmatch(FragsParameters(start=200), ratings=shared)
        )
        lost = lost_of(stretch.log)
        for told in plan(stretch.log.name)[stretch.first - 1 : stretch.last]:
            if told["type"] == "frag" and told["number"] not in lost:
                stream.take(Frag(Side(told["player"]), Side(told["victim"])))
    return {who.name: value for who, value in shared.items()}


def test_each_event_counts_once_whoever_is_killed() -> None:
    for slug in _MATCHES:
        server = make_server(slug, start=200)
    luck = random.Random(5)
    for seed in range(_KILLS):
        with running(acting, seed, luck.randint(3, 90)) as process:
            assert process.wait() == -signal.SIGKILL, process.words
        check_order()
    for slug, matches in _MATCHES.items():
        server = GameServer.objects.get(slug=slug)
        for match in matches:
            answer = tell(server, *plan(match))
            assert {error.code for error in answer.refused.values()} <= {"event_given_up"}
            assert answer.stored + answer.known + len(answer.refused) == _EVENTS
    rate_track(track().pk)
    check_order()
    lost = sum(len(lost_of(log)) for log in MatchLog.objects.all())
    assert LogEvent.objects.count() + lost == 3 * _EVENTS
    assert {*MatchLog.objects.values_list("match__state", flat=True)} == {MatchState.CONFIRMED}
    assert ratings() == clean_run()
    rows = Counter(RatingChange.objects.values_list("match", "player"))
    assert set(rows.values()) == {1}
    for rating in Rating.objects.filter(track=track()):
        of_player = RatingChange.objects.filter(track=track(), player=rating.player_id)
        assert rating.games == of_player.count() == 3
    before = ratings()
    old = track()
    replay = replay_track(track=old)
    rate_track(replay.pk)
    assert track().pk != old.pk
    assert ratings() == before
