"""Guests of a match: people without a player, and bots. Kept with the match under the game's word, never rated."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from django.utils.translation import gettext as _

from ratings.matches.refusals import WrongResultError
from ratings.players.new_ids import has_breaks

__all__ = ["Guest", "check_guests", "rows_of"]

LONGEST_NAME = 60
MOST_GUESTS = 100
MOST_TEAMS = 100
LARGEST = 1e9  # of scores and minutes: what JSON gives back as the same number


@dataclass(frozen=True, slots=True)
class Guest:
    """Who took part without being a player.

    team     number of a team of the match, from 0; a number beyond its teams: on a side of guests alone
    score    what the game counted; None: not told
    minutes  how long the guest took part; None: not told
    """

    name: str
    team: int
    score: float | None = None
    minutes: float | None = None


def check_guests(guests: Sequence[Guest]) -> None:
    """Raise WrongResultError unless all of them can be kept."""
    if len(guests) > MOST_GUESTS:
        raise WrongResultError(_("A match has at most %d guests.") % MOST_GUESTS)
    for guest in guests:
        name = guest.name
        is_text = not any("\ud800" <= sign <= "\udfff" for sign in name) and "\0" not in name
        if not (name.strip() and len(name) <= LONGEST_NAME and is_text) or has_breaks(name):
            words = _("The names of guests have 1 to %d characters, and no line breaks.")
            raise WrongResultError(words % LONGEST_NAME)
        if not 0 <= guest.team < MOST_TEAMS:
            raise WrongResultError(_("The teams of guests are numbered from 0 to 99."))
        score, minutes = guest.score or 0.0, guest.minutes or 0.0
        if not (-LARGEST <= score <= LARGEST and 0 <= minutes <= LARGEST):
            raise WrongResultError(_("Scores and minutes of guests are at most 1,000,000,000."))


def rows_of(guests: Iterable[Guest]) -> list[dict[str, Any]]:
    """As they are stored: by team and name, whatever order the game has given."""

    def place(guest: Guest) -> tuple[Any, ...]:
        numbers = (guest.score, guest.minutes)
        return guest.team, guest.name, *((it is not None, it or 0.0) for it in numbers)

    return [asdict(guest) for guest in sorted(guests, key=place)]
