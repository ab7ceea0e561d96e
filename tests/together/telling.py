"""What came of the kills, in words and numbers."""

from collections.abc import Iterator

from tests.together.killed import Kills

__all__ = ["tell"]

_HEAD = ("kills", "writing", "elsewhere", "WRONG")


def tell(kills: Kills) -> Iterator[str]:
    """Yield the lines: a table by scene, what was being done, and what was wrong."""
    width = max(map(len, kills.tallies))
    yield " " * width + "".join(f"  {word}" for word in _HEAD)
    rows = {
        name: (its.inside + its.elsewhere, its.inside, its.elsewhere, its.wrong)
        for name, its in kills.tallies.items()
    }
    for name, row in {**rows, "": tuple(map(sum, zip(*rows.values(), strict=True)))}.items():
        cells = (f"{number:{len(word) + 2}}" for word, number in zip(_HEAD, row, strict=True))
        yield f"{name:{width}}" + "".join(cells)
    often = ", ".join(f"{what} {times}" for what, times in kills.hit.most_common())
    yield f"Killed while at: {often or 'nothing'}."
    yield f"Wrong: {len(kills.wrong) or 'nothing'}."
    yield from kills.wrong
