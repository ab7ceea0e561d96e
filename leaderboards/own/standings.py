"""Where the players of an account stand: public ratings only, as of now."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from leaderboards.boards import ranking
from leaderboards.boards.ranks import PlayerRank
from leaderboards.visibility import with_ladders
from ratings.ledger.forecasts import Belief, Forecaster, aged, forecasters_of
from ratings.models import Ladder, Rating, RatingTrack

__all__ = ["OwnStanding", "standings_of"]

# An account has one player a game; of one with more the first are told of.
MOST = 8


@dataclass(frozen=True, slots=True)
class OwnStanding:
    """A player's rating on one ladder; `rank` is None while the player is not listed there."""

    player_id: int
    ladder: Ladder
    track: RatingTrack
    belief: Belief
    rank: int | None
    listed: int


def standings_of(
    player_ids: Sequence[int], now: datetime, known: Mapping[int, Forecaster] | None = None
) -> list[OwnStanding]:
    """Standings of these players, the one played last first. Two queries, and one more for each player.

    `known`: forecasters of all public tracks, by ladder, where these have been read.
    """
    ids = list(player_ids)[:MOST]
    if not ids:
        return []
    rows = with_ladders(Rating.objects.public().filter(player__in=ids))
    forecasters = (
        forecasters_of(row.track for row in rows)
        if known is None
        else {one.track.pk: one for one in known.values()}
    )
    ranks = {
        pk: ranking.ranks_on([row.track for row in rows if row.player_id == pk], pk)
        for pk in {row.player_id for row in rows}
    }
    return [
        OwnStanding(
            player_id=row.player_id,
            ladder=row.track.ladder,
            track=row.track,
            belief=aged(forecasters[row.track_id], row, now),
            rank=(rank := ranks[row.player_id].get(row.track_id, PlayerRank())).rank,
            listed=rank.listed,
        )
        for row in rows
    ]
