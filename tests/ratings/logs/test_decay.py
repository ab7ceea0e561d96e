"""Decay on a ladder rated by events: taken on the day it is due, while matches go on too, and the same in a replay."""

from datetime import timedelta
from typing import Any

import pytest

from foundation import clock
from ratings.models import DriftDate, GameServer, LogStretch, RatingChange, RatingTrack
from ratings.runs.replay import replay_track
from ratings.tasks import rate_due_tracks
from tests.ratings.arena import DAY, START, history_of, late
from tests.ratings.logs.telling import (
    event,
    frag,
    make_server,
    match_of,
    rate,
    ratings,
    tell,
    track,
)

pytestmark = pytest.mark.django_db


def server_at(day: float, *, decay: float, start: float = 0.0) -> GameServer:
    with late(day):
        return make_server(decay=decay, start=start)


def told(server: GameServer, day: float, *events: dict[str, Any]) -> None:
    """The server tells it on that day, and a worker looks at once."""
    with late(day):
        tell(server, *events)
        rate()


def rows(name: str) -> list[tuple[Any, ...]]:
    """The ledger of a player: kind, before, after."""
    changes = RatingChange.objects.filter(track=track(), player__external_id=name).order_by("id")
    return list(changes.values_list("kind", "value_before", "value_after"))


def test_whoever_rests_does_not_stay_first() -> None:
    """From 295.7 down to 0, on the days on which it is due."""
    server = server_at(0, decay=35)
    told(server, 1, *(frag(number, "ann", "ben") for number in range(1, 40)), event(40, "end"))
    best = ratings()["ann"]
    assert best > 290
    with late(7):
        rate_due_tracks()
    assert ratings() == {"ann": best - 35, "ben": 0}
    with late(90):
        rate_due_tracks()
    assert ratings() == {"ann": 0, "ben": 0}
    decays = [row for row in rows("ann") if row[0] == "decay"]
    assert decays[0] == ("decay", best, best - 35)
    assert decays[-1][2] == 0
    assert DriftDate.objects.count() == 12
    assert len(decays) == 11  # the last date finds nothing to take
    assert [row[0] for row in rows("ben")] == ["match"]


def test_a_match_that_goes_on_meanwhile_has_what_it_has_done() -> None:
    server = server_at(0, start=500, decay=30)
    told(server, 1, frag(1, "ann", "ben"), event(2, "end"))
    after_first = ratings()["ann"]
    told(server, 6.9, frag(1, "ann", "ben", "m2"))
    live = ratings()
    told(server, 7, frag(2, "ben", "ann", "m2"))
    with late(7.1):
        tell(server, event(3, "end", "m2"))
        rate()
    decay, second = rows("ann")[1:]
    assert decay == ("decay", after_first, after_first - 30)
    assert second[0] == "match"
    assert second[1] == pytest.approx(after_first - 30)
    assert second[2] == ratings()["ann"]
    assert live["ann"] > after_first
    assert match_of("m2").ladder_seq == 7  # four stretches, the end of a match, the date


def test_what_was_told_before_the_date_counts_before_it_however_late_somebody_looks() -> None:
    server = server_at(0, start=500, decay=30)
    with late(6.9):
        tell(server, frag(1, "ann", "ben"))
    with late(7.1):
        tell(server, frag(1, "cas", "dan", "m2"))
        rate()
    (date,) = DriftDate.objects.all()
    stretches = list(LogStretch.objects.order_by("seq").values_list("seq", flat=True))
    assert (stretches, date.seq, date.at) == ([1, 3], 2, START + 7 * DAY)
    assert ratings() == {"ann": 490, "ben": 450, "cas": 520, "dan": 480}


def test_a_rating_below_what_is_taken_falls_to_nothing_and_no_row_below() -> None:
    server = server_at(0, decay=100)
    told(server, 6, frag(1, "ann", "ben"))
    assert ratings() == {"ann": 20, "ben": 0}
    told(server, 7, frag(2, "ann", "ben"))
    with late(8):
        tell(server, event(3, "end"))
        rate()
    assert rows("ann") == [("decay", 20, 0), ("match", 0, ratings()["ann"])]
    assert ratings()["ann"] == 20


def test_a_replay_comes_to_the_same_bits() -> None:
    server = server_at(0, start=100, decay=7 / 3)
    for match in range(12):
        names = ("ann", "ben", "cas", "dan")
        killer, victim = names[match % 4], names[(match * 3 + 1) % 4]
        started = 2.0 * match
        told(
            server,
            started,
            frag(1, killer, victim, f"m{match}"),
            frag(2, victim, killer, f"m{match}"),
        )
        told(
            server,
            started + 1.9,
            frag(3, killer, victim, f"m{match}"),
            event(4, "end", f"m{match}"),
        )
    with late(30):
        rate_due_tracks()
    before = track()
    with clock.at(START + timedelta(days=30)):
        replay = replay_track(track=before)
        rate_due_tracks()
    assert RatingTrack.objects.get(pk=replay.pk).state == "live"
    assert history_of(replay)[0] == history_of(before)[0]
    assert ratings() == dict(before.ratings.values_list("player__external_id", "value"))
    assert RatingChange.objects.filter(track=replay, kind="decay").count() >= 12
