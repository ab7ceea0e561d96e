"""What a sweep goes by: the queue, the ratings that count there, and the plan made of its settings."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from matchmaking.models import Queue
from matchmaking.pairing import Rules
from matchmaking.pairing.model.plan import Plan
from matchmaking.pairing.settings import Settings
from matchmaking.queues.own_conditions import own_conditions
from matchmaking.queues.settings import settings_of
from ratings.models import Facet, Mode, Rating, RatingTrack, Status, TrackState
from ratings.systems import System
from ratings.tracks.parameters import current_version, system_of
from ratings.tracks.sides import side_points_by_map

__all__ = ["Basis", "tracks_of"]


@dataclass(frozen=True, slots=True)
class Basis:
    """A queue with its ladder, and what its matches are made by.

    track       whose ratings count; None: there are none, and all are equal
    characters  the track that rates characters apart, for whoever has chosen one; None: there is none
    """

    queue: Queue
    track: RatingTrack | None
    characters: RatingTrack | None
    plan: Plan

    @classmethod
    def of(cls, queue: Queue) -> "Basis":
        """Read what the queue's matches are made by."""
        track, characters = tracks_of(queue.ladder_id)
        system = system_of(current_version(track), track.period_days) if track else None
        return cls(queue, track, characters, _plan_of(queue, track, system))


def tracks_of(ladder_id: int) -> tuple[RatingTrack | None, RatingTrack | None]:
    """By whose ratings queues of a ladder go: the shown track, or where nothing is shown the one that runs.

    And one by characters on the same scale.
    """
    live = RatingTrack.objects.filter(
        ladder=ladder_id, state=TrackState.LIVE, facet__in=[Facet.NONE, Facet.CHARACTER]
    )
    tracks = list(live.order_by("-shown", "pk"))
    whole = next((track for track in tracks if track.facet == Facet.NONE), None)
    characters = (
        track
        for track in tracks
        if whole is not None and track.facet == Facet.CHARACTER and track.system == whole.system
    )
    return whole, next(characters, None)


def _plan_of(queue: Queue, track: RatingTrack | None, system: System | None) -> Plan:
    settings = settings_of(queue)
    sides = side_points_by_map(track) if track and queue.ladder.team_count == 2 else {}
    return Plan(
        settings=_with_estimates(settings, sides),
        rules=Rules(
            gap_start=queue.gap_start, gap_per_second=queue.gap_per_second, gap_cap=queue.gap_cap
        ),
        team_count=queue.ladder.team_count,
        team_size=queue.ladder.team_size,
        system=system,
        uses_deviation=system is not None and system.uses_deviation,
        side_points=sides.get("", 0.0),
        hides_strength=queue.ladder.mode == Mode.NORMAL,
        is_grown=_is_grown(track, settings.bootstrap.until),
        extra=own_conditions(),
    )


def _with_estimates(settings: Settings, sides: Mapping[str, float]) -> Settings:
    """Where the operator does not say what a map's side is worth, what history says."""
    maps = settings.game_maps
    if not any(one.advantage is None and sides.get(one.name) for one in maps):
        return settings
    known = [(one.name, one.advantage) for one in maps]
    names = "; ".join(
        name
        if (worth := sides.get(name) if own is None else own) is None
        else f"{name} {worth:+.3f}"
        for name, own in known
    )
    return replace(settings, maps=replace(settings.maps, names=names))


def _is_grown(track: RatingTrack | None, until: int) -> bool:
    """Whether as many players are established as the operator waits for; asked only where it matters."""
    if not until or track is None:
        return not until
    established = Rating.objects.filter(track=track, status=Status.ESTABLISHED)
    return established[:until].count() >= until
