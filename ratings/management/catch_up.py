"""Letting a ladder's tracks and its standings catch up at once, for commands: workers do the same by themselves."""

from dataclasses import dataclass

from django.utils.translation import gettext as _

from events import outbox
from ratings.management.progress_bar import progress
from ratings.models import Ladder, RatingTrack, TrackState
from ratings.runs.replay import drop_retired
from ratings.runs.run import RunProgress, RunReport, rate_track
from ratings.tracks.promotion import rate_and_promote, requested_tracks

__all__ = ["CaughtUp", "catch_up"]


@dataclass(frozen=True, slots=True)
class CaughtUp:
    """Over all tracks of a ladder: how many there are, periods closed, matches rated (once per track)."""

    tracks: int
    periods: int
    matches: int


def catch_up(ladder: Ladder, *, only: RatingTrack | None = None, quiet: bool = False) -> CaughtUp:
    """Rate all that is due on every track of the ladder, the shown one first and replays last.

    Replays that have caught up take their places, and a track that an operator wants shown is. Then the standings
    are brought up to it.
    """
    rated = ladder.tracks.exclude(state=TrackState.RETIRED)
    tracks = [only] if only else list(rated.order_by("-shown", "state", "pk"))
    reports = [_rate(track, quiet=quiet) for track in tracks]
    for track_id in requested_tracks(ladder):
        rate_and_promote(track_id, wait=True)
    drop_retired()
    outbox.deliver()
    return CaughtUp(
        tracks=len(tracks),
        periods=sum(report.periods for report in reports),
        matches=sum(report.matches for report in reports),
    )


def _rate(track: RatingTrack, *, quiet: bool) -> RunReport:
    with progress(_("Rating (%s)") % track.system, _("matches"), quiet=quiet) as advance:

        def report(made: RunProgress) -> None:
            done, total = made.matches, made.of_matches
            if made.of_periods > 0:
                done, total = made.periods, made.of_periods
            advance(made.matches, done, total)

        return rate_track(track.pk, on_progress=report)
