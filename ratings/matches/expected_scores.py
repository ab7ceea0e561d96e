"""Who is expected to win a match that is not rated yet, by what is believed of its players now."""

from collections.abc import Collection, Mapping
from datetime import datetime

from ratings.ledger.forecasts import Belief, Forecaster, aged, beginner, side_of
from ratings.matches.summary import MatchSummary
from ratings.models import Rating

__all__ = ["beliefs_now", "expected_scores"]


def beliefs_now(
    forecaster: Forecaster, player_ids: Collection[int], now: datetime
) -> dict[int, Belief]:
    """What is believed of these players, by id; a new one has what everyone begins with. One query."""
    rated = Rating.objects.public().filter(track=forecaster.track, player__in=player_ids)
    ratings = {rating.player_id: rating for rating in rated}
    return {
        pk: aged(forecaster, ratings[pk], now) if pk in ratings else beginner(forecaster)
        for pk in player_ids
    }


def expected_scores(
    forecaster: Forecaster, summary: MatchSummary, beliefs: Mapping[int, Belief]
) -> dict[int, float]:
    """The score expected of each team, by its number: of several its mean over the others.

    Empty where the system does not know teams, and of a partner of the game nobody knows. `beliefs` by player id.
    """
    if summary.match.partner:
        return {}
    teams = [[beliefs[one.player_id] for one in team.members] for team in summary.teams]
    numbers = [team.number for team in summary.teams]
    system = forecaster.newest
    if [len(team) for team in teams] == [1, 1]:
        (own,), (other,) = teams
        first = Forecaster.expect(system, own, other, side=side_of(summary.match, numbers[0]))
        return dict(zip(numbers, (first, 1 - first), strict=True))
    if not system.takes_teams or len(teams) < 2:
        return {}
    return dict(zip(numbers, Forecaster.expect_teams(system, teams), strict=True))
