"""Which model is used is found on players that it has not seen, and none is used where it beats nothing."""

import math
from pathlib import Path

import numpy as np
import pytest

from ratings.systems.arrays import Floats
from ratings.systems.behaviour import FEWEST, KINDS, judge

START = 1500.0


def told(players: int, seed: int) -> tuple[Floats, Floats]:
    """Ratings, and three features: one tells much of them, one a little, one nothing."""
    random = np.random.default_rng(seed)
    ratings = random.normal(1600, 200, players)
    features = np.column_stack(
        (
            ratings + random.normal(0, 100, players),
            ratings + random.normal(0, 800, players),
            random.normal(size=players),
        )
    )
    return features, ratings


def test_chooses_the_model_with_less_error() -> None:
    features, ratings = told(150, 1)
    found = judge(features, ratings, start=START)
    assert found.chosen == min(KINDS, key=lambda kind: found.errors[kind])
    assert found.errors[found.chosen] < 130 < found.errors["mean"]
    # Half of the squared error at least, and no more than there is.
    share = 1 - (found.errors[found.chosen] / found.errors["mean"]) ** 2
    assert found.gain_at_least is not None
    assert 0.3 < found.gain_at_least < share


def test_prefers_trees_where_a_line_tells_nothing() -> None:
    random = np.random.default_rng(2)
    features = random.uniform(-1, 1, (400, 1))
    ratings = 1500 + 400 * np.abs(features[:, 0]) + random.normal(0, 20, 400)
    found = judge(features, ratings, start=START)
    assert found.chosen == "boosting"
    assert found.errors["ridge"] == pytest.approx(found.errors["mean"], rel=0.05)


@pytest.mark.parametrize("seed", range(3))
def test_uses_none_where_behaviour_tells_nothing(seed: int) -> None:
    random = np.random.default_rng(seed)
    found = judge(random.normal(size=(80, 8)), random.normal(1500, 200, 80), start=START)
    assert found.chosen == ""
    assert found.gain_at_least is not None
    assert found.gain_at_least <= 0


def test_guesses_are_the_start_and_the_mean_of_the_others() -> None:
    features, ratings = told(60, 3)
    found = judge(features, ratings, start=START)
    assert found.errors["start"] == pytest.approx(math.sqrt(np.mean((ratings - START) ** 2)))
    # Without the players held out, the mean is further from them than that of all.
    assert found.errors["mean"] > ratings.std()
    assert found.errors["mean"] == pytest.approx(ratings.std(), rel=0.05)


def test_folds_add_up_to_the_whole() -> None:
    features, ratings = told(100, 4)
    found = judge(features, ratings, start=START)
    for name, errors in found.folds.items():
        assert len(errors) == 5
        assert math.sqrt(np.mean(np.square(errors))) == pytest.approx(found.errors[name])


def test_worth_is_how_much_worse_it_is_without_the_feature() -> None:
    features, ratings = told(200, 5)
    much, little, nothing = judge(features, ratings, start=START).worth
    assert much > 50 > abs(nothing)
    assert abs(nothing) < 5
    assert little < much


@pytest.mark.parametrize(
    ("players", "columns", "spread"),
    [(FEWEST - 1, 2, 100.0), (100, 0, 100.0), (100, 2, 0.0)],
    ids=["too few players", "no features", "one rating"],
)
def test_says_nothing_where_nothing_can_be_said(players: int, columns: int, spread: float) -> None:
    random = np.random.default_rng(6)
    ratings = START + spread * random.normal(size=players)
    found = judge(random.normal(size=(players, columns)), ratings, start=START)
    assert (found.players, found.chosen, dict(found.errors)) == (players, "", {})


def test_the_example_of_the_page_runs(capsys: pytest.CaptureFixture[str]) -> None:
    page = Path(__file__).resolve().parents[4] / "docs" / "systems" / "behaviour.md"
    code = page.read_text(encoding="utf-8").split("```python\n")[1].split("```")[0]
    exec(code, {})  # noqa: S102 - the text of the docs
    judged, estimate = capsys.readouterr().out.splitlines()
    assert " ridge " in judged
    assert 1500 < float(estimate.strip("[]")) < 1700
