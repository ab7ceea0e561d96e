"""What a sweep goes by: the queue, the ratings that count there, and the plan made of its settings."""

from dataclasses import dataclass

from matchmaking.models import Queue
from matchmaking.pairing import Rules
from matchmaking.pairing.plan import Plan
from matchmaking.pairing.settings import Settings
from ratings.models import Rating, RatingTrack, Status, TrackState
from ratings.systems import System
from ratings.tuning import current_version, system_of

__all__ = ["Basis"]


@dataclass(frozen=True, slots=True)
class Basis:
    """A queue with its ladder, the track that its matches are made by (None: there is none), and the plan."""

    queue: Queue
    track: RatingTrack | None
    plan: Plan

    @classmethod
    def of(cls, queue: Queue) -> "Basis":
        """Read what the queue's matches are made by. Raises ParameterError for settings that do not fit."""
        track = _track_of(queue)
        system = system_of(current_version(track), track.period_days) if track else None
        return cls(queue, track, _plan_of(queue, track, system))


def _track_of(queue: Queue) -> RatingTrack | None:
    """The shown track, or where nothing is shown the one that runs."""
    tracks = RatingTrack.objects.filter(ladder=queue.ladder_id, facet="", state=TrackState.LIVE)
    return tracks.order_by("-shown", "pk").first()


def _plan_of(queue: Queue, track: RatingTrack | None, system: System | None) -> Plan:
    settings = Settings.build(queue.strategy, queue.settings)
    return Plan(
        settings=settings,
        rules=Rules(
            gap_start=queue.gap_start, gap_per_second=queue.gap_per_second, gap_cap=queue.gap_cap
        ),
        team_count=queue.ladder.team_count,
        team_size=queue.ladder.team_size,
        system=system,
        uses_deviation=system is not None and system.uses_deviation,
        is_grown=_is_grown(track, settings.bootstrap.until),
    )


def _is_grown(track: RatingTrack | None, until: int) -> bool:
    """Whether as many players are established as the operator waits for; asked only where it matters."""
    if not until or track is None:
        return not until
    established = Rating.objects.filter(track=track, status=Status.ESTABLISHED)
    return established[:until].count() >= until
