"""Values and spans in words."""

import pytest

from ratings.wording import span_in_words


@pytest.mark.parametrize(
    ("days", "words"),
    [
        (7, "7 days"),
        (1, "1 day"),
        (1.5, "36 hours"),
        (1 / 1440, "1 minute"),
        (1.5 / 1440, "90 seconds"),
        (1 / 86_400, "1 second"),
        (36_525, "36,525 days"),
    ],
)
def test_spans_are_told_in_the_largest_unit_that_fits(days: float, words: str) -> None:
    assert span_in_words(days) == words
