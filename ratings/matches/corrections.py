"""What a result says of a decided match that the match does not say yet: it would come too late."""

from ratings.matches.result import Result
from ratings.models import Match

__all__ = ["what_is_new"]


def what_is_new(match: Match, result: Result) -> list[str]:
    """Names of what a result with the same placing says otherwise; what it leaves out it does not say.

    When the match ended does not count: clocks differ.
    """
    seats = list(match.participants.all())
    scores = dict(enumerate(result.scores or ()))
    noted_as_left = {seat.player_id for seat in seats if seat.left_early}
    news = {
        "scores": any(
            seat.score != scores.get(seat.team, seat.score)
            for seat in seats
            if seat.player_id not in result.player_scores
        ),
        "player_scores": any(
            seat.score != result.player_scores.get(seat.player_id, seat.score) for seat in seats
        ),
        "minutes": any(
            seat.minutes != result.minutes.get(seat.player_id, seat.minutes) for seat in seats
        ),
        "characters": any(
            seat.character != result.characters.get(seat.player_id, seat.character)
            for seat in seats
        ),
        "left": not result.left <= noted_as_left,
        "neutral": result.neutral not in (None, match.is_neutral),
        "map": result.map not in ("", match.map),
    }
    return [name for name, is_new in news.items() if is_new]
