"""A finished match as a game tells of it, and what can be wrong with one by itself."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from http import HTTPStatus

from django.utils.translation import gettext as _

from foundation.refusals import RefusedError
from ratings.archiving import ArchivedError
from ratings.matches.guests import Guest, check_guests
from ratings.matches.player_stats import check_demands, check_figures
from ratings.matches.refusals import (
    WrongPlayersError,
    WrongResultError,
    check_by_results,
)
from ratings.matches.result import Figures, check_ranks, check_scores, check_times
from ratings.models import Ladder

__all__ = ["PlayedMatch", "UnknownLadderError", "problem_of"]

_LONGEST = 100  # characters of an id in the game, and of a map's name


class UnknownLadderError(RefusedError):
    """The game has no such ladder."""

    code = "unknown_ladder"
    status = HTTPStatus.NOT_FOUND


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedMatch(Figures[str]):
    """One match as the game tells it. Players go by their ids in the game; unknown ones are added.

    teams    ids of the players by team
    ranks    one a team, 0 is best, equal ranks are a draw
    neutral  whether nobody played the better side; else the first team did
    guests   who took part without being a player; with any of them what does not fit the ladder is not rated
    """

    ladder: str
    external_id: str
    teams: Sequence[Sequence[str]]
    ranks: Sequence[int]
    played_at: datetime
    neutral: bool = False
    guests: Sequence[Guest] = ()

    @property
    def players(self) -> list[str]:
        """Everyone, by team."""
        return [player for team in self.teams for player in team]

    def is_rated(self, ladder: Ladder) -> bool:
        """Whether its players without its guests make a match of the ladder: nothing else is rated."""
        return not self.guests or ladder.shape.fits([len(team) for team in self.teams])

    def is_left_over(self, ladder: Ladder) -> bool:
        """Whether guests took places of the ladder's teams, so that players are too few to be rated."""
        sizes = [len(team) for team in self.teams]
        shape = ladder.shape
        return not self.is_rated(ladder) and (
            1 <= len(sizes) <= shape.team_count
            and all(1 <= size <= shape.team_size for size in sizes)
        )


def problem_of(
    result: PlayedMatch,
    ladders: Mapping[str, Ladder],
    demands: Mapping[int, frozenset[str]],
    now: datetime,
) -> RefusedError | None:
    """What is wrong with a match by itself; `ladders` of its game by short name, what they demand by id."""
    ladder = ladders.get(result.ladder)
    if ladder is None:
        detail = _("This game has no ladder “%(ladder)s”.") % {"ladder": result.ladder}
        return UnknownLadderError(detail, ladder=result.ladder)
    everyone = set(result.players)
    if ladder.is_archived:
        return ArchivedError(ladder, ladder=ladder.slug)
    try:
        check_by_results(ladder)
        if not _is_text(result.external_id) or (result.map and not _is_text(result.map)):
            raise WrongResultError(
                _("The ids of matches and maps have 1 to 100 characters, and no NUL.")
            )
        if not all(map(_is_text, everyone)):
            raise WrongPlayersError(_("The ids of players have 1 to 100 characters, and no NUL."))
        sizes = [len(team) for team in result.teams]
        check_guests(result.guests)
        if not ladder.shape.fits(sizes) and not result.is_left_over(ladder):
            detail = _("A match of this ladder has %(shape)s; given were %(given)s.")
            given = " + ".join(map(str, sizes)) or "0"
            raise WrongPlayersError(detail % {"shape": ladder.shape, "given": given})
        if len(everyone) < sum(sizes):
            raise WrongPlayersError(_("A player is in the match twice."))
        if strangers := result.left - everyone:
            detail = _("Player “%(player)s” left early, but is in no team.")
            raise WrongPlayersError(detail % {"player": min(strangers)})
        check_ranks(result.ranks, len(result.teams))
        check_scores(result.scores, len(result.teams))
        check_times(result.played_at, result.ended_at, now)
        check_figures(result, result.players)
        if (needs := demands.get(ladder.pk)) and result.is_rated(ladder):
            check_demands(needs, result, result.teams)
    except RefusedError as error:
        return error
    return None


def _is_text(text: str) -> bool:
    """Whether PostgreSQL can store it as an id. What it cannot would take the whole batch with it."""
    return (
        1 <= len(text) <= _LONGEST
        and (text.isascii() or not any("\ud800" <= sign <= "\udfff" for sign in text))
        and "\0" not in text
    )
