"""Friends, those somebody follows or blocks, and what players have chosen of who may turn to them."""

from rest_framework import serializers

from api.contract.shapes import Shape
from api.serializers.players import PlayerRefShape
from people.models import AgeGroup, Asking, PlaysFor, Profile, Tag, Told, Whom
from people.presence import At
from people.profiles import offered_tags, tags_of
from people.ties import Friend

__all__ = [
    "AGE_GROUPS",
    "ASKING",
    "PLAYS_FOR",
    "STATES",
    "TOLD",
    "WHOM",
    "BlockedShape",
    "ContactShape",
    "DoingShape",
    "FollowedShape",
    "FriendShape",
    "OwnProfileShape",
    "PresenceShape",
    "ProfileShape",
]

TOLD, AGE_GROUPS, PLAYS_FOR = Told.values, AgeGroup.values, PlaysFor.values
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


class DoingShape(Shape):
    """One thing that a player is at."""

    doing = serializers.ChoiceField(source="at", choices=At.values)
    where = serializers.CharField(help_text="Name of the queue, the ladder or the room.")
    id = serializers.IntegerField(
        allow_null=True,
        help_text="Of the match or room; null for a search, and on normal ladders.",
    )
    since = serializers.DateTimeField(allow_null=True)


class PresentShape(Shape):
    """A player who shows what it is at."""

    player = PlayerRefShape()
    friend = serializers.BooleanField(
        source="is_friend", help_text="Otherwise the player is followed."
    )
    doing = DoingShape(many=True, help_text="Empty: nothing now.")


class PresenceShape(Shape):
    """What friends and followed players are at."""

    results = PresentShape(many=True, help_text="Those who are at something first.")


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


class TagShape(Shape):
    """A word that the game offers for profiles."""

    slug = serializers.CharField()
    name = serializers.CharField()


class ProfileShape(Shape):
    """What a player tells of itself to whoever asks; empty for what is not told, or not to them."""

    country = serializers.CharField(help_text="Two letters, such as `DE`.")
    age_group = serializers.CharField(help_text="One of the groups of `GET /me/profile`.")
    plays_for = serializers.CharField()
    tags = TagShape(many=True)


class OwnProfileShape(Shape):
    """A player's own profile, with who sees each part."""

    country = serializers.CharField()
    country_told = serializers.ChoiceField(choices=TOLD)
    age_group = serializers.CharField()
    age_group_told = serializers.ChoiceField(choices=TOLD)
    plays_for = serializers.CharField()
    plays_for_told = serializers.ChoiceField(choices=TOLD)
    tags = TagShape(many=True)
    tags_told = serializers.ChoiceField(choices=TOLD)
    offered = TagShape(many=True, help_text="Tags that the game offers.")

    def get_tags(self, profile: Profile) -> list[Tag]:
        return tags_of(profile.pk)

    def get_offered(self, profile: Profile) -> list[Tag]:
        return list(offered_tags(self.context["player"].game_id))
