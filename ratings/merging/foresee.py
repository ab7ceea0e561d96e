"""The ratings that a replay would come to had some participations been another's: reckoned in memory."""

from collections.abc import Collection

from ratings.models import RatingTrack
from ratings.runs.columns import distinct
from ratings.runs.compute import rate_matches, rate_periods
from ratings.runs.foresee import from_the_start
from ratings.runs.load import load_matches
from ratings.runs.position import Chunk
from ratings.runs.track_ratings import TrackRatings

__all__ = ["foresee"]

# Participations; about a second of work.
_MOST = 100_000


def foresee(
    track: RatingTrack, *, player: int, into: int, moved: Collection[int], gone: Collection[int]
) -> dict[int, float] | None:
    """Ratings by player's id as far as the track has come, had matches `moved` of a player been another's, and `gone`
    ones never played. None for a track with more than 100,000 participations. Raises UnratableMatchError.
    """
    position = from_the_start(track)
    if track.rated_seq * position.match_format.most_players > _MOST:
        return None
    chunk = Chunk(0, track.rated_seq, track.closed_periods)
    matches = load_matches(
        track.ladder_id, after=0, last=track.rated_seq, match_format=position.match_format
    )
    matches = matches.had_been(player, into, moved=moved, gone=gone)
    if not len(matches):
        return {}
    state = TrackRatings.blank(distinct(matches.players), position.version_at(1).system)
    matches = matches.with_positions(state.player)
    if position.calendar is not None:
        rated = rate_periods(position, chunk, state, matches, lambda _matches, _periods: None)
    else:
        rated = rate_matches(position, chunk, state, matches)
    return dict(zip(rated.state.player.tolist(), rated.state.value.tolist(), strict=True))
