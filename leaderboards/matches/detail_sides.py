"""The sides of a match as its page shows them: what was believed of everybody, what was expected, what it did."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from leaderboards.matches.teams import Side
from ratings.ledger.contributions import Contribution
from ratings.ledger.forecasts import Belief, Forecaster, aged, beginner, forecasters_of, side_of
from ratings.models import Match, MatchState, Participant, Rating, RatingTrack

__all__ = ["StoryPerson", "StorySide", "by_place", "expected_now", "sides_as_rated"]

Changes = Mapping[int, Contribution | None]


@dataclass(frozen=True, slots=True)
class StoryPerson:
    """One player: what was believed before the match, and the points it moved. None: hidden or not known."""

    participant: Participant
    before: Belief | None
    points: float | None


@dataclass(frozen=True, slots=True)
class StorySide:
    """One team. `forecast` is the score expected of it: with more than two teams, the mean over the others."""

    side: Side
    people: list[StoryPerson]
    forecast: float | None
    place: int | None

    @property
    def before(self) -> Belief | None:
        """What was believed of the only player; None for a team of several."""
        return self.people[0].before if len(self.people) == 1 else None


def by_place(sides: Sequence[Side]) -> list[Side]:
    """More than two teams in the order of their places, those without one last; two stay as they are."""
    if len(sides) == 2:
        return list(sides)
    return sorted(sides, key=lambda side: (side.rank is None, side.rank or 0, side.team))


def sides_as_rated(
    sides: Sequence[Side], changes: Changes, before: Mapping[int, Belief]
) -> list[StorySide]:
    """What the ledger says of everybody: both by player id, changes where single matches can be told apart."""
    found = []
    for side in sides:
        own = [changes.get(one.player_id) for one in side.members]
        people = [
            StoryPerson(one, before.get(one.player_id), change.points if change else None)
            for one, change in zip(side.members, own, strict=True)
        ]
        forecast = next((change.forecast for change in own if change), None)
        found.append(StorySide(side, people, forecast, _place(side, sides)))
    return found


def expected_now(
    sides: Sequence[Side], track: RatingTrack, match: Match, now: datetime
) -> list[StorySide]:
    """What is believed as of now, of a match that is not rated yet. Two queries."""
    ids = [one.player_id for side in sides for one in side.members]
    forecaster = forecasters_of([track])[track.pk]
    ratings = {
        rating.player_id: rating
        for rating in Rating.objects.public().filter(track=track, player__in=ids)
    }
    beliefs = {pk: _now(forecaster, ratings.get(pk), now) for pk in ids}
    waiting = match.state in {MatchState.CONFIRMED, MatchState.PLAYING, MatchState.REPORTED}
    forecasts = _forecasts(forecaster, match, sides, beliefs) if waiting else [None] * len(sides)
    return [
        StorySide(
            side,
            [StoryPerson(one, beliefs[one.player_id], None) for one in side.members],
            forecast,
            _place(side, sides),
        )
        for side, forecast in zip(sides, forecasts, strict=True)
    ]


def _place(side: Side, sides: Sequence[Side]) -> int | None:
    """From 1; teams of equal rank share a place."""
    if side.rank is None:
        return None
    return 1 + sum(other.rank is not None and other.rank < side.rank for other in sides)


def _now(forecaster: Forecaster, rating: Rating | None, now: datetime) -> Belief:
    return beginner(forecaster) if rating is None else aged(forecaster, rating, now)


def _forecasts(
    forecaster: Forecaster, match: Match, sides: Sequence[Side], beliefs: Mapping[int, Belief]
) -> list[float | None]:
    """The score expected of each side; None where the system does not know teams."""
    system = forecaster.newest
    if len(sides) == 2 and all(len(side.members) == 1 for side in sides):
        own, other = (beliefs[side.members[0].player_id] for side in sides)
        first = Forecaster.expect(system, own, other, side=side_of(match, sides[0].team))
        return [first, 1 - first]
    if not system.takes_teams or len(sides) < 2:
        return [None] * len(sides)
    teams = [[beliefs[one.player_id] for one in side.members] for side in sides]
    return list(Forecaster.expect_teams(system, teams))
