"""Groups of tickets into teams, all groups with parties of the same sizes at once."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from matchmaking.pairing.maps_and_sides.predictions import evened_by_side
from matchmaking.pairing.model.plan import Plan
from matchmaking.pairing.teams.all_splits import Splits, imparity, splits_of, swap
from matchmaking.pairing.teams.roles import Roles
from matchmaking.pairing.teams.strongest_first import split_by_rule
from matchmaking.pairing.tickets import Tickets
from ratings.systems.arrays import Floats, Ints

__all__ = ["Divider", "Division", "team_points"]

# So many totals of teams are worked out at a time: 16 MB.
_AT_ONCE = 2_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Division:
    """The teams of one match.

    tickets   positions, the largest party first, then the strongest
    team      the team of each, 0..k-1
    tried     splits that it is the best of; 1: found by the rule and by exchanges
    imparity  0..1, how unlike the parties of the teams are
    """

    tickets: tuple[int, ...]
    team: tuple[int, ...]
    tried: int
    imparity: float


class Divider:
    """Splits matches of one queue into teams."""

    def __init__(self, tickets: Tickets, plan: Plan) -> None:
        self._plan, self._teams = plan, plan.settings.teams
        self._evened = evened_by_side(plan)
        self._sizes, self._points = tickets.seats.sizes, team_points(tickets)
        self._order = np.empty(len(tickets), dtype=np.int64)
        by_size = np.lexsort((tickets.id, -tickets.rating, -self._sizes))
        self._order[by_size] = np.arange(len(tickets))
        self.roles = Roles(plan.settings.roles, count=plan.team_count, size=plan.team_size)
        self._bits = _by_ticket(tickets) if self.roles.is_needed else {}
        self.missing = {ticket: self.roles.missing(bits) for ticket, bits in self._bits.items()}

    def divide(self, groups: Sequence[Sequence[int]]) -> list[Division | None]:
        """The best split of each group, whose tickets are positions; None where none is possible.

        A split costs seconds: the points between the mean of the strongest team and the weakest, but
        for those that the better side makes up for, at what a point is worth, and the operator's seconds
        for parties without a counterpart. Of equal splits the first in order is taken.
        """
        found: list[Division | None] = [None] * len(groups)
        for sizes, rows, members in self._by_sizes(groups):
            splits = None
            if self._teams.split == "best":
                splits = splits_of(sizes, self._plan.team_count, self._plan.team_size)
            if splits is None:
                divisions = [self._by_rule(sizes, one) for one in members]
            else:
                divisions = list(self._by_trying(splits, members))
            for row, division in zip(rows, divisions, strict=True):
                found[row] = division
        return found

    def _by_sizes(
        self, groups: Sequence[Sequence[int]]
    ) -> Iterator[tuple[tuple[int, ...], list[int], Ints]]:
        """The groups of each pattern of sizes: which they are, and their tickets as rows in order."""
        patterns: dict[tuple[int, ...], list[int]] = {}
        ordered = []
        for row, group in enumerate(groups):
            members = np.array(group, dtype=np.int64)
            members = members[np.argsort(self._order[members])]
            ordered.append(members)
            patterns.setdefault(tuple(self._sizes[members].tolist()), []).append(row)
        for sizes, rows in patterns.items():
            yield sizes, rows, np.stack([ordered[row] for row in rows])

    def _by_trying(self, splits: Splits, members: Ints) -> Iterator[Division | None]:
        """The best of all splits for each row of tickets."""
        if not len(splits):
            yield from [None] * len(members)
            return
        count = self._plan.team_count
        onehot = (splits.team[:, np.newaxis] == np.arange(count)[:, np.newaxis]).astype(np.float64)
        flat = onehot.reshape(-1, members.shape[1])
        step = max(1, _AT_ONCE // len(flat))
        for low in range(0, len(members), step):
            rows = members[low : low + step]
            totals = (self._points[rows] @ flat.T).reshape(len(rows), -1, count)
            cost = self.cost(np.ptp(totals, axis=2), splits.imparity)
            best = cost.argmin(axis=1) if not self.roles.is_needed else None
            for at, row in enumerate(rows.tolist()):
                chosen = self._first_filled(splits, row, cost[at]) if best is None else best[at]
                yield None if chosen is None else _division(row, splits, int(chosen))

    def cost(self, spread: Floats, unlike: Floats) -> Floats:
        """Seconds: of totals so far apart, and of parties so unlike; rounded, so that equals are."""
        uneven = np.abs(spread / self._plan.team_size - self._evened)
        points = uneven / self._plan.settings.exchange.points_per_second
        cost: Floats = np.round(points + self._teams.parity_seconds * unlike, 6)
        return cost

    def _first_filled(self, splits: Splits, row: list[int], cost: Floats) -> int | None:
        """The cheapest split in which every team fills its roles."""
        if any(not self.roles.allows_team(self.missing[ticket]) for ticket in row):
            return None
        for split in np.argsort(cost, kind="stable"):
            if self._fills(row, splits.team[split].tolist()):
                return int(split)
        return None

    def _fills(self, row: Sequence[int], team: Sequence[int]) -> bool:
        by_team: list[list[int]] = [[] for _ in range(self._plan.team_count)]
        for ticket, number in zip(row, team, strict=True):
            by_team[number] += self._bits[ticket]
        return all(self.roles.fills(bits) for bits in by_team)

    def _by_rule(self, sizes: tuple[int, ...], members: Ints) -> Division | None:
        """The sources' rule, and exchanges after it where the operator wants the best."""
        row, plan = members.tolist(), self._plan
        roles = self.roles if self.roles.is_needed else None
        team = split_by_rule(
            self._points[members].tolist(),
            sizes,
            count=plan.team_count,
            size=plan.team_size,
            roles=roles,
            missing=[self.missing[ticket] for ticket in row] if roles else (),
        )
        if team is None or (roles and not self._fills(row, team)):
            return None
        numbers = np.array(team, dtype=np.int64)
        if self._teams.split == "best":
            numbers = swap(
                self._points[members],
                np.array(sizes),
                numbers,
                (lambda tried: self._fills(row, tried.tolist())) if roles else None,
                apart=self._evened * plan.team_size,
            )
        unlike = imparity(np.array(sizes), numbers[np.newaxis], plan.team_count, plan.team_size)
        return Division(
            tickets=tuple(row), team=tuple(numbers.tolist()), tried=1, imparity=float(unlike[0])
        )


def _division(row: list[int], splits: Splits, chosen: int) -> Division:
    return Division(
        tickets=tuple(row),
        team=tuple(splits.team[chosen].tolist()),
        tried=len(splits),
        imparity=float(splits.imparity[chosen]),
    )


def _by_ticket(tickets: Tickets) -> dict[int, list[int]]:
    """The roles of the players of each ticket."""
    starts, roles = tickets.seats.starts.tolist(), tickets.seats.roles.tolist()
    return {ticket: roles[starts[ticket] : starts[ticket + 1]] for ticket in range(len(tickets))}


def team_points(tickets: Tickets) -> Floats:
    """Rating points each ticket adds to the total of its team: all its players count for the same.

    `tickets.rating` is what each of them counts for: the mean of a party, and its bonus.
    """
    points: Floats = tickets.rating * tickets.seats.sizes
    return points
