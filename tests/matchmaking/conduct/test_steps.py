"""How points fade, and what follows from how many."""

from datetime import datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from matchmaking.conduct.crashes import dropped_together
from matchmaking.conduct.steps import Step, Steps, cools_for, faded, step_of
from tests.ratings.plain import NOON

RULES = Steps(
    half_life_days=14,
    note_from=0.2,
    cool_from=0.7,
    cool_after=2,
    cool_minutes=10,
    cool_at_most_minutes=60,
    like_from=1,
)
points = st.floats(0, 100)
lengths = st.floats(0, 400)


class TestFading:
    def test_golden(self) -> None:
        assert faded(0.8, NOON, NOON, 14) == 0.8
        assert faded(0.8, NOON, NOON + timedelta(days=14), 14) == 0.4
        assert faded(0.8, NOON, NOON + timedelta(days=28), 14) == 0.2
        assert faded(0.8, NOON, NOON - timedelta(days=1), 14) == 0.8

    @given(points, lengths, lengths, st.floats(0.1, 3650))
    def test_in_two_steps_as_in_one(
        self, one: float, first: float, second: float, half_life: float
    ) -> None:
        middle = NOON + timedelta(days=first)
        end = middle + timedelta(days=second)
        whole = faded(one, NOON, end, half_life)
        parts = faded(faded(one, NOON, middle, half_life), middle, end, half_life)
        assert parts == pytest.approx(whole, abs=1e-9)
        assert 0 <= whole <= one


class TestSteps:
    @pytest.mark.parametrize(
        ("score", "step"),
        [(0, "none"), (0.19, "none"), (0.2, "note"), (0.99, "note"), (1, "among_like")],
    )
    def test_golden(self, score: float, step: str) -> None:
        assert step_of(RULES, score, is_cooling=False) == step
        assert step_of(RULES, score, is_cooling=True) == Step.COOLING_OFF

    def test_the_first_offence_cools_nobody_off(self) -> None:
        assert cools_for(RULES, 50, 1) is None
        assert cools_for(RULES, 0.69, 2) is None
        assert cools_for(RULES, 0.7, 2) == timedelta(minutes=10)
        assert cools_for(RULES, 1.4, 2) == timedelta(minutes=20)
        assert cools_for(RULES, 50, 9) == timedelta(minutes=60)

    @given(points, points, st.integers(1, 20))
    def test_more_points_never_mean_less(self, one: float, other: float, offences: int) -> None:
        low, high = sorted((one, other))
        nothing = timedelta(0)
        assert (cools_for(RULES, low, offences) or nothing) <= (
            cools_for(RULES, high, offences) or nothing
        )
        order = list(Step)
        order.remove(Step.COOLING_OFF)
        steps = [order.index(step_of(RULES, score, is_cooling=False)) for score in (low, high)]
        assert steps == sorted(steps)


class TestCrashes:
    WITHIN = timedelta(seconds=20)

    def dropped(self, *seconds: float, of: int) -> set[int]:
        drops: dict[int, datetime] = {
            number: NOON + timedelta(seconds=at) for number, at in enumerate(seconds)
        }
        return dropped_together(drops, of, self.WITHIN)

    def test_golden(self) -> None:
        assert self.dropped(0, of=2) == set()
        assert self.dropped(0, 5, of=2) == {0, 1}
        assert self.dropped(0, 20, of=2) == {0, 1}
        assert self.dropped(0, 21, of=2) == set()
        # Two of four are no more than half.
        assert self.dropped(0, 1, of=4) == set()
        assert self.dropped(0, 1, 2, of=4) == {0, 1, 2}
        # Who left long before the server failed has left.
        assert self.dropped(0, 300, 301, 302, of=4) == {1, 2, 3}

    @given(st.lists(st.floats(0, 100), max_size=10), st.integers(1, 10))
    def test_never_half_or_fewer(self, seconds: list[float], more: int) -> None:
        number = len(seconds) + more
        spared = self.dropped(*seconds, of=number)
        assert not spared or 2 * len(spared) > number
