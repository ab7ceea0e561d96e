"""Predictions one step ahead: what they are made of, and that they never see the future."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ratings.evaluation import Played, Schedule, Setup, UnfitError, pairs_of, predict_games
from ratings.evaluation.predict import POOL_STEP
from ratings.systems import Contests, Duels, Status, System, create, names
from tests.ratings.evaluation.histories import DAY, contests, duels

INSTANT = [name for name in names() if not create(name).is_period]
OF_TEAMS = [name for name in INSTANT if create(name).takes_teams]


def one_by_one(system: System, played: Played, pool_minimum: int) -> list[float]:
    """Predict each game alone, from the ratings just before it, as a plain loop does."""
    results, state = played.results, system.initial(played.players)
    found, grown = [], False
    for game in range(len(played)):
        if game % POOL_STEP == 0:
            is_established = system.status(state) == Status.ESTABLISHED
            grown = grown or bool(is_established.sum() >= pool_minimum)
        part = results.part(game, game + 1)
        if isinstance(part, Duels):
            side = 0.0 if part.side is None else part.side
            found += system.expected(state, part.first, part.second, side).tolist()
        else:
            found.append(float(system.expected_of(state, part)[0]))
        state = system.rate(state, part, all_count=not grown)
    return found


@pytest.mark.parametrize("name", INSTANT)
def test_a_run_predicts_as_game_by_game(name: str) -> None:
    system = create(name, established_after=3)
    played = duels(350, 12).fit(system)
    found = Schedule(played, None).predict(system, pool_minimum=4)
    assert found.predicted.tolist() == pytest.approx(one_by_one(system, played, 4), abs=1e-9)
    assert found.game.tolist() == list(range(350))
    assert not found.in_pairs


@pytest.mark.parametrize("name", OF_TEAMS)
def test_teams_are_predicted_pair_by_pair(name: str) -> None:
    system = create(name)
    played = contests(60, 14)
    found = Schedule(played, None).predict(system)
    assert found.in_pairs
    results = played.results
    assert isinstance(results, Contests)
    two_teams = [game for game in range(60) if results.part(game, game + 1).team.max() == 1]
    wanted = one_by_one(system, played, 20)
    rows = np.searchsorted(found.game, two_teams)
    assert found.predicted[rows].tolist() == pytest.approx([wanted[g] for g in two_teams], abs=1e-9)
    assert len(two_teams) > 5


@pytest.mark.parametrize("name", names())
def test_a_period_is_predicted_from_its_start(name: str) -> None:
    system = create(name, established_after=3)
    at = np.array([0, 1, 12, 13, 35]) * DAY
    results = Duels(
        np.array([0, 0, 0, 1, 0]),
        np.array([1, 2, 1, 0, 1]),
        np.array([1.0, 1.0, 1.0, 1.0, 0.5]),
        points=np.array([[3, 1], [3, 1], [3, 1], [3, 1], [2, 2.0]]),
    )
    played = Played(at, results, "abc", np.full((5, 2), 10.0)).fit(system)
    found = Schedule(played, 10.0).predict(system)
    state = system.initial(3)
    first = system.rate_event(state, played.results.part(0, 2), all_count=True)
    own = int(system.grows_in_play)  # periods contained in the play itself
    second_start = system.age(first, 1.0 - own)
    p = float(system.expected(second_start, [0], [1])[0])
    assert found.predicted[:4].tolist() == pytest.approx([0.5, 0.5, p, 1 - p])
    who = [0, 1]
    both = played.results.part(2, 4)
    second = system.rate_event(second_start.take(who), both, all_count=True)
    last = system.age(second, 2.0 - own)  # one period went by without a game
    assert found.predicted[4] == pytest.approx(float(system.expected(last, [0], [1])[0]))
    assert p > 0.5


def changed(played: Played, game: int, score: float) -> Played:
    """The same games with another result in one of them."""
    results = played.results
    assert isinstance(results, Duels)
    scores = results.score.copy()
    scores[game] = score
    points = np.stack((scores, 1 - scores), axis=1) * 8
    return replace(played, results=replace(results, score=scores, points=points))


@pytest.mark.parametrize("name", names())
@pytest.mark.parametrize("days", [None, 7.0])
@settings(max_examples=8)
@given(game=st.integers(0, 119), score=st.sampled_from([0.0, 0.5, 1.0]))
def test_no_prediction_sees_the_future(
    name: str, days: float | None, game: int, score: float
) -> None:
    played = duels(120, 6)
    # Far from the floor of frags, which swallows what a game takes from whoever is at 0.
    setup = Setup.of(name, {"start": 1000.0} if name == "frags" else {}, days)
    before = predict_games(changed(played, game, 1.0), setup).predicted
    after = predict_games(changed(played, game, score), setup).predicted
    unseen = game + 1
    if setup.period_days is not None:
        period = (played.at - played.at[0] + played.at[0] % DAY) // int(setup.period_days * DAY)
        unseen = int(np.searchsorted(period, period[game], side="right"))
    assert before[:unseen].tolist() == after[:unseen].tolist()
    if score != 1.0 and unseen < 100:
        assert before[unseen:].tolist() != after[unseen:].tolist()


def test_a_late_game_counts_when_it_is_known() -> None:
    results = Duels(np.array([0, 0, 0]), np.array([1, 1, 1]), np.array([1.0, 1.0, 1.0]))
    late = Played(np.array([0, 40, 3]) * DAY, results, "ab")
    found = predict_games(late, Setup.of("glicko", {}, 30.0)).predicted
    assert found[1] == found[2] > found[0]


def test_later_leaves_out_the_oldest() -> None:
    found = predict_games(duels(101, 5), Setup.of("elo", {}))
    later = found.later(0.5)
    assert (later.games, len(later)) == (51, 51)
    assert later.predicted.tolist() == found.predicted[50:].tolist()
    teams = predict_games(contests(10, 13), Setup.of("trueskill", {}))
    assert set(teams.game.tolist()) == set(range(10))
    assert set(teams.later(0.5).game.tolist()) == set(range(5))


def test_nothing_is_predicted_without_games() -> None:
    nothing = np.empty(0, dtype=np.int64)
    nobody = Played(nothing, Duels(nothing, nothing, np.empty(0)), [])
    assert predict_games(nobody, Setup.of("elo", {})).report().games == 0
    assert predict_games(nobody, Setup.of("glicko", {})).report().log_loss is None


def test_a_period_system_needs_periods() -> None:
    with pytest.raises(ValueError, match="glicko rates by period only"):
        Schedule(duels(3, 3), None).predict(create("glicko"))


def test_games_that_a_system_cannot_rate_are_refused() -> None:
    plain = replace(duels(3, 3), minutes=None)
    with pytest.raises(UnfitError, match=r"zonestats needs .*minutes"):
        plain.fit(create("zonestats"))
    assert plain.lasting(10.0).fit(create("zonestats")).results.minutes.tolist() == [10.0] * 6  # type: ignore[union-attr]
    results = plain.results
    assert isinstance(results, Duels)
    no_points = Contests.of_duels(replace(results, points=None))
    with pytest.raises(UnfitError, match="frags needs the points of both players"):
        replace(plain, results=no_points).fit(create("frags"))
    teams = contests(5, 13)
    with pytest.raises(UnfitError, match="line or game 1 is something else"):
        replace(teams, minutes=None).fit(create("frags"))
    assert teams.fit(create("elo")) is teams


def test_teams_of_a_period_are_predicted_from_its_start() -> None:
    played, system = contests(60, 14, days=30), create("glicko")
    found = Schedule(played.fit(system), 10).predict(system)
    assert isinstance(played.results, Contests)
    last = int(np.searchsorted(played.at - played.at[0] // DAY * DAY, 10 * DAY))
    of_first_period = found.game < last
    assert 0 < of_first_period.sum() < len(found)
    assert found.predicted[of_first_period].tolist() == [0.5] * int(of_first_period.sum())
    after = system.rate(system.initial(14), played.results.part(0, last))
    pairs = pairs_of(played.results.part(last, last + 1))
    wanted = system.expected_of(system.age(after, 1.0), pairs.contests)[pairs.heads]
    assert found.predicted[found.game == last] == pytest.approx(wanted)
    assert wanted[0] != 0.5


def test_contests_of_one_against_one_are_duels() -> None:
    played = duels(40, 6)
    assert isinstance(played.results, Duels)
    as_contests = replace(played, results=Contests.of_duels(played.results), minutes=None)
    back = as_contests.fit(create("elo")).results
    assert isinstance(back, Duels)
    for column in ("first", "second", "score", "points"):
        assert getattr(back, column).tolist() == getattr(played.results, column).tolist()
    assert as_contests.has_draws
    assert played.has_draws
    assert played.has_sides
    assert not as_contests.has_sides


@pytest.mark.parametrize("days", [None, 10.0])
def test_ratings_drift_between_the_games_as_on_a_ladder(days: float | None) -> None:
    """Everybody who has played is moved on each date, whether they play or not: counted out one by one."""
    played = duels(60, 5)
    system = create("frags", start=60, decay=11)
    results, state, over, wanted = played.results, system.initial(5), 0, list[float]()
    assert isinstance(results, Duels)
    start = played.at[0] - played.at[0] % DAY
    length = 7.0 if days is None else days
    numbers = ((played.at - start) // (length * DAY)).astype(int)
    for number in np.unique(numbers).tolist():
        for _date in range(number - over):
            low = np.maximum(state.value - 11, 0)
            state = replace(state, value=np.where(state.games > 0, low, state.value))
        over = number
        games = np.flatnonzero(numbers == number)
        part = results.part(int(games[0]), int(games[-1]) + 1)
        if days is None:
            for game in range(len(part)):
                one = part.part(game, game + 1)
                wanted += system.expected(state, one.first, one.second).tolist()
                state = system.rate(state, one)
        else:
            wanted += system.expected(state, part.first, part.second).tolist()
            state = system.rate_event(state, part)
    found = Schedule(played.fit(system), days).predict(system, drift_days=7.0)
    assert found.predicted.tolist() == wanted
    still = Schedule(played.fit(system), days).predict(create("frags", start=60))
    assert still.predicted.tolist() != wanted
