"""How matches end between players of known true strength. Pure."""

__all__ = ["draw_chance", "expected", "score"]

_MOST_DRAWS = 0.12
_DRAW_RANGE = 300.0  # points


def expected(difference: float) -> float:
    """Expected score of the one who is `difference` points stronger: 400 points are ten to one."""
    return float(1.0 / (1.0 + 10.0 ** (-difference / 400.0)))


def draw_chance(difference: float) -> float:
    """Chance of a draw: highest between equals."""
    return float(_MOST_DRAWS * 2.0 ** (-((difference / _DRAW_RANGE) ** 2)))


def score(difference: float, luck: float) -> float:
    """Return 1, 0.5 or 0 for the stronger by `difference`, from `luck` evenly between 0 and 1."""
    drawn = draw_chance(difference)
    won = max(0.0, expected(difference) - drawn / 2)
    if luck < won:
        return 1.0
    return 0.5 if luck < won + drawn else 0.0
