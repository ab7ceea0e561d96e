"""Numbers and times as pages say them."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from django.utils import translation

from foundation.templatetags.display import ago, signed

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


@pytest.fixture(autouse=True)
def in_english() -> Iterator[None]:
    """A request of an earlier test may have left another language active."""
    with translation.override("en"):
        yield


@pytest.mark.parametrize(
    ("passed", "said"),
    [
        (timedelta(seconds=59), "just now"),
        (timedelta(minutes=5, seconds=40), "5\xa0minutes\xa0ago"),
        (timedelta(days=3, hours=7), "3\xa0days\xa0ago"),
        (timedelta(days=800), "2\xa0years\xa0ago"),
    ],
)
def test_ago_names_the_largest_unit(passed: timedelta, said: str) -> None:
    assert ago(NOON - passed, NOON) == said


@pytest.mark.parametrize(
    ("value", "said"),
    [(8.61, "+8.6"), (-3.249, "−3.2"), (0.0, "0.0"), (-0.04, "0.0"), (118.45, "+118.5")],
)
def test_signed_rounds_before_it_chooses_the_sign(value: float, said: str) -> None:
    assert signed(value) == said


def test_signed_follows_the_language() -> None:
    with translation.override("de"):
        assert signed(-3.2) == "−3,2"
