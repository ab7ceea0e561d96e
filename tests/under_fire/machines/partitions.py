"""What is done to the network, one at a time: cut, one-way, slow."""

import random
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import islice
from pathlib import Path

from tests.under_fire.machines.network import Switch

__all__ = ["SHORTEST", "partitions"]

_PAIRS = (("data", "web"), ("data", "work"), ("web", "world"))
SHORTEST, _LONGEST = 3.0, 20.0  # seconds
_DELAYS = (0.1, 0.5)  # seconds, each way


def partitions(
    switch: Switch, number: int, seed: int
) -> Sequence[tuple[str, Callable[[Path], None]]]:
    """So many, of all kinds in turn, with lengths and delays drawn from a seed."""
    return list(islice(_endless(switch, random.Random(seed)), number))


def _endless(switch: Switch, luck: random.Random) -> Iterator[tuple[str, Callable[[Path], None]]]:
    while True:
        for one, other in _PAIRS:
            both = [(one, other), (other, one)]
            seconds = partial(luck.uniform, SHORTEST, _LONGEST)
            yield f"{one} | {other}: cut", partial(_cut, switch, both, seconds())
            yield f"{one} → {other}: lost", partial(_cut, switch, both[:1], seconds())
            yield f"{other} → {one}: lost", partial(_cut, switch, both[1:], seconds())
            delays = {way: luck.uniform(*_DELAYS) for way in both}
            yield f"{one} | {other}: slow", partial(_slow, switch, delays, seconds())


def _cut(switch: Switch, ways: Sequence[tuple[str, str]], seconds: float, _: Path) -> None:
    switch.let(blocked=ways)
    time.sleep(seconds)
    switch.heal()


def _slow(switch: Switch, delays: dict[tuple[str, str], float], seconds: float, _: Path) -> None:
    switch.let(delayed=delays)
    time.sleep(seconds)
    switch.heal()
