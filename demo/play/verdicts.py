"""What truly happens in a match: the same for whoever asks, at any time, from its number and the seed alone. Pure."""

import random
from dataclasses import dataclass

from demo import strength

__all__ = ["Persona", "Verdict", "answer_to", "word_of"]

_SHORTEST, _USUAL, _LONGEST = 20.0, 35.0, 60.0  # seconds
_NO_SHOW = 0.01  # one of them never turned up
_LEAVES = 0.25  # how often the worst-mannered leave a match that they lose
_OUTCOMES = {1.0: "won", 0.5: "drawn", 0.0: "lost"}
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
        """Somebody of whom only the id in the game is known: a person, average until they say otherwise."""
        return cls(person, strength=1500.0, activity=1.0, manners=1.0)


@dataclass(frozen=True, slots=True)
class Verdict:
    """One match between `first` and `second`: how long it takes, how it ends."""

    seconds: float
    played: bool
    score: float
    first: str
    second: str
    leaver: str | None

    @classmethod
    def of(cls, match: int | str, first: Persona, second: Persona, *, seed: int) -> "Verdict":
        """Decide the match. Whoever is asked may stand first."""
        if second.id < first.id:
            first, second = second, first
        luck = random.Random(f"{seed}:{match}")  # noqa: S311 - a simulation, repeatable
        seconds = luck.triangular(_SHORTEST, _LONGEST, _USUAL)
        score = strength.score(first.strength - second.strength, luck.random())
        loser = {1.0: second, 0.5: None, 0.0: first}[score]
        leaves = luck.random() < _LEAVES * (1.0 - (loser.manners if loser else 1.0))
        return cls(
            seconds=seconds * (luck.uniform(0.2, 0.7) if leaves else 1.0),
            played=luck.random() >= _NO_SHOW,
            score=score,
            first=first.id,
            second=second.id,
            leaver=loser.id if loser and leaves else None,
        )

    def outcome_for(self, player: str) -> str:
        """What an honest player reports."""
        if not self.played:
            return "not_played"
        return _OUTCOMES[self.score if player == self.first else 1.0 - self.score]


def answer_to(word: str) -> str:
    """What agrees with an opponent's word."""
    return _ANSWERS.get(word, word)


def word_of(persona: Persona, truth: str, luck: random.Random) -> str | None:
    """What a player says of a match that went like this: the truth, rarely a lie, and some forget (None)."""
    if luck.random() < 0.01 + 0.02 * (1.0 - persona.manners):
        return None
    lies = truth in {"lost", "drawn"} and luck.random() < 0.08 * (1.0 - persona.manners)
    return "won" if lies else truth
