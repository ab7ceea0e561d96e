"""What the rules of challenges do not allow."""

from datetime import datetime
from http import HTTPStatus

from django.utils.translation import gettext_lazy as _

from foundation.refusals import RefusedError
from foundation.templatetags.display import moment, utc_text
from people.refusals import NotOpenToThisError

__all__ = [
    "CannotChallengeError",
    "ChallengeOverError",
    "ChallengeStandsError",
    "ChallengesItselfError",
    "NoRematchError",
    "NotAcceptedError",
    "NotChallengedError",
    "NotChallengerError",
    "NotInChallengeError",
    "TooEarlyError",
    "TooManyChallengesError",
    "UnknownChallengeError",
    "WrongChallengeError",
]


class ChallengesItselfError(RefusedError):
    """A player challenges itself, or takes its own link."""

    code = "challenges_itself"
    status = HTTPStatus.UNPROCESSABLE_ENTITY

    def __init__(self, player: int) -> None:
        super().__init__(_("You can't challenge yourself. Choose somebody else."), player=player)


class WrongChallengeError(RefusedError):
    """Something of what was asked for cannot be. `extra` names the field."""

    code = "wrong_challenge"
    status = HTTPStatus.UNPROCESSABLE_ENTITY


class CannotChallengeError(NotOpenToThisError):
    """The other cannot be challenged, by a block list, a sanction, or a choice of theirs: nobody is told which."""

    words = _("This player can't be challenged now. Choose somebody else.")


class TooManyChallengesError(RefusedError):
    """The player has as many open challenges as the site allows. `extra` says how many."""

    code = "too_many_challenges"

    def __init__(self, limit: int) -> None:
        detail = _(
            "You have %(limit)d open challenges, and no more may be open at once."
            " Withdraw one, or wait for an answer."
        )
        super().__init__(detail % {"limit": limit}, limit=limit)


class ChallengeStandsError(RefusedError):
    """One is open between the two on this ladder already. `extra` names it."""

    code = "challenge_stands"

    def __init__(self, challenge: int) -> None:
        detail = _(
            "A challenge is open between you two on this ladder already. Answer or withdraw that one."
        )
        super().__init__(detail, challenge=challenge)


class UnknownChallengeError(RefusedError):
    """No link has this code."""

    code = "unknown_challenge"
    status = HTTPStatus.NOT_FOUND

    def __init__(self) -> None:
        super().__init__(_("There is no challenge with this code. Ask for a new link."))


class ChallengeOverError(RefusedError):
    """Something else was faster. `extra` names the challenge and its state, and its match where there is one."""

    code = "challenge_over"

    def __init__(self, challenge: int, state: str, match: int | None = None) -> None:
        words = {
            "accepted": _("This challenge was accepted already."),
            "declined": _("This challenge was declined."),
            "withdrawn": _("This challenge was withdrawn."),
            "expired": _("The time to accept this challenge is over."),
            "started": _("The match of this challenge has begun."),
            "missed": _("Not both were there in time, so no match began."),
            "cancelled": _("This challenge was cancelled."),
        }
        more = {} if match is None else {"match": match}
        super().__init__(words[state], challenge=challenge, state=state, **more)


class NotAcceptedError(RefusedError):
    """The challenge is open: it has to be accepted first. `extra` names it, and its state."""

    code = "challenge_not_accepted"

    def __init__(self, challenge: int, state: str) -> None:
        detail = _("This challenge has not been accepted yet.")
        super().__init__(detail, challenge=challenge, state=state)


class NotChallengedError(RefusedError):
    """Only the challenged may do this."""

    code = "not_challenged"
    status = HTTPStatus.FORBIDDEN

    def __init__(self, challenge: int) -> None:
        detail = _("Only the challenged player can answer. To take it back, withdraw it.")
        super().__init__(detail, challenge=challenge)


class NotChallengerError(RefusedError):
    """Only whoever made the challenge may do this."""

    code = "not_challenger"
    status = HTTPStatus.FORBIDDEN

    def __init__(self, challenge: int) -> None:
        detail = _("Only the challenger can withdraw it. To refuse it, decline.")
        super().__init__(detail, challenge=challenge)


class NotInChallengeError(RefusedError):
    """Only the two of a challenge may do this."""

    code = "not_in_challenge"
    status = HTTPStatus.FORBIDDEN

    def __init__(self, challenge: int) -> None:
        detail = _("This player is none of the two of this challenge.")
        super().__init__(detail, challenge=challenge)


class TooEarlyError(RefusedError):
    """The time of an appointment has not come. `extra` says from when on one may say so."""

    code = "too_early"

    def __init__(self, opens_at: datetime) -> None:
        detail = _("It is too early. Say that you are there from %(time)s on.")
        super().__init__(detail % {"time": moment(opens_at)}, opens_at=utc_text(opens_at))


class NoRematchError(RefusedError):
    """Of this match there is no rematch, or no longer. `extra` names it."""

    code = "no_rematch"

    def __init__(self, match: int) -> None:
        detail = _(
            "A rematch can be asked for by the two players of a decided match, for %(minutes)d minutes."
        )
        super().__init__(detail % {"minutes": 10}, match=match)
