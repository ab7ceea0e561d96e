"""What truly happens in a match: the same for whoever asks, at any time, from its number and the seed alone. Pure."""

import random
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from demo import strength

__all__ = ["MatchTruth", "Persona", "answer_to", "word_of"]

_SHORTEST, _USUAL, _LONGEST = 20.0, 35.0, 60.0  # seconds
_NO_SHOW = 0.01  # one of them never turned up
_LEAVES = 0.25  # how often the worst-mannered leave a match that they lose
_ANSWERS = {"won": "lost", "lost": "won"}


@dataclass(frozen=True, slots=True)
class Persona:
    """A simulated player: `id` in the game, true strength in points, habits (see SimulatedPlayer)."""

    id: str
    strength: float
    activity: float
    manners: float

    @classmethod
    def of_a(cls, person: str) -> "Persona":
        """A player of which only the id in the game is known: a person, average until they report otherwise."""
        return cls(person, strength=1500.0, activity=1.0, manners=1.0)


@dataclass(frozen=True, slots=True)
class MatchTruth:
    """One match: how long it takes, how it ends. Teams of ids in the game, in the order of the match; 0 is best."""

    seconds: float
    played: bool
    teams: tuple[tuple[str, ...], ...]
    ranks: tuple[int, ...]
    leaver: str | None

    @classmethod
    def of(
        cls,
        match: int | str,
        teams: Sequence[Sequence[Persona]],
        *,
        seed: int,
        side: float = 0.0,
    ) -> "MatchTruth":
        """Decide the match. Whoever asks names the same teams in the same order.

        `side` is what the first team's side is worth, in points of each of its players.
        """
        luck = random.Random(f"{seed}:{match}")  # noqa: S311 - a simulation, repeatable
        seconds = luck.triangular(_SHORTEST, _LONGEST, _USUAL)
        strengths = [[one.strength for one in team] for team in teams]
        ranks = strength.ranks_of_teams(strengths, [luck.random() for _team in teams], side=side)
        worst = max(ranks)
        # One of the team that came last, unless several did.
        loser = luck.choice(teams[ranks.index(worst)]) if ranks.count(worst) == 1 else None
        leaves = luck.random() < _LEAVES * (1.0 - (loser.manners if loser else 1.0))
        return cls(
            seconds=seconds * (luck.uniform(0.2, 0.7) if leaves else 1.0),
            played=luck.random() >= _NO_SHOW,
            teams=tuple(tuple(one.id for one in team) for team in teams),
            ranks=ranks,
            leaver=loser.id if loser and leaves else None,
        )

    def outcome_for(self, player: str) -> str:
        """What an honest player reports."""
        if not self.played:
            return "not_played"
        rank = self.ranks[self._team_of(player)]
        if rank > 0:
            return "lost"
        return "won" if self.ranks.count(0) == 1 else "drawn"

    def agree(self, player: str, person: str, word: str) -> str:
        """What a player reports who goes by the word of a person in the match."""
        mine, theirs = self._team_of(player), self._team_of(person)
        if mine == theirs:
            return word
        others = [rank for team, rank in enumerate(self.ranks) if team != theirs]
        is_best = others.index(min(others)) == mine - (mine > theirs)
        return answer_to(word) if is_best or word == "not_played" else "lost"

    def place_beside(self, player: str, places: Mapping[str, int], gone: Collection[str]) -> int:
        """The place that a player of many reports who goes by what people have: those who are gone come last."""
        mine, count = self._team_of(player), len(self.teams)
        taken = {self._team_of(one): place for one, place in places.items()}
        left = {self._team_of(one) for one in gone} - taken.keys() - {mine}
        free = [place for place in range(1, count - len(left) + 1) if place not in taken.values()]
        best_first = sorted(range(count), key=lambda team: (self.ranks[team], team))
        others = [team for team in best_first if team not in taken and team not in left]
        return taken.get(mine) or free[others.index(mine)]

    def _team_of(self, player: str) -> int:
        return next(index for index, team in enumerate(self.teams) if player in team)


def answer_to(word: str) -> str:
    """What agrees with an opponent's word."""
    return _ANSWERS.get(word, word)


def word_of(persona: Persona, truth: str, luck: random.Random) -> str | None:
    """What a player says of a match that went like this: the truth, rarely a lie, and some forget (None)."""
    if luck.random() < 0.01 + 0.02 * (1.0 - persona.manners):
        return None
    lies = truth in {"lost", "drawn"} and luck.random() < 0.08 * (1.0 - persona.manners)
    return "won" if lies else truth
