"""Games to be predicted: results with the times at which they count."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ratings.systems import Contests, Duels, System
from ratings.systems.arrays import Floats, Ints
from ratings.systems.parameters import gettext_noop as _

__all__ = ["Played", "UnfitError"]

_MISSING = {
    "points": _("%(system)s needs the points of both players, such as goals or kills"),
    "score": _("%(system)s needs a score for each player"),
    "minutes": _("%(system)s needs the minutes that each player took part"),
}
_NO_DUEL = _("%(system)s rates one against one; line or game %(line)d is something else")


class UnfitError(ValueError):
    """A rating system cannot rate these games. `template % words` is the text, for a translator."""

    def __init__(self, template: str, **words: str | int) -> None:
        self.template, self.words = template, words
        super().__init__(template % words)


@dataclass(frozen=True, slots=True, eq=False)
class Played:
    """m games in the order in which they count.

    at       int64, microseconds since a midnight UTC, length m; a game dated before the one above it
             counts at the time of that one, as a late result does
    results  the games; players are positions 0..n-1 in `names`
    names    of the n players
    minutes  float64, shape (m, 2): how long both players of a duel took part; None where unknown
    lines    int64, where each game stands in its file; empty when it is from none

    Raises ValueError when lengths differ or a game names a player beyond n.
    """

    at: Ints
    results: Duels | Contests
    names: Sequence[str]
    minutes: Floats | None = None
    lines: Ints | None = None

    def __post_init__(self) -> None:
        at = np.asarray(self.at, dtype=np.int64)
        if at.shape != (len(self.results),):
            raise ValueError(f"at has shape {at.shape}: must be ({len(self.results)},), as games")
        self.results.check_players(len(self.names))
        object.__setattr__(self, "at", np.maximum.accumulate(at))

    def __len__(self) -> int:
        return len(self.results)

    @property
    def players(self) -> int:
        """How many players there are."""
        return len(self.names)

    @property
    def has_sides(self) -> bool:
        """Whether somebody plays the better side in some game."""
        side = self.results.side if isinstance(self.results, Duels) else None
        return side is not None and bool(side.any())

    @property
    def has_draws(self) -> bool:
        """Whether some game, or some pair of teams, ended even."""
        if isinstance(self.results, Duels):
            return bool((self.results.score == 0.5).any())
        starts = np.diff(self.results.team, prepend=-1) != 0
        starts |= np.diff(self.results.contest, prepend=-1) != 0
        contest, rank = self.results.contest[starts], self.results.rank[starts]
        return len(np.unique(np.stack((contest, rank)), axis=1).T) < len(contest)

    def first(self, share: float) -> "Played":
        """The first `share` of the games, rounded down, with all players."""
        stop = int(len(self) * share)
        return replace(
            self,
            at=self.at[:stop],
            results=self.results.part(0, stop),
            minutes=None if self.minutes is None else self.minutes[:stop],
            lines=None if self.lines is None else self.lines[:stop],
        )

    def lasting(self, minutes: float) -> "Played":
        """The same games, where it is not known how long each player took part: all of `minutes`."""
        if isinstance(self.results, Duels):
            given = np.full((len(self), 2), minutes) if self.minutes is None else self.minutes
            return replace(self, minutes=given)
        if self.results.minutes is not None:
            return self
        given = np.full(len(self.results.contest), minutes)
        return replace(self, results=replace(self.results, minutes=given))

    def fit(self, system: System) -> "Played":
        """The same games in the form that the system rates. Raises UnfitError."""
        results = self.results
        counted = results.score if isinstance(results, Contests) else results.points
        minutes = results.minutes if isinstance(results, Contests) else self.minutes
        known = {"points": counted, "score": counted, "minutes": minutes}
        missing = [name for name in system.needs if known[name] is None]
        if missing:
            raise UnfitError(_MISSING[missing[0]], system=system.name)
        needs_more = bool({"score", "minutes"} & set(system.needs))  # than duels have
        if isinstance(results, Duels):
            if not needs_more:
                return self
            minutes = None if minutes is None else minutes.ravel()
            contests = replace(Contests.of_duels(results), minutes=minutes)
            return replace(self, results=contests, minutes=None)
        # Contests of one against one become duels, which take less time and tell of draws.
        is_second = results.team == 1
        sizes = np.bincount(results.contest, minlength=len(results))
        per_team = np.bincount(results.contest, weights=is_second, minlength=len(results))
        others = np.flatnonzero((sizes != 2) | (per_team != 1))
        is_partial = bool((results.weight < 1).any())
        if system.takes_teams and (others.size or is_partial or needs_more):
            return self
        if others.size:
            line = int(others[0]) + 1 if self.lines is None else int(self.lines[others[0]])
            raise UnfitError(_NO_DUEL, system=system.name, line=line)
        pair, rank = results.player.reshape(-1, 2), results.rank.reshape(-1, 2)
        points = None if results.score is None else results.score.reshape(-1, 2)
        score = (np.sign(rank[:, 1] - rank[:, 0]) + 1) / 2
        return replace(self, results=Duels(pair[:, 0], pair[:, 1], score, None, points))
