"""What the rules of groups do not allow.

Why a group is not open to a player is nobody's to learn: a block, a removal, and a group that takes nobody are one
reason.
"""

from http import HTTPStatus

from django.utils.translation import gettext_lazy as _

from foundation.refusals import RefusedError

__all__ = [
    "DrawsOffError",
    "GroupFullError",
    "GroupNotOpenError",
    "GroupTooLargeError",
    "GroupsOffError",
    "LeavesOwnGroupError",
    "NotGroupMemberError",
    "NotGroupOwnerError",
    "NotInvitedError",
    "NotRandomError",
    "PlayerGoneError",
    "TooManyGroupsError",
    "TooManyInvitedError",
    "UnknownGroupError",
    "WrongGroupTextError",
]


class UnknownGroupError(RefusedError):
    """There is no such group, as far as the player may know."""

    code = "unknown_group"
    status = HTTPStatus.NOT_FOUND

    def __init__(self) -> None:
        super().__init__(_("There is no such group. It may have been dissolved."))


class PlayerGoneError(RefusedError):
    """The player who asks was deleted, or merged into another, in the same moment. `extra` names it."""

    code = "unknown_player"
    status = HTTPStatus.NOT_FOUND

    def __init__(self, player: int) -> None:
        super().__init__(_("This player is gone, or counts for another one now."), player=player)


class GroupsOffError(RefusedError):
    """The operator takes no new groups in this game."""

    code = "groups_off"

    def __init__(self) -> None:
        super().__init__(_("No groups can be made in this game now."))


class DrawsOffError(RefusedError):
    """The operator has no random groups in this game."""

    code = "random_groups_off"

    def __init__(self) -> None:
        super().__init__(_("There are no random groups in this game now."))


class GroupNotOpenError(RefusedError):
    """The one neutral reason for which a player cannot come into a group. `extra` names it."""

    code = "group_not_open"
    status = HTTPStatus.FORBIDDEN

    def __init__(self, group: int) -> None:
        super().__init__(_("This group isn't open to you right now."), group=group)


class GroupFullError(RefusedError):
    """The group has as many members as it may. `extra` says how many."""

    code = "group_full"

    def __init__(self, most: int) -> None:
        words = _("This group is full: it may have %(most)d members.")
        super().__init__(words % {"most": most}, most=most)


class GroupTooLargeError(RefusedError):
    """A group is to have fewer members than it has, or more than the operator allows. `extra` has both."""

    code = "wrong_group_size"
    status = HTTPStatus.UNPROCESSABLE_ENTITY

    def __init__(self, least: int, most: int) -> None:
        words = _("Choose a number of members from %(least)d to %(most)d.")
        super().__init__(words % {"least": least, "most": most}, least=least, most=most)


class WrongGroupTextError(RefusedError):
    """A name or note holds a word that the game refuses, or nothing that can be shown. `extra` names which."""

    code = "wrong_group_text"
    status = HTTPStatus.UNPROCESSABLE_ENTITY

    def __init__(self, field: str, word: str = "") -> None:
        detail = (
            _("“%(word)s” cannot be part of a text here.") % {"word": word}
            if word
            else _("Give the group a name of 2 to 60 characters that can be read.")
        )
        super().__init__(detail, field=field)


class TooManyGroupsError(RefusedError):
    """The player is in as many groups as the operator allows. `extra` says how many."""

    code = "too_many_groups"

    def __init__(self, most: int) -> None:
        words = _("You're in %(most)d groups, and may not be in more. Leave one first.")
        super().__init__(words % {"most": most}, most=most)


class TooManyInvitedError(RefusedError):
    """So many invitations of the group wait for an answer already. `extra` says how many may."""

    code = "too_many_invited"

    def __init__(self, most: int) -> None:
        words = _("%(most)d invitations wait for an answer. Withdraw one first.")
        super().__init__(words % {"most": most}, most=most)


class NotGroupMemberError(RefusedError):
    """Somebody who is not in the group is to act in it, or to be acted upon. `extra` names the player."""

    code = "not_in_group"

    def __init__(self, player: int) -> None:
        super().__init__(_("This player is not in the group."), player=player)


class NotInvitedError(RefusedError):
    """There is no such invitation. `extra` names the player."""

    code = "not_invited"

    def __init__(self, player: int) -> None:
        super().__init__(_("This player isn't invited, or no longer."), player=player)


class NotGroupOwnerError(RefusedError):
    """Only the owner may do this. `extra` names the owner."""

    code = "not_group_owner"
    status = HTTPStatus.FORBIDDEN

    def __init__(self, owner: int) -> None:
        super().__init__(_("Only the owner of the group can do this."), owner=owner)


class LeavesOwnGroupError(RefusedError):
    """The owner is to be removed. `extra` names the owner."""

    code = "removes_owner"

    def __init__(self, owner: int) -> None:
        super().__init__(
            _("That's the owner. Leave the group, or let another member own it."), owner=owner
        )


class NotRandomError(RefusedError):
    """A group that does not end is to be kept. `extra` names it."""

    code = "group_does_not_end"

    def __init__(self, group: int) -> None:
        super().__init__(
            _("This group doesn't end by itself, so there is nothing to keep."), group=group
        )
