"""What a history has become by what was done to it, told as one that was so from the start."""

from collections.abc import Sequence
from dataclasses import replace

from tests.histories.drawn import Entry, History

__all__ = ["Course"]

_EVER = float("-inf")


class Course:
    """A history as it goes on. It knows nothing of the product: who is merged, what counts no longer, and results.

    merged       by player: into whom, and from which day on
    deleted      who is gone, or may be, once somebody is: there is one account
    """

    def __init__(self, history: History) -> None:
        self.history = history
        self.entries: list[Entry] = list(history.entries)
        self.merged: dict[int, tuple[int, float]] = {}
        self._annulled: set[int] = set()
        self._is_taken_back = False
        self.deleted: frozenset[int] = frozenset()

    @property
    def has_file(self) -> bool:
        """Whether an import is there to be taken back."""
        return not self._is_taken_back and any(one.in_file for one in self.entries)

    def name(self, who: int, day: float) -> int:
        """Whom a player's matches of a day count for."""
        into, since = self.merged.get(who, (who, _EVER))
        return into if day >= since else who

    def players(self, entry: Entry) -> list[int]:
        """Whom a match counts for, by seat; one twice where it cannot count."""
        return [self.name(who, entry.day) for team in entry.teams for who in team]

    def counting(self) -> list[int]:
        """The indexes of the matches that count."""
        return [at for at, entry in enumerate(self.entries) if self._counts(at, entry)]

    def _counts(self, index: int, entry: Entry) -> bool:
        players = self.players(entry)
        is_gone = index in self._annulled or (self._is_taken_back and entry.in_file)
        return not is_gone and len(set(players)) == len(players)

    def chosen(self, who: int, since: float, until: float) -> list[int]:
        """The matches of a player within days."""
        return [
            at
            for at in self.counting()
            if since <= self.entries[at].day < until and who in self.players(self.entries[at])
        ]

    def merge(self, who: int, into: int, since: float | None) -> None:
        """One player counts for another, from a day on."""
        self.merged[who] = (into, _EVER if since is None else since)

    def unmerge(self, who: int) -> None:
        """And no longer."""
        del self.merged[who]

    def annul(self, indexes: Sequence[int]) -> None:
        """These count no longer."""
        self._annulled.update(indexes)

    def correct(self, index: int, result: Entry) -> None:
        """Another result."""
        self.entries[index] = result

    def take_back(self) -> None:
        """The file was never taken in."""
        self._is_taken_back = True

    def play_later(self) -> list[Entry]:
        """What is played now: of what was to be played later all but matches of a person against itself."""
        played = [
            one
            for one in self.history.later
            if len(set(self.players(one))) == len(one.ranks) * len(one.teams[0])
        ]
        self.entries += played
        return played

    def told(self) -> list[Entry]:
        """The matches that count, as if they had been so from the start."""
        return [self._renamed(self.entries[at]) for at in self.counting()]

    def _renamed(self, entry: Entry) -> Entry:
        teams = [tuple(self.name(who, entry.day) for who in team) for team in entry.teams]
        return replace(entry, teams=tuple(teams))
