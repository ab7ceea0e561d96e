"""Friends, those somebody follows or blocks, and what players have chosen of who may turn to them."""

from rest_framework import serializers

from api.contract.shapes import Shape
from api.serializers.players import PlayerRefShape
from people.models import Asking, Whom
from people.ties import Friend

__all__ = [
    "ASKING",
    "STATES",
    "WHOM",
    "BlockedShape",
    "ContactShape",
    "FollowedShape",
    "FriendShape",
]

WHOM, ASKING = Whom.values, Asking.values
STATES = ("friends", "asked", "asks")


def state_of(friend: Friend) -> str:
    """Friends, asked by the one who reads, or asking."""
    if friend.row.agreed_at is not None:
        return "friends"
    return "asked" if friend.is_mine else "asks"


class FriendShape(Shape):
    """A friend, or a request to be friends."""

    player = PlayerRefShape(source="other")
    state = serializers.ChoiceField(
        choices=STATES,
        help_text="`friends`; `asked`: the other has not answered yet; `asks`: the other waits for an answer.",
    )
    asked_at = serializers.DateTimeField(source="row.asked_at")
    friends_since = serializers.DateTimeField(source="row.agreed_at", allow_null=True)

    def get_state(self, friend: Friend) -> str:
        return state_of(friend)


class FollowedShape(Shape):
    """A player whom somebody follows."""

    player = PlayerRefShape(source="followed")
    since = serializers.DateTimeField(source="created_at")


class BlockedShape(Shape):
    """A player whom somebody blocks."""

    player = PlayerRefShape(source="blocked")
    since = serializers.DateTimeField(source="created_at")


class ContactShape(Shape):
    """Who may turn to a player."""

    write = serializers.ChoiceField(choices=WHOM, help_text="Who may write to the player.")
    challenge = serializers.ChoiceField(
        choices=WHOM, help_text="Who may challenge or invite the player."
    )
    see = serializers.ChoiceField(
        choices=WHOM,
        help_text="Who may see whether the player searches, plays, or is in a room.",
    )
    ask = serializers.ChoiceField(
        choices=ASKING, help_text="Who may follow the player and ask to be friends."
    )
