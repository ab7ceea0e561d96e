"""What many bodies and queries begin with: for whom a server speaks."""

from api.contract.bodies import Body
from api.contract.fields import IdField
from api.contract.pages import PageBody

__all__ = ["PageOfBody", "PlayerBody", "WhoseBody"]

_WHOSE = "Whose, by the player's id in the game: for servers; a token has its own player's."


class PlayerBody(Body):
    """For whom a server speaks."""

    player = IdField(
        required=False,
        help_text="The player's id in the game: for servers; a token acts for its own player.",
    )


class WhoseBody(Body):
    """Whose list or word it is."""

    player = IdField(required=False, help_text=_WHOSE)


class PageOfBody(PageBody):
    """Whose list it is, and which page of it."""

    player = IdField(required=False, help_text=_WHOSE)
