"""What was learned, and how it is kept: numbers and lists of them, never objects that run when they are read.

Both kinds look at features the same way: what lies beyond the range of those learned from counts as its end, so that
nobody gains by behaviour that nobody had, and what is not known counts as the mean. Estimates stay within the ratings
learned from.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ratings.systems.arrays import Floats, Ints

__all__ = ["Boosted", "BrokenModelError", "Learned", "Linear", "Look", "from_json"]

_SURE_RANGE = (0.5, 99.5)  # percent: a single wrong figure of a game stretches no scale


class BrokenModelError(ValueError):
    """What is read is no model."""


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """How features become numbers of one scale; each float64 of length f."""

    low: Floats
    high: Floats
    middle: Floats
    spread: Floats

    @classmethod
    def of(cls, features: Floats) -> "Look":
        """By the rows that are learned from, float64 (n, f); NaN: not known. Columns of NaN say nothing."""
        said = ~np.isnan(features).all(axis=0)
        filled = np.where(said, features, 0.0)
        low, high = np.nanpercentile(filled, _SURE_RANGE, axis=0)
        within = np.clip(filled, low, high)
        spread = np.nanstd(within, axis=0)
        return cls(low, high, np.nanmean(within, axis=0), np.where(spread > 1e-12, spread, 1.0))

    def __call__(self, features: Floats) -> Floats:
        """(m, f): 0 is the mean of those learned from, 1 a standard deviation more."""
        known = np.where(np.isnan(features), self.middle, features)
        found: Floats = (np.clip(known, self.low, self.high) - self.middle) / self.spread
        return found


@dataclass(frozen=True, slots=True, eq=False)
class Learned(ABC):
    """A model of f features.

    look    how it looks at features
    middle  the mean of the ratings that were learned from
    bounds  the least and the largest of them
    """

    kind: ClassVar[str]
    look: Look
    middle: float
    bounds: tuple[float, float]

    def predict(self, features: Floats) -> Floats:
        """float64 (m): ratings of m players by their features (m, f); NaN where one is not known."""
        found: Floats = np.clip(self.middle + self._above(self.look(features)), *self.bounds)
        return found

    def as_json(self) -> dict[str, Any]:
        """All of it as JSON knows it; `from_json` reads the same to the bit."""
        look = {name: getattr(self.look, name).tolist() for name in Look.__dataclass_fields__}
        return {
            "kind": self.kind,
            "look": look,
            "middle": self.middle,
            "bounds": list(self.bounds),
            **self._own_json(),
        }

    @abstractmethod
    def _above(self, seen: Floats) -> Floats:
        """By how much ratings are above the middle."""

    @abstractmethod
    def _own_json(self) -> dict[str, Any]: ...


@dataclass(frozen=True, slots=True, eq=False)
class Linear(Learned):
    """Ridge regression: so many rating points a standard deviation of each feature.

    weights  float64 (f)
    """

    kind: ClassVar[str] = "ridge"
    weights: Floats

    def _above(self, seen: Floats) -> Floats:
        return seen @ self.weights

    def _own_json(self) -> dict[str, Any]:
        return {"weights": self.weights.tolist()}


@dataclass(frozen=True, slots=True, eq=False)
class Boosted(Learned):
    """Gradient boosting: the sum of the leaves in which a player's features end, one a tree.

    roots      int64 (t): the first node of each tree
    feature    int64 (n): of a node what it asks for; -1: it is a leaf
    threshold  float64 (n): to the left at most this
    left, right  int64 (n): nodes that come after it
    value      float64 (n): points that a leaf adds
    """

    kind: ClassVar[str] = "boosting"
    roots: Ints
    feature: Ints
    threshold: Floats
    left: Ints
    right: Ints
    value: Floats

    def _above(self, seen: Floats) -> Floats:
        # scikit-learn grows trees on single precision: asked with more, who is at a threshold would turn elsewhere.
        seen = seen.astype(np.float32).astype(np.float64)
        rows = np.arange(len(seen))
        total = np.zeros(len(seen))
        for root in self.roots.tolist():
            node = np.full(len(seen), root)
            while (inner := self.feature[node] >= 0).any():
                asked = node[inner]
                goes_left = seen[rows[inner], self.feature[asked]] <= self.threshold[asked]
                node[inner] = np.where(goes_left, self.left[asked], self.right[asked])
            total += self.value[node]
        return total

    def _own_json(self) -> dict[str, Any]:
        names = ("roots", "feature", "threshold", "left", "right", "value")
        return {name: getattr(self, name).tolist() for name in names}


def from_json(kept: Any, *, features: int) -> Learned:
    """Read what `as_json` gave of a model of so many features. Raises BrokenModelError for anything else."""
    try:
        if not isinstance(kept, Mapping):
            raise BrokenModelError("it is not an object")
        look = Look(
            **{name: _row(kept["look"], name, features) for name in Look.__dataclass_fields__}
        )
        if (look.spread <= 0).any() or (look.low > look.high).any():
            raise BrokenModelError("its scale is none")
        low, high = _row(kept, "bounds", 2).tolist()
        common = (look, _number(kept["middle"]), (low, high))
        if kept["kind"] == Linear.kind:
            return Linear(*common, _row(kept, "weights", features))
        if kept["kind"] != Boosted.kind:
            raise BrokenModelError(f"its kind is {kept['kind']!r}")
        nodes = len(kept["feature"])
        model = Boosted(
            *common,
            roots=_whole_row(kept, "roots"),
            feature=_whole_row(kept, "feature"),
            threshold=_row(kept, "threshold", nodes),
            left=_whole_row(kept, "left"),
            right=_whole_row(kept, "right"),
            value=_row(kept, "value", nodes),
        )
    except (KeyError, TypeError, OverflowError) as error:
        raise BrokenModelError(f"something is missing or of another type: {error}") from error
    _check_trees(model, features)
    return model


def _check_trees(model: Boosted, features: int) -> None:
    """Every way ends: what a node leads to comes after it, and there is a feature that it asks for."""
    nodes = len(model.feature)
    at = np.arange(nodes)
    if not len(model.left) == len(model.right) == nodes:
        raise BrokenModelError("its nodes are not as many everywhere")
    inner = model.feature >= 0
    for side in (model.left[inner], model.right[inner]):
        if (side <= at[inner]).any() or (side >= nodes).any():
            raise BrokenModelError("a node leads to one that does not come after it")
    if (model.feature >= features).any() or ((model.roots < 0) | (model.roots >= nodes)).any():
        raise BrokenModelError("it asks for what there is not")


def _row(kept: Mapping[str, Any], name: str, length: int) -> Floats:
    numbers: Sequence[Any] = kept[name]
    if len(numbers) != length:
        raise BrokenModelError(f"{name} has {len(numbers)} numbers: must be {length}")
    return np.array([_number(number) for number in numbers], dtype=np.float64)


def _whole_row(kept: Mapping[str, Any], name: str) -> Ints:
    numbers: Sequence[Any] = kept[name]
    if not all(type(number) is int for number in numbers):
        raise BrokenModelError(f"{name} must hold whole numbers")
    return np.array(numbers, dtype=np.int64)


def _number(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise BrokenModelError(f"{value!r} is not a finite number")
    return float(value)
