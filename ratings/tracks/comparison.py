"""The live tracks of a ladder judged by the same matches: how well each predicted, settled and kept calm.

Everything is read as whole columns, four queries a track whatever the number of matches. The figures of rated
matches never change, so they are kept in the cache until a track rates more, is replaced or is added.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from django.core.cache import cache

from foundation.postgresql.bulk import fetch_columns, real, whole
from ratings.evaluation import Report
from ratings.evaluation.margins import Margin, losses_by_match, margin_of
from ratings.evaluation.stability import Course, Settling, Swing, settling, swing
from ratings.ledger.predictions import TrackPredictions, read_predictions
from ratings.models import Ladder, Match, RatingTrack, Status, TrackState
from ratings.systems.arrays import Ints
from ratings.tracks.facets import find_facets

__all__ = ["SHARES", "Comparison", "TrackFigures", "compare", "find_comparison", "live_tracks"]

SHARES = (0.0, 0.25, 0.5, 0.75)
_KEPT_SECONDS = 30 * 24 * 3600
_FORMAT = 3  # of what the cache keeps: another one whenever the classes below change or move

_COLUMNS = {
    "games": whole("change.games"),
    "before": real("change.value_before"),
    "after": real("change.value_after"),
    "deviation": real("coalesce(change.deviation_after, -1)"),
    "status": whole("coalesce(change.status_before, -1)"),
}
_OF_MATCHES = (
    "ratings_ratingchange AS change JOIN ratings_match AS match ON match.id = change.match_id"
    " WHERE change.track_id = %(track)s AND change.kind = 'match'"
)
_OF_PERIODS = (
    "ratings_ratingchange AS change JOIN ratings_ratingperiod AS period ON period.id = change.period_id"
    " WHERE change.track_id = %(track)s AND change.kind = 'period'"
)


@dataclass(frozen=True, slots=True)
class TrackFigures:
    """What is known of one track, over the matches judged. `behind`: its log loss, match by match, over the lowest."""

    track_id: int
    report: Report
    behind: Margin
    settling: Settling
    swing: Swing


@dataclass(frozen=True, slots=True)
class Comparison:
    """All tracks over the same matches.

    matches  how many were judged: those after the share left out that every track with a rated match has rated
    figures  by track, those with a rated match only
    """

    matches: int
    figures: tuple[TrackFigures, ...]


def live_tracks(ladder: Ladder) -> list[RatingTrack]:
    """The tracks to compare, the shown one first."""
    tracks = ladder.tracks.filter(state=TrackState.LIVE, archived_at__isnull=True).select_related(
        "ladder"
    )
    return list(tracks.order_by("-shown", "facet", "pk"))


def find_comparison(tracks: Sequence[RatingTrack], share: float) -> Comparison | None:
    """The comparison if it was computed since the tracks rated last."""
    found: Comparison | None = cache.get(_key(tracks, share))
    return found


def compare(tracks: Sequence[RatingTrack], share: float) -> Comparison:
    """Judge tracks of one ladder by the matches after the first `share` of those that all have rated."""
    found = find_comparison(tracks, share)
    if found is None:
        found = _compute(tracks, share)
        cache.set(_key(tracks, share), found, _KEPT_SECONDS)
    return found


def _key(tracks: Sequence[RatingTrack], share: float) -> str:
    stands = "-".join(f"{track.pk}.{track.revision}" for track in tracks)
    return f"comparison:{_FORMAT}:{share}:{stands}"


def _compute(tracks: Sequence[RatingTrack], share: float) -> Comparison:
    predictions = {
        track.pk: found
        for track in tracks
        if track.rated_seq and len(found := read_predictions(track))
    }
    if not predictions:
        return Comparison(0, ())
    # Ids of the matches that all tracks have rated, in the ladder's sequence. With more than two teams a match
    # stands there once for each, one after another.
    rated = [found.match for found in predictions.values()]
    common: Ints = rated[0][np.append(True, np.diff(rated[0]) != 0)]
    for others in rated[1:]:
        common = common[np.isin(common, others)]
    judged = common[int(len(common) * share) :]
    if not len(judged):
        return Comparison(0, ())
    chosen: dict[int, TrackPredictions] = {}
    for pk, found in predictions.items():
        rows = np.isin(found.match, judged)
        chosen[pk] = TrackPredictions(found.match[rows], found.predicted[rows], found.actual[rows])
    losses = {
        pk: losses_by_match(one.match, one.predicted, one.actual) for pk, one in chosen.items()
    }
    best = min(losses.values(), key=np.mean)
    numbers = Match.objects.values_list("ladder_seq", flat=True)
    first, last = (numbers.get(pk=int(judged[end])) or 0 for end in (0, -1))
    figures = []
    for track in tracks:
        if (one := chosen.get(track.pk)) is not None:
            settled, swung = _judge_stability(track, first, last)
            figures.append(
                TrackFigures(
                    track_id=track.pk,
                    report=Report.of(one.predicted, one.actual),
                    behind=margin_of(losses[track.pk], best),
                    settling=settled,
                    swing=swung,
                )
            )
    return Comparison(len(judged), tuple(figures))


def _judge_stability(track: RatingTrack, first: int, last: int) -> tuple[Settling, Swing]:
    """Judge the ledger of a track from the `first` to the `last` number in the ladder's sequence.

    Settling is of the players whose first rated game lies there, and who played enough there; swing of those who were
    established before the change.
    """
    by_match = track.period_days is None
    names = ("match.ladder_seq",) * 2 if by_match else ("period.first_seq", "period.last_seq")
    facets = find_facets(track.facet, ladder_id=track.ladder_id, after=0, last=0, track_id=track.pk)
    columns = {
        "player": facets.competitor("change.player_id", "change.facet"),
        "first_seq": whole(names[0]),
        "last_seq": whole(names[1]),
        **_COLUMNS,
    }
    source = _OF_MATCHES if by_match else _OF_PERIODS
    found = fetch_columns(columns, source, {"track": track.pk, **facets.parameters})
    order = np.argsort(found["first_seq"], kind="stable")
    ledger = {name: values[order] for name, values in found.items()}
    course = Course(ledger["player"], ledger["games"], ledger["before"], ledger["after"])
    has_deviation = len(order) > 0 and bool((ledger["deviation"] >= 0).all())
    ends_inside = ledger["last_seq"] <= last
    begun_before = np.unique(ledger["player"][ledger["first_seq"] < first])
    rows = np.flatnonzero(~np.isin(ledger["player"], begun_before) & ends_inside)
    settled = settling(
        course.take(rows),
        ledger["deviation"][rows] if has_deviation else None,
        at_least=track.ladder.established_after,
    )
    inside = (ledger["first_seq"] >= first) & ends_inside
    return settled, swing(course.take(inside & (ledger["status"] == Status.ESTABLISHED)))
