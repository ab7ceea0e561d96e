"""What players counted in a match: what can be wrong with it, and which of it a ladder's ratings are made of."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache
from typing import Any

from django.utils.translation import gettext as _

from ratings import systems
from ratings.matches.refusals import WrongResultError
from ratings.matches.result import Figures, is_finite
from ratings.models import RatingTrack

__all__ = [
    "LEAST_MINUTES",
    "check_characters",
    "check_demands",
    "check_figures",
    "demands_of",
    "needs_of",
]

# A second: who was there for less took no part.
LEAST_MINUTES = 1 / 60

_LONGEST_CHARACTER = 60


def demands_of(ladders: Iterable[int]) -> dict[int, frozenset[str]]:
    """By ladder the columns that the system of its shown track cannot do without. One query.

    Tracks in the shadow demand nothing: to try a system out does not change what games must give.
    """
    shown = RatingTrack.objects.filter(ladder__in=set(ladders), shown=True, facet="")
    return {pk: needs_of(system) for pk, system in shown.values_list("ladder", "system")}


def check_figures(figures: Figures[Any], players: Collection[Any]) -> None:
    """Raise WrongResultError unless everything is of one of the players: finite numbers, of which no time is negative,
    and characters.
    """
    scores, minutes = figures.player_scores, figures.minutes
    if strangers := (scores.keys() | minutes.keys()) - set(players):
        detail = _("Player “%(player)s” has a score or minutes, but is in no team.")
        raise WrongResultError(detail % {"player": min(strangers)})
    if not all(map(is_finite, (*scores.values(), *minutes.values()))):
        raise WrongResultError(_("Scores and minutes of players are numbers."))
    if any(time < 0 for time in minutes.values()):
        raise WrongResultError(_("Minutes cannot be negative."))
    check_characters(figures.characters, players)


def check_characters(characters: Mapping[Any, str], players: Collection[Any]) -> None:
    """Raise WrongResultError unless each is a name, or nothing, of one of the players."""
    if strangers := characters.keys() - set(players):
        detail = _("Player “%(player)s” has a character, but is in no team.")
        raise WrongResultError(detail % {"player": min(strangers)})
    names = characters.values()
    if not all(len(name) <= _LONGEST_CHARACTER and name.isprintable() for name in names):
        raise WrongResultError(_("The names of characters have at most 60 printable characters."))


def check_demands(
    needs: frozenset[str], figures: Figures[Any], teams: Sequence[Collection[Any]]
) -> None:
    """Raise WrongResultError where the ladder's ratings are made of figures that the result does not have."""
    players = {player for team in teams for player in team}
    alone = all(len(team) == 1 for team in teams)  # then the team's score is the player's
    scored = players if alone and figures.scores is not None else figures.player_scores.keys()
    if needs & {"points", "score"} and players - scored:
        raise WrongResultError(
            _("This ladder is rated by what each player counted: give a score for everyone.")
        )
    if "minutes" not in needs:
        return
    if players - figures.minutes.keys():
        raise WrongResultError(
            _(
                "This ladder is rated by how long each player took part: give minutes for everyone,"
                " 0 for who was not there."
            )
        )
    present = {player for player, time in figures.minutes.items() if time >= LEAST_MINUTES}
    if sum(not present.isdisjoint(team) for team in teams) < 2:
        raise WrongResultError(
            _("Players of two teams at least must have taken part, for a second at least.")
        )


@cache
def needs_of(system: str) -> frozenset[str]:
    """The columns that a system cannot do without."""
    return frozenset(systems.create(system).needs)
