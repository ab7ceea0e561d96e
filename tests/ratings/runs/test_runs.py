"""Rating runs: what they compute."""

from typing import Any

import numpy as np
import pytest

from events.models import Event
from foundation import clock
from ratings.models import Match, MatchState, RatingChange
from ratings.runs import position
from ratings.runs.load import UnratableMatchError
from ratings.runs.run import due_tracks, rate_track
from ratings.systems import Duels, Ratings
from ratings.tasks import rate_due_tracks
from ratings.tracks.parameters import (
    change_ladder_rules,
    change_parameters,
    current_version,
    system_of,
)
from tests.ratings.arena import DAY, START, Arena, Played, history_of, make_arena, random_history

pytestmark = pytest.mark.django_db


def elo_by_hand(arena: Arena, history: list[Played]) -> dict[int, float]:
    """Rate game by game, each with a call of its own, on two players' ratings only."""
    system = system_of(current_version(arena.ladder.tracks.get(system="elo")), None)
    known: dict[int, Ratings] = {}
    for played in history:
        pair = [known.get(who, system.initial(1)) for who in (played.first, played.second)]
        both = Ratings(
            np.concatenate([one.value for one in pair]),
            None,
            None,
            np.concatenate([one.games for one in pair]),
            np.concatenate([one.counted for one in pair]),
        )
        after = system.rate(both, Duels(np.array([0]), np.array([1]), np.array([played.score])))
        known[played.first], known[played.second] = after.take([0]), after.take([1])
    return {who: float(one.value[0]) for who, one in known.items()}


def glicko_by_hand(
    arena: Arena, history: list[Played], days: float
) -> dict[int, tuple[float, float]]:
    """Rate period by period over all players, ageing everybody by one period at each start."""
    system = system_of(current_version(arena.ladder.tracks.get(system="glicko")), days)
    everyone = system.initial(len(arena.players))
    played_before = np.zeros(len(arena.players), dtype=bool)
    for number in range(int(history[-1].day // days) + 1):
        games = [one for one in history if one.day // days == number]
        aged = system.age(everyone, played_before.astype(float))
        if games:
            first = np.array([one.first for one in games])
            second = np.array([one.second for one in games])
            scores = np.array([one.score for one in games])
            aged = system.rate_event(aged, Duels(first, second, scores))
            played_before[first] = played_before[second] = True
        everyone = aged
    deviation = everyone.deviation
    assert deviation is not None
    return {
        who: (everyone.value[who], deviation[who]) for who in np.flatnonzero(played_before).tolist()
    }


def test_instant_equals_game_by_game() -> None:
    arena = make_arena(12)
    track = arena.track()
    history = random_history(400, 12, days=50)
    arena.play(*history)
    report = arena.rate(track)
    assert (report.matches, report.periods, report.players) == (400, 0, 12)
    assert arena.values(track) == pytest.approx(elo_by_hand(arena, history), abs=1e-9)
    assert track.changes.count() == 800


def test_periods_equal_all_players_by_hand() -> None:
    arena = make_arena(12, days_to_forget=400)
    track = arena.track("glicko", days=5)
    history = random_history(300, 12, days=120, skip=20)
    arena.play(*history)
    arena.rate(track)
    last = int(history[-1].day // 5)
    system = system_of(current_version(track), 5)
    for rating in track.ratings.select_related("player"):
        number = [player.pk for player in arena.players].index(rating.player_id)
        value, deviation = glicko_by_hand(arena, history, 5)[number]
        idle = last - (rating.as_of - START) / (5 * DAY)
        assert rating.deviation is not None
        mine = Ratings(
            np.array([rating.value]),
            np.array([rating.deviation]),
            None,
            np.array([rating.games]),
            np.array([rating.counted]),
        )
        aged = system.age(mine, idle).deviation
        assert aged is not None
        assert rating.value == pytest.approx(value, abs=1e-9)
        assert aged[0] == pytest.approx(deviation, abs=1e-9)


@pytest.mark.parametrize(("system", "days"), [("elo", None), ("elo", 3), ("glicko", 3)])
def test_the_size_of_chunks_changes_no_bit(
    monkeypatch: pytest.MonkeyPatch, system: str, days: float | None
) -> None:
    arena = make_arena(10, pool_minimum=4, established_after=8)
    history = random_history(350, 10, days=100, skip=11)
    arena.play(*history)
    at_once, in_steps = arena.track(system, days=days), arena.track(system, days=days)
    arena.rate(at_once)
    monkeypatch.setattr(position, "INSTANT_CHUNK", 37)
    monkeypatch.setattr(position, "PERIOD_CHUNK", 1)
    arena.rate(in_steps)
    assert in_steps.revision > at_once.revision == 1
    assert history_of(in_steps) == history_of(at_once)


def test_waiting_for_each_period_changes_no_bit() -> None:
    arena = make_arena(8)
    history = random_history(200, 8, days=60)
    arena.play(*history)
    at_once, in_time = arena.track("glicko", days=7), arena.track("glicko", days=7)
    arena.rate(at_once, day=63)
    for day in range(0, 64, 7):
        arena.rate(in_time, day=day)
    assert history_of(in_time) == history_of(at_once)


def test_two_tracks_rate_the_same_matches_side_by_side() -> None:
    arena = make_arena(6)
    elo, glicko = arena.track(shown=True), arena.track("glicko", days=30)
    arena.play(*random_history(100, 6, days=90))
    arena.rate(elo)
    arena.rate(glicko)
    assert elo.rated_seq == glicko.rated_seq == 100
    assert elo.ratings.count() == glicko.ratings.count() == 6
    for track in (elo, glicko):
        assert sum(track.changes.values_list("games", flat=True)) == 200


@pytest.mark.parametrize(("system", "days"), [("elo", None), ("glicko", 10)])
def test_the_ledger_adds_up(system: str, days: float | None) -> None:
    arena = make_arena(6)
    track = arena.track(system, days=days)
    arena.play(*random_history(150, 6, days=90))
    arena.rate(track)
    for rating in track.ratings.all():
        rows = track.changes.filter(player=rating.player_id).order_by("id")
        assert 1500 + sum(row.value_after - row.value_before for row in rows) == pytest.approx(
            rating.value, abs=1e-9
        )
        assert sum(row.games for row in rows) == rating.games
        assert sum(row.actual or 0 for row in rows) == rating.wins + rating.draws / 2
        assert [row.value_before for row in rows[1:]] == [row.value_after for row in rows][:-1]


def test_counts_what_players_did() -> None:
    arena = make_arena(2)
    track = arena.track()
    arena.play(Played(1, 0, 1, 1), Played(2, 0, 1, 0.5), Played(4, 1, 0, 1), Played(3, 0, 1, 1))
    leaver = arena.play(Played(5, 0, 1, 0))[0].participants.get(team=0)
    leaver.left_early = True
    leaver.save()
    arena.rate(track)
    mine = track.ratings.get(player=arena.players[0])
    assert (mine.wins, mine.draws, mine.losses, mine.leaves, mine.games) == (2, 1, 2, 1, 5)
    assert mine.last_played_at == mine.as_of == START + 5 * DAY


@pytest.mark.parametrize(("system", "days"), [("elo", None), ("glicko", 30.0)])
def test_history_from_long_ago_keeps_its_dates(system: str, days: float | None) -> None:
    """Moments are counted from the year 2000 inside a run; earlier ones are below zero there."""
    arena = make_arena(2)
    track = arena.track(system, days=days)
    long_ago = -40_000.0
    arena.play(Played(long_ago, 0, 1, 1.0))
    arena.rate(track)
    for rating in track.ratings.all():
        assert rating.last_played_at == START + long_ago * DAY
        assert rating.as_of <= rating.last_played_at


def test_a_late_result_counts_in_the_open_period() -> None:
    arena = make_arena()
    track = arena.track("glicko", days=10)
    arena.play(Played(0.5, 0, 1, 1))
    arena.rate(track, day=25)
    assert track.closed_periods == 2
    (late,) = arena.play(Played(3, 2, 3, 1))
    arena.rate(track, day=25)
    assert track.periods.count() == 1
    arena.rate(track, day=31)
    late.refresh_from_db()
    assert late.counts_at == START + 20 * DAY
    assert [period.number for period in track.periods.order_by("number")] == [0, 2]


def test_a_match_at_the_bound_belongs_to_the_later_period() -> None:
    arena = make_arena()
    track = arena.track("glicko", days=10)
    arena.play(Played(0.5, 0, 1, 1), Played(10, 2, 3, 1))
    arena.rate(track, day=20)
    assert [(p.number, p.first_seq, p.last_seq) for p in track.periods.order_by("number")] == [
        (0, 1, 1),
        (1, 2, 2),
    ]


def test_periods_start_at_midnight_unless_shorter_than_a_day() -> None:
    arena = make_arena()
    days, hours = arena.track("glicko", days=1), arena.track("glicko", days=0.25)
    arena.play(Played(0.4, 0, 1, 1))
    arena.rate(days)
    arena.rate(hours)
    assert (days.starts_at, hours.starts_at) == (START, START + 0.4 * DAY)


def test_idle_players_grow_uncertain_by_the_time_they_rest() -> None:
    arena = make_arena(days_to_forget=1000)
    track = arena.track("glicko", days=10)
    arena.play(Played(0.5, 0, 1, 1), Played(40.5, 0, 1, 1))
    arena.rate(track, day=50)
    first, later = track.changes.filter(player=arena.players[0]).order_by("id")
    c = system_of(current_version(track), 10).parameters["c"]
    assert first.deviation_before == 350
    assert later.deviation_before == pytest.approx(
        np.sqrt((first.deviation_after or 0) ** 2 + float(c) ** 2 * 4), abs=1e-9
    )
    assert track.closed_periods == 5


def test_periods_without_matches_only_move_the_track() -> None:
    arena = make_arena()
    track = arena.track("glicko", days=10)
    arena.play(Played(0.5, 0, 1, 1))
    arena.rate(track, day=10)
    Event.objects.all().delete()
    report = arena.rate(track, day=45)
    assert (report.matches, report.periods, track.closed_periods) == (0, 3, 4)
    assert track.periods.count() == 1
    assert [event.kind for event in Event.objects.all()] == ["period.closed"]


def test_parameters_change_from_now_on() -> None:
    arena = make_arena()
    track = arena.track(k_new=50, k_provisional=50, k_established=50)
    arena.play(Played(1, 0, 1, 1))
    change_parameters(
        track=track, parameters={"k_new": 10, "k_provisional": 10}, actor=None, note=""
    )
    arena.play(Played(2, 2, 3, 1))
    arena.rate(track)
    weights = track.changes.order_by("match__ladder_seq", "id").values_list("weight", flat=True)
    assert list(weights) == [50, 50, 10, 10]


def test_the_time_scale_changes_from_the_open_period_on() -> None:
    arena = make_arena()
    track = arena.track("glicko", days=10)
    arena.play(Played(0.5, 0, 1, 1))
    with clock.at(START + 15 * DAY):
        change_ladder_rules(
            ladder=arena.ladder, changes={"established_after": 9}, actor=None, note=""
        )
    arena.play(Played(16, 0, 1, 1))
    arena.rate(track, day=20)
    numbers = track.periods.order_by("number").values_list("version__number", flat=True)
    assert list(numbers) == [1, 2]


@pytest.mark.parametrize(("days", "expected"), [(None, 201), (10.0, 3)])
def test_the_pool_grows_at_stored_places_only(days: float | None, expected: int) -> None:
    arena = make_arena(4, pool_minimum=4, established_after=60)
    track = arena.track("elo", days=days)
    # Each plays every other match, so all are established after 120 matches: on day 30 at four a day.
    arena.play(*[Played(n / 4, n % 2, 2 + n % 2, 1) for n in range(240)])
    arena.rate(track)
    assert track.pool_grown_from == expected


def test_a_pool_that_has_grown_stays_so() -> None:
    arena = make_arena(4, pool_minimum=2, established_after=5)
    track = arena.track()
    arena.play(*[Played(n / 10, n % 2, 2 + n % 2, 1) for n in range(120)])
    arena.rate(track)
    assert track.pool_grown_from == 101
    change_ladder_rules(
        ladder=arena.ladder, changes={"established_after": 900}, actor=None, note=""
    )
    arena.play(*[Played(20 + n, 0, 1, 1) for n in range(100)])
    arena.rate(track)
    assert track.pool_grown_from == 101


def test_only_games_against_established_players_count_in_a_grown_pool() -> None:
    arena = make_arena(4, pool_minimum=0, established_after=3)
    track = arena.track()
    arena.play(*[Played(n, 0, 1, 1) for n in range(5)])
    arena.rate(track)
    assert list(track.ratings.values_list("counted", flat=True)) == [0, 0]
    assert track.pool_grown_from == 1


def test_again_changes_nothing() -> None:
    arena = make_arena()
    track = arena.track("glicko", days=10)
    arena.play(*random_history(50, 4, days=40))
    arena.rate(track)
    before = history_of(track)
    report = arena.rate(track)
    assert (report.matches, report.periods, track.revision) == (0, 0, 1)
    assert history_of(track) == before


def test_until_leaves_the_rest_for_later() -> None:
    arena = make_arena()
    instant, periods = arena.track(), arena.track("glicko", days=10)
    arena.play(Played(1, 0, 1, 1), Played(12, 0, 1, 1), Played(25, 0, 1, 1))
    for track in (instant, periods):
        assert rate_track(track.pk, until=START + 21 * DAY).matches == 2
        assert rate_track(track.pk).matches == 1


def test_annulled_matches_are_left_out() -> None:
    arena = make_arena()
    track = arena.track()
    matches = arena.play(Played(1, 0, 1, 1), Played(2, 2, 3, 1), Played(3, 0, 1, 1))
    Match.objects.filter(pk=matches[1].pk).update(state=MatchState.ANNULLED)
    assert arena.rate(track).matches == 2
    assert track.rated_seq == 2  # a match annulled before it had a place gets none


def test_a_match_that_is_no_duel_is_named() -> None:
    arena = make_arena()
    track = arena.track()
    match, _ = arena.play(Played(1, 0, 1, 1), Played(2, 2, 3, 1))
    match.participants.filter(team=1).update(rank=None)
    with pytest.raises(UnratableMatchError, match="match 1 of the ladder's sequence"):
        arena.rate(track)
    assert RatingChange.objects.count() == 0


def test_ids_far_apart_and_of_other_ladders_do_no_harm() -> None:
    arena = make_arena(6)
    history = random_history(60, 6, days=30)
    track, same = arena.track(), arena.track()
    for start in range(0, 60, 20):
        arena.play(*history[start : start + 20])
    arena.rate(track)
    expected = arena.values(track)
    with_gaps = Match.objects.order_by("pk")
    assert with_gaps.count() == 60
    arena.rate(same)
    assert (
        arena.values(same)
        == expected
        == pytest.approx(_values(system_of(current_version(track), None), history, 6), abs=1e-9)
    )


def _values(system: Any, history: list[Played], n: int) -> dict[int, float]:
    first, second, score = (
        np.array([getattr(one, name) for one in history]) for name in ("first", "second", "score")
    )
    after = system.rate(system.initial(n), Duels(first, second, score))
    return dict(enumerate(after.value.tolist()))


def test_the_task_rates_all_that_is_due() -> None:
    arena = make_arena()
    track, later = arena.track(), arena.track("glicko", days=10)
    arena.play(Played(0.5, 0, 1, 1))
    with clock.at(START + 5 * DAY):
        rate_due_tracks()
        assert due_tracks() == []
    track.refresh_from_db()
    later.refresh_from_db()
    assert (track.rated_seq, later.rated_seq) == (1, 0)
    with clock.at(START + 10 * DAY):
        assert due_tracks() == [later.pk]
        rate_due_tracks()
    later.refresh_from_db()
    assert (later.rated_seq, later.closed_periods) == (1, 1)
