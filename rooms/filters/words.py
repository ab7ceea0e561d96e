"""Why a room is not open to somebody, in words. Whom others avoid, or have reported, is told one thing alone."""

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from rooms.filters.conditions import Asked

__all__ = ["NEUTRAL", "reason_of", "said_of"]

NEUTRAL = "closed_to_you"
_NEUTRAL_WORDS = gettext_noop("This room is not open to you.")
_WORDS = {
    "full": gettext_noop("All seats are taken."),
    "starting": gettext_noop("The match is about to begin."),
    "removed": gettext_noop("The host removed you."),
    "code": gettext_noop("Only those who have its code may come."),
    "friends": gettext_noop("Only friends of the host may come."),
    "group": gettext_noop("Only members of its group may come."),
    "rating": gettext_noop("Your rating is outside the room's range."),
    "chance": gettext_noop("The match would be less even than the room asks for."),
    "established": gettext_noop("Only players whose rating is established may come."),
    "languages": gettext_noop("You name none of the room's languages."),
    "regions": gettext_noop(
        "You play in none of the room's regions, or your connection there is too slow. Where you play stands in the"
        " search options of a queue of this ladder."
    ),
    "styles": gettext_noop(
        "The room looks for another style of play. Yours stands in the search options of a queue of this ladder."
    ),
    "rules": gettext_noop(
        "The room plays by other rules than those you want. Yours stand in the search options of a queue of this"
        " ladder."
    ),
    "tags": gettext_noop("Your profile has none of the room's tags."),
    "countries": gettext_noop("The room is for players from other countries than yours."),
    "age_groups": gettext_noop("The room is for players of another age than yours."),
    "own": gettext_noop("A rule of the game keeps you out of this room."),
}


def said_of(refusal: Asked) -> tuple[str, str]:
    """The reason as programs read it, and in words."""
    reason = NEUTRAL if refusal.is_neutral else refusal.name
    return reason, reason_of(reason)


def reason_of(reason: str) -> str:
    """A reason in words."""
    return _(_WORDS.get(reason, _NEUTRAL_WORDS))
