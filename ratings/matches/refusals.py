"""What the rules of playing and reporting do not allow."""

from collections.abc import Sequence
from http import HTTPStatus

from django.utils.translation import gettext_lazy as _

from foundation.refusals import RefusedError
from ratings.models import Ladder, RatedBy

__all__ = [
    "AlreadyPlayingError",
    "MatchDecidedError",
    "MatchExistsError",
    "NotConfirmedError",
    "NotDisputedError",
    "NotInMatchError",
    "RatedByEventsError",
    "WrongPlayersError",
    "WrongResultError",
    "check_by_results",
]


class AlreadyPlayingError(RefusedError):
    """A player plays another match of the game. `extra` names both."""

    code = "already_playing"

    def __init__(self, player: int, match: int = 0) -> None:
        detail = _("This player is in a match already. It must be reported or left first.")
        super().__init__(detail, player=player, match=match)


class WrongPlayersError(RefusedError):
    """The players do not make a match of this ladder."""

    code = "wrong_players"
    status = HTTPStatus.UNPROCESSABLE_ENTITY


class WrongResultError(RefusedError):
    """The result does not fit the match."""

    code = "wrong_result"
    status = HTTPStatus.UNPROCESSABLE_ENTITY


class MatchExistsError(RefusedError):
    """The game has a match with this id already. `extra` names it, by both ids."""

    code = "match_exists"

    def __init__(self, external_id: str, match: int, *, is_same: bool = False) -> None:
        same = _("This match is there already: match %(match)s.") % {"match": match}
        other = _("This game already has another match with this id.")
        super().__init__(same if is_same else other, external_id=external_id, match=match)


class RatedByEventsError(RefusedError):
    """The ladder takes no results: its matches come from game servers, event by event."""

    code = "rated_by_events"

    def __init__(self, ladder: str) -> None:
        detail = _(
            "Ladder “%(ladder)s” is rated by events of game servers: matches and results come from them alone."
        )
        super().__init__(detail % {"ladder": ladder}, ladder=ladder)


def check_by_results(ladder: Ladder) -> None:
    """Raise RatedByEventsError where the matches of a ladder come from game servers, event by event."""
    if ladder.rated_by == RatedBy.EVENTS:
        raise RatedByEventsError(ladder.slug)


class NotInMatchError(RefusedError):
    """Whoever reports does not take part."""

    code = "not_in_match"
    status = HTTPStatus.FORBIDDEN

    def __init__(self, player: int) -> None:
        super().__init__(_("This player does not take part in the match."), player=player)


class MatchDecidedError(RefusedError):
    """The match has another result, or another end, already. `extra` names its state.

    `news`: names of what was said that the match does not say, though the placing is the same.
    """

    code = "match_decided"

    def __init__(self, state: str, news: Sequence[str] = ()) -> None:
        if not news:
            super().__init__(
                _("This match has already been decided. Nothing was changed."), state=state
            )
            return
        words = _(
            "This match has already been decided, with something else for: %(names)s. Nothing"
            " was changed."
        )
        super().__init__(words % {"names": ", ".join(news)}, state=state, differs=list(news))


class NotConfirmedError(RefusedError):
    """Only a confirmed match can be annulled. `extra` names the match's state."""

    code = "match_not_confirmed"

    def __init__(self, state: str) -> None:
        super().__init__(
            _("This match is not confirmed, so it does not count anyway."), state=state
        )


class NotDisputedError(RefusedError):
    """There is no dispute to resolve. `extra` names the match's state."""

    code = "match_not_disputed"

    def __init__(self, state: str) -> None:
        super().__init__(_("This match is not disputed."), state=state)
