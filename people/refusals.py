"""What the rules between people do not allow.

Whoever is refused because of somebody else hears one reason, whatever it is: a block, what the other has chosen, a
player who is gone. Nobody is to learn from a refusal that they are blocked.
"""

from collections.abc import Sequence
from http import HTTPStatus
from typing import ClassVar

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from foundation.refusals import RefusedError

__all__ = [
    "NotOpenToThisError",
    "OtherGameError",
    "TiesItselfError",
    "TooManyTiesError",
    "UnknownTagError",
]


class NotOpenToThisError(RefusedError):
    """The other player is not open to this: the one neutral reason. `extra` names the player."""

    code = "player_not_open"
    words: ClassVar[str | Promise] = _("This player isn't open to that right now.")

    def __init__(self, player: int) -> None:
        super().__init__(self.words, player=player)


class OtherGameError(RefusedError):
    """The two play different games. `extra` names the other player."""

    code = "player_of_another_game"
    status = HTTPStatus.UNPROCESSABLE_ENTITY

    def __init__(self, player: int) -> None:
        super().__init__(
            _("This player plays another game. Choose one of the same game."), player=player
        )


class TiesItselfError(RefusedError):
    """A player is to follow, befriend or block itself."""

    code = "player_is_yourself"
    status = HTTPStatus.UNPROCESSABLE_ENTITY

    def __init__(self, player: int) -> None:
        super().__init__(_("That's yourself. Name another player."), player=player)


class TooManyTiesError(RefusedError):
    """The own list is full. `extra` says how many it holds."""

    code = "people_list_full"

    def __init__(self, most: int) -> None:
        words = _("Your list is full: it holds %(most)d players. Take somebody off it first.")
        super().__init__(words % {"most": most}, most=most)


class UnknownTagError(RefusedError):
    """Tags that the game does not offer, or too many of them. `extra` names those, and how many there may be."""

    code = "unknown_tag"
    status = HTTPStatus.UNPROCESSABLE_ENTITY

    def __init__(self, unknown: Sequence[str], most: int) -> None:
        words = _(
            "Choose at most %(most)d tags, of those that the game offers. Not offered: %(tags)s."
        )
        told = {"most": most, "tags": ", ".join(unknown) or "–"}
        super().__init__(words % told, tags=list(unknown), most=most)
