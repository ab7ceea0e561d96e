"""How groups refuse: code, status, title, and why it comes and what helps."""

from http import HTTPStatus

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

__all__ = ["OF_GROUPS"]

Words = str | Promise

OF_GROUPS: list[tuple[str, HTTPStatus, Words, Words]] = [
    ("unknown_group", HTTPStatus.NOT_FOUND, _("No such group"),
     _("The group was dissolved while this was asked, or its time was over.")),
    ("groups_off", HTTPStatus.CONFLICT, _("No new groups"),
     _("The operator takes no new groups in this game now.")),
    ("random_groups_off", HTTPStatus.CONFLICT, _("No random groups"),
     _("The operator has no random groups in this game now.")),
    ("group_not_open", HTTPStatus.FORBIDDEN, _("The group is not open to this player"),
     _("It takes nobody, or not this player, now. Why, is never said.")),
    ("group_full", HTTPStatus.CONFLICT, _("The group is full"),
     _("It has as many members as it may: `most`.")),
    ("wrong_group_size", HTTPStatus.UNPROCESSABLE_ENTITY, _("Not so many members"),
     _("A group may have `most` members at most, and no fewer than are in it: `least`.")),
    ("wrong_group_text", HTTPStatus.UNPROCESSABLE_ENTITY, _("Not possible as a text"),
     _("The `field` holds a word that the game refuses, or a name that cannot be read.")),
    ("too_many_groups", HTTPStatus.CONFLICT, _("Too many groups"),
     _("The player is in `most` groups, which is all that the operator allows. Leave one first.")),
    ("too_many_invited", HTTPStatus.CONFLICT, _("Too many invitations"),
     _("`most` invitations of the group or clan wait for an answer. Take one back first.")),
    ("not_in_group", HTTPStatus.CONFLICT, _("Not in this group"),
     _("Whoever acts in a group, and whoever is acted on, must be in it. `player` is the one who is not.")),
    ("not_invited", HTTPStatus.CONFLICT, _("Not invited"),
     _("The `player` has no invitation into this group or clan, or no longer.")),
    ("not_group_owner", HTTPStatus.FORBIDDEN, _("Not the owner"),
     _("Only the owner changes and dissolves a group, hands it over and removes members. `owner` is the owner's id.")),
    ("removes_owner", HTTPStatus.CONFLICT, _("The owner cannot be removed"),
     _("The `owner` leaves the group, or lets another member own it first.")),
    ("group_does_not_end", HTTPStatus.CONFLICT, _("The group does not end"),
     _("Only a random group ends by itself, and can be kept beyond that, until it is.")),
]  # fmt: skip
