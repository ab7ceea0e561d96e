"""A ladder of teams, for the tests of what rates them."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from ratings.models import Match, Participant
from tests.ratings.arena import Arena

__all__ = ["Fought", "SquadArena", "make_squads", "random_fights"]


@dataclass(frozen=True)
class Fought:
    """One match: when it was confirmed, who met whom by team, ranks by team, and what each player counted."""

    day: float
    teams: tuple[tuple[int, ...], ...]
    ranks: tuple[int, ...]
    scores: tuple[float, ...] | None = None
    minutes: tuple[float, ...] | None = None


class SquadArena(Arena):
    """A ladder of teams and its players, by number."""

    def fight(self, *history: Fought) -> list[Match]:
        """Confirm matches; none has its place in the sequence yet."""
        known = Match.objects.count()
        matches = Match.objects.bulk_create(
            self._match(f"m{known + number}", fought.day) for number, fought in enumerate(history)
        )
        seats = [
            seat
            for match, fought in zip(matches, history, strict=True)
            for seat in self._seats(match, fought)
        ]
        Participant.objects.bulk_create(seats)
        return matches

    def _seats(self, match: Match, fought: Fought) -> list[Participant]:
        members = [(team, who) for team, them in enumerate(fought.teams) for who in them]
        return [
            Participant(
                match=match,
                player=self.players[who],
                team=team,
                rank=fought.ranks[team],
                score=fought.scores[place] if fought.scores else None,
                minutes=fought.minutes[place] if fought.minutes else None,
            )
            for place, (team, who) in enumerate(members)
        ]


def make_squads(players: int = 8, *, teams: int = 2, size: int = 2, **rules: Any) -> SquadArena:
    """A ladder of teams in its own game. The pool counts as grown from the start unless told otherwise."""
    shape = {"team_count": teams, "team_size": size}
    return SquadArena(players, **{"pool_minimum": 0, "established_after": 3, **shape, **rules})


def random_fights(
    matches: int,
    players: int,
    *,
    days: float,
    teams: int = 2,
    size: int = 2,
    seed: int = 7,
    counted: bool = False,
) -> list[Fought]:
    """Matches in order of time; with `counted` everyone has a score and minutes."""
    random = np.random.default_rng(seed)
    history = []
    for day in np.sort(random.uniform(0, days, matches)).tolist():
        line_up = random.choice(players, (teams, size), replace=False).tolist()
        ranks = random.integers(0, teams, teams)
        ranks -= ranks.min()
        seats = teams * size
        history.append(
            Fought(
                day,
                tuple(tuple(team) for team in line_up),
                tuple(ranks.tolist()),
                tuple(random.integers(0, 30, seats).astype(float).tolist()) if counted else None,
                tuple(random.uniform(1, 20, seats).tolist()) if counted else None,
            )
        )
    return history
