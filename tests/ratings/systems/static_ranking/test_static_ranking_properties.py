"""Static ranking: what holds for every matrix."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.systems.static_ranking import FragMatrix, rank, solve, thin_to_core

N = 7


@st.composite
def matrices(draw: st.DrawFn, *, most: int = 12, all_met: bool = False) -> FragMatrix:
    """Frags among N players, few or many of whom met."""
    dense = np.array(draw(st.lists(st.integers(0, most), min_size=N * N, max_size=N * N)))
    dense = dense.reshape(N, N)
    if all_met:
        return of_dense(dense + 1)
    met = np.array(draw(st.lists(st.booleans(), min_size=N * N, max_size=N * N))).reshape(N, N)
    return of_dense(dense * met)


def of_dense(dense: np.ndarray) -> FragMatrix:
    killer, victim = np.nonzero(dense)
    return FragMatrix.of(killer, victim, dense[killer, victim], players=len(dense))


def solve_densely(matrix: FragMatrix, *, weigh: bool) -> np.ndarray:
    """The shortest solution of the dense least-squares problem: its sum is 0 where players met."""
    pairs = matrix.pairs()
    rows = np.zeros((len(pairs), matrix.players))
    each = np.arange(len(pairs))
    rows[each, pairs.first], rows[each, pairs.second] = 1, -1
    root = np.sqrt(pairs.frags if weigh else np.ones(len(pairs)))
    found: np.ndarray = np.linalg.lstsq(rows * root[:, None], pairs.difference * root, rcond=1e-12)[
        0
    ]
    return found


@given(matrices(), st.booleans())
def test_equals_the_dense_solution(matrix: FragMatrix, weigh: bool) -> None:
    value = rank(matrix, weigh_by_frags=weigh).value
    assert value == pytest.approx(solve_densely(matrix, weigh=weigh), abs=1e-9)


@given(matrices(all_met=True))
def test_where_all_met_it_is_the_mean_difference_and_the_shortcut(matrix: FragMatrix) -> None:
    value, frags = rank(matrix).value, np.zeros((N, N))
    frags[matrix.killer, matrix.victim] = matrix.frags
    mean = ((frags - frags.T) / (frags + frags.T)).sum(axis=1) / N
    assert value == pytest.approx(mean, abs=1e-12)
    assert rank(matrix, use_shortcut=True).value == pytest.approx(mean, abs=1e-12)


@given(matrices(), st.sampled_from(["ignore", "share"]), st.booleans())
def test_the_sum_of_each_component_is_nothing(
    matrix: FragMatrix, suicides: str, weigh: bool
) -> None:
    ranking = rank(matrix, suicides=suicides, weigh_by_frags=weigh)
    assert np.bincount(ranking.component, weights=ranking.value) == pytest.approx(0, abs=1e-12)


@given(matrices(), st.permutations(range(N)), st.sampled_from(["ignore", "subtract", "share"]))
def test_names_of_players_do_not_matter(
    matrix: FragMatrix, places: list[int], suicides: str
) -> None:
    wanted = rank(matrix, suicides=suicides).value[places]
    renamed = rank(matrix.take(places), suicides=suicides)
    assert renamed.value == pytest.approx(wanted, abs=1e-9)


@given(matrices())
def test_turned_around_it_is_the_opposite(matrix: FragMatrix) -> None:
    turned = FragMatrix.of(matrix.victim, matrix.killer, matrix.frags, players=N)
    for use_shortcut in (False, True):
        value = rank(matrix, use_shortcut=use_shortcut).value
        assert rank(turned, use_shortcut=use_shortcut).value == pytest.approx(-value, abs=1e-9)


@given(matrices(all_met=True), st.integers(0, N - 1), st.integers(1, N - 1), st.integers(1, 9))
def test_another_frag_never_lowers_the_killer(
    matrix: FragMatrix, killer: int, step: int, more: int
) -> None:
    added = FragMatrix.of(
        [*matrix.killer, killer],
        [*matrix.victim, (killer + step) % N],
        [*matrix.frags, more],
        players=N,
    )
    assert rank(added).value[killer] >= rank(matrix).value[killer] - 1e-12


@given(matrices(), st.integers(1, 20))
def test_everybody_of_a_core_has_met_often_enough(matrix: FragMatrix, frags: int) -> None:
    core = thin_to_core(matrix, frags=frags)
    pairs = matrix.take(core).pairs()
    assert len(pairs) == len(core) * (len(core) - 1) // 2
    assert (pairs.frags >= frags).all()
    assert len(core) == 0 or len(core) > 1
    assert len(core) > 1 or not (matrix.pairs().frags >= frags).any()


@given(matrices(most=1_000_000_000), st.booleans(), st.sampled_from(["subtract", "share"]))
def test_finite_for_every_matrix(matrix: FragMatrix, weigh: bool, suicides: str) -> None:
    for use_shortcut in (False, True):
        ranking = rank(matrix, weigh_by_frags=weigh, suicides=suicides, use_shortcut=use_shortcut)
        assert np.isfinite(ranking.value).all()
        assert np.isfinite(ranking.misfit)


def crowd(players: int, frags: int) -> FragMatrix:
    random = np.random.default_rng(5)
    killer = random.integers(0, players, frags)
    near = killer + random.integers(1, 40, frags)
    return FragMatrix.of(killer, near % players, players=players)


@pytest.mark.parametrize("weigh", [False, True])
def test_many_players_are_solved_step_by_step_as_at_once(
    weigh: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    matrix = crowd(2500, 30_000)
    by_steps = rank(matrix, weigh_by_frags=weigh).value
    monkeypatch.setattr(solve, "_DIRECT", 10_000)
    assert by_steps == pytest.approx(rank(matrix, weigh_by_frags=weigh).value, abs=1e-9)


def test_a_long_chain_is_exact_too() -> None:
    """Each beats the next by 3:1: half a point apart, however far that goes."""
    n = 2500
    killer, victim = np.arange(n - 1), np.arange(1, n)
    matrix = FragMatrix.of(
        np.concatenate((killer, victim)),
        np.concatenate((victim, killer)),
        np.repeat([3, 1], n - 1),
        players=n,
    )
    assert np.diff(rank(matrix).value) == pytest.approx(-0.5, abs=1e-9)
