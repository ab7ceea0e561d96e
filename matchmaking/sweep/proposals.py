"""What a sweep proposes, as it is written: ids in the place of positions, in long columns."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from foundation.bulk import Column
from matchmaking.pairing import Tickets
from matchmaking.pairing.model.plan import Plan
from matchmaking.pairing.model.proposed import Meetings
from ratings.systems.arrays import Bools, Floats, Ints

__all__ = ["Proposals"]

_MATCHES = ("gap", "chance", "map", "is_neutral", "record")
_TICKETS = ("meeting", "ticket", "team", "rating", "waited")
_PLAYERS = ("row", "player")


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Proposals:
    """m matches of s tickets and r players.

    Length m:  gap float64; chance float64, nan for none; map, names, empty for none; is_neutral bool; record, JSON
    Length s:  meeting int64, 0..m-1, never falling; ticket int64, ids; team int64; rating float64; waited float64
    Length r:  row int64, 0..s-1, never falling: the player's ticket; player int64, ids
    """

    gap: Floats
    chance: Floats
    map: Column
    is_neutral: Bools
    record: Column
    meeting: Ints
    ticket: Ints
    team: Ints
    rating: Floats
    waited: Floats
    row: Ints
    player: Ints

    @classmethod
    def of(
        cls,
        tickets: Tickets,
        plan: Plan,
        meetings: Meetings,
        records: Sequence[dict[str, Any]] = (),
    ) -> "Proposals":
        """The meetings of a sweep, with the record of why each was made, if there is one."""
        chosen, seats = meetings.ticket, tickets.seats
        sizes = seats.sizes[chosen]
        row = np.repeat(np.arange(len(chosen)), sizes)
        within = np.arange(len(row)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        return cls(
            gap=meetings.gap,
            chance=meetings.chance,
            map=_names(plan, meetings.map),
            is_neutral=_neutral(plan, meetings.map),
            record=_as_json(records or [{}] * len(meetings)),
            meeting=meetings.meeting,
            ticket=tickets.id[chosen],
            team=meetings.team,
            rating=tickets.rating[chosen],
            waited=tickets.waited[chosen],
            row=row,
            player=seats.player[seats.starts[chosen][row] + within],
        )

    def __len__(self) -> int:
        return len(self.gap)

    def where(self, chosen: Bools) -> "Proposals":
        """Some of the matches; `chosen` has length m."""
        if chosen.all():
            return self
        tickets = chosen[self.meeting]
        players = tickets[self.row]
        columns = {name: getattr(self, name)[chosen] for name in _MATCHES}
        columns |= {name: getattr(self, name)[tickets] for name in _TICKETS}
        columns |= {name: getattr(self, name)[players] for name in _PLAYERS}
        columns["meeting"] = (np.cumsum(chosen) - 1)[columns["meeting"]]
        columns["row"] = (np.cumsum(tickets) - 1)[columns["row"]]
        return Proposals(**columns)

    def part(self, start: int, stop: int) -> "Proposals":
        """The matches from `start` up to `stop`."""
        places = np.arange(len(self))
        return self.where((places >= start) & (places < stop))

    def whole(self, gone: Sequence[int]) -> Bools:
        """Which matches none of these tickets, by id, takes part in."""
        whole = np.ones(len(self), dtype=bool)
        whole[self.meeting[np.isin(self.ticket, gone)]] = False
        return whole

    def line_ups(self) -> list[list[list[int]]]:
        """The players' ids of each match, by team."""
        teams: list[list[list[int]]] = [[] for _ in range(len(self))]
        of = self.row
        for match, team, player in zip(
            self.meeting[of].tolist(), self.team[of].tolist(), self.player.tolist(), strict=True
        ):
            while len(teams[match]) <= team:
                teams[match].append([])
            teams[match][team].append(player)
        return teams


def _names(plan: Plan, chosen: Ints) -> Column:
    names = [game_map.name for game_map in plan.settings.game_maps]
    return np.array([*names, ""], dtype=object)[chosen]


def _neutral(plan: Plan, chosen: Ints) -> Bools:
    """Sides are nothing among many teams, or where the operator says so. Else the first team has the first side.

    Also while nobody knows what it is worth: who gets it is drawn by lot then, and history will tell.
    """
    if plan.team_count > 2:
        return np.ones(len(chosen), dtype=np.bool_)
    own = [game_map.advantage == 0 for game_map in plan.settings.game_maps]
    neutral: Bools = np.array([*own, False])[chosen]
    return neutral


def _as_json(records: Sequence[dict[str, Any]]) -> Column:
    write = json.JSONEncoder(separators=(",", ":")).encode  # `dumps` would make one for each
    written = np.empty(len(records), dtype=object)
    written[:] = [write(record) for record in records]
    return written
