"""Problems of conduct: code, status, title, and why it comes and what helps."""

from http import HTTPStatus

from django.utils.translation import gettext_lazy as _

__all__ = ["OF_CONDUCT"]

OF_CONDUCT = [
    ("cooling_off", HTTPStatus.CONFLICT, _("Cooling off"),
     _("The player has offended several times of late and may not search, accept or join until `until`; "
       "`Retry-After` has the seconds. `GET /me/conduct` says why.")),
    ("not_available", HTTPStatus.CONFLICT, _("Somebody cannot play now"),
     _("One of the others who would play cannot just now. Nobody but that player is told why.")),
    ("not_away", HTTPStatus.CONFLICT, _("Not away"),
     _("The match does not run, the player is out of it already, or was not away.")),
    ("too_late_back", HTTPStatus.CONFLICT, _("Too late to be back"),
     _("The time to come back is over: `until` of the answer, and of the match.")),
    ("server_tells_back", HTTPStatus.CONFLICT, _("Only the game's server can tell"),
     _("The game's server has told that the player is away, and only it can tell that the player is back.")),
    ("offence_taken_back", HTTPStatus.CONFLICT, _("Taken back already"),
     _("The offence counts no more. Nothing was changed.")),
    ("appeal_decided", HTTPStatus.CONFLICT, _("Decided already"),
     _("Somebody has decided the appeal. Nothing was changed.")),
    ("no_words", HTTPStatus.UNPROCESSABLE_ENTITY, _("Words are missing"),
     _("Say it in words, of at most `longest` characters.")),
]  # fmt: skip
