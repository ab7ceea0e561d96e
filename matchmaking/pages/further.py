"""What apps above add to what goes on for an account: said on every page, read in the query that is made anyway."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

__all__ = ["FurtherMatter", "Shown", "further_columns", "further_matters", "show_with"]


@dataclass(frozen=True, slots=True)
class FurtherMatter:
    """Something that goes on for a player. `key` tells one from another, and from the same later."""

    key: tuple[str | int, ...]
    words: str
    href: str
    label: str

    @property
    def shown_as(self) -> str:
        """What a page that shows it says of itself: its first two parts, as in "room-12"."""
        return "-".join(map(str, self.key[:2]))


@dataclass(frozen=True, slots=True)
class Shown:
    """What an app above shows.

    sql   an expression of JSON over the row `player`, NULL for nothing; of parameters it has `at`, the time that
          stands for now, NULL for PostgreSQL's own
    read  what is said of the value, which is of the player with this id
    """

    sql: str
    read: Callable[[int, Any], FurtherMatter]


_shown: list[Shown] = []


def show_with(shown: Shown) -> None:
    """Let an app above say what goes on for a player. Called from an app's `ready()`."""
    _shown.append(shown)


def further_columns() -> str:
    """One column of SQL for all of it."""
    return f"json_build_array({', '.join(one.sql for one in _shown)})"


def further_matters(player_id: int, values: list[Any]) -> list[FurtherMatter]:
    """What is said of a player, from that column."""
    pairs = zip(_shown, values, strict=True)
    return [one.read(player_id, value) for one, value in pairs if value is not None]
