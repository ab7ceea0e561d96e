"""The sources' rule: always the strongest left to the weakest team with a free place."""

from collections.abc import Iterator, Sequence

from matchmaking.pairing.teams.roles import Roles

__all__ = ["split_by_rule"]

_MOST_STEPS = 50_000


def split_by_rule(
    points: Sequence[float],
    sizes: Sequence[int] | None = None,
    *,
    count: int,
    size: int,
    roles: Roles | None = None,
    missing: Sequence[int] = (),
) -> list[int] | None:
    """The team of each ticket; None where none was found that leaves parties and roles whole.

    points   rating points that each ticket adds to its team's total
    sizes    players of each; left out: one
    roles    what each of the `count` teams of `size` needs, with what each ticket is `missing`

    The strongest goes to the first team, the next to the second, and so on; from then on always to
    the team with the lowest total among those with a free place, of equals to the earlier. Parties
    go before those who came alone, the largest first, as only they can fail to find room; and a
    choice that leaves somebody without room is taken back.

    3 against 3 with 2000, 1000, 400, 300, 200, 100: 2000, 200, 100 against 1000, 400, 300.
    """
    sizes = [1] * len(points) if sizes is None else sizes
    order = sorted(range(len(points)), key=lambda ticket: (-sizes[ticket], -points[ticket], ticket))
    lacks = list(missing) or [0] * len(points)
    filling = _Filling([size] * count, roles)
    return filling.place(
        [(ticket, sizes[ticket], points[ticket], lacks[ticket]) for ticket in order]
    )


class _Filling:
    """Teams that fill up; every place that was given can be taken back."""

    def __init__(self, free: list[int], roles: Roles | None) -> None:
        self._free, self._roles = free, roles
        self._total, self._missing = [0.0] * len(free), [0] * len(free)
        self._dead: set[tuple[object, ...]] = set()

    def place(self, tickets: Sequence[tuple[int, int, float, int]]) -> list[int] | None:
        """Depth first: the first way in the rule's order that leads to the end."""
        choices: list[Iterator[int]] = []
        given: list[int] = []
        for _ in range(_MOST_STEPS):
            if len(given) == len(tickets):
                return _by_ticket(tickets, given)
            if len(choices) == len(given):
                choices.append(iter(self._teams_for(len(given), tickets[len(given)])))
            team = next(choices[-1], None)
            if team is not None:
                self._give(team, tickets[len(given)], 1)
                given.append(team)
            elif given:
                choices.pop()
                self._dead.add(self._rest(len(given)))
                self._give(given[-1], tickets[len(given) - 1], -1)
                given.pop()
            else:
                return None
        return None

    def _teams_for(self, index: int, ticket: tuple[int, int, float, int]) -> list[int]:
        """Teams with room, in the order of the rule; none once that has led nowhere before."""
        _number, size, _points, missing = ticket
        if self._rest(index) in self._dead:
            return []
        teams = [team for team, free in enumerate(self._free) if free >= size]
        if self._roles is not None:
            allows = self._roles.allows_team
            teams = [team for team in teams if allows(self._missing[team] + missing)]
        if index < len(self._free):  # the first go to a team each
            return sorted(teams, key=lambda team: (team < index, self._total[team], team))
        return sorted(teams, key=lambda team: (self._total[team], team))

    def _rest(self, index: int) -> tuple[object, ...]:
        """What decides whether those after `index` find room, whoever is where."""
        rest = zip(self._free, self._missing, strict=True)
        return (index, *sorted(rest))

    def _give(self, team: int, ticket: tuple[int, int, float, int], sign: int) -> None:
        _number, size, points, missing = ticket
        self._free[team] -= sign * size
        self._total[team] += sign * points
        self._missing[team] += sign * missing


def _by_ticket(tickets: Sequence[tuple[int, int, float, int]], given: Sequence[int]) -> list[int]:
    teams = [0] * len(tickets)
    for (number, *_), team in zip(tickets, given, strict=True):
        teams[number] = team
    return teams
