"""Learning by scikit-learn, read into arrays of our own: ridge regression and gradient boosting.

The library is imported by what learns and by nothing else: to read an estimate takes none of it, and no process of the
web server waits for it to start.
"""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ratings.systems.arrays import Floats
from ratings.systems.behaviour.learned import Boosted, Learned, Linear, Look

__all__ = ["KINDS", "learn"]

_HOLDS = np.logspace(-2, 5, 22)  # how firmly ridge holds weights to nothing; the best is found
_TREES, _DEPTH, _PACE, _SHARE, _LEAF = 100, 3, 0.08, 0.7, 10
_COLUMNS = (
    1 / 3
)  # of the features, that each split looks at: as good with noise, and three times as fast
_SEED = 20_260_101


def learn(kind: str, features: Floats, ratings: Floats) -> Learned:
    """Learn ratings (n) from features (n, f), NaN where one is not known; the same always comes to the same.

    kind  one of `KINDS`
    """
    return KINDS[kind](features, ratings)


def _common(features: Floats, ratings: Floats) -> tuple[Look, float, tuple[float, float]]:
    bounds = (float(ratings.min()), float(ratings.max()))
    return Look.of(features), float(ratings.mean()), bounds


def _learn_linear(features: Floats, ratings: Floats) -> Linear:
    """After Hoerl and Kennard (1970); the hold is chosen by leaving out one player at a time."""
    from sklearn.linear_model import RidgeCV

    look, middle, bounds = _common(features, ratings)
    fitted = RidgeCV(alphas=_HOLDS, fit_intercept=False).fit(look(features), ratings - middle)
    return Linear(look, middle, bounds, np.asarray(fitted.coef_, dtype=np.float64))


def _learn_boosted(features: Floats, ratings: Floats) -> Boosted:
    """After Friedman (2001, 2002): small trees of random parts of the players, each of what is left unexplained."""
    from sklearn.ensemble import GradientBoostingRegressor

    look, middle, bounds = _common(features, ratings)
    fitted = GradientBoostingRegressor(
        n_estimators=_TREES,
        max_depth=_DEPTH,
        learning_rate=_PACE,
        subsample=_SHARE,
        min_samples_leaf=_LEAF,
        max_features=_COLUMNS,
        init="zero",
        random_state=_SEED,
    ).fit(look(features), ratings - middle)
    trees = [tree.tree_ for tree in fitted.estimators_[:, 0]]
    sizes = [tree.node_count for tree in trees]
    roots = np.concatenate(([0], np.cumsum(sizes)[:-1])).astype(np.int64)

    def joined(read: Callable[[Any, int], Any], of: type = np.float64) -> Any:
        parts = [read(tree, root) for tree, root in zip(trees, roots.tolist(), strict=True)]
        return np.concatenate(parts).astype(of)

    def child(side: str) -> Callable[[Any, int], Any]:
        # Leaves have -1; the numbers of nodes begin anew in each tree.
        return lambda tree, root: np.where(
            tree.feature >= 0, getattr(tree, f"children_{side}") + root, -1
        )

    return Boosted(
        look,
        middle,
        bounds,
        roots=roots,
        feature=joined(lambda tree, _: np.maximum(tree.feature, -1), np.int64),
        threshold=joined(lambda tree, _: tree.threshold),
        left=joined(child("left"), np.int64),
        right=joined(child("right"), np.int64),
        value=joined(lambda tree, _: _PACE * tree.value[:, 0, 0]),
    )


KINDS: Mapping[str, Callable[[Floats, Floats], Learned]] = {
    Linear.kind: _learn_linear,
    Boosted.kind: _learn_boosted,
}
