"""Groups, suggestions, and wishes for a random group."""

from typing import Any

from rest_framework import serializers

from api.contract.shapes import Shape
from api.serializers.people.people import DoingShape
from api.serializers.players import PlayerRefShape
from groups.models import Access, DrawWish, Membership
from groups.read import GroupSeen

__all__ = ["ACCESS", "GroupShape", "ListedGroupShape", "RandomGroupShape", "SuggestionsShape"]

ACCESS = Access.values


class _GroupFields(Shape):
    """What is told of a group everywhere."""

    id = serializers.IntegerField(source="group.pk")
    game = serializers.CharField(
        source="group.game.slug",
        allow_null=True,
        help_text="Short name of the game; null for a group of all games.",
    )
    name = serializers.CharField(source="group.title")
    note = serializers.CharField(source="group.note")
    owner = PlayerRefShape(source="group.owner")
    access = serializers.ChoiceField(
        source="group.access",
        choices=ACCESS,
        help_text="Who may join: everyone, those who are invited, or nobody for now.",
    )
    most = serializers.IntegerField(source="group.most", help_text="Members that it may have.")
    random = serializers.BooleanField(source="group.is_drawn", help_text="Put together by lot.")
    ends_at = serializers.DateTimeField(
        source="group.ends_at",
        allow_null=True,
        help_text="When a random group ends that its members have not kept.",
    )
    created_at = serializers.DateTimeField(source="group.created_at")


class ListedGroupShape(_GroupFields):
    """A group in a list."""

    size = serializers.IntegerField(help_text="Members that it has.")


class GroupMemberShape(Shape):
    """A member of a group."""

    player = PlayerRefShape()
    since = serializers.DateTimeField(source="joined_at")
    keeps = serializers.BooleanField(help_text="Wants to keep a random group.")
    doing = DoingShape(
        many=True,
        allow_null=True,
        help_text="What the member is at; null where that is not shown to the player.",
    )

    def get_doing(self, member: Membership) -> Any:
        return self.context["doing"].get(member.player_id)


class GroupInvitationShape(Shape):
    """Somebody who is asked into a group."""

    player = PlayerRefShape()
    by = PlayerRefShape()
    at = serializers.DateTimeField()


class GroupShape(_GroupFields):
    """A group with its members, as the player sees it."""

    members = GroupMemberShape(many=True, help_text="The longest member first.")
    invited = GroupInvitationShape(
        many=True,
        help_text="Who is asked and has not answered: to the owner all, to others those whom they asked.",
    )
    member = serializers.BooleanField(help_text="Whether the player is in it.")
    shows = serializers.BooleanField(
        help_text="Whether the player shows the group what it is at, as to friends."
    )
    may_join = serializers.BooleanField(
        help_text="Whether the player, who is no member, may come in while there is room."
    )

    def get_member(self, seen: GroupSeen) -> bool:
        return seen.own is not None

    def get_shows(self, seen: GroupSeen) -> bool:
        return seen.own is not None and seen.own.shows


class SuggestedPlayerShape(Shape):
    """A player whom the asking one might want as a friend."""

    player = PlayerRefShape()
    matches = serializers.IntegerField(help_text="Of the last 200 matches, those played together.")
    liked = serializers.BooleanField(help_text="Whether the asking player said to have enjoyed it.")


class SuggestedGroupShape(ListedGroupShape):
    """An open group in which several are whom the asking player liked."""

    liked = serializers.IntegerField(help_text="How many of those are in it.")


class SuggestionsShape(Shape):
    """What is suggested to a player."""

    wanted = serializers.BooleanField(help_text="Whether the player wants suggestions.")
    players = SuggestedPlayerShape(many=True)
    groups = SuggestedGroupShape(many=True)


class RandomGroupShape(Shape):
    """Whether a player wants a random group, and what the operator has chosen of these."""

    wanted = serializers.BooleanField(help_text="Whether the player is in the next draw.")
    queue = serializers.CharField(
        allow_null=True, help_text="Short name of the queue that the others should want; null: any."
    )
    language = serializers.CharField(
        allow_null=True, help_text="The language that the others should want; null: any."
    )
    offered = serializers.BooleanField(help_text="Whether the game has random groups.")
    size = serializers.IntegerField(help_text="Members of a random group.")
    days = serializers.IntegerField(help_text="Days until it ends unless its members keep it.")
    draws_at = serializers.DateTimeField(
        allow_null=True, help_text="When the next draw is due; null: as soon as somebody wants one."
    )

    def get_queue(self, given: dict[str, Any]) -> str | None:
        wish: DrawWish | None = given["wish"]
        return wish.queue.slug if wish is not None and wish.queue is not None else None

    def get_language(self, given: dict[str, Any]) -> str | None:
        wish: DrawWish | None = given["wish"]
        return (wish.language or None) if wish is not None else None
