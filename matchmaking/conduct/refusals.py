"""What conduct does not allow. Others learn no reason: it is one and the same whatever keeps somebody out."""

from datetime import datetime
from http import HTTPStatus

from django.utils.translation import gettext_lazy as _

from foundation.refusals import RefusedError
from foundation.templatetags.display import filled, moment, timed, utc_text

__all__ = [
    "AlreadyAppealedError",
    "AppealDecidedError",
    "CoolingOffError",
    "NoTextError",
    "NotAvailableError",
    "NotAwayError",
    "OffenceTakenBackError",
    "ServerTellsBackError",
    "TooLateBackError",
]


class CoolingOffError(RefusedError):
    """The player cools off. `extra` says until when; programs find the seconds in `Retry-After`, too."""

    code = "cooling_off"

    def __init__(self, player: int, until: datetime, now: datetime) -> None:
        detail = _("You are cooling off and can play again from %(until)s. “My conduct” says why.")
        until_text = utc_text(until)
        super().__init__(detail % {"until": moment(until)}, player=player, until=until_text)
        self.retry_after = max(int((until - now).total_seconds()) + 1, 1)
        self.on_pages = filled(str(detail), until=timed(until))


class NotAvailableError(RefusedError):
    """Somebody else cannot play now. Nobody but that player learns why."""

    code = "not_available"

    def __init__(self) -> None:
        super().__init__(_("Somebody of those who would play can't play right now."))


class NotAwayError(RefusedError):
    """The match does not run any more, or the player is not away from it by this word."""

    code = "not_away"

    def __init__(self) -> None:
        detail = _(
            "A player can be away or back only while the match is running, and back after being away."
        )
        super().__init__(detail)


class TooLateBackError(RefusedError):
    """The time to come back is over."""

    code = "too_late_back"

    def __init__(self) -> None:
        super().__init__(_("The time to come back to this match is over."))


class ServerTellsBackError(RefusedError):
    """The server has told that the player is away, and has to tell that it is back."""

    code = "server_tells_back"

    def __init__(self) -> None:
        detail = _(
            "The game's server has told that you are away: only it can tell that you are back."
        )
        super().__init__(detail)


class OffenceTakenBackError(RefusedError):
    """The offence was taken back already: there is nothing to take back or to appeal against."""

    code = "offence_taken_back"

    def __init__(self, offence: int) -> None:
        detail = _("This offence was taken back already. Nothing was changed.")
        super().__init__(detail, offence=offence)


class AlreadyAppealedError(RefusedError):
    """Each is appealed against once: an offence, and by an app above whatever else can be. Extra: which of these."""

    code = "already_appealed"

    def __init__(self, **which: int) -> None:
        super().__init__(_("You've already appealed against this, once and for all."), **which)


class AppealDecidedError(RefusedError):
    """Somebody has decided the appeal already."""

    code = "appeal_decided"

    def __init__(self, appeal: int) -> None:
        detail = _("This appeal was decided already. Nothing was changed.")
        super().__init__(detail, appeal=appeal)


class NoTextError(RefusedError):
    """An appeal, or a decision, without words."""

    code = "no_words"
    status = HTTPStatus.UNPROCESSABLE_ENTITY

    def __init__(self, longest: int) -> None:
        detail = _("Say it in words, of at most %(longest)d characters.")
        super().__init__(detail % {"longest": longest}, longest=longest)
