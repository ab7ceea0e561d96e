"""What of the queues of a ladder is in rating points, and what would mean the same on another track's scale.

For whoever lets players see another track: queues go by its ratings from then on, with the settings they have.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.text import capfirst
from django.utils.translation import gettext as _

from matchmaking.models import Queue
from matchmaking.models.queues import GAPS
from matchmaking.pairing.settings import SECTIONS, Settings
from matchmaking.pairing.settings.defaults import Scale, Usual, usual_for
from matchmaking.queues.settings import settings_of
from matchmaking.sweep.pairing_context import tracks_by_ladder, tracks_of
from ratings.matches.player_stats import needs_of
from ratings.models import Facet, Ladder, ParameterVersion, RatingTrack, TrackState
from ratings.systems.parameters import ParameterError
from ratings.tracks.parameters import current_version, current_versions, system_of
from ratings.wording import say, system_name

__all__ = [
    "RescaledQueue",
    "characters_left_out",
    "misfits",
    "misfits_of",
    "misfits_on",
    "rescale",
    "untold_figures",
    "warnings_of",
]

# So many times what suits the ladder, or so small a part of it, and a gap is none: it was meant for another scale.
_FAR_OFF = 20.0

_OF_TEAMS = ("spread_start", "spread_per_second", "party_bonus")


@dataclass(frozen=True, slots=True)
class Rescaled:
    """A setting, its value as it is, and the one that would mean the same on the other scale."""

    label: str
    value: str
    alike: str


@dataclass(frozen=True, slots=True)
class RescaledQueue:
    """A queue, and those of its settings that would mean something else. At least one."""

    queue: Queue
    settings: tuple[Rescaled, ...]


def rescale(wanted: RatingTrack) -> list[RescaledQueue]:
    """The queues of its ladder that do not suit `wanted` as they suit the track that they go by now.

    Empty where the scales are about the same. Four queries.
    """
    present, _characters = tracks_of(wanted.ladder_id)
    before, after = _scale_of(present), _scale_of(wanted)
    queues = Queue.objects.filter(ladder=wanted.ladder_id).select_related("ladder")
    factor, rescaled = after.factor_from(before), []
    for queue in queues.order_by("name", "pk"):
        settings = settings_of(queue)
        # By label what counts rating points in this queue.
        points: dict[str, float] = {}
        if queue.strategy != "fcfs":
            for name in GAPS:
                label = str(Queue._meta.get_field(name).verbose_name)  # type: ignore[union-attr]
                points[capfirst(label)] = getattr(queue, name) or 0.0
            points[_label("exchange", "points_per_second")] = settings.exchange.points_per_second
        if (queue.ladder.team_count, queue.ladder.team_size) != (2, 1):
            for name in _OF_TEAMS:
                points[_label("teams", name)] = getattr(settings.teams, name)
        if settings.game_maps:
            points[_label("maps", "newcomer_points")] = settings.maps.newcomer_points
            for one in settings.game_maps:
                points[_("Worth of the side on %(map)s") % {"map": one.name}] = one.advantage or 0.0
        changed = []
        if factor != 1:
            changed = [
                Rescaled(label, say(value), say(float(f"{value * factor:.2g}")))
                for label, value in points.items()
                if value
            ]
        is_moved = factor != 1 or after.start != before.start
        if is_moved and queue.strategy == "buckets" and settings.borders:
            alike = after.from_other(before, settings.borders)
            both = ("; ".join(map(say, borders)) for borders in (settings.borders, alike))
            changed.append(Rescaled(_label("buckets", "borders"), *both))
        if changed:
            rescaled.append(RescaledQueue(queue, tuple(changed)))
    return rescaled


def misfits(queue: Queue) -> list[str]:
    """What of a queue's settings cannot work on its ladder, in words. Three queries."""
    return misfits_of([queue])[queue.pk]


def misfits_of(queues: Sequence[Queue]) -> dict[int, list[str]]:
    """The same of each of these queues, by its id. Two queries where their ladders are known."""
    tracks = tracks_by_ladder({queue.ladder_id for queue in queues})
    versions = current_versions(track for track, _characters in tracks.values() if track)
    found: dict[int, list[str]] = {}
    for queue in queues:
        settings, ladder = settings_of(queue), queue.ladder
        told: list[str] = []
        try:
            settings.check_team(ladder.team_size)
        except ParameterError as error:
            told.append(_("Nobody can be matched: %(error)s.") % {"error": error})
        track, _characters = tracks[ladder.pk]
        if track is None:
            told.append(
                _(
                    "This ladder has no ratings yet. The gaps are in points of Elo: look at them "
                    "again once it has a rating track."
                )
            )
        else:
            told += _far_off(queue, settings, _usual_by(versions[track.pk], ladder))
            told += untold_figures(track.system)
        found[queue.pk] = told
    return found


def untold_figures(system: str) -> list[str]:
    """That players cannot tell on pages what a system rates, in words; nothing where they can."""
    if not needs_of(system):
        return []
    words = _(
        "%(system)s rates figures of every player, such as scores or minutes, which nobody can give in the browser: "
        "matches whose results players report there are never rated. Let the game's server give the results."
    )
    return [words % {"system": system_name(system)}]


def misfits_on(track: RatingTrack) -> list[tuple[Queue, str]]:
    """Gaps of its ladder's queues that cannot work if they go by `track`, in words. Four queries at most."""
    queues = Queue.objects.filter(ladder=track.ladder_id).select_related("ladder")
    if track.facet != Facet.NONE or not (found := list(queues.order_by("name", "pk"))):
        return []
    usual = _usual_by(current_version(track), found[0].ladder)
    return [
        (queue, words) for queue in found for words in _far_off(queue, settings_of(queue), usual)
    ]


def warnings_of(track: RatingTrack) -> list[str]:
    """What of its ladder's queues cannot work by a track that they go by, or by the replay of such a track."""
    present, _characters = tracks_of(track.ladder_id)
    if present is None or present.pk not in (track.pk, track.replaces_id):
        return []
    return [f"{queue}: {words}" for queue, words in misfits_on(track)]


def _usual_by(version: ParameterVersion, ladder: Ladder) -> Usual:
    is_duel = (ladder.team_count, ladder.team_size) == (2, 1)
    return usual_for(system_of(version, version.track.period_days), is_duel=is_duel)


def _far_off(queue: Queue, settings: Settings, usual: Usual) -> list[str]:
    """Gaps that were made for a ladder of another scale."""
    if queue.strategy == "fcfs":
        return []
    gap = str(Queue._meta.get_field("gap_start").verbose_name)
    pairs = [(capfirst(gap), queue.gap_start, usual.rules.gap_start)]
    if (queue.ladder.team_count, queue.ladder.team_size) != (2, 1):
        spread, suits = settings.teams.spread_start, usual.settings.teams.spread_start
        pairs.append((_label("teams", "spread_start"), spread, suits))
    told = _(
        "%(label)s is %(value)s, but on the scale of this ladder's ratings %(suits)s is "
        "usual. It seems to be meant for another scale."
    )
    return [
        told % {"label": label, "value": say(value), "suits": say(suits)}
        for label, value, suits in pairs
        if value and not suits / _FAR_OFF <= value <= suits * _FAR_OFF
    ]


def characters_left_out(wanted: RatingTrack) -> bool:
    """Whether queues go by ratings of characters now, and would not: there are none of the wanted track's system."""
    _present, characters = tracks_of(wanted.ladder_id)
    would_go_by = RatingTrack.objects.filter(
        ladder=wanted.ladder_id,
        state=TrackState.LIVE,
        facet=Facet.CHARACTER,
        system=wanted.system,
    )
    return characters is not None and not would_go_by.exists()


def _scale_of(track: RatingTrack | None) -> Scale:
    system = system_of(current_version(track), track.period_days) if track else None
    return Scale.of(system)


def _label(section: str, name: str) -> str:
    if (section, name) == ("teams", "spread_per_second"):
        return _("Spread added per second")  # its own label leaves out what
    described = {p.name: p for p in SECTIONS[section].described()}
    return capfirst(_(described[name].label))
