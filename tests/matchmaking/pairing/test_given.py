"""What tickets and rules refuse, and the words they do it in."""

import re

import numpy as np
import pytest

from matchmaking.pairing import Rules, Tickets

GIVEN = {
    "id": [7, 8],
    "player": [1, 2],
    "rating": [1500.0, 1600.0],
    "deviation": [80.0, np.nan],
    "waited": [0.0, 5.0],
}


@pytest.mark.parametrize(
    ("name", "values", "words"),
    [
        ("id", [7, 7], "id 7 is there twice"),
        ("player", [2, 2], "player 2 is there twice"),
        ("player", [1.0, 2.0], "player is of type float64: must be whole numbers"),
        ("rating", [1500.0, np.nan], "ticket 8: rating is nan: must be a number"),
        ("rating", [np.inf, 1500.0], "ticket 7: rating is inf: must be a number"),
        ("deviation", [80.0, -1.0], "ticket 8: deviation is -1.0: must be 0 or more"),
        ("deviation", [np.inf, 80.0], "ticket 7: deviation is inf: must be 0 or more"),
        ("waited", [np.nan, 0.0], "ticket 7: waited is nan: must be 0 or more seconds"),
        ("waited", [0.0, -0.1], "ticket 8: waited is -0.1: must be 0 or more seconds"),
        ("rating", [1500.0], "rating has shape (1,) and id (2,)"),
        ("id", [[7, 8]], "id has shape (1, 2)"),
    ],
)
def test_tickets_refused(name: str, values: list[float], words: str) -> None:
    with pytest.raises(ValueError, match=re.escape(words)):
        Tickets(**{**GIVEN, name: np.array(values)})  # type: ignore[arg-type]


def test_tickets_taken() -> None:
    tickets = Tickets(**GIVEN)  # type: ignore[arg-type]
    assert (len(tickets), tickets.by_age().tolist()) == (2, [1, 0])
    assert tickets.rating.dtype == np.float64


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"gap_start": -1}, "gap_start is -1: must be a finite number, 0 or more"),
        ({"gap_start": np.nan}, "gap_start is nan"),
        ({"gap_per_second": np.inf}, "gap_per_second is inf"),
        ({"gap_cap": 99}, "gap_cap is 99: must be None or at least 100"),
        ({"gap_cap": np.nan}, "gap_cap is nan"),
    ],
)
def test_rules_refused(given: dict[str, float], words: str) -> None:
    with pytest.raises(ValueError, match=re.escape(words)):
        Rules(**{"gap_start": 100, "gap_per_second": 5, **given})


def test_tolerances() -> None:
    waited = np.array([0.0, 10.0, 1000.0])
    capped = Rules(gap_start=100, gap_per_second=5, gap_cap=400)
    assert capped.tolerances(waited).tolist() == [100.0, 150.0, 400.0]
    assert Rules(gap_start=0, gap_per_second=0.5).tolerances(waited).tolist() == [0.0, 5.0, 500.0]
