"""What a sweep proposes, as it is written: ids in the place of positions, in long columns."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from foundation.postgresql.bulk import Column
from matchmaking.pairing import Tickets
from matchmaking.pairing.matches import ProposedMatches
from matchmaking.pairing.plan import Plan
from ratings.systems.arrays import Bools, Floats, Ints

__all__ = ["Proposals"]

_MATCHES = ("gap", "chance", "map", "is_neutral", "record")
_TICKETS = ("match", "ticket", "team", "rating", "waited")
_PLAYERS = ("row", "player")


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Proposals:
    """m matches of s tickets and r players.

    Length m:  gap float64; chance float64, nan for none; map, names, empty for none; is_neutral bool; record, JSON
    Length s:  match int64, 0..m-1, never falling; ticket int64, ids; team int64; rating float64; waited float64
    Length r:  row int64, 0..s-1, never falling: the player's ticket; player int64, ids
    """

    gap: Floats
    chance: Floats
    map: Column
    is_neutral: Bools
    record: Column
    match: Ints
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
        matches: ProposedMatches,
        records: Sequence[dict[str, Any]] = (),
    ) -> "Proposals":
        """The matches of a sweep, with the record of why each was made, if there is one."""
        chosen, members = matches.ticket, tickets.members
        sizes = members.sizes[chosen]
        row = np.repeat(np.arange(len(chosen)), sizes)
        within = np.arange(len(row)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        maps = plan.settings.game_maps
        # Sides are nothing among many teams, or where the operator says so. Else the first team has the first side,
        # also while nobody knows what it is worth: who gets it is drawn by lot then, and history will tell.
        neutral = np.ones(len(matches), dtype=np.bool_)
        if plan.team_count == 2:
            neutral = np.array([*(one.advantage == 0 for one in maps), False])[matches.map]
        write = json.JSONEncoder(separators=(",", ":")).encode  # `dumps` would make one for each
        written = np.empty(len(matches), dtype=object)
        written[:] = [write(record) for record in records or [{}] * len(matches)]
        return cls(
            gap=matches.gap,
            chance=matches.chance,
            map=np.array([*(one.name for one in maps), ""], dtype=object)[matches.map],
            is_neutral=neutral,
            record=written,
            match=matches.match,
            ticket=tickets.id[chosen],
            team=matches.team,
            rating=tickets.rating[chosen],
            waited=tickets.waited[chosen],
            row=row,
            player=members.player[members.starts[chosen][row] + within],
        )

    def __len__(self) -> int:
        return len(self.gap)

    def where(self, chosen: Bools) -> "Proposals":
        """Some of the matches; `chosen` has length m."""
        if chosen.all():
            return self
        tickets = chosen[self.match]
        players = tickets[self.row]
        columns = {name: getattr(self, name)[chosen] for name in _MATCHES}
        columns |= {name: getattr(self, name)[tickets] for name in _TICKETS}
        columns |= {name: getattr(self, name)[players] for name in _PLAYERS}
        columns["match"] = (np.cumsum(chosen) - 1)[columns["match"]]
        columns["row"] = (np.cumsum(tickets) - 1)[columns["row"]]
        return Proposals(**columns)

    def part(self, start: int, stop: int) -> "Proposals":
        """The matches from `start` up to `stop`."""
        index = np.arange(len(self))
        return self.where((index >= start) & (index < stop))

    def whole(self, gone: Sequence[int]) -> Bools:
        """Which matches none of these tickets, by id, takes part in."""
        whole = np.ones(len(self), dtype=bool)
        whole[self.match[np.isin(self.ticket, gone)]] = False
        return whole

    def line_ups(self) -> list[list[list[int]]]:
        """The players' ids of each match, by team."""
        teams: list[list[list[int]]] = [[] for _ in range(len(self))]
        of = self.row
        for match, team, player in zip(
            self.match[of].tolist(), self.team[of].tolist(), self.player.tolist(), strict=True
        ):
            while len(teams[match]) <= team:
                teams[match].append([])
            teams[match][team].append(player)
        return teams
