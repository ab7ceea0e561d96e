"""Tracks and their parameters: made, changed "from now on", and turned into a rating system."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from django.core.exceptions import ValidationError
from django.db import models, transaction
from django.utils.translation import gettext as _

from accounts import audit
from accounts.models import User
from foundation import clock
from foundation.postgresql.lease import hold_firmly
from foundation.postgresql.locks import Lock
from foundation.refusals import RefusedError
from foundation.timekeeping import closing_time
from ratings import systems
from ratings.models import Facet, Ladder, ParameterVersion, RatedBy, RatingTrack, TrackState
from ratings.runs.sequence import sequence_confirmed
from ratings.systems import Parameter, ParameterError, System
from ratings.tracks.board_order import default_board_by
from ratings.tracks.drift import plan_drift
from ratings.tracks.periods import calendar_of, fix_start

__all__ = [
    "LADDER_RULES",
    "RESOLVED_RULES",
    "NotLiveError",
    "change_ladder_rules",
    "change_parameters",
    "check_live",
    "complete",
    "create_track",
    "current_version",
    "current_versions",
    "decimals_of",
    "fitting",
    "next_event",
    "replay_of",
    "resolve_change",
    "system_of",
    "tunable",
    "warn_with",
    "warnings_of",
]

# The ladder's rules that enter the calculation: part of every version of every track.
RESOLVED_RULES = ("days_to_forget", "established_after", "pool_minimum")
LADDER_RULES = (*RESOLVED_RULES, "drift_days", "inactive_after_days", "lists_provisional")

Warner = Callable[[RatingTrack], Iterable[str]]
_warners: list[Warner] = []


class NotLiveError(RefusedError):
    """Only a live track is tuned: its replay follows it, and a track that was replaced is history."""

    code = "track_not_live"


def warn_with(warner: Warner) -> None:
    """Let `warner` say what cannot work by the ratings of a track as it is. Called from an app's `ready()`.

    It says nothing of a track that nothing goes by.
    """
    _warners.append(warner)


def warnings_of(track: RatingTrack) -> list[str]:
    """What does not suit a track, for whoever makes it or changes its parameters, see `warn_with`."""
    return [words for warner in _warners for words in warner(track)]


def fitting(ladder: Ladder) -> tuple[str, ...]:
    """Return the names of the rating systems that can rate the ladder's matches."""
    shape, declared = (ladder.team_count, ladder.team_size), systems.declaration_of
    if ladder.rated_by == RatedBy.EVENTS:
        return tuple(n for n in systems.names() if declared(n).rates_events)
    return tuple(n for n in systems.names() if declared(n).can_rate(*shape))


def tunable(system: str) -> tuple[Parameter, ...]:
    """Return the parameters that are a track's own; the others follow from its ladder.

    Raises UnknownSystemError.
    """
    following = _following(system)
    return tuple(p for p in systems.parameters_of(system) if p.name not in following)


def system_of(version: ParameterVersion, period_days: float | None) -> System:
    """Make the rating system of a version, for periods of so many days (None: each match at once).

    Glicko's growth of the deviation follows from the days to forget. Raises ParameterError.
    """
    return _build(version.track.system, version.parameters, period_days)


def decimals_of(system: str, parameters: Mapping[str, Any], period_days: float | None) -> int:
    """Decimals in which people are shown the ratings of a track with these parameters, see `RatingTrack`."""
    return _build(system, parameters, period_days).decimals


def current_version(track: RatingTrack) -> ParameterVersion:
    """Return the newest version of the track's parameters: what is in force from the next event on, complete."""
    version = track.versions.select_related("track").order_by("-number")[0]
    version.parameters = complete(track.system, version.parameters)
    return version


def current_versions(tracks: Iterable[RatingTrack]) -> dict[int, ParameterVersion]:
    """The same of each of these tracks, by its id. One query."""
    newest = ParameterVersion.objects.filter(track__in=[track.pk for track in tracks])
    found = newest.select_related("track").order_by("track_id", "-number").distinct("track_id")
    versions = {version.track_id: version for version in found}
    for version in versions.values():
        version.parameters = complete(version.track.system, version.parameters)
    return versions


def complete(system: str, parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parameters of a version with those that its system has got since: their defaults change nothing."""
    return {**{p.name: p.default for p in tunable(system)}, **parameters}


@transaction.atomic
def create_track(
    *,
    ladder: Ladder,
    system: str,
    parameters: Mapping[str, object],
    period_days: float | None,
    shown: bool,
    facet: str = Facet.NONE,
    actor: User | None = None,
) -> RatingTrack:
    """Let `system` rate the ladder's matches, from the first one on; `rate_track` makes it catch up.

    With a `facet` a player is rated by itself on each map, or with each character.

    Raises UnknownSystemError, ParameterError, or ValidationError where another track is shown already.
    """
    hold_firmly(Lock.LADDER, ladder.pk)
    ladder.refresh_from_db()
    resolved = _resolve(ladder, system, parameters, period_days)
    if facet and ladder.rated_by == RatedBy.EVENTS:
        raise ParameterError("facet", facet, "must be left out: events rate players as a whole")
    track = RatingTrack(
        ladder=ladder,
        system=system,
        facet=facet,
        period_days=period_days,
        shown=shown,
        decimals=decimals_of(system, resolved, period_days),
        board_by=default_board_by(system),
    )
    track.full_clean()
    track.save()
    ParameterVersion.objects.create(
        track=track,
        number=1,
        applies_from=0,
        parameters=resolved,
        created_at=clock.now(),
        created_by=actor,
    )
    plan_drift(ladder.pk)
    after = {"system": system, "period_days": period_days, "shown": shown, "parameters": resolved}
    if facet:
        after["facet"] = facet
    audit.record(actor=actor, action="track.created", target=track, after=after)
    return track


def resolve_change(
    track: RatingTrack, present: ParameterVersion, changes: Mapping[str, object]
) -> dict[str, Any]:
    """Return the parameters of the version that these changes would make. Raises ParameterError."""
    own = {p.name: present.parameters[p.name] for p in tunable(track.system)}
    return _resolve(track.ladder, track.system, {**own, **changes}, track.period_days)


@transaction.atomic
def change_parameters(
    *, track: RatingTrack, parameters: Mapping[str, object], actor: User | None, note: str
) -> ParameterVersion:
    """Change some of a track's parameters "from now on": nothing that is over or confirmed is touched.

    A replay under way gets the same change. Returns the version in force then: the present one when nothing differs.
    Raises ParameterError, or NotLiveError for a track that is not live.
    """
    hold_firmly(Lock.LADDER, track.ladder_id)
    track.refresh_from_db()  # its ladder too, whose rules may have changed before the lock was held
    check_live(track)
    present, replay = current_version(track), replay_of(track)
    resolved = resolve_change(track, present, parameters)
    version = _add_version(track, present, resolved, actor=actor, note=note)
    if replay is not None and version.pk != present.pk:
        own = {name: resolved[name] for name in _differing(present, resolved) if name in parameters}
        newest = current_version(replay)
        _add_version(replay, newest, resolve_change(replay, newest, own), actor=actor, note=note)
    return version


def check_live(track: RatingTrack) -> None:
    """Raise NotLiveError unless the track is live."""
    if track.state != TrackState.LIVE:
        detail = _("%(track)s is %(state)s. Tune the live track of the ladder.")
        raise NotLiveError(detail % {"track": track, "state": track.get_state_display()})


def replay_of(track: RatingTrack) -> RatingTrack | None:
    """Return the replay under way that will take the track's place."""
    return RatingTrack.objects.filter(replaces=track, state=TrackState.REPLAY).first()


@transaction.atomic
def change_ladder_rules(
    *, ladder: Ladder, changes: Mapping[str, object], actor: User | None, note: str
) -> list[ParameterVersion]:
    """Change some of the ladder's rules, and with them every track they enter, "from now on".

    `changes` holds values by the names in LADDER_RULES. Returns the new versions. Raises ParameterError.
    """
    hold_firmly(Lock.LADDER, ladder.pk)
    ladder.refresh_from_db()
    checked: dict[str, Any] = {}
    for name, value in changes.items():
        if name not in LADDER_RULES:
            raise ParameterError(name, value, "unknown; known are " + ", ".join(LADDER_RULES))
        field: models.Field[Any, Any] = getattr(Ladder, name).field
        try:
            checked[name] = field.clean(value, ladder)
        except ValidationError as error:
            raise ParameterError(name, value, " ".join(error.messages)) from error
    differing = {name: value for name, value in checked.items() if getattr(ladder, name) != value}
    if not differing:
        return []
    before = {name: getattr(ladder, name) for name in differing}
    if "drift_days" in differing:
        sequence_confirmed(ladder.pk)  # dates that are over keep their distance
    Ladder.objects.filter(pk=ladder.pk).update(**differing)
    if "drift_days" in differing:
        plan_drift(ladder.pk, anew=True)
    ladder.refresh_from_db()
    audit.record(
        actor=actor,
        action="ladder.rules_changed",
        target=ladder,
        before=before,
        after=differing,
        note=note,
    )
    added = []
    for track in ladder.tracks.exclude(state=TrackState.RETIRED).order_by("pk"):
        present = current_version(track)
        resolved = resolve_change(track, present, {})
        version = _add_version(track, present, resolved, actor=actor, note=note)
        if version.pk != present.pk:
            added.append(version)
    return added


def next_event(track: RatingTrack) -> int:
    """Return the first event that a change made now applies to: a sequence number, or a period's number.

    The period that is open now is the first whose matches are not all known yet.
    """
    calendar = calendar_of(track)
    if track.period_days is None:
        return Ladder.objects.values_list("last_seq", flat=True).get(pk=track.ladder_id) + 1
    return max(track.closed_periods, calendar.number_at(closing_time()) if calendar else 0)


def _add_version(
    track: RatingTrack,
    present: ParameterVersion,
    resolved: dict[str, Any],
    *,
    actor: User | None,
    note: str,
) -> ParameterVersion:
    """Add the next version where it differs from the present one, with its audit entry."""
    names = _differing(present, resolved)
    if not names:
        return present
    sequence_confirmed(track.ladder_id)  # what is confirmed by now keeps the parameters it had
    track.refresh_from_db()
    fix_start(track)
    version = ParameterVersion.objects.create(
        track=track,
        number=present.number + 1,
        applies_from=next_event(track),
        parameters=resolved,
        created_at=clock.now(),
        created_by=actor,
        note=note,
    )
    track.decimals = decimals_of(track.system, resolved, track.period_days)
    track.save(update_fields=["decimals"])
    plan_drift(track.ladder_id)
    audit.record(
        actor=actor,
        action="track.parameters_changed",
        target=track,
        before={name: present.parameters.get(name) for name in names},
        after={name: resolved[name] for name in names},
        note=note,
    )
    return version


def _differing(present: ParameterVersion, resolved: Mapping[str, Any]) -> list[str]:
    """Names of the values that are not those in force."""
    return [name for name, value in resolved.items() if present.parameters.get(name) != value]


def _resolve(
    ladder: Ladder, system: str, given: Mapping[str, object], period_days: float | None
) -> dict[str, Any]:
    """Return everything the calculation needs, checked, defaults and the ladder's rules included."""
    for name, rule in _following(system).items():
        if name in given:
            raise ParameterError(name, given[name], f"follows from the ladder; change its {rule}")
    declaration = systems.declaration_of(system)
    if ladder.rated_by == RatedBy.EVENTS:
        if not declaration.rates_events:
            able = ", ".join(fitting(ladder))
            raise ParameterError(
                "system", system, f"rates results; the ladder is rated by events: {able} can"
            )
        if period_days is not None:
            raise ParameterError(
                "period_days", period_days, "must be left out: events are rated as they come"
            )
    elif not declaration.can_rate(ladder.team_count, ladder.team_size):
        teams = f"{ladder.team_count} teams of {ladder.team_size}"
        raise ParameterError("system", system, f"rates one against one; the ladder has {teams}")
    for name in declaration.paid_by_period:
        if period_days is None and given.get(name):
            raise ParameterError(
                name, given[name], "is paid by the period; must be 0 without periods"
            )
    if period_days is None and declaration.is_period:
        raise ParameterError(
            "period_days", None, f"{system} rates by period only; give its length in days"
        )
    if period_days is not None and not 1 / 86_400 <= period_days <= 36_525:
        raise ParameterError("period_days", period_days, "must be from 1/86400 to 36525 days")
    rules = {name: getattr(ladder, name) for name in RESOLVED_RULES}
    built = _build(system, {**given, **rules}, period_days)
    own = {p.name: built.parameters[p.name] for p in tunable(system)}
    return {**own, **rules}


def _build(system: str, parameters: Mapping[str, Any], period_days: float | None) -> System:
    known = {parameter.name for parameter in systems.parameters_of(system)}
    rules = set(RESOLVED_RULES) - known
    chosen = {name: value for name, value in parameters.items() if name not in rules}
    following = systems.declaration_of(system).following(
        chosen, days_to_forget=parameters["days_to_forget"], period_days=period_days
    )
    return systems.create(system, **chosen, **following)


def _following(system: str) -> dict[str, str]:
    """Parameters of a system that follow from the ladder, with the rules that they follow from."""
    forgetting = systems.declaration_of(system).forgetting
    own = {} if forgetting is None else {forgetting.parameter: "days_to_forget"}
    return {"established_after": "established_after", **own}
