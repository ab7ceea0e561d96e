"""Where a file goes: a ladder that is there, or one that is made with its game and its shown track."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from django.core.exceptions import ValidationError
from django.core.validators import validate_slug
from django.utils.translation import gettext as _

from foundation.postgresql.lease import hold_firmly
from foundation.postgresql.locks import Lock
from ratings import systems
from ratings.importing.options import Given, OptionError, read_parameters, read_period
from ratings.ladders.games import name_from, obtain_game
from ratings.ladders.ladders import obtain_ladder_of
from ratings.models import Game, Ladder, MatchShape, Mode, RatedBy, RatingTrack
from ratings.tracks.obtain import USUAL_PERIOD_DAYS, usual_period
from ratings.tracks.parameters import create_track, current_version

__all__ = ["NewLadder", "NewTrack", "check_shape", "find_ladder", "obtain_ladder", "plan_track"]


@dataclass(frozen=True, slots=True, kw_only=True)
class NewTrack:
    """The shown track of a new ladder. What was not asked for is a default, and agrees with anything there."""

    system: str = systems.USUAL_FOR_DUELS
    period_days: float | None = USUAL_PERIOD_DAYS
    given: Given = field(default_factory=Given)
    asked_system: bool = False
    asked_period: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class NewLadder:
    """What is made where it is missing. Names left empty follow from the short names."""

    game: str = ""
    name: str = ""
    mode: Mode = Mode.RANKED
    rated_by: RatedBy = RatedBy.RESULTS
    track: NewTrack = field(default_factory=NewTrack)


def plan_track(*, system: str | None, period: str | None, parameters: Iterable[str]) -> NewTrack:
    """Check what was asked of a new track, None for nothing, and fill in the rest. Raises OptionError."""
    days = None if period is None else read_period(period)
    chosen = system or systems.USUAL_FOR_DUELS
    given = read_parameters(chosen, parameters)
    if days is None:
        days = usual_period(chosen)
        if days is not None and period is not None:
            raise OptionError(_("period 'none': %s needs rating periods, such as 30d") % chosen)
    return NewTrack(
        system=chosen,
        period_days=days,
        given=given,
        asked_system=system is not None,
        asked_period=period is not None,
    )


def find_ladder(slug: str, new: NewLadder | None) -> Ladder | None:
    """Return the ladder, checked to agree with `new`; None where it is still to be made. Raises OptionError."""
    ladder = Ladder.objects.select_related("game").filter(slug=slug).first()
    if ladder is not None:
        if ladder.is_archived:
            raise OptionError(_("ladder %r: is archived; restore it first, or name another") % slug)
        _check_ladder(ladder, new)
    elif new is None:
        raise OptionError(_("ladder %r: does not exist; create it with --create --game …") % slug)
    elif not new.game:
        raise OptionError(_("ladder %r: does not exist; name its game with --game") % slug)
    else:
        for what, short_name in (("ladder", slug), ("game", new.game)):
            try:
                validate_slug(short_name)
            except ValidationError as error:
                raise OptionError(f"{what} {short_name!r}: {error.messages[0]}") from error
            if len(short_name) > 50:
                expected = _("must have at most 50 characters")
                raise OptionError(f"{what} {short_name!r}: {expected}")
        if Game.objects.filter(slug=new.game, archived_at__isnull=False).exists():
            raise OptionError(
                _("game %r: is archived; restore it first, or name another") % new.game
            )
    return ladder


def obtain_ladder(slug: str, new: NewLadder | None, *, shape: MatchShape) -> Ladder:
    """Return the ladder, locked until the transaction ends; make what is missing of it. Raises OptionError.

    `shape`: how many teams a match of it has, and of how many players each.
    Two that make the same ladder at once: the second waits for the first, and then finds it.
    """
    ladder = find_ladder(slug, new)
    if ladder is None and new is not None:
        ladder = _create_ladder(slug, new, shape)
    assert ladder is not None  # noqa: S101 - find_ladder raised
    hold_firmly(Lock.LADDER, ladder.pk)
    ladder.refresh_from_db()
    check_shape(ladder, shape)
    if new is not None:
        _check_ladder(ladder, new)
        if _shown_track(ladder) is None:
            try:
                create_track(
                    ladder=ladder,
                    system=new.track.system,
                    parameters=new.track.given.system,
                    period_days=new.track.period_days,
                    shown=True,
                )
            except systems.ParameterError as error:
                raise OptionError(str(error)) from error
    return ladder


def check_shape(ladder: Ladder, shape: MatchShape) -> None:
    """Refuse a file whose matches have other teams than the ladder's. Raises OptionError."""
    least = [shape.smallest_team] * shape.fewest_teams
    if ladder.shape.fits(least) and ladder.shape.fits([shape.team_size] * shape.team_count):
        return
    words = _("has %(shape)s, not %(wanted)s; they do not change")
    teams = words % {"shape": ladder.shape, "wanted": shape}
    raise OptionError(f"ladder {ladder.slug!r}: {teams}")


def _create_ladder(slug: str, new: NewLadder, shape: MatchShape) -> Ladder:
    game, _is_new = obtain_game(new.game, {})
    values = {
        "name": new.name or name_from(slug),
        "mode": new.mode.value,
        "rated_by": new.rated_by.value,
        "team_count": shape.team_count,
        "team_size": shape.team_size,
        "fewest_teams": _or_none(shape.fewest_teams, shape.team_count),
        "smallest_team": _or_none(shape.smallest_team, shape.team_size),
        **new.track.given.ladder,
    }
    return obtain_ladder_of(game, slug, values)[0]


def _or_none(least: int, most: int) -> int | None:
    return None if least == most else least


def _shown_track(ladder: Ladder) -> RatingTrack | None:
    return ladder.tracks.filter(shown=True, facet="").first()


def _check_ladder(ladder: Ladder, new: NewLadder | None) -> None:
    """Refuse a ladder that is not what was asked for."""
    if new is None:
        return
    if new.game and new.game != ladder.game.slug:
        _refuse("game", new.game, ladder.game.slug)
    for name, value in new.track.given.ladder.items():
        if getattr(ladder, name) != value:
            _refuse(name, value, getattr(ladder, name))
    track = _shown_track(ladder)
    if track is None:
        return
    if new.track.asked_system and track.system != new.track.system:
        _refuse("system", new.track.system, track.system)
    if new.track.asked_period and track.period_days != new.track.period_days:
        _refuse("period_days", new.track.period_days, track.period_days)
    present = current_version(track).parameters
    for name, value in new.track.given.system.items():
        if present.get(name) != value:
            _refuse(name, value, present.get(name))


def _refuse(name: str, asked: object, present: object) -> None:
    text = _("the ladder has %r already; leave it out here, and change it in the admin")
    raise OptionError(f"{name} = {asked!r}: {text % (present,)}")
