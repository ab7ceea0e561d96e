"""Clans and who is in them."""

from rest_framework import serializers

from api.contract.shapes import Shape
from api.serializers.players import PlayerRefShape
from clans.models import Access, Role
from clans.read import ClanSeen

__all__ = ["CLAN_ACCESS", "ROLES", "ClanShape", "ListedClanShape"]

CLAN_ACCESS = Access.values
ROLES = Role.values


class _ClanFields(Shape):
    """What is told of a clan everywhere."""

    id = serializers.IntegerField(source="clan.pk")
    game = serializers.CharField(source="clan.game.slug", help_text="Short name of the game.")
    name = serializers.CharField(source="clan.name")
    tag = serializers.CharField(source="clan.tag", help_text="Stands beside names of members.")
    note = serializers.CharField(source="clan.note")
    access = serializers.ChoiceField(
        source="clan.access",
        choices=CLAN_ACCESS,
        help_text="Who may join: everyone, applicants who are accepted, those who are invited, or nobody for now.",
    )
    most = serializers.IntegerField(source="clan.most", help_text="Members that it may have.")
    founded_at = serializers.DateTimeField(source="clan.founded_at")
    ended_at = serializers.DateTimeField(
        source="clan.ended_at", allow_null=True, help_text="When it was dissolved."
    )


class ListedClanShape(_ClanFields):
    """A clan in a list."""

    size = serializers.IntegerField(help_text="Members that it has.")


class ClanMemberShape(Shape):
    """A member of a clan."""

    player = PlayerRefShape()
    role = serializers.ChoiceField(choices=ROLES)
    since = serializers.DateTimeField(source="row.joined_at")


class ClanInvitationShape(Shape):
    """Somebody who is asked into a clan."""

    player = PlayerRefShape()
    by = PlayerRefShape()
    at = serializers.DateTimeField()


class ClanApplicationShape(Shape):
    """Somebody who asks to come into a clan."""

    player = PlayerRefShape()
    at = serializers.DateTimeField()


class ClanShape(_ClanFields):
    """A clan with its members, as the player sees it."""

    members = ClanMemberShape(
        many=True, help_text="The leader, then officers, then others, the longest member first."
    )
    invited = ClanInvitationShape(
        many=True, help_text="Who is asked and has not answered: for the leader and officers."
    )
    applied = ClanApplicationShape(
        many=True, help_text="Who asks to come and waits for an answer: for the same."
    )
    role = serializers.ChoiceField(
        choices=ROLES, allow_null=True, help_text="The player's own; null: not a member."
    )
    is_invited = serializers.BooleanField(help_text="Whether the player is asked to come.")
    has_applied = serializers.BooleanField(help_text="Whether the player asks to come.")
    may_join = serializers.BooleanField(
        help_text="Whether the player, who is no member, may come in as it is while there is room."
    )
    may_apply = serializers.BooleanField(help_text="Whether it may ask to come.")

    def get_role(self, seen: ClanSeen) -> str | None:
        return None if seen.own is None else seen.own.role.value
