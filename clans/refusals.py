"""What the rules of clans do not allow.

Why a clan is not open to a player is nobody's to learn: a block, a removal, and a clan that takes nobody are one
reason.
"""

from http import HTTPStatus

from django.utils.translation import gettext_lazy as _

from foundation.refusals import RefusedError

__all__ = [
    "ClanFullError",
    "ClanNotOpenError",
    "ClanTextTakenError",
    "ClanTooLargeError",
    "ClansOffError",
    "InClanError",
    "NotAppliedError",
    "NotClanLeaderError",
    "NotClanMemberError",
    "NotClanOfficerError",
    "RemovesLeaderError",
    "TooManyApplicationsError",
    "UnknownClanError",
    "WrongClanTextError",
]


class UnknownClanError(RefusedError):
    """There is no such clan, or no longer."""

    code = "unknown_clan"
    status = HTTPStatus.NOT_FOUND

    def __init__(self) -> None:
        super().__init__(_("There is no such clan. It may have been dissolved."))


class ClansOffError(RefusedError):
    """The operator takes no new clans in this game."""

    code = "clans_off"

    def __init__(self) -> None:
        super().__init__(_("No clans can be founded in this game now."))


class ClanNotOpenError(RefusedError):
    """The one neutral reason for which a player cannot come into a clan. `extra` names it."""

    code = "clan_not_open"
    status = HTTPStatus.FORBIDDEN

    def __init__(self, clan: int) -> None:
        super().__init__(_("This clan isn't open to you right now."), clan=clan)


class ClanFullError(RefusedError):
    """The clan has as many members as it may. `extra` says how many."""

    code = "clan_full"

    def __init__(self, most: int) -> None:
        words = _("This clan is full: it may have %(most)d members.")
        super().__init__(words % {"most": most}, most=most)


class ClanTooLargeError(RefusedError):
    """A clan is to have fewer members than it has, or more than the operator allows. `extra` has both."""

    code = "wrong_clan_size"
    status = HTTPStatus.UNPROCESSABLE_ENTITY

    def __init__(self, least: int, most: int) -> None:
        words = _("Choose a number of members from %(least)d to %(most)d.")
        super().__init__(words % {"least": least, "most": most}, least=least, most=most)


class WrongClanTextError(RefusedError):
    """A name, tag or note holds a word that the game refuses, or cannot be one. `extra` names which."""

    code = "wrong_clan_text"
    status = HTTPStatus.UNPROCESSABLE_ENTITY

    def __init__(self, field: str, word: str = "") -> None:
        wrong = (
            _("A tag has 2 to 6 letters and digits, all of one script.")
            if field == "tag"
            else _("Give the clan a name of 2 to 40 characters that can be read.")
        )
        refused = _("“%(word)s” cannot be part of a text here.")
        super().__init__(refused % {"word": word} if word else wrong, field=field)


class ClanTextTakenError(RefusedError):
    """Another clan of the game has a name or tag that looks like this one. `extra` names which."""

    code = "clan_text_taken"

    def __init__(self, field: str) -> None:
        detail = (
            _("Another clan of this game has a tag that looks like this one.")
            if field == "tag"
            else _("Another clan of this game has a name that looks like this one.")
        )
        super().__init__(detail, field=field)


class InClanError(RefusedError):
    """The player is in a clan of the game already. `extra` names the player and the clan."""

    code = "in_clan"

    def __init__(self, player: int, clan: int) -> None:
        words = _("A player is in one clan at a time. Leave the other one first.")
        super().__init__(words, player=player, clan=clan)


class NotClanMemberError(RefusedError):
    """Somebody who is not in the clan is to act in it, or to be acted upon. `extra` names the player."""

    code = "not_in_clan"

    def __init__(self, player: int) -> None:
        super().__init__(_("This player is not in the clan."), player=player)


class NotAppliedError(RefusedError):
    """There is no such application. `extra` names the player."""

    code = "not_applied"

    def __init__(self, player: int) -> None:
        super().__init__(_("This player doesn't ask to join, or no longer."), player=player)


class TooManyApplicationsError(RefusedError):
    """So many applications of the player, or to the clan, wait for an answer already. `extra` says how many may."""

    code = "too_many_applications"

    def __init__(self, most: int) -> None:
        words = _("%(most)d applications wait for an answer. No more can be made until then.")
        super().__init__(words % {"most": most}, most=most)


class NotClanOfficerError(RefusedError):
    """Only the leader and officers may do this."""

    code = "not_clan_officer"
    status = HTTPStatus.FORBIDDEN

    def __init__(self) -> None:
        super().__init__(_("Only the leader and officers of the clan can do this."))


class NotClanLeaderError(RefusedError):
    """Only the leader may do this. `extra` names the leader."""

    code = "not_clan_leader"
    status = HTTPStatus.FORBIDDEN

    def __init__(self, leader: int) -> None:
        super().__init__(_("Only the leader of the clan can do this."), leader=leader)


class RemovesLeaderError(RefusedError):
    """The leader is to be removed, or to be an officer. `extra` names the leader."""

    code = "is_clan_leader"

    def __init__(self, leader: int) -> None:
        words = _("That's the leader. Let another member lead the clan first.")
        super().__init__(words, leader=leader)
