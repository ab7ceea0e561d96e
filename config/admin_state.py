"""What an operator wants to see first: ladders, tracks that are behind, what is due next, and the workers."""

from dataclasses import dataclass

from config.tasks import workers_alive
from foundation import clock
from ratings.models import RatingTrack, TrackState
from ratings.progress import Progress, progress_of
from ratings.wording import system_name

__all__ = ["State", "TrackRow", "read_state"]

SHOWN = 100


@dataclass(frozen=True, slots=True)
class TrackRow:
    """A track in the panel."""

    system: str
    progress: Progress


@dataclass(frozen=True, slots=True)
class State:
    """The state panel: those behind first, then those due soonest."""

    rows: list[TrackRow]
    behind: int
    workers_alive: bool


def read_state() -> State:
    """Read the tracks (one query) and the heartbeat of the workers."""
    now = clock.now()
    rated = RatingTrack.objects.exclude(state=TrackState.RETIRED)
    tracks = rated.select_related("ladder__game").order_by("-shown", "pk")[:SHOWN]
    progress = [progress_of(track, now=now) for track in tracks]
    progress.sort(key=lambda one: (not one.is_behind, one.next_due is None, one.next_due or now))
    return State(
        rows=[TrackRow(system=system_name(one.track.system), progress=one) for one in progress],
        behind=sum(one.is_behind for one in progress),
        workers_alive=all(workers_alive().values()),
    )
