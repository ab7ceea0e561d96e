"""Tracks by their system: made where a ladder has none, and their parameters changed from now on where it has one."""

from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from foundation.postgresql.lease import hold_firmly
from foundation.postgresql.locks import Lock
from foundation.refusals import RefusedError
from ratings import systems
from ratings.archiving import ArchivedError
from ratings.ladders.refusals import FixedError
from ratings.models import Ladder, RatingTrack, TrackState
from ratings.tracks.facet_values import is_first_of_its_kind
from ratings.tracks.parameters import change_parameters, create_track

__all__ = ["USUAL_PERIOD_DAYS", "SeveralTracksError", "obtain_track", "usual_period"]

USUAL_PERIOD_DAYS = 30.0
_NOT_GIVEN = -1.0


class SeveralTracksError(RefusedError):
    """The ladder has more than one live track of the system, so that its name does not say which."""

    code = "several_tracks"


def usual_period(system: str) -> float | None:
    """Days of a rating period where nobody has asked for any; None where each match is rated at once.

    Raises UnknownSystemError.
    """
    return USUAL_PERIOD_DAYS if systems.declaration_of(system).is_period else None


@transaction.atomic
def obtain_track(
    ladder: Ladder,
    *,
    system: str,
    facet: str,
    parameters: Mapping[str, Any],
    period_days: float | None = _NOT_GIVEN,
    actor: User | None,
    note: str = "",
) -> tuple[RatingTrack, bool]:
    """The live track of this system (and facet), and whether it was made now; one that was there has the parameters
    from now on. It is shown if it is the ladder's first of its kind.

    Raises UnknownSystemError, ParameterError, FixedError for another period, SeveralTracksError, and
    ArchivedError where it would be made in what is archived.
    """
    hold_firmly(Lock.LADDER, ladder.pk)
    present = list(
        ladder.tracks.filter(system=system, facet=facet, state=TrackState.LIVE).order_by("pk")
    )
    if len(present) > 1:
        numbers = ", ".join(str(track.pk) for track in present)
        words = _(
            "The ladder has several live tracks of %(system)s (%(numbers)s). Change them in the admin."
        )
        raise SeveralTracksError(words % {"system": system, "numbers": numbers})
    if present:
        track = present[0]
        if period_days not in (_NOT_GIVEN, track.period_days):
            raise FixedError("period_days", given=period_days, present=track.period_days)
        change_parameters(track=track, parameters=parameters, actor=actor, note=note)
        return track, False
    if ladder.is_archived:
        raise ArchivedError(ladder, ladder=ladder.slug)
    track = create_track(
        ladder=ladder,
        system=system,
        parameters=parameters,
        period_days=usual_period(system) if period_days == _NOT_GIVEN else period_days,
        shown=is_first_of_its_kind(ladder, facet),
        facet=facet,
        actor=actor,
    )
    return track, True
