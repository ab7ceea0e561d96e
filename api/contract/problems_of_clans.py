"""How clans refuse: code, status, title, and why it comes and what helps."""

from http import HTTPStatus

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

__all__ = ["OF_CLANS"]

Words = str | Promise

OF_CLANS: list[tuple[str, HTTPStatus, Words, Words]] = [
    ("unknown_clan", HTTPStatus.NOT_FOUND, _("No such clan"),
     _("The clan was dissolved, perhaps while this was asked.")),
    ("clans_off", HTTPStatus.CONFLICT, _("No new clans"),
     _("The operator takes no new clans in this game now.")),
    ("clan_not_open", HTTPStatus.FORBIDDEN, _("The clan is not open to this player"),
     _("The clan takes nobody, or not this player, now. Why, is never said.")),
    ("clan_full", HTTPStatus.CONFLICT, _("The clan is full"),
     _("The clan has as many members as it may: `most`.")),
    ("wrong_clan_size", HTTPStatus.UNPROCESSABLE_ENTITY, _("Not so many members"),
     _("A clan may have `most` members at most, and no fewer than are in it: `least`.")),
    ("wrong_clan_text", HTTPStatus.UNPROCESSABLE_ENTITY, _("Not possible as a text"),
     _("The `field` holds a word that the game refuses, or is no name or tag that can be read.")),
    ("clan_text_taken", HTTPStatus.CONFLICT, _("Another clan is called so"),
     _("The `field`, name or tag, looks like that of another clan of the game.")),
    ("in_clan", HTTPStatus.CONFLICT, _("In a clan already"),
     _("The `player` is in a `clan` of the game, and leaves it first: a player is in one at a time.")),
    ("not_in_clan", HTTPStatus.CONFLICT, _("Not in this clan"),
     _("Whoever acts in a clan, and whoever is acted on, must be in it. `player` is the one who is not.")),
    ("not_applied", HTTPStatus.CONFLICT, _("Has not applied"),
     _("The `player` does not ask to join this clan, or no longer.")),
    ("too_many_applications", HTTPStatus.CONFLICT, _("Too many applications"),
     _("`most` applications of the player, or to the clan, wait for an answer.")),
    ("not_clan_officer", HTTPStatus.FORBIDDEN, _("No officer"),
     _("Only the leader and officers invite, accept and turn down, and remove members.")),
    ("not_clan_leader", HTTPStatus.FORBIDDEN, _("Not the leader"),
     _("Only the leader changes and dissolves a clan, hands it over, appoints officers, and removes these. `leader` is"
       " the leader's id.")),
    ("is_clan_leader", HTTPStatus.CONFLICT, _("That is the leader"),
     _("The `leader` is neither removed nor an officer: another member leads the clan first.")),
]  # fmt: skip
