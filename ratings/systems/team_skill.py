"""How strong a team is, from the skills of its parts: some people play better together.

Any part of a team that often plays together can be rated as one unit, by any rating system. Two ways
of joining such ratings, and three rules for the strength of a team behind one interface.
DeLong, Pathak, Erickson, Perrino, Shim and Srivastava (2011), "TeamSkill: modeling team chemistry in
online multi-player games".
"""

from collections.abc import Collection, Hashable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from math import comb, fsum
from typing import Protocol, TypeAlias

__all__ = [
    "Known",
    "ReliableSubTeams",
    "SubTeam",
    "SubTeamsOfSize",
    "SumOfMembers",
    "TeamStrength",
    "all_k_least_squares",
    "mean_of_size",
    "sub_teams",
]


@dataclass(frozen=True, slots=True)
class SubTeam:
    """A rated unit. skill: rating points; games: those in which its members were together."""

    skill: float
    games: int = 0


Known: TypeAlias = Mapping[frozenset[Hashable], SubTeam]


class TeamStrength(Protocol):
    """A rule for the strength of a team, in rating points: those of all its players together."""

    def __call__(self, team: Collection[Hashable], known: Known) -> float:
        """The strength of these players together; ValueError when a skill it needs is not known."""


@dataclass(frozen=True, slots=True)
class SumOfMembers:
    """Everybody adds what they are worth alone."""

    def __call__(self, team: Collection[Hashable], known: Known) -> float:
        return mean_of_size(team, known, size=1)


@dataclass(frozen=True, slots=True)
class SubTeamsOfSize:
    """TS_k with k = `size`, or the whole team where it is smaller."""

    size: int

    def __call__(self, team: Collection[Hashable], known: Known) -> float:
        return mean_of_size(team, known, size=min(self.size, len(frozenset(team))))


@dataclass(frozen=True, slots=True)
class ReliableSubTeams:
    """AllK-LS, with parts that have played `least_games` together or more."""

    least_games: int

    def __call__(self, team: Collection[Hashable], known: Known) -> float:
        return all_k_least_squares(team, known, least_games=self.least_games)


def sub_teams(team: Collection[Hashable], *, size: int) -> Iterator[frozenset[Hashable]]:
    """Every part of `size` players of a team of K: K over `size` of them."""
    return map(frozenset, combinations(dict.fromkeys(team), size))


def mean_of_size(team: Collection[Hashable], known: Known, *, size: int) -> float:
    """TS_k = K/k · mean of the skills of all parts of k = `size` players.

    Raises ValueError when `size` is not from 1 to K, or when the skill of a part is not known.
    """
    members = frozenset(team)
    if not 1 <= size <= len(members):
        raise ValueError(
            f"size = {size}: must be from 1 to {len(members)}, the players of the team"
        )
    skills = []
    for part in sub_teams(members, size=size):
        if part not in known:
            names = ", ".join(sorted(map(str, part)))
            raise ValueError(
                f"the skill of {names} is not known: every part of this size must be rated"
            )
        skills.append(known[part].skill)
    total = fsum(skills)
    return len(members) / size * total / comb(len(members), size)


def all_k_least_squares(team: Collection[Hashable], known: Known, *, least_games: int) -> float:
    """AllK-LS: K / Σ m · Σ of the mean skill of the parts of size m.

    Over the sizes m of the parts that have played `least_games` together or more and are in no
    larger part that has. Where no two players have, the sum of the members.
    Raises ValueError for a team of nobody, or when a member's skill is needed and not known.
    """
    members = frozenset(team)
    reliable = [
        part
        for part, unit in known.items()
        if part <= members and part and unit.games >= least_games
    ]
    if not any(len(part) > 1 for part in reliable):
        return mean_of_size(members, known, size=1)
    skills: dict[int, list[float]] = {}
    for part in reliable:
        if not any(part < larger for larger in reliable):
            skills.setdefault(len(part), []).append(known[part].skill)
    means = fsum(fsum(of_size) / len(of_size) for of_size in skills.values())
    return len(members) / sum(skills) * means
