"""Names that a person could mistake for each other share a skeleton."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.naming import skeleton_of


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Curaçao", "curacao"),
        ("Bill", "B1ll"),
        ("paypal", "раураl"),
        ("Ann a", "anna"),
        ("ＷＩＤＥ", "wide"),
    ],
)
def test_look_alikes_meet(one: str, other: str) -> None:
    assert skeleton_of(one) == skeleton_of(other)


def test_different_names_stay_apart() -> None:
    assert skeleton_of("Niger") != skeleton_of("Nigeria")


@given(st.text(min_size=1, max_size=100))
def test_it_is_never_empty_and_settles(name: str) -> None:
    skeleton = skeleton_of(name)
    assert skeleton
    assert len(skeleton) <= 200
