"""How many decimals a sum needs so that a reader who adds it up comes to the figure that is shown."""

from collections.abc import Sequence

__all__ = ["places_of_product", "places_of_sum"]

_MOST = 2  # more decimals than usual


def places_of_product(
    weight: float, actual: float, expected: float, change: float, *, places: int
) -> int:
    """How many more decimals than usual make weight × (actual − expected) come to the change as it is shown.

    Usual are `places` for the weight, as for the change, and two for what was expected.
    """
    shown = round(change, places)
    for more in range(_MOST):
        product = round(weight, places + more) * (actual - round(expected, 2 + more))
        if round(product, places) == shown:
            return more
    return _MOST


def places_of_sum(parts: Sequence[float], total: float, *, least: int = 2) -> int:
    """With how many decimals the parts add up to the total, each rounded by itself; at most two more than `least`."""
    for places in range(least, least + _MOST):
        added = sum(round(part, places) for part in parts)
        if round(added, places) == round(total, places):
            return places
    return least + _MOST
