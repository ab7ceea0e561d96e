"""Behaviour in the last matches of players, as arrays."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from foundation.postgresql.bulk import Column, Source, fetch_columns, real, whole
from ratings.models import MatchState, RatingTrack, Status
from ratings.systems.arrays import Floats, Ints
from ratings.systems.behaviour import WINDOWS

__all__ = ["MOST_PLAYERS", "Established", "last_features", "read_established"]

MOST_PLAYERS = 3000  # that are learned from, those who played last
# Of each player the last matches of a ladder whose behaviour is told, oldest first. What did not count is left out.
_LAST = """
LATERAL (
    SELECT match.id, behaviour.features FROM ratings_participant AS participant
    JOIN ratings_match AS match ON match.id = participant.match_id
        AND match.ladder_id = %(ladder)s AND match.state <> %(annulled)s
    JOIN ratings_behaviour AS behaviour ON behaviour.participant_id = participant.id
    WHERE participant.player_id = who.player ORDER BY participant.match_id DESC LIMIT %(matches)s
) AS last
"""
_OF_ESTABLISHED = f"""
(
    SELECT who.player, who.value, last.id, last.features FROM (
        SELECT rating.player_id AS player, rating.value FROM ratings_rating AS rating
        WHERE rating.track_id = %(track)s AND rating.facet = '' AND rating.status = %(established)s
        ORDER BY rating.last_played_at DESC, rating.player_id LIMIT %(players)s
    ) AS who CROSS JOIN {_LAST}
    ORDER BY who.player, last.id
) AS told
"""  # noqa: S608 - constants
_OF_ONE = f"""
(
    SELECT last.id, last.features FROM (SELECT %(player)s::bigint AS player) AS who CROSS JOIN {_LAST}
    ORDER BY last.id
) AS told
"""  # noqa: S608 - constants


@dataclass(frozen=True, slots=True, eq=False)
class Established:
    """Rows of behaviour of n established players.

    player   int64 (r): 0..n-1, those of a player by match, the oldest first
    values   float64 (r, f); NaN where a match does not tell the feature
    ratings  float64 (n)
    """

    player: Ints
    values: Floats
    ratings: Floats


def read_established(track: RatingTrack, features: Sequence[str]) -> Established:
    """What is known of the behaviour of a track's established players, those who played last. One query."""
    given = {
        **_given(track.ladder_id),
        "track": track.pk,
        "established": Status.ESTABLISHED,
        "players": MOST_PLAYERS,
    }
    named, columns = _columns(features)
    columns |= {"player": whole("told.player"), "rating": real("told.value")}
    found = fetch_columns(columns, _OF_ESTABLISHED, given | named)
    _players, first, player = np.unique(found["player"], return_index=True, return_inverse=True)
    return Established(player, _values(found, len(features)), found["rating"][first])


def last_features(player_id: int, ladder_id: int, features: Sequence[str]) -> Floats:
    """float64 (r, f): what a player did in its last matches of a ladder, the oldest first. One query."""
    named, columns = _columns(features)
    columns |= {"match": whole("told.id")}
    given = {**_given(ladder_id), "player": player_id} | named
    return _values(fetch_columns(columns, _OF_ONE, given), len(features))


def _given(ladder_id: int) -> dict[str, object]:
    return {"ladder": ladder_id, "annulled": MatchState.ANNULLED, "matches": max(WINDOWS)}


def _columns(features: Sequence[str]) -> tuple[dict[str, str], dict[str, Source]]:
    """Names of features are parameters: they are in the text of the query as texts only."""
    columns = {
        f"feature{index}": real(
            f"CASE WHEN jsonb_typeof(told.features -> %(name{index})s) = 'number'"
            f" THEN (told.features ->> %(name{index})s)::float8 ELSE 'NaN'::float8 END"
        )
        for index in range(len(features))
    }
    return {f"name{index}": name for index, name in enumerate(features)}, columns


def _values(found: Mapping[str, Column], features: int) -> Floats:
    rows = len(next(iter(found.values())))
    if not features:
        return np.empty((rows, 0))
    return np.column_stack([found[f"feature{index}"] for index in range(features)])
