"""Models as arrays: the same as the library's, kept and read again to the bit, and never more than numbers."""

import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import sklearn.ensemble
import sklearn.linear_model
from hypothesis import given
from hypothesis import strategies as st

from ratings.systems.arrays import Floats
from ratings.systems.behaviour import KINDS, BrokenModelError, Learned, from_json, learn

FEATURES = 3
BOTH = pytest.mark.parametrize("kind", KINDS)


def some(players: int, seed: int) -> tuple[Floats, Floats]:
    """Features, some of them not known, and ratings that depend on two of them."""
    random = np.random.default_rng(seed)
    features = random.normal(size=(players, FEATURES)) * (1.0, 50.0, 1e-3)
    ratings = (
        1500 + 80 * features[:, 0] + 3 * np.abs(features[:, 1]) + random.normal(0, 20, players)
    )
    features[random.random(features.shape) < 0.1] = np.nan
    return features, ratings


@pytest.fixture(scope="module")
def models() -> dict[str, Learned]:
    return {kind: learn(kind, *some(200, 1)) for kind in KINDS}


def caught(monkeypatch: pytest.MonkeyPatch, module: Any, name: str) -> list[Any]:
    """What the library fits from now on."""
    fitted: list[Any] = []
    own = getattr(module, name)

    class Catching(own):  # type: ignore[misc, valid-type]
        def fit(self, *args: Any) -> Any:
            fitted.append(super().fit(*args))
            return fitted[-1]

    monkeypatch.setattr(module, name, Catching)
    return fitted


def test_trees_are_read_as_the_library_reads_them(monkeypatch: pytest.MonkeyPatch) -> None:
    fitted = caught(monkeypatch, sklearn.ensemble, "GradientBoostingRegressor")
    model = learn("boosting", *some(300, 2))
    asked, _ratings = some(1000, 3)
    expected = model.middle + fitted[0].predict(model.look(asked))
    assert np.ptp(expected) > 100
    np.testing.assert_allclose(model.predict(asked), np.clip(expected, *model.bounds), atol=1e-9)


def test_ridge_is_the_solution_with_a_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    fitted = caught(monkeypatch, sklearn.linear_model, "RidgeCV")
    features, ratings = some(300, 2)
    model = learn("ridge", features, ratings)
    seen = model.look(features)
    held = seen.T @ seen + fitted[0].alpha_ * np.eye(FEATURES)
    weights = np.linalg.solve(held, seen.T @ (ratings - ratings.mean()))
    asked, _ratings = some(100, 3)
    expected = np.clip(ratings.mean() + model.look(asked) @ weights, ratings.min(), ratings.max())
    np.testing.assert_allclose(model.predict(asked), expected, atol=1e-6)


@BOTH
def test_is_kept_as_json_and_read_to_the_bit(models: dict[str, Learned], kind: str) -> None:
    again = from_json(json.loads(json.dumps(models[kind].as_json())), features=FEATURES)
    asked, _ratings = some(100, 4)
    assert again.predict(asked).tolist() == models[kind].predict(asked).tolist()


@BOTH
def test_what_is_not_known_counts_as_the_mean(models: dict[str, Learned], kind: str) -> None:
    model = models[kind]
    asked, _ratings = some(50, 5)
    filled = np.where(np.isnan(asked), model.look.middle, asked)
    assert model.predict(asked).tolist() == model.predict(filled).tolist()


@BOTH
@given(row=st.lists(st.floats(-1e12, 1e12), min_size=FEATURES, max_size=FEATURES))
def test_nobody_gains_by_behaviour_that_nobody_had(
    models: dict[str, Learned], kind: str, row: list[float]
) -> None:
    model = models[kind]
    asked = np.array([row])
    told = model.predict(asked)
    assert told == model.predict(np.clip(asked, model.look.low, model.look.high))
    assert model.bounds[0] <= told <= model.bounds[1]


Spoil = Callable[[dict[str, Any]], object]
SPOILT: dict[str, Spoil] = {
    "another kind": lambda kept: kept.update(kind="forest"),
    "no middle": lambda kept: kept.pop("middle"),
    "a text": lambda kept: kept.update(middle="1500"),
    "not finite": lambda kept: kept.update(middle=float("nan")),
    "too few": lambda kept: kept["look"]["low"].pop(),
    "no scale": lambda kept: kept["look"].update(spread=[0.0] * FEATURES),
}
SPOILT_TREES: dict[str, Spoil] = {
    "a circle": lambda kept: kept["left"].__setitem__(0, 0),
    "beyond the end": lambda kept: kept["right"].__setitem__(0, 10**6),
    "an unknown feature": lambda kept: kept["feature"].__setitem__(0, FEATURES),
    "no root": lambda kept: kept["roots"].__setitem__(0, -1),
    "half a node": lambda kept: kept["left"].__setitem__(0, 1.5),
    "a node too few": lambda kept: kept["right"].pop(),
}


@pytest.mark.parametrize(
    ("kind", "spoil"),
    [
        *(
            pytest.param(kind, spoil, id=f"{kind}: {what}")
            for kind in KINDS
            for what, spoil in SPOILT.items()
        ),
        *(pytest.param("boosting", spoil, id=what) for what, spoil in SPOILT_TREES.items()),
    ],
)
def test_what_is_no_model_is_refused(models: dict[str, Learned], kind: str, spoil: Spoil) -> None:
    kept = json.loads(json.dumps(models[kind].as_json()))
    spoil(kept)
    with pytest.raises(BrokenModelError):
        from_json(kept, features=FEATURES)


@pytest.mark.parametrize("kept", [None, [], "ridge", {}, {"kind": "ridge"}])
def test_what_is_nothing_like_a_model_is_refused(kept: object) -> None:
    with pytest.raises(BrokenModelError):
        from_json(kept, features=FEATURES)
