"""Static ranking: golden values, suicides, weights, components, the core."""

import numpy as np
import pytest

from ratings.systems.static_ranking import FragMatrix, Ranking, rank, thin_to_core

Counts = dict[tuple[int, int], int]

TRIANGLE = {(0, 1): 6, (1, 0): 2, (0, 2): 3, (2, 0): 1, (1, 2): 5, (2, 1): 5}
CHAIN = {(0, 1): 3, (1, 0): 1, (1, 2): 3, (2, 1): 1}


def matrix_of(counts: Counts, players: int | None = None) -> FragMatrix:
    killer, victim = np.array(list(counts), dtype=np.int64).reshape(-1, 2).T
    n = 1 + max(max(pair) for pair in counts) if players is None else players
    return FragMatrix.of(killer, victim, list(counts.values()), players=n)


def ranked(counts: Counts, players: int | None = None, **options: object) -> Ranking:
    return rank(matrix_of(counts, players), **options)  # type: ignore[arg-type]


class TestGolden:
    def test_all_met(self) -> None:
        assert ranked(TRIANGLE).value == pytest.approx([1 / 3, -1 / 6, -1 / 6], abs=1e-15)

    def test_shortcut_where_all_met(self) -> None:
        shortcut = ranked(TRIANGLE, use_shortcut=True).value
        assert shortcut == pytest.approx([1 / 3, -1 / 6, -1 / 6], abs=1e-15)

    def test_chain(self) -> None:
        assert ranked(CHAIN).value == pytest.approx([0.5, 0, -0.5], abs=1e-15)

    def test_shortcut_of_a_chain(self) -> None:
        assert ranked(CHAIN, use_shortcut=True).value.tolist() == [0.25, 0, -0.25]


class TestSuicides:
    COUNTS = CHAIN | {(2, 2): 4, (1, 1): 0}

    def test_are_left_out_unless_asked_for(self) -> None:
        assert ranked(self.COUNTS).value == pytest.approx(ranked(CHAIN).value)
        assert ranked(self.COUNTS).suicides.tolist() == [0, 0, 4]

    def test_subtracted(self) -> None:
        value = ranked(self.COUNTS, suicides="subtract").value
        # 4 of the 8 frags that involve the last one
        assert value == pytest.approx([0.5, 0, -0.5 - 4 / 8])

    def test_shared_among_the_opponents_by_the_frags_with_each(self) -> None:
        counts = {(0, 1): 3, (1, 0): 1, (1, 2): 9, (2, 1): 3, (1, 1): 8}
        value = ranked(counts, suicides="share").value
        # 0 gets 8 · 4/16 = 2 of them and 2 gets 6: 5:1 and 9:9
        assert value[0] - value[1] == pytest.approx((5 - 1) / (5 + 1))
        assert value[1] - value[2] == pytest.approx(0, abs=1e-15)

    def test_of_someone_who_met_nobody(self) -> None:
        lonely = ranked(CHAIN | {(3, 3): 5}, suicides="share")
        assert lonely.value == pytest.approx([0.5, 0, -0.5, 0])
        assert ranked(CHAIN | {(3, 3): 5}, suicides="subtract").value[3] == -1

    def test_other_words_are_refused(self) -> None:
        with pytest.raises(ValueError, match="suicides = 'hide': must be one of ignore, subtract"):
            ranked(CHAIN, suicides="hide")


class TestComponents:
    COUNTS = {(5, 4): 3, (0, 1): 6, (1, 0): 2, (1, 2): 4, (2, 1): 4}

    def test_are_reported_largest_first(self) -> None:
        ranking = ranked(self.COUNTS, players=7)
        assert ranking.component.tolist() == [0, 0, 0, 2, 1, 1, 3]
        assert ranking.order.tolist() == [0, 1, 2, 5, 4, 3, 6]

    def test_each_sums_to_nothing(self) -> None:
        ranking = ranked(self.COUNTS, players=7)
        assert np.bincount(ranking.component, weights=ranking.value) == pytest.approx(0, abs=1e-15)
        assert ranking.value[[5, 4, 3, 6]] == pytest.approx([0.5, -0.5, 0, 0])

    def test_counts_go_with_it(self) -> None:
        ranking = ranked(self.COUNTS, players=7)
        assert ranking.met.tolist() == [1, 2, 1, 0, 1, 1, 0]
        assert ranking.frags.tolist() == [6, 6, 4, 0, 0, 3, 0]
        assert ranking.deaths.tolist() == [2, 10, 4, 0, 3, 0, 0]

    def test_nobody_at_all(self) -> None:
        empty = rank(FragMatrix.of([], [], players=0))
        assert (len(empty), empty.order.tolist(), empty.misfit) == (0, [], 0)
        assert rank(FragMatrix.of([], [], players=3)).component.tolist() == [0, 1, 2]


class TestWeights:
    COUNTS = {(0, 1): 60, (1, 0): 40, (1, 2): 60, (2, 1): 40, (2, 0): 1}

    def test_a_chance_frag_misleads_unless_pairs_are_weighed(self) -> None:
        assert ranked(self.COUNTS).value[0] < 0
        assert ranked(self.COUNTS, weigh_by_frags=True).value[0] > 0.15

    def test_misfit_tells_how_far_pairs_contradict_each_other(self) -> None:
        assert ranked(CHAIN).misfit == pytest.approx(0, abs=1e-15)
        # 0.2 + 0.2 + 1 around the circle: 1.4 / 3 too much at each pair
        assert ranked(self.COUNTS).misfit == pytest.approx(1.4 / 3)


class TestCore:
    def test_keeps_those_who_all_met_often_enough(self) -> None:
        crowd = {(a, b): 5 for a in range(4) for b in range(4) if a != b}
        visitors = {(4, 0): 90, (4, 1): 90, (5, 4): 90, (6, 0): 3}
        core = thin_to_core(matrix_of(crowd | visitors), frags=10)
        assert core.tolist() == [0, 1, 2, 3]
        assert thin_to_core(matrix_of(crowd | visitors), frags=11).tolist() == [0, 4]

    def test_of_equals_the_one_with_more_frags_stays(self) -> None:
        assert thin_to_core(matrix_of({(0, 1): 5, (1, 2): 6}), frags=5).tolist() == [1, 2]
        assert thin_to_core(matrix_of({(0, 1): 5, (1, 2): 5}), frags=5).tolist() == [0, 1]

    def test_is_empty_where_nobody_met_so_often(self) -> None:
        assert thin_to_core(matrix_of(CHAIN), frags=5).tolist() == []
        with pytest.raises(ValueError, match="frags = 0: must be 1 or more"):
            thin_to_core(matrix_of(CHAIN), frags=0)

    def test_taken_out_of_the_matrix(self) -> None:
        small = matrix_of(TRIANGLE | {(2, 2): 7}).take([2, 0])
        assert small.players == 2
        assert (small.killer.tolist(), small.victim.tolist()) == ([0, 0, 1], [0, 1, 0])
        assert small.frags.tolist() == [7, 1, 3]


class TestMatrix:
    def test_adds_up_in_any_order(self) -> None:
        matrix = FragMatrix.of([1, 0, 1, 1], [0, 1, 0, 1], players=3)
        assert (matrix.killer.tolist(), matrix.victim.tolist()) == ([0, 1, 1], [1, 0, 1])
        assert matrix.frags.tolist() == [1, 2, 1]
        assert matrix.suicides.tolist() == [0, 1, 0]
        assert (matrix.kills.tolist(), matrix.deaths.tolist()) == ([1, 2, 0], [2, 1, 0])

    @pytest.mark.parametrize(
        ("killer", "victim", "frags", "message"),
        [
            ([0], [3], [1], "names player 3: must be below 3"),
            ([-1], [0], [1], "killer holds -1: must not be negative"),
            ([0], [1], [-2], "frags holds -2"),
            ([0], [1], [0.5], "frags is of type float64"),
            ([0, 1], [1], [1], "must be equally long"),
            ([0, 0], [1, 1], [10**9, 1], "add up to 1000000001: must be at most"),
        ],
    )
    def test_refuses(
        self, killer: list[int], victim: list[int], frags: list[float], message: str
    ) -> None:
        with pytest.raises(ValueError, match=message):
            FragMatrix.of(killer, victim, frags, players=3)
