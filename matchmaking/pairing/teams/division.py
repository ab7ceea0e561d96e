"""Groups of tickets into teams, and the matches that come of it."""

from collections.abc import Sequence

import numpy as np

from matchmaking.pairing.maps_and_sides.sides import evened_by_side
from matchmaking.pairing.matches import ProposedMatches, row_pairs
from matchmaking.pairing.plan import Plan, conditions_of, costs_of
from matchmaking.pairing.teams.capacity import Roles
from matchmaking.pairing.teams.splits import Splits, split_by_rule, splits_of, swap
from matchmaking.pairing.tickets import Tickets
from ratings.systems.arrays import Floats, Ints

__all__ = ["Divider", "arrange"]

# So many totals of teams are worked out at a time: 16 MB.
_AT_ONCE = 2_000_000


# The team of each ticket of a match, 0..k-1, by position; the largest party first, then the strongest.
Division = dict[int, int]


class Divider:
    """Splits matches of one queue into teams.

    roles    what each team needs
    missing  of each ticket what its players miss of them; empty where the queue asks for none
    """

    def __init__(self, tickets: Tickets, plan: Plan) -> None:
        self._plan, self._teams = plan, plan.settings.teams
        self._evened = evened_by_side(plan)
        self._sizes, self._points = tickets.members.sizes, team_points(tickets)
        self._order = np.empty(len(tickets), dtype=np.int64)
        by_size = np.lexsort((tickets.id, -tickets.rating, -self._sizes))
        self._order[by_size] = np.arange(len(tickets))
        self.roles = Roles(plan.settings.roles, count=plan.team_count, size=plan.team_size)
        self._bits: dict[int, list[int]] = {}  # the roles of the players of each ticket
        if self.roles.is_needed:
            rows = np.split(tickets.members.roles, tickets.members.starts[1:-1])
            self._bits = {ticket: rows[ticket].tolist() for ticket in range(len(tickets))}
        self.missing = {ticket: self.roles.missing(bits) for ticket, bits in self._bits.items()}

    def divide(self, groups: Sequence[Sequence[int]]) -> list[Division | None]:
        """The best split of each group, whose tickets are positions; None where none is possible.

        A split costs seconds: the points between the mean of the strongest team and the weakest, but
        for those that the better side makes up for, at what a point is worth, and the operator's seconds
        for parties without a counterpart. Of equal splits the first in order is taken.
        """
        found: list[Division | None] = [None] * len(groups)
        # All groups with parties of the same sizes at once.
        patterns: dict[tuple[int, ...], list[int]] = {}
        ordered = []
        for number, group in enumerate(groups):
            members = np.array(group, dtype=np.int64)
            members = members[np.argsort(self._order[members])]
            ordered.append(members)
            patterns.setdefault(tuple(self._sizes[members].tolist()), []).append(number)
        for sizes, numbers in patterns.items():
            rows = np.stack([ordered[number] for number in numbers])
            splits = None
            if self._teams.split == "best":
                splits = splits_of(sizes, self._plan.team_count, self._plan.team_size)
            divisions = (
                [self._by_rule(sizes, row) for row in rows]
                if splits is None
                else self._by_trying(splits, rows)
            )
            for number, division in zip(numbers, divisions, strict=True):
                found[number] = division
        return found

    def _by_trying(self, splits: Splits, groups: Ints) -> list[Division | None]:
        """The best of all splits for each row of tickets."""
        found: list[Division | None] = []
        if not len(splits):
            return [None] * len(groups)
        count = self._plan.team_count
        onehot = (splits.team[:, np.newaxis] == np.arange(count)[:, np.newaxis]).astype(np.float64)
        flat = onehot.reshape(-1, groups.shape[1])
        step = max(1, _AT_ONCE // len(flat))
        for low in range(0, len(groups), step):
            rows = groups[low : low + step]
            totals = (self._points[rows] @ flat.T).reshape(len(rows), -1, count)
            cost = self.cost(np.ptp(totals, axis=2), splits.imparity)
            best = cost.argmin(axis=1).tolist()
            for row, own, least in zip(rows.tolist(), cost, best, strict=True):
                chosen: int | None = least
                if self.roles.is_needed:  # the cheapest split in which every team fills its roles
                    chosen = None
                    if all(self.roles.allows_team(self.missing[ticket]) for ticket in row):
                        by_cost = np.argsort(own, kind="stable").tolist()
                        fills = (at for at in by_cost if self._fills(row, splits.team[at].tolist()))
                        chosen = next(fills, None)
                team = [] if chosen is None else splits.team[chosen].tolist()
                found.append(dict(zip(row, team, strict=True)) if team else None)
        return found

    def cost(self, spread: Floats, unlike: Floats) -> Floats:
        """Seconds: of totals so far apart, and of parties so unlike; rounded, so that equals are."""
        uneven = np.abs(spread / self._plan.team_size - self._evened)
        points = uneven / self._plan.settings.exchange.points_per_second
        cost: Floats = np.round(points + self._teams.parity_seconds * unlike, 6)
        return cost

    def _fills(self, row: Sequence[int], team: Sequence[int]) -> bool:
        by_team: list[list[int]] = [[] for _ in range(self._plan.team_count)]
        for ticket, number in zip(row, team, strict=True):
            by_team[number] += self._bits[ticket]
        return all(self.roles.fills(bits) for bits in by_team)

    def _by_rule(self, sizes: tuple[int, ...], group: Ints) -> Division | None:
        """The sources' rule, and exchanges after it where the operator wants the best."""
        row, plan = group.tolist(), self._plan
        roles = self.roles if self.roles.is_needed else None
        team = split_by_rule(
            self._points[group].tolist(),
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
                self._points[group],
                np.array(sizes),
                numbers,
                (lambda tried: self._fills(row, tried.tolist())) if roles else None,
                apart=self._evened * plan.team_size,
            )
        return dict(zip(row, numbers.tolist(), strict=True))


def team_points(tickets: Tickets) -> Floats:
    """Rating points each ticket adds to the total of its team: all its players count for the same.

    `tickets.rating` is what each of them counts for: the mean of a party, and its bonus.
    """
    points: Floats = tickets.rating * tickets.members.sizes
    return points


def arrange(
    tickets: Tickets,
    plan: Plan,
    groups: Sequence[Sequence[int]],
    divider: Divider | None = None,
) -> ProposedMatches:
    """Matches of groups of positions, each of as many players as a match has, split into teams.

    The match of whoever has waited longest comes first, teams in their order, in each the oldest first.
    A group that cannot be split, as parties or roles do not fit into teams, waits on. No map is chosen
    and no chance known yet.
    """
    divider = Divider(tickets, plan) if divider is None else divider
    by_age = tickets.by_age()
    ranks = np.argsort(by_age).tolist()
    divisions = [division for division in divider.divide(groups) if division is not None]
    divisions.sort(key=lambda division: min(ranks[ticket] for ticket in division))
    rows = sorted(
        (number, team, ranks[ticket], ticket)
        for number, division in enumerate(divisions)
        for ticket, team in division.items()
    )
    match, team, _rank, ticket = np.array(rows, dtype=np.int64).reshape(-1, 4).T.copy()
    m, count = len(divisions), plan.team_count
    points = team_points(tickets)[ticket]
    totals = np.bincount(match * count + team, weights=points, minlength=m * count)
    one, other = row_pairs(match)
    cost = costs_of(tickets, conditions_of(plan), ticket[one], ticket[other])
    is_left = np.ones(len(tickets), dtype=np.bool_)
    is_left[ticket] = False
    return ProposedMatches(
        match=match,
        ticket=ticket,
        team=team,
        gap=np.ptp(totals.reshape(m, count), axis=1) / plan.team_size,
        cost=np.bincount(match[one], weights=cost, minlength=m).astype(np.float64),
        chance=np.full(m, np.nan),
        map=np.full(m, -1, dtype=np.int64),
        left=by_age[is_left[by_age]],
    )
