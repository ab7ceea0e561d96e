"""How challenges refuse: joined to all others in `api.contract.problems`."""

from http import HTTPStatus

from django.utils.translation import gettext_lazy as _

__all__ = ["OF_CHALLENGES"]

# Code, status, title, and why it comes and what helps.
OF_CHALLENGES = [
    ("challenges_itself", HTTPStatus.UNPROCESSABLE_ENTITY, _("Challenges itself"),
            _("A player cannot challenge itself, nor take its own link.")),
    ("wrong_challenge", HTTPStatus.UNPROCESSABLE_ENTITY, _("The challenge cannot be"),
            _("`field` names what cannot be had: a ladder on which two players do not meet, a time too near or far, "
              "a note that cannot be shown.")),
    ("too_many_challenges", HTTPStatus.CONFLICT, _("Too many open challenges"),
            _("The player has `limit` open challenges. Withdraw one, or wait for an answer.")),
    ("challenge_stands", HTTPStatus.CONFLICT, _("A challenge is open already"),
            _("Between the two one is open on this ladder: `challenge` is its id.")),
    ("unknown_challenge", HTTPStatus.NOT_FOUND, _("No such link"),
            _("No challenge of the game has this code.")),
    ("challenge_over", HTTPStatus.CONFLICT, _("Something else was faster"),
            _("`state` says what became of the challenge; `match` is there where its match has begun.")),
    ("challenge_not_accepted", HTTPStatus.CONFLICT, _("Not accepted yet"),
            _("The challenge is open: before anybody can be there for it, or call it off, the other has to accept it. "
              "Whoever made it may withdraw it.")),
    ("not_challenged", HTTPStatus.FORBIDDEN, _("Not the challenged player"),
            _("Only the challenged player accepts and declines.")),
    ("not_challenger", HTTPStatus.FORBIDDEN, _("Not the challenger"),
            _("Only whoever made the challenge withdraws it.")),
    ("not_in_challenge", HTTPStatus.FORBIDDEN, _("Not in the challenge"),
            _("Only the two of a challenge may do this.")),
    ("too_early", HTTPStatus.CONFLICT, _("Too early"),
            _("The time of the appointment has not come. From `opens_at` on its two may be there.")),
    ("no_rematch", HTTPStatus.CONFLICT, _("No rematch"),
            _("A rematch is for the two players of a match that was decided within 10 minutes.")),
]  # fmt: skip
