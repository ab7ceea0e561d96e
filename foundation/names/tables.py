"""The tables of this folder, read once a process and only when a name beyond ASCII needs them."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path

__all__ = ["prototypes", "script_ranges"]

HERE = Path(__file__).parent

# First and last sign, and the scripts that use them.
Range = tuple[int, int, frozenset[str]]


@cache
def prototypes() -> dict[str, str]:
    """What each sign looks like, where that is something else: the mapping of UTS 39."""
    return {
        chr(int(source, 16)): "".join(chr(int(sign, 16)) for sign in prototype.split())
        for prototype, sources in _lines("confusables.txt")
        for source in sources.split()
    }


@cache
def script_ranges() -> tuple[Range, ...]:
    """In which scripts signs are used, in their order; signs of every script are in none of the ranges."""
    return tuple(
        (int(ends.split()[0], 16), int(ends.split()[1], 16), frozenset(scripts.split()))
        for ends, scripts in _lines("scripts.txt")
    )


def _lines(name: str) -> Iterator[tuple[str, str]]:
    """What stands before and behind the colon of each line."""
    for line in (HERE / name).read_text("utf-8").splitlines():
        if not line.startswith("#"):
            before, _colon, behind = line.partition(":")
            yield before, behind
