"""The live tracks of a ladder judged by the same matches: how well each predicted, settled and kept calm.

Everything is read as whole columns, four queries a track whatever the number of matches. The figures of rated
matches never change, so they are kept in the cache until a track rates more, is replaced or is added.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from django.core.cache import cache

from foundation.bulk import fetch_columns, real, whole
from ratings.evaluation import Report
from ratings.evaluation.margins import Margin, losses_by_match, margin_of
from ratings.evaluation.stability import Course, Settling, Swing, settling, swing
from ratings.ledger.predictions import Predictions, read_predictions
from ratings.models import Ladder, Match, RatingTrack, Status, TrackState
from ratings.systems.arrays import Floats, Ints
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


@dataclass(frozen=True, slots=True, eq=False)
class _Ledger:
    """Changes of a track, oldest first, with the stretch of the ladder's sequence each is of."""

    course: Course
    deviation: Floats | None
    status: Ints
    first_seq: Ints
    last_seq: Ints


def live_tracks(ladder: Ladder) -> list[RatingTrack]:
    """The tracks to compare, the shown one first."""
    tracks = ladder.tracks.filter(state=TrackState.LIVE).select_related("ladder")
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
    predictions = {track.pk: read_predictions(track) for track in tracks if track.rated_seq}
    judged = _judged([one.match for one in predictions.values() if len(one)], share)
    if not len(judged):
        return Comparison(0, ())
    chosen = {pk: _only(one, judged) for pk, one in predictions.items() if len(one)}
    losses = {
        pk: losses_by_match(one.match, one.predicted, one.actual) for pk, one in chosen.items()
    }
    best = min(losses.values(), key=np.mean)
    stretch = _seq_of(int(judged[0])), _seq_of(int(judged[-1]))
    return Comparison(
        len(judged),
        tuple(
            _figures(track, chosen[track.pk], margin_of(losses[track.pk], best), stretch)
            for track in tracks
            if track.pk in chosen
        ),
    )


def _only(predictions: Predictions, judged: Ints) -> Predictions:
    rows = np.isin(predictions.match, judged)
    return Predictions(
        predictions.match[rows], predictions.predicted[rows], predictions.actual[rows]
    )


def _judged(rated: Sequence[Ints], share: float) -> Ints:
    """Ids of the matches that all tracks have rated, after the first share of them, in the ladder's sequence.

    `rated`: by track in the sequence; with more than two teams a match stands there once for each, one after another.
    """
    if not rated:
        return np.zeros(0, dtype=np.int64)
    common: Ints = rated[0][np.append(True, np.diff(rated[0]) != 0)]
    for others in rated[1:]:
        common = common[np.isin(common, others)]
    return common[int(len(common) * share) :]


def _seq_of(match_id: int) -> int:
    return Match.objects.values_list("ladder_seq", flat=True).get(pk=match_id) or 0


def _figures(
    track: RatingTrack, predictions: Predictions, behind: Margin, stretch: tuple[int, int]
) -> TrackFigures:
    """`stretch`: the first and the last place in the ladder's sequence that is judged."""
    ledger = _read_ledger(track)
    return TrackFigures(
        track_id=track.pk,
        report=Report.of(predictions.predicted, predictions.actual),
        behind=behind,
        settling=_settling(ledger, *stretch, track.ladder.established_after),
        swing=_swing(ledger, *stretch),
    )


def _settling(ledger: _Ledger, first: int, last: int, at_least: int) -> Settling:
    """Of the players whose first rated game lies in the part that is judged, and who played enough in it."""
    begun_before = np.unique(ledger.course.player[ledger.first_seq < first])
    known = np.isin(ledger.course.player, begun_before)
    rows = np.flatnonzero(~known & (ledger.last_seq <= last))
    deviation = None if ledger.deviation is None else ledger.deviation[rows]
    return settling(ledger.course.take(rows), deviation, at_least=at_least)


def _swing(ledger: _Ledger, first: int, last: int) -> Swing:
    """Of the changes in the part that is judged, of those who were established before."""
    inside = (ledger.first_seq >= first) & (ledger.last_seq <= last)
    return swing(ledger.course.take(inside & (ledger.status == Status.ESTABLISHED)))


def _read_ledger(track: RatingTrack) -> _Ledger:
    by_match = track.period_days is None
    first, last = ("match.ladder_seq",) * 2 if by_match else ("period.first_seq", "period.last_seq")
    facets = find_facets(track.facet, ladder_id=track.ladder_id, after=0, last=0, track_id=track.pk)
    columns = {
        "player": facets.competitor("change.player_id", "change.facet"),
        "first_seq": whole(first),
        "last_seq": whole(last),
        **_COLUMNS,
    }
    source = _OF_MATCHES if by_match else _OF_PERIODS
    found = fetch_columns(columns, source, {"track": track.pk, **facets.parameters})
    order = np.argsort(found["first_seq"], kind="stable")
    column = {name: values[order] for name, values in found.items()}
    has_deviation = len(order) > 0 and bool((column["deviation"] >= 0).all())
    return _Ledger(
        course=Course(column["player"], column["games"], column["before"], column["after"]),
        deviation=column["deviation"] if has_deviation else None,
        status=column["status"],
        first_seq=column["first_seq"],
        last_seq=column["last_seq"],
    )
