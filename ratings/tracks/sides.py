"""What the first team's side is worth on a ladder: estimated from history, kept, and looked up.

The first team plays the better side of a match that is not neutral: white, at home, attackers on a map. The worth
is in rating points of each of its players, and holds all of it: also what the rating system allows for the side itself.
"""

from datetime import timedelta

import numpy as np
from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from foundation import clock
from foundation.postgresql.bulk import fetch_columns, whole
from foundation.postgresql.lease import hold_firmly
from foundation.postgresql.locks import Lock
from ratings.evaluation.sides import SidedGames, points_by_ground, points_of_side
from ratings.ledger.rated import read_rated
from ratings.models import Match, MatchState, RatingTrack, SideEstimate, TrackState
from ratings.runs.match_arrays import DuelMatches
from ratings.systems.arrays import Ints
from ratings.tracks.facets import as_indexes, index_of
from ratings.tracks.parameters import current_version, system_of

__all__ = [
    "LEAST_GAMES",
    "due_sides",
    "estimate_sides",
    "side_points_by_map",
]

# With fewer games a side counts as worth nothing.
LEAST_GAMES = 50
# The newest matches are enough: the standard error of 100,000 is a point of Elo.
MOST_MATCHES = 100_000
# An estimate is made anew after so long, if matches were rated meanwhile, and whenever they have doubled.
LASTS = timedelta(days=1)

_GROUNDS = {
    # Number in the sequence, and the map as its index in the list of names.
    "seq": whole("match.ladder_seq"),
    "map": whole(index_of("match.map", "%(maps)s", default=0)),
}
_SIDED = (
    "ratings_match AS match WHERE match.ladder_id = %(ladder)s AND match.state = 'confirmed'"
    " AND match.ladder_seq > %(after)s AND match.ladder_seq <= %(last)s AND NOT match.is_neutral"
)


def side_points_by_map(track: RatingTrack) -> dict[str, float]:
    """The worth by map; that over all maps under "", for those that are not named. One query.

    A new generation goes by the estimates of the track that it has replaced until it has its own.
    """
    rows = SideEstimate.objects.filter(Q(track=track) | Q(track=track.replaces_id))
    by_track: dict[int, dict[str, float]] = {}
    for pk, name, points in rows.values_list("track_id", "map", "points"):
        by_track.setdefault(pk, {})[name] = points
    return by_track.get(track.pk) or by_track.get(track.replaces_id or 0, {})


def due_sides() -> list[int]:
    """Ids of the tracks whose estimate is missing, a day old with matches rated since, or from half of them."""
    own = SideEstimate.objects.filter(track=OuterRef("pk"), map="")
    is_new = Q(as_of__gt=clock.now() - LASTS, rated_seq__gt=OuterRef("rated_seq") / 2)
    fresh = own.filter(is_new | Q(rated_seq__gte=OuterRef("rated_seq")))
    due = _sided_tracks().filter(rated_seq__gte=LEAST_GAMES).exclude(Exists(fresh))
    return list(due.order_by("pk").values_list("pk", flat=True))


def estimate_sides(track_id: int) -> list[SideEstimate]:
    """Estimate the sides of a track now, and keep that; the estimate over all maps comes first.

    Nothing is estimated, and nothing returned, for a track that is not live or has not two teams.
    """
    track = _sided_tracks().select_related("ladder").filter(pk=track_id).first()
    if track is None:
        return []
    maps, ground, games = _read_games(track)
    counts = np.bincount(ground, minlength=len(maps)).tolist()
    overall, by_map = 0.0, np.zeros(len(maps))
    if len(games) >= LEAST_GAMES:
        overall = points_of_side(games)
        by_map = points_by_ground(games, ground, len(maps), overall)
    named = [row for row in zip(maps, by_map.tolist(), counts, strict=True) if row[0] and row[2]]
    now = clock.now()
    rows = [
        SideEstimate(
            track=track, map=name, points=points, games=count, rated_seq=track.rated_seq, as_of=now
        )
        for name, points, count in [("", overall, len(games)), *named]
    ]
    with transaction.atomic():
        hold_firmly(Lock.LADDER, track.ladder_id)
        if not _sided_tracks().filter(pk=track_id).exists():  # replaced meanwhile
            return []
        SideEstimate.objects.filter(track=track_id).delete()
        SideEstimate.objects.bulk_create(rows, batch_size=1000)
    return rows


def _sided_tracks() -> QuerySet[RatingTrack]:
    return RatingTrack.objects.filter(state=TrackState.LIVE, facet="", ladder__team_count=2)


def _read_games(track: RatingTrack) -> tuple[list[str], Ints, SidedGames]:
    """Names of maps, of which the first stands for none; the newest matches with sides, and the map of each.

    The matches are as the system in force sees them: the worth is in its points.
    """
    after, last = max(0, track.rated_seq - MOST_MATCHES), track.rated_seq
    played = Match.objects.filter(
        ladder=track.ladder_id,
        state=MatchState.CONFIRMED,
        ladder_seq__gt=after,
        ladder_seq__lte=last,
    ).exclude(map="")
    maps = ["", *sorted(played.order_by().values_list("map", flat=True).distinct())]
    bounds = {"ladder": track.ladder_id, "after": after, "last": last}
    found = fetch_columns(_GROUNDS, _SIDED, {**bounds, "maps": as_indexes(maps)})
    rated = read_rated(track, after=after)
    matches, order = rated.matches, np.argsort(found["seq"])
    chosen = np.flatnonzero(np.isin(matches.seq, found["seq"]))
    ground = found["map"][order][np.searchsorted(found["seq"][order], matches.seq[chosen])]
    if isinstance(matches, DuelMatches):
        rows, starts = rated.before_rows.reshape(2, -1).T.ravel(), np.arange(len(matches) + 1) * 2
        team, weight, actual = np.tile([0, 1], len(matches)), np.ones(len(rows)), matches.score
    else:
        rows, starts, team, weight = (
            rated.before_rows,
            matches.starts,
            matches.team,
            matches.weight,
        )
        rank = matches.rank
        actual = (np.sign(rank[starts[1:] - 1] - rank[starts[:-1]]) + 1) / 2
    system = system_of(current_version(track), track.period_days)
    deviation = rated.before.deviation if system.uses_deviation else None
    games = SidedGames(
        system=system,
        starts=starts,
        team=team,
        value=rated.before.value[rows],
        deviation=None if deviation is None else deviation[rows],
        weight=weight,
        actual=actual,
    )
    return maps, ground, games.take(chosen)
