"""Who would come into a room, or is in it: what its filters look at, read for many at once."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from matchmaking.conduct import standing_of
from matchmaking.models import Preference
from matchmaking.sweep.pairing_context import tracks_by_ladder
from people.profiles import told_for_matching
from ratings.models import Rating, RatingTrack, Status
from ratings.systems.base import System
from ratings.systems.state import Ratings
from ratings.tracks.parameters import current_versions, system_of
from rooms.places import Place

__all__ = ["Scale", "Traveller", "read_many", "read_travellers", "scales_of"]


@dataclass(frozen=True, slots=True)
class Traveller:
    """A player as filters see one. On normal ladders nobody's rating is read: all have the same.

    meets_like  whether bad conduct has it meet players like itself first
    told        what it tells of itself, whoever sees it: by `tags`, `country` and `age_group`
    wishes      preferences as `matchmaking.tickets.preferences` keeps them
    """

    player: int
    rating: float = 0.0
    deviation: float = float("nan")
    is_established: bool = False
    meets_like: bool = False
    told: Mapping[str, Collection[str]] = field(default_factory=dict)
    wishes: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Scale:
    """By whose ratings a ladder goes, and what predicts its results; both None where there are none, or hidden."""

    track: RatingTrack | None = None
    system: System | None = None

    def starts_at(self) -> tuple[float, float]:
        """Rating and deviation of a newcomer; nan for no deviation."""
        if self.system is None:
            return 0.0, float("nan")
        first: Ratings = self.system.initial(1)
        deviation = float("nan") if first.deviation is None else float(first.deviation[0])
        return float(first.value[0]), deviation


def scales_of(places: Collection[Place], *, with_hidden: bool = False) -> dict[int, Scale]:
    """The scale of each of these ladders, by its id; of normal ones only `with_hidden`: to make teams, never to tell.

    Two queries at most.
    """
    wanted = [place.ladder.pk for place in places if with_hidden or place.shows_ratings]
    found = {place.ladder.pk: Scale() for place in places}
    tracks = {pk: track for pk, (track, _) in tracks_by_ladder(wanted).items()} if wanted else {}
    known = {pk: track for pk, track in tracks.items() if track is not None}
    versions = current_versions(known.values()) if known else {}
    for pk, track in known.items():
        found[pk] = Scale(track, system_of(versions[track.pk], track.period_days))
    return found


def read_travellers(
    place: Place,
    scale: Scale,
    players: Collection[int],
    wishes: Mapping[int, Mapping[str, Any]] | None = None,
    *,
    brought: Collection[int] = (),
) -> dict[int, Traveller]:
    """What filters look at, of these players on a ladder. Seven queries at most.

    wishes   of those who have said what they would like; of others it is what they wanted in the ladder's queue last
    brought  those for whom somebody else asks, as the leader of their party: of them only what everybody sees, or a
             leader could find out what a member tells for matching only
    """
    key = place.ladder.pk
    given = {(key, pk): its for pk, its in (wishes or {}).items()}
    found = read_many([place], {key: scale}, {key: players}, given, brought=brought)
    return {pk: one for (_ladder, pk), one in found.items()}


def read_many(
    places: Collection[Place],
    scales: Mapping[int, Scale],
    players: Mapping[int, Collection[int]],
    wishes: Mapping[tuple[int, int], Mapping[str, Any]],
    *,
    brought: Collection[int] = (),
) -> dict[tuple[int, int], Traveller]:
    """The same on many ladders, by ladder and player. Seven queries at most."""
    everyone = {pk for its in players.values() for pk in its}
    rated = _ratings(scales, everyone)
    standings = standing_of(everyone)
    told = {
        what: told_for_matching(everyone, what, seen_by_all=brought)
        for what in ("tags", "country", "age_group")
    }
    queues = {place.queue.pk: place.ladder.pk for place in places if place.queue.pk is not None}
    kept = Preference.objects.filter(player__in=everyone - {*brought}, queue__in=queues)
    said = {
        (queues[queue], pk): its for queue, pk, its in kept.values_list("queue", "player", "wishes")
    }
    said |= {key: its for key, its in wishes.items() if its}
    found = {}
    for place in places:
        scale = scales[place.ladder.pk]
        start, spread = scale.starts_at()
        for pk in players[place.ladder.pk]:
            track = scale.track.pk if scale.track else 0
            value, deviation, status = rated.get((track, pk), (start, spread, int(Status.NEW)))
            found[place.ladder.pk, pk] = Traveller(
                player=pk,
                rating=value,
                deviation=float("nan") if deviation is None else deviation,
                is_established=status == Status.ESTABLISHED,
                meets_like=standings[pk].meets_like,
                told={what: its[pk] for what, its in told.items() if pk in its},
                wishes=said.get((place.ladder.pk, pk), {}),
            )
    return found


def _ratings(
    scales: Mapping[int, Scale], players: Collection[int]
) -> dict[tuple[int, int], tuple[float, float | None, int]]:
    """Rating, deviation and status by track and player; nothing is read where no ladder has a track."""
    tracks = [scale.track.pk for scale in scales.values() if scale.track is not None]
    if not tracks:
        return {}
    rows = Rating.objects.filter(track__in=tracks, player__in=players, facet="")
    columns = rows.values_list("track", "player", "value", "deviation", "status")
    return {
        (track, pk): (value, deviation, status) for track, pk, value, deviation, status in columns
    }
