"""Elo: published figures, stages, statuses, K policies."""

import numpy as np
import pytest

from ratings.systems import Duels, Ratings, System, create

PROVISIONAL, ESTABLISHED = (5, 5), (40, 40)


def players(*rows: tuple[float, tuple[int, int]]) -> Ratings:
    return Ratings(
        np.array([value for value, _ in rows]),
        None,
        None,
        np.array([games for _, (games, _) in rows]),
        np.array([counted for _, (_, counted) in rows]),
    )


def duel(score: float = 1.0) -> Duels:
    return Duels(np.array([0]), np.array([1]), np.array([score]))


@pytest.fixture
def golden() -> System:
    return create("elo", k_provisional=32, k_established=16, halve_against_provisional=False)


class TestStages:
    def test_provisional_winner_is_rated_first(self, golden: System) -> None:
        before = players((1500, PROVISIONAL), (1600, ESTABLISHED))
        for after in (golden.rate(before, duel()), golden.rate_event(before, duel())):
            assert after.value == pytest.approx([1520.482080, 1590.200346], abs=5e-7)

    def test_without_stages_the_established_player_would_fall_further(self) -> None:
        equal = create("elo", k_new=16, k_provisional=16, k_established=16)
        before = players((1500, ESTABLISHED), (1600, ESTABLISHED))
        after = equal.rate(before, duel())
        assert after.value[1] == pytest.approx(1589.758960, abs=5e-7)

    def test_three_stages_see_each_other(self, golden: System) -> None:
        before = players((1500, (0, 0)), (1500, PROVISIONAL), (1500, ESTABLISHED))
        event = Duels(np.array([0, 1, 0]), np.array([1, 2, 2]), np.array([1.0, 1.0, 1.0]))
        after = golden.rate_event(before, event)
        new = 1500 + 50 * 2 * 0.5
        second = 1500 + 32 * (0 - expect(1500 - new)) + 32 * 0.5
        third = 1500 + 16 * (0 - expect(1500 - new)) + 16 * (0 - expect(1500 - second))
        assert after.value == pytest.approx([new, second, third], abs=1e-9)

    def test_a_stage_is_committed_together(self, golden: System) -> None:
        before = players((1500, ESTABLISHED), (1500, ESTABLISHED), (1500, ESTABLISHED))
        event = Duels(np.array([0, 1]), np.array([1, 2]), np.array([1.0, 1.0]))
        assert golden.rate_event(before, event).value == pytest.approx([1508, 1500, 1492])
        in_order = golden.rate(before, event).value
        assert in_order[1] == pytest.approx(1492 + 16 * (1 - expect(-8)))


class TestCounting:
    def test_games_against_established_players_count(self) -> None:
        before = players((1500, PROVISIONAL), (1500, ESTABLISHED), (1500, PROVISIONAL))
        event = Duels(np.array([0, 0]), np.array([1, 2]), np.array([0.5, 0.5]))
        for rate in (create("elo").rate, create("elo").rate_event):
            after = rate(before, event)
            assert after.games.tolist() == [7, 41, 6]
            assert after.counted.tolist() == [6, 40, 5]

    def test_every_game_counts_in_a_small_pool(self) -> None:
        before = players((1500, (0, 0)), (1500, (0, 0)))
        for rate in (create("elo").rate, create("elo").rate_event):
            assert rate(before, duel(), all_count=True).counted.tolist() == [1, 1]
            assert rate(before, duel()).counted.tolist() == [0, 0]

    def test_established_from_the_thirtieth_counted_game_on(self) -> None:
        elo = create("elo")
        before = players((1500, (0, 0)), (1500, (1, 1)), (1500, (60, 29)), (1500, (30, 30)))
        assert elo.status(before).tolist() == [0, 1, 1, 2]
        assert elo.status(before).dtype == np.int8

    def test_status_changes_in_the_middle_of_a_stream(self) -> None:
        elo = create("elo", established_after=2, k_new=50, k_provisional=40, k_established=10)
        event = Duels(np.zeros(4, int), np.ones(4, int), np.full(4, 0.5))
        _, changes = elo.rate_explained(elo.initial(2), event, all_count=True)
        assert changes.weight[0::2].tolist() == [50, 40, 10, 10]


class TestWeights:
    def test_k_is_halved_against_provisional_and_new_players(self) -> None:
        elo = create("elo", k_established=20)
        opponents = [(0, 0), PROVISIONAL, ESTABLISHED]
        weights = [
            elo.rate_explained(players((1500, ESTABLISHED), (1500, other)), duel())[1].weight[0]
            for other in opponents
        ]
        assert weights == [10, 10, 20]

    @pytest.mark.parametrize(
        ("rating", "k"), [(1000, 20), (2099.9, 20), (2100, 15), (2399.9, 15), (2400, 10)]
    )
    def test_step_gives_high_ratings_a_smaller_k(self, rating: float, k: float) -> None:
        elo = create("elo", k_established=20, k_by_rating="step")
        before = players((rating, ESTABLISHED), (1500, ESTABLISHED))
        assert elo.rate_explained(before, duel())[1].weight[0] == k

    @pytest.mark.parametrize(
        ("rating", "k"), [(1500, 20), (1000, 16.25), (2000, 16.25), (500, 5), (2500, 5), (9e99, 5)]
    )
    def test_edges_give_both_ends_a_smaller_k(self, rating: float, k: float) -> None:
        elo = create("elo", k_established=20, k_by_rating="edges")
        before = players((rating, ESTABLISHED), (1500, ESTABLISHED))
        assert elo.rate_explained(before, duel())[1].weight[0] == pytest.approx(k)


class TestSystem:
    def test_new_players_start_at_the_start(self) -> None:
        before = create("elo", start=1200).initial(3)
        assert before.value.tolist() == [1200.0] * 3
        assert before.deviation is None
        assert before.games.tolist() == before.counted.tolist() == [0, 0, 0]

    def test_time_changes_nothing(self) -> None:
        before = players((1500, PROVISIONAL), (1600, ESTABLISHED))
        after = create("elo").age(before, 12.5)
        assert after.value.tolist() == before.value.tolist()
        assert np.isinf(create("elo").periods_until(np.array([50.0]), 100)).all()

    def test_inflation_is_given_on_a_date_and_not_by_age(self) -> None:
        before = players((1500, PROVISIONAL), (1600, ESTABLISHED))
        system = create("elo", inflation=2)
        assert system.drift.apply(before.value).tolist() == [1502, 1602]
        assert system.age(before, np.array([1.0, 0.5])).value.tolist() == [1500, 1600]

    def test_inputs_are_left_alone(self) -> None:
        before = players((1500, PROVISIONAL), (1600, ESTABLISHED))
        for rate in (create("elo").rate, create("elo").rate_event):
            rate(before, duel())
            assert before.value.tolist() == [1500, 1600]
            assert before.games.tolist() == [5, 40]

    def test_a_game_of_an_unknown_player_is_refused(self) -> None:
        for rate in (create("elo").rate, create("elo").rate_event):
            with pytest.raises(ValueError, match="player 1: must be below 1"):
                rate(players((1500, PROVISIONAL)), duel())

    def test_changes_tell_the_whole_story(self, golden: System) -> None:
        before = players((1500, PROVISIONAL), (1600, ESTABLISHED))
        for rate in (golden.rate_explained, golden.rate_event_explained):
            after, changes = rate(before, duel())
            assert changes.game.tolist() == [0, 0]
            assert changes.player.tolist() == [0, 1]
            assert changes.opponent.tolist() == [1, 0]
            assert changes.actual.tolist() == [1, 0]
            assert changes.weight.tolist() == [32, 16]
            assert changes.expected == pytest.approx([0.359935, 0.612478], abs=1e-6)
            assert changes.value_before.tolist() == [1500, 1600]
            assert changes.value_after.tolist() == after.value.tolist()
            assert changes.value_before + changes.contribution == pytest.approx(after.value)


def expect(difference: float) -> float:
    return float(1 / (1 + 10 ** (-difference / 400)))
