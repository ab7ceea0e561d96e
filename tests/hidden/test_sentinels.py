"""The search itself: a number is found however it is written, and others are not."""

import json

import pytest
from django.utils import formats, translation

from tests.hidden.sentinels import Secret, find_secrets

RATING = Secret("rating", 735184.629175)
CHANCE = Secret("expected", 0.6318402)


@pytest.mark.parametrize(
    "text",
    [
        "735185",
        "735184",
        "735184.6",
        "735184.63",
        "735184.629175",
        "735,185",
        "735.185",
        "735 185",
        "735\u202f184,6",
        "735&nbsp;185",
        "735%2C185",
        "+735,184.63",
        json.dumps({"rating": RATING.value}),
        json.dumps([1.5, RATING.value, 7], separators=(",", ":")),
        '<path d="M10.5,735184.6 20,3"/>',
        "/ladders/x/?after=r735184.629175-5",
    ],
)
def test_a_rating_is_found_however_it_is_written(text: str) -> None:
    assert find_secrets(text, [RATING])


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("places", [0, 1, 2, 4])
def test_a_rating_is_found_as_pages_write_it(language: str, places: int) -> None:
    with translation.override(language):
        text = formats.number_format(RATING.value, places, force_grouping=True)
    assert find_secrets(f"<td>{text}</td>", [RATING])


@pytest.mark.parametrize(
    "text", ["0.6318402", "0.6318", "63.18 %", "63.18%", "63,184 %", "0,63184"]
)
def test_a_chance_is_found_also_as_a_percentage(text: str) -> None:
    assert find_secrets(text, [CHANCE])


@pytest.mark.parametrize(
    "text",
    [
        "735186",
        "73518",
        "1735185",
        "7351850",
        "63 %",
        "63%",
        "0.63",
        "2026-03-01",
        "05",
        "no number",
        "searching-735185e38e733fe8",
        "2026-03-01T12:00:00.735185+00:00",
    ],
)
def test_other_numbers_are_not_found(text: str) -> None:
    assert not find_secrets(text, [RATING, CHANCE, Secret("even", 0.5), Secret("none", 0.0)])
