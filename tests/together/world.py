"""The world of the matchmaking machine, with maps to vote for, and with what is acknowledged of rooms and conduct."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from tests.emptying import rows_by_table
from tests.matchmaking.machine.world import World, make_world

__all__ = ["DUEL", "PAIRS", "Gathering", "make_gathering"]

DUEL, PAIRS = 0, 2  # numbers of the queues of two, and of two against two


@dataclass
class Gathering(World):
    """Players who do anything, in rooms and by challenges too.

    removed   (room, player): who was told to have removed whom
    sat       (room, player): who was told to have a seat
    begun     (challenge, match) as somebody was told
    declined  (offer, player): who was told that the match is declined
    """

    removed: set[tuple[int, int]] = field(default_factory=set)
    sat: set[tuple[int, int]] = field(default_factory=set)
    begun: set[tuple[int, int]] = field(default_factory=set)
    declined: set[tuple[int, int]] = field(default_factory=set)

    def clean(self) -> None:
        super().clean()
        for known in (self.removed, self.sat, self.begun, self.declined):
            known.clear()

    def told(self) -> dict[str, Any]:
        pairs: Mapping[str, set[tuple[int, int]]] = {
            "removed": self.removed,
            "sat": self.sat,
            "begun": self.begun,
            "declined": self.declined,
        }
        columns = {
            f"{name}_{number}": [pair[number] for pair in found]
            for name, found in pairs.items()
            for number in (0, 1)
        }
        return {**super().told(), **columns, "now": self.now}

    def for_process(self) -> "Gathering":
        """What a process needs of it: not what its tables began with."""
        return replace(self, rows={})


def make_gathering() -> Gathering:
    """Make the game, whose teams of two have maps."""
    world = make_world()
    pairs = world.queues[PAIRS]
    pairs.settings = {**pairs.settings, "maps": {"names": "River; Canyon; Lake"}}
    pairs.save(update_fields=["settings"])
    return Gathering(world.queues, world.players, world.operator, rows_by_table())
