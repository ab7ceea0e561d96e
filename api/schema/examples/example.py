"""The form of an example, and the players of all of them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

__all__ = ["ANN", "BEN", "CY", "DEE", "Example", "page", "player"]

Body = Mapping[str, Any] | str


@dataclass(frozen=True, slots=True)
class Example:
    """Bodies of one operation, by what they show: of requests, of answers with `status`, and with another one."""

    answers: Mapping[str, Body]
    requests: Mapping[str, Body] = field(default_factory=dict)
    status: int = 200
    more: Mapping[int, Mapping[str, Body]] = field(default_factory=dict)

    @property
    def by_status(self) -> dict[int, Mapping[str, Body]]:
        """All answers."""
        return {self.status: self.answers, **self.more}


def player(pk: int, name: str) -> dict[str, Any]:
    """A player as the game's server sees it."""
    return {"id": pk, "name": name, "external_id": f"{name.lower()}-17"}


def page(row: Any) -> dict[str, Any]:
    """A list of one row, the last page."""
    return {"results": [row], "next": None}


ANN, BEN, CY, DEE = player(33, "Ann"), player(34, "Ben"), player(35, "Cy"), player(36, "Dee")
