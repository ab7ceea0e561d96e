"""What a track's rating system expected, at any event of its history."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

import numpy as np
from django.db.models import prefetch_related_objects

from ratings.models import Match, ParameterVersion, Rating, RatingChange, RatingTrack, Status
from ratings.systems import Contests, Ratings, System
from ratings.systems.arrays import Floats
from ratings.tracks.parameters import system_of

__all__ = [
    "Belief",
    "Forecaster",
    "aged",
    "beginner",
    "belief_before",
    "forecasters_of",
    "ratings_of",
    "side_of",
]


@dataclass(frozen=True, slots=True)
class Belief:
    """A rating, how uncertain it is (None where the system has no deviation), and its status (None: not known).

    `volatility` is None where the system has none; nothing that is shown depends on it.
    """

    value: float
    deviation: float | None
    status: Status | None = None
    volatility: float | None = None

    @property
    def is_provisional(self) -> bool:
        """Whether the rating carries the mark: anything known to be not established."""
        return self.status is not None and self.status != Status.ESTABLISHED


def belief_before(row: RatingChange) -> Belief:
    """What was believed before a change of the ledger."""
    status = None if row.status_before is None else Status(row.status_before)
    return Belief(row.value_before, row.deviation_before, status, row.volatility_before)


def side_of(match: Match, team: int) -> float:
    """1 for the team that plays the better side in a match of two, -1 for the other, 0 where nobody does.

    No system knows sides of matches that may be of more than one against one.
    """
    if match.is_neutral or match.ladder.shape.most_players > 2:
        return 0.0
    return 1.0 if team == 0 else -1.0


def ratings_of(beliefs: Sequence[Belief]) -> Ratings:
    """The beliefs as arrays. Games are left at 0: nothing that depends on them is asked here."""
    nothing = np.zeros(len(beliefs), dtype=np.int64)
    return Ratings(
        np.array([belief.value for belief in beliefs]),
        _column([belief.deviation for belief in beliefs]),
        _column([belief.volatility for belief in beliefs]),
        nothing,
        nothing,
    )


def _column(values: list[float | None]) -> Floats | None:
    return None if None in values else np.array(values, dtype=np.float64)


class Forecaster:
    """The rating systems of one track, by version of its parameters (oldest first, at least one)."""

    def __init__(self, track: RatingTrack, versions: Sequence[ParameterVersion]) -> None:
        self.track = track
        self.versions = versions
        self._systems: dict[int, System] = {}

    @property
    def newest(self) -> System:
        """The system with the parameters in force now."""
        return self._system(self.versions[-1])

    @property
    def knows_sides(self) -> bool:
        """Whether it matters now who plays the better side."""
        if self.track.ladder.shape.most_players > 2:
            return False
        equal = beginner(self)
        favoured = self.expect(self.newest, equal, equal, side=1.0)
        return favoured != self.expect(self.newest, equal, equal)

    def system_at(self, event: int) -> System:
        """The system in force at an event: a sequence number, or a period's number."""
        in_force = [version for version in self.versions if version.applies_from <= event]
        return self._system(in_force[-1] if in_force else self.versions[0])

    def system_of(self, version_id: int) -> System:
        """The system of one version of the track."""
        return self._system(next(one for one in self.versions if one.pk == version_id))

    def _system(self, version: ParameterVersion) -> System:
        if version.pk not in self._systems:
            self._systems[version.pk] = system_of(version, self.track.period_days)
        return self._systems[version.pk]

    @staticmethod
    def expect(system: System, own: Belief, other: Belief, *, side: float = 0.0) -> float:
        """The score expected of `own` against `other`; both sides together make 1.

        `side`: 1 where `own` plays the better side, -1 where the other does.
        """
        return float(system.expected(ratings_of([own, other]), [0], [1], [side])[0])

    @staticmethod
    def expect_teams(system: System, teams: Sequence[Sequence[Belief]]) -> list[float]:
        """The score expected of each team: its mean over the others. Of systems that take teams."""
        sizes = [len(team) for team in teams]
        team = np.repeat(np.arange(len(teams)), sizes)
        everyone = np.arange(len(team))
        contests = Contests(np.zeros_like(team), team, everyone, np.zeros_like(team))
        expected = system.expected_of(ratings_of([one for team in teams for one in team]), contests)
        return [float(one) for one in expected[np.cumsum([0, *sizes[:-1]])]]


def forecasters_of(tracks: Iterable[RatingTrack]) -> dict[int, Forecaster]:
    """A forecaster for each track, by its id. One query, none where it was asked before of these tracks."""
    by_id = {track.pk: track for track in tracks}
    prefetch_related_objects(list(by_id.values()), "versions")
    # Whoever prefetched them before may have asked for another order.
    return {
        pk: Forecaster(track, sorted(track.versions.all(), key=lambda version: version.number))
        for pk, track in by_id.items()
    }


def aged(forecaster: Forecaster, rating: Rating, now: datetime) -> Belief:
    """What is believed of a rating now: its deviation has grown since it was computed, and may be provisional again."""
    system, days = forecaster.newest, forecaster.track.period_days
    mine = ratings_of([Belief(rating.value, rating.deviation, None, rating.volatility)])
    if days is not None and rating.deviation is not None:
        mine = system.age(mine, max((now - rating.as_of) / timedelta(days=days), 0.0))
    mine = replace(mine, games=np.array([rating.games]), counted=np.array([rating.counted]))
    deviation = None if mine.deviation is None else float(mine.deviation[0])
    status = Status(int(system.status(mine)[0]))
    return Belief(rating.value, deviation, status, rating.volatility)


def beginner(forecaster: Forecaster) -> Belief:
    """What is believed of a player without a rating: what everyone begins with."""
    new = forecaster.newest.initial(1)
    deviation = None if new.deviation is None else float(new.deviation[0])
    volatility = None if new.volatility is None else float(new.volatility[0])
    return Belief(float(new.value[0]), deviation, Status.NEW, volatility)
