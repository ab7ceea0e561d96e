"""The array types every rating system speaks in, and the check of a row of them."""

from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = ["Bools", "Floats", "Ints", "Statuses", "whole_row"]

Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.int64]
Bools: TypeAlias = NDArray[np.bool_]
Statuses: TypeAlias = NDArray[np.int8]


def whole_row(name: str, given: ArrayLike) -> Ints:
    """Take a row of whole numbers, none negative; ValueError says what is wrong with `name`."""
    array = np.asarray(given)
    if array.ndim != 1 or (array.size and array.dtype.kind not in "iu"):
        raise ValueError(
            f"{name} is of type {array.dtype}, shape {array.shape}: must be a row of whole numbers"
        )
    whole: Ints = array.astype(np.int64, copy=False)
    if np.min(whole, initial=0) < 0:
        raise ValueError(f"{name} holds {np.min(whole)}: must not be negative")
    return whole
