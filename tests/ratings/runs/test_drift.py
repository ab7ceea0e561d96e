"""Points that time takes from everybody, or gives: on the day on which they are due, from everybody, once."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import partial
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from hypothesis import given, settings
from hypothesis import strategies as st

from ratings.models import ChangeKind, DriftDate, Game, Ladder, RatingTrack
from ratings.runs import drift
from ratings.runs.replay import replay_track
from ratings.runs.run import due_tracks, rate_track
from ratings.tasks import rate_due_tracks
from ratings.tracks.parameters import change_ladder_rules, change_parameters
from tests.countdown import kill_after_each
from tests.processes import running
from tests.ratings.arena import (
    DAY,
    START,
    Arena,
    Played,
    history_of,
    late,
    make_arena,
    random_history,
)
from tests.ratings.replays import annul

pytestmark = pytest.mark.django_db


def drifts(track: RatingTrack) -> list[tuple[Any, ...]]:
    """Day, kind and figures of what time did, by player's id."""
    kinds = track.changes.filter(kind__in=[ChangeKind.DECAY, ChangeKind.INFLATION])
    rows = kinds.order_by("at", "player_id").values_list(
        "at", "kind", "value_before", "value_after"
    )
    return [((at - START) / DAY, kind, before, after) for at, kind, before, after in rows]


def dates(arena: Arena) -> list[float]:
    found = DriftDate.objects.filter(ladder=arena.ladder).order_by("seq")
    return [(at - START) / DAY for at in found.values_list("at", flat=True)]


def drifting(
    players: int = 3, *, days: float | None = None, **own: Any
) -> tuple[Arena, RatingTrack]:
    """An Elo ladder on which time gives 5 points unless told otherwise, from the day START on."""
    with late(0):
        arena = make_arena(players)
        return arena, arena.track("elo", days=days, **(own or {"inflation": 5}))


def test_at_once_everybody_has_it_on_the_day_it_is_due() -> None:
    arena, track = drifting()
    arena.play(Played(1, 0, 1, 1.0))
    arena.rate(track, day=6.9)
    before = arena.values(track)
    assert dates(arena) == []
    with late(7):
        rate_due_tracks()  # nobody has played
    assert arena.values(track) == {who: value + 5 for who, value in before.items()}
    assert dates(arena) == [7]
    assert {row[:2] for row in drifts(track)} == {(7, "inflation")}
    with late(7):
        rate_due_tracks()
    assert len(drifts(track)) == 2


def test_with_periods_everybody_has_it_at_the_end_of_each_period() -> None:
    arena, track = drifting(days=10)
    arena.play(Played(0, 0, 1, 1.0), Played(35, 1, 2, 0.5))
    arena.rate(track, day=9.9)
    assert drifts(track) == []
    arena.rate(track, day=62)
    assert [row[0] for row in drifts(track)] == [
        10,
        10,
        20,
        20,
        30,
        30,
        *[40] * 3,
        *[50] * 3,
        *[60] * 3,
    ]
    first = track.changes.filter(kind="period", player=arena.players[1]).order_by("id")[1]
    assert first.value_before == 1500 - 25 + 15  # of three periods over
    assert (track.closed_periods, track.drifted_periods) == (6, 6)


def test_matches_and_dates_count_in_their_order_however_late_somebody_looks() -> None:
    history = [
        Played(1, 0, 1, 1.0),
        Played(8, 0, 2, 0.0),
        Played(15, 1, 2, 1.0),
        Played(29, 0, 1, 0.5),
    ]
    arena, punctual = drifting()
    for match in history:
        arena.play(match)
        arena.rate(punctual, day=match.day)
    with late(0):
        other = make_arena(3, slug="other")
        tardy = other.track("elo", inflation=5)
    other.play(*history)
    other.rate(tardy, day=29)
    assert dates(arena) == dates(other) == [7, 14, 21, 28]
    assert arena.values(punctual) == other.values(tardy)
    assert drifts(punctual) == drifts(tardy)


@pytest.mark.parametrize("days", [None, 5])
def test_a_replay_comes_to_the_same_bits(days: float | None) -> None:
    arena, track = drifting(8, days=days, inflation=1 / 3)
    history = random_history(80, 8, days=60)
    arena.play(*history[:50])
    arena.rate(track, day=40)
    with late(40):
        change_parameters(track=track, parameters={"inflation": 0.7}, actor=None, note="")
    arena.play(*history[50:])
    arena.rate(track, day=61)
    with late(61):
        replay = replay_track(track=track)
        rate_due_tracks()
    assert history_of(replay) == history_of(track)
    assert {after - before for *_, before, after in drifts(replay)} != set()
    assert RatingTrack.objects.get(pk=replay.pk).state == "live"


def test_a_match_that_is_annulled_is_left_out_and_the_dates_stay() -> None:
    history = [Played(1, 0, 1, 1.0), Played(8, 0, 2, 0.0), Played(15, 1, 2, 1.0)]
    arena, track = drifting()
    matches = arena.play(*history)
    arena.rate(track, day=20)
    with late(20):
        annul(matches[1])
        rate_due_tracks()
    replayed = RatingTrack.objects.get(ladder=arena.ladder, state="live")
    with late(0):
        clean = make_arena(3, slug="clean")
        alone = clean.track("elo", inflation=5)
    clean.play(history[0], history[2])
    clean.rate(alone, day=20)
    assert arena.values(replayed) == clean.values(alone)
    assert drifts(replayed) == drifts(alone)


def test_no_dates_come_together_while_nobody_drifts() -> None:
    arena, track = drifting()
    arena.play(Played(1, 0, 1, 1.0))
    arena.rate(track, day=8)
    with late(9):
        change_parameters(track=track, parameters={"inflation": 0}, actor=None, note="")
    arena.rate(track, day=100)
    with late(100.5):
        change_parameters(track=track, parameters={"inflation": 1}, actor=None, note="")
    arena.rate(track, day=107)
    assert dates(arena) == [7, 107]
    assert [after - before for *_, before, after in drifts(track)] == [5, 5, 1, 1]


def test_another_distance_holds_from_now_on() -> None:
    arena, track = drifting()
    arena.play(Played(1, 0, 1, 1.0))
    with late(15):
        change_ladder_rules(ladder=arena.ladder, changes={"drift_days": 2}, actor=None, note="")
    arena.rate(track, day=19.5)
    assert dates(arena) == [7, 14, 17, 19]


def test_a_change_of_parameters_holds_for_dates_behind_it() -> None:
    """Though no match stands between, and nobody has looked at the date before the change."""
    arena, track = drifting()
    arena.play(Played(1, 0, 1, 1.0))
    with late(8):
        change_parameters(track=track, parameters={"inflation": 2}, actor=None, note="")
    arena.rate(track, day=14)
    assert [after - before for *_, before, after in drifts(track)] == [5, 5, 2, 2]


def test_chunks_do_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    arena, track = drifting(8)
    arena.play(*random_history(60, 8, days=30))
    arena.rate(track, day=31)
    monkeypatch.setattr(drift, "DRIFT_CHUNK", 3)
    with late(31):
        replay = replay_track(track=track)
        rate_track(replay.pk)
    assert history_of(replay) == history_of(track)
    replay.refresh_from_db()
    assert replay.revision > track.revision + 3  # more transactions


def test_a_date_half_done_makes_a_track_due(monkeypatch: pytest.MonkeyPatch) -> None:
    for days in (None, 10):
        with late(0):
            arena = make_arena(8, slug=f"half-{days}")
            track = arena.track("elo", days=days, inflation=5)
        arena.play(*random_history(60, 8, days=4))
        monkeypatch.setattr(drift, "DRIFT_CHUNK", 3)
        with late(10):
            while len(drifts(track)) < 3:
                rate_track(track.pk, at_most=1)
            assert len(drifts(track)) == 3
            assert track.pk in due_tracks()
            rate_due_tracks()
            assert len(drifts(track)) == 8
            assert track.pk not in due_tracks()


def rate(track: int) -> None:
    with late(31):
        rate_track(track)


def killed_rating(track: int) -> int:
    drift.DRIFT_CHUNK = 3
    return kill_after_each(partial(rate, track))


@pytest.mark.full
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("days", [None, 10])
def test_killed_between_any_two_statements_nobody_drifts_twice(days: float | None) -> None:
    with late(0):
        arena = make_arena(8)
        alone, track = (arena.track("elo", days=days, inflation=1 / 3) for _ in range(2))
    arena.play(*random_history(60, 8, days=30))
    arena.rate(alone, day=31)
    with running(killed_rating, track.pk) as killing:
        assert killing.hear() > 20
    assert history_of(track) == history_of(alone)


MOMENTS = st.lists(st.floats(0.1, 59.0), max_size=6)


@pytest.mark.full
@settings(deadline=None, max_examples=15)
@given(looks=MOMENTS, seed=st.integers(0, 99), days=st.sampled_from([None, 7.0]))
def test_whenever_somebody_looks_it_comes_to_the_same(
    looks: Sequence[float], seed: int, days: float | None
) -> None:
    histories: list[Any] = []
    history = random_history(20, 4, days=50, seed=seed)
    for slug, moments in (("once", [60.0]), ("often", [*sorted(looks), 60.0])):
        with late(0):
            arena = make_arena(4, slug=f"{slug}-{Game.objects.count()}")
            track = arena.track("elo", days=days, inflation=0.1)
        played = 0
        for moment in moments:
            due = [match for match in history if match.day <= moment]
            arena.play(*due[played:])
            played = len(due)
            arena.rate(track, day=moment)
        histories.append((arena.values(track), drifts(track), track.rated_seq))
    assert histories[0] == histories[1]


def test_the_first_date_is_at_midnight() -> None:
    with late(0.6):
        arena = make_arena(2)
        arena.track("elo", inflation=1)
        arena.ladder.refresh_from_db()
    assert arena.ladder.drift_next_at == datetime(2026, 3, 8, tzinfo=START.tzinfo)
    with late(0.6):
        change_ladder_rules(ladder=arena.ladder, changes={"drift_days": 0.25}, actor=None, note="")
    arena.ladder.refresh_from_db()
    assert arena.ladder.drift_next_at == START + timedelta(days=0.85)


def test_a_ladder_is_added_with_its_decay() -> None:
    given = {"game": "arena", "rated_by": "events", "param": ["decay=5", "drift_days=14"]}
    with late(0.5):
        call_command("add_ladder", "deathmatch", **given, stdout=StringIO())
    ladder = Ladder.objects.get(slug="deathmatch")
    assert (ladder.drift_days, ladder.drift_next_at) == (14, START + 14 * DAY)
