"""The advantage of a side, in rating points, of Glicko and Glicko-2."""

import numpy as np
import pytest

from ratings.systems import Duels, Ratings, create

NAMES = ("glicko", "glicko2")
NOBODY = np.zeros(2, dtype=np.int64)


def pair(first: float, second: float) -> Ratings:
    return Ratings(np.array([first, second]), np.array([60.0, 90.0]), None, NOBODY, NOBODY)


def game(score: float, side: float | None) -> Duels:
    sides = None if side is None else np.array([side])
    return Duels(np.array([0]), np.array([1]), np.array([score]), sides)


@pytest.mark.parametrize("name", NAMES)
class TestSides:
    @pytest.mark.parametrize(("side", "worth"), [(1.0, 80), (-1.0, -80), (0.0, 0), (0.5, 40)])
    def test_is_worth_its_points(self, name: str, side: float, worth: float) -> None:
        """A game at home is one of somebody so many points stronger."""
        sided, plain = create(name, side_advantage=80), create(name)
        after = sided.rate_event(pair(1500, 1550), game(1.0, side))
        wanted = plain.rate_event(pair(1500 + worth, 1550), game(1.0, None))
        assert after.value[0] - 1500 == pytest.approx(wanted.value[0] - 1500 - worth, abs=1e-9)
        assert after.value[1] == pytest.approx(wanted.value[1], abs=1e-9)
        assert after.deviation == pytest.approx(wanted.deviation)

    def test_is_told_in_the_explanation(self, name: str) -> None:
        sided = create(name, side_advantage=80)
        _, changes = sided.rate_event_explained(pair(1500, 1500), game(1.0, 1.0))
        assert changes.expected[0] > 0.6
        assert changes.expected[1] < 0.4
        after = sided.rate_event(pair(1500, 1500), game(1.0, 1.0))
        assert 1500 + changes.contribution[0] == pytest.approx(after.value[0], abs=1e-9)

    def test_is_part_of_the_forecast(self, name: str) -> None:
        sided, ratings = create(name, side_advantage=80), pair(1500, 1500)
        home, away, neutral = sided.expected(ratings, [0, 0, 0], [1, 1, 1], [1.0, -1.0, 0.0])
        assert home == pytest.approx(create(name).expected(pair(1580, 1500), [0], [1])[0])
        assert home + away == pytest.approx(1)
        assert neutral == 0.5

    def test_is_off_unless_set(self, name: str) -> None:
        ratings = pair(1500, 1600)
        with_sides, without = (
            create(name).rate(ratings, game(0.0, side)).value for side in (1.0, None)
        )
        assert with_sides.tolist() == without.tolist()
        assert create(name).expected(ratings, [0], [1], 1.0) < 0.5

    def test_without_sides_nobody_has_it(self, name: str) -> None:
        ratings = pair(1500, 1600)
        sided, plain = (create(name, side_advantage=points) for points in (80, 0))
        for side in (None, 0.0):
            after = sided.rate(ratings, game(0.0, side))
            assert after.value.tolist() == plain.rate(ratings, game(0.0, None)).value.tolist()
