"""ZoneStats: what holds for every input."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.systems import Contests, Ratings, create
from ratings.systems.zonestats import pairs as pairs_module
from tests.ratings.systems import strategies
from tests.ratings.systems.zonestats.reference_zonestats import play_all
from tests.ratings.systems.zonestats.strategies_zonestats import contests

N = 6
FIGURES = ("expected", "actual", "weight", "contribution", "value_before", "value_after")


@given(strategies.ratings(N), contests(N))
def test_equals_contest_by_contest(before: Ratings, played: Contests) -> None:
    system = create("zonestats")
    after, changes = system.rate_explained(before, played)
    # Where two offsets are equally large, rounding may choose whose minutes limit them.
    if not _has_two_largest(played, changes.contribution):
        assert after.value == pytest.approx(play_all(before, played), abs=1e-9)
    gained = np.bincount(changes.player, weights=changes.contribution, minlength=N)
    if (changes.value_after > 0).all():
        assert before.value + gained == pytest.approx(after.value, abs=1e-9)
    assert changes.weight * (changes.actual - changes.expected) == pytest.approx(
        changes.contribution, abs=1e-9
    )
    assert np.array_equal(system.rate(before, played).value, after.value)


def _has_two_largest(played: Contests, points: np.ndarray) -> bool:
    parts = np.split(np.abs(points), played.starts[1:-1])
    tops = [np.sort(part)[-2:] for part in parts if len(part)]
    return any(top[1] - top[0] <= 1e-9 * max(1.0, top[1]) for top in tops)


@given(strategies.ratings(N), contests(N), st.booleans())
def test_same_bits_whatever_the_batches(before: Ratings, played: Contests, all_count: bool) -> None:
    system = create("zonestats", established_after=5)
    at_once, explained = system.rate_explained(before, played, all_count=all_count)
    batched, rows = before, []
    for contest in range(len(played)):
        batched, changes = system.rate_event_explained(
            batched, played.part(contest, contest + 1), all_count=all_count
        )
        rows.append(changes)
    assert np.array_equal(batched.value, at_once.value)
    assert np.array_equal(batched.games, at_once.games)
    assert np.array_equal(batched.counted, at_once.counted)
    for name in (*FIGURES, "status_before"):
        parts = [np.empty(0), *(getattr(changes, name) for changes in rows)]
        assert np.array_equal(np.concatenate(parts), getattr(explained, name)), name


def crowd(seed: int, players: int, rows: int, each: int) -> Contests:
    """Contests of `each` players in two teams."""
    random, m = np.random.default_rng(seed), rows // each
    who = np.concatenate([random.choice(players, each, replace=False) for _ in range(m)])
    team = np.tile(np.arange(each) * 2 // each, m)
    return Contests(
        np.repeat(np.arange(m), each),
        team,
        who,
        np.zeros_like(team),
        np.ones(len(who)),
        random.integers(0, 30, len(who)).astype(float),
        random.integers(0, 25, len(who)).astype(float),
    )


@pytest.mark.parametrize(("players", "each"), [(6, 2), (400, 2), (400, 16), (100, 100)])
def test_many_contests_in_waves_and_in_pieces(
    players: int, each: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    played, system = crowd(3, players, 1600, each), create("zonestats")
    before = system.initial(players)
    wanted = system.rate(before, played)
    assert wanted.value == pytest.approx(play_all(before, played), abs=1e-9)
    halves = system.rate(system.rate(before, played.part(0, 7)), played.part(7, len(played)))
    assert np.array_equal(halves.value, wanted.value)
    monkeypatch.setattr(pairs_module, "_PER_PIECE", 61)
    assert np.array_equal(system.rate(before, played).value, wanted.value)


@given(strategies.ratings(N, high_up=True), contests(N))
def test_zero_sum(before: Ratings, played: Contests) -> None:
    system = create("zonestats")
    for rate in (system.rate, system.rate_event):
        after = rate(before, played)
        assert after.value.sum() == pytest.approx(before.value.sum(), abs=1e-7)


@given(strategies.ratings(N), contests(N, most=1))
def test_the_largest_offset_keeps_within_its_minutes(before: Ratings, played: Contests) -> None:
    changes = create("zonestats").rate_explained(before, played)[1]
    assert played.minutes is not None
    if len(played):
        size = np.abs(changes.contribution)
        is_largest = size >= size.max() - 1e-9
        assert (size <= 2 * played.minutes + 1e-9)[is_largest].any()


@given(strategies.ratings(N), contests(N, most=1), st.permutations(range(N)))
def test_names_of_players_do_not_matter(
    before: Ratings, played: Contests, places: list[int]
) -> None:
    system, new_place = create("zonestats"), np.argsort(places)
    columns = (played.rank, played.weight, played.score, played.minutes)
    renamed = Contests(played.contest, played.team, new_place[played.player], *columns)
    for rate in (system.rate, system.rate_event):
        wanted = rate(before, played).take(places)
        assert np.array_equal(rate(before.take(places), renamed).value, wanted.value)


@given(strategies.ratings(N), contests(N))
def test_order_within_an_event_does_not_matter(before: Ratings, played: Contests) -> None:
    order = np.argsort(-played.contest, kind="stable")
    turned = Contests(
        np.max(played.contest, initial=0) - played.contest[order],
        *(
            None if column is None else column[order]
            for column in (
                played.team,
                played.player,
                played.rank,
                played.weight,
                played.score,
                played.minutes,
            )
        ),  # type: ignore[arg-type]
    )
    system = create("zonestats")
    wanted, after = system.rate_event(before, played), system.rate_event(before, turned)
    assert after.value == pytest.approx(wanted.value, abs=1e-9)
    assert np.array_equal(after.counted, wanted.counted)


@given(strategies.ratings(2), st.integers(0, 30), st.integers(0, 30), st.integers(1, 30))
def test_a_better_score_never_costs_points(
    before: Ratings, low: int, high: int, minutes: int
) -> None:
    def first_after(score: int) -> float:
        return float(create("zonestats").rate(before, _duel(score, 15, minutes)).value[0])

    low, high = sorted((low, high))
    assert first_after(low) <= first_after(high)


def _duel(first: float, second: float, minutes: float) -> Contests:
    zero, one = np.zeros(2, dtype=np.int64), np.arange(2)
    score, time = np.array([first, second], dtype=float), np.full(2, float(minutes))
    return Contests(zero, one, one, zero, np.ones(2), score, time)


@given(strategies.ratings(N), contests(N))
def test_predictions_are_symmetric(before: Ratings, played: Contests) -> None:
    system = create("zonestats")
    both = system.expected(before, [0, 1], [1, 0])
    assert both.sum() == pytest.approx(1, abs=1e-12)
    assert (both[0] - both[1]) * (before.value[0] - before.value[1]) >= 0
    foreseen = system.expected_of(before, played)
    for low, high in zip(played.starts[:-1], played.starts[1:], strict=True):
        team, first = np.unique(played.team[low:high], return_index=True)
        assert foreseen[low:high][first].sum() == pytest.approx(len(team) / 2, abs=1e-9)


def test_a_team_is_foreseen_by_the_mean_of_its_pairs() -> None:
    system = create("zonestats")
    nothing = np.zeros(3, dtype=np.int64)
    before = Ratings(np.array([620.0, 500.0, 500.0]), None, None, nothing, nothing)
    played = Contests(nothing, np.array([0, 0, 1]), np.arange(3), nothing, np.ones(3))
    wanted = (1 / (1 + np.exp(-1)) + 0.5) / 2
    assert system.expected_of(before, played) == pytest.approx([wanted, wanted, 1 - wanted])
    duel = Contests(nothing[:2], np.arange(2), np.array([0, 1]), nothing[:2], np.ones(2))
    assert np.array_equal(system.expected_of(before, duel)[:1], system.expected(before, [0], [1]))


@given(
    st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=4, max_size=4),
    st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=4, max_size=4),
    st.lists(st.floats(0, allow_nan=False, allow_infinity=False), min_size=4, max_size=4),
    st.booleans(),
)
def test_finite_for_every_finite_input(
    values: list[float], scores: list[float], minutes: list[float], is_teams: bool
) -> None:
    zero, one = np.zeros(4, dtype=np.int64), np.arange(4)
    before = Ratings(np.array(values), None, None, zero, zero)
    team = one // 2 if is_teams else one
    played = Contests(zero, team, one, zero, np.ones(4), np.array(scores), np.array(minutes))
    system = create("zonestats")
    for rate in (system.rate_explained, system.rate_event_explained):
        after, changes = rate(before, played)
        assert np.isfinite(after.value).all()
        for name in FIGURES:
            assert np.isfinite(getattr(changes, name)).all(), name
        assert (np.abs(changes.contribution) <= 2 * 20 * 3).all()
    assert np.isfinite(system.expected_of(before, played)).all()
