"""The shooter ladder duel by duel, written as the rules read."""

from ratings.systems import Duels, Ratings

__all__ = ["duel", "play_all", "share"]


def share(first: float, second: float) -> float:
    """The strength of play of the first."""
    a, b = first, second
    if second < 0:
        a, b = a - second, b - second
    if first < 0:
        a, b = a - first, b - first
    return 0.5 if a + b == 0 else a / (a + b)


def duel(
    own: float, other: float, first: float, second: float, *, k: float = 40, scale: float = 400
) -> tuple[float, float]:
    """Both ratings after a duel with these frags."""

    def after(rating: float, opponent: float, strength: float) -> float:
        expected = float(1 / (1 + 10 ** ((opponent - rating) / scale)))
        return max(0.0, rating + k * (strength - expected))

    strength = share(first, second)
    return after(own, other, strength), after(other, own, 1 - strength)


def play_all(before: Ratings, duels: Duels, **parameters: float) -> list[float]:
    """The ratings after all duels in their order."""
    values: list[float] = before.value.tolist()
    assert duels.points is not None
    games = zip(duels.first.tolist(), duels.second.tolist(), duels.points.tolist(), strict=True)
    for a, b, (first, second) in games:
        values[a], values[b] = duel(values[a], values[b], first, second, **parameters)
    return values
