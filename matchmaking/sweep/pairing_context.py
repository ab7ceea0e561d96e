"""What a sweep goes by: the queue, the ratings that count there, and the plan made of its settings."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from matchmaking.conduct.rules import rules_of
from matchmaking.feedback.read import has_feedback
from matchmaking.models import Queue
from matchmaking.pairing import Rules
from matchmaking.pairing.plan import Plan
from matchmaking.queues.own_conditions import own_conditions
from matchmaking.queues.settings import settings_of
from matchmaking.sweep.arrivals import read_arrivals
from ratings.models import Facet, Mode, Rating, RatingTrack, Status, TrackState
from ratings.tracks.parameters import current_version, system_of
from ratings.tracks.sides import side_points_by_map

__all__ = ["PairingContext", "tracks_by_ladder", "tracks_of"]

Tracks = tuple[RatingTrack | None, RatingTrack | None]


@dataclass(frozen=True, slots=True)
class PairingContext:
    """A queue with its ladder, and what its matches are made by.

    track       whose ratings count; None: there are none, and all are equal
    characters  the track that rates characters apart, for whoever has chosen one; None: there is none
    """

    queue: Queue
    track: RatingTrack | None
    characters: RatingTrack | None
    plan: Plan

    @classmethod
    def of(cls, queue: Queue) -> "PairingContext":
        """Read what the queue's matches are made by."""
        ladder, settings = queue.ladder, settings_of(queue)
        track, characters = tracks_of(queue.ladder_id)
        system = system_of(current_version(track), track.period_days) if track else None
        sides = side_points_by_map(track) if track and ladder.team_count == 2 else {}
        maps = settings.game_maps
        if any(one.advantage is None and sides.get(one.name) for one in maps):
            # Where the operator does not say what a map's side is worth, history does.
            worth = {
                one.name: sides.get(one.name) if one.advantage is None else one.advantage
                for one in maps
            }
            names = "; ".join(
                name if points is None else f"{name} {points:+.3f}"
                for name, points in worth.items()
            )
            settings = replace(settings, maps=replace(settings.maps, names=names))
        # Whether as many players are established as the operator waits for; asked only where it matters.
        until = settings.bootstrap.until
        is_grown = not until
        if until and track is not None:
            established = Rating.objects.filter(track=track, status=Status.ESTABLISHED)
            is_grown = established[:until].count() >= until
        # Said once for all queues of a game.
        rules = rules_of(ladder.game_id)
        plan = Plan(
            settings=settings,
            rules=Rules(
                gap_start=queue.gap_start,
                gap_per_second=queue.gap_per_second,
                gap_cap=queue.gap_cap,
            ),
            team_count=ladder.team_count,
            team_size=ladder.team_size,
            system=system,
            uses_deviation=system is not None and system.uses_deviation,
            side_points=sides.get("", 0.0),
            hides_strength=ladder.mode == Mode.NORMAL,
            is_grown=is_grown,
            extra=own_conditions(),
            arrivals=read_arrivals(queue, settings, track, system),
            has_feedback=has_feedback(queue, settings),
            high_conduct=rules.like_from,
            conduct_fades_in=rules.half_life_days,
        )
        return cls(queue, track, characters, plan)


def tracks_of(ladder_id: int) -> Tracks:
    """By whose ratings queues of a ladder go: the shown track, or where nothing is shown the one that runs.

    And one by characters on the same scale.
    """
    return tracks_by_ladder([ladder_id])[ladder_id]


def tracks_by_ladder(ladders: Collection[int]) -> dict[int, Tracks]:
    """The same of each of these ladders. One query."""
    live = RatingTrack.objects.filter(
        ladder__in=ladders,
        state=TrackState.LIVE,
        facet__in=[Facet.NONE, Facet.CHARACTER],
        archived_at__isnull=True,
    )
    found: dict[int, list[RatingTrack]] = {pk: [] for pk in ladders}
    for track in live.order_by("-shown", "pk"):
        found[track.ladder_id].append(track)
    return {pk: _gone_by(tracks) for pk, tracks in found.items()}


def _gone_by(tracks: Sequence[RatingTrack]) -> Tracks:
    whole = next((track for track in tracks if track.facet == Facet.NONE), None)
    characters = (
        track
        for track in tracks
        if whole is not None and track.facet == Facet.CHARACTER and track.system == whole.system
    )
    return whole, next(characters, None)
