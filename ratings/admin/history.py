"""What changed from version to version of a track's parameters."""

from dataclasses import dataclass

from django.utils.text import capfirst
from django.utils.translation import gettext as _

from ratings.admin.parameter_form import labels_of
from ratings.models import Ladder, ParameterVersion, RatingTrack
from ratings.tracks.parameters import RESOLVED_RULES, complete
from ratings.wording import event_in_words, say

__all__ = ["VersionRow", "describe_changes", "history_of"]

SHOWN = 50


@dataclass(frozen=True, slots=True)
class VersionRow:
    """A version, from which event on it applies, and its changes as (label, before, after)."""

    version: ParameterVersion
    applies_from: str
    changes: list[tuple[str, str, str]]


def history_of(track: RatingTrack) -> list[VersionRow]:
    """Return the newest versions of the track, newest first; one query."""
    rows = track.versions.select_related("created_by").order_by("-number")
    versions = list(rows[: SHOWN + 1])
    followed_by = zip(versions[:SHOWN], [*versions[1:], None], strict=False)
    return [
        VersionRow(
            version=version,
            applies_from=_("the first match")
            if older is None
            else event_in_words(track, version.applies_from),
            changes=describe_changes(track, older, version) if older else [],
        )
        for version, older in followed_by
    ]


def describe_changes(
    track: RatingTrack, before: ParameterVersion, after: ParameterVersion
) -> list[tuple[str, str, str]]:
    """Return what differs as (label, before, after), in the order the system declares it."""
    names = labels_of(track.system) | {
        name: capfirst(str(Ladder._meta.get_field(name).verbose_name))  # type: ignore[union-attr]
        for name in RESOLVED_RULES
    }
    earlier = complete(track.system, before.parameters)
    return [
        (names.get(name, name), say(earlier.get(name)), say(value))
        for name, value in after.parameters.items()
        if earlier.get(name) != value
    ]
