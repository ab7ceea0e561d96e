"""The two forms of a test run: the everyday one, and the full one (`bin/test --full`) of continuous integration.

Both hold the same promises. The full one tries more cases of each, and starts whole sites in more surroundings
(what is marked `full`).
"""

import os

_VARIABLE = "EVENMATCH_TESTS"


def choose(*, full: bool) -> None:
    """Settle the form of this process and of those that it starts."""
    os.environ[_VARIABLE] = "full" if full else "everyday"


def is_full() -> bool:
    """Whether everything is tried."""
    return os.environ.get(_VARIABLE) == "full"


def often(everyday: int, full: int) -> int:
    """How many cases to try."""
    return full if is_full() else everyday
