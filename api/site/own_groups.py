"""Groups and clans of an account's players, for its owner to take along."""

from typing import Any

from django.db.models import Q

from api.site.own_rows import rows
from clans.models import Application as ClanApplication
from clans.models import Invitation as ClanInvitation
from clans.models import Membership as ClanMembership
from clans.models import Span
from groups.models import DrawWish, Invitation, Membership, SuggestionWish
from ratings.models import Player

__all__ = ["clans_of", "groups_of"]


def groups_of(player: Player) -> dict[str, Any]:
    """Groups that the player is in or invited to, and what it wants of them. Not which have removed it, nor members."""
    mine = Q(player=player)
    return {
        "groups": rows(
            Membership.objects.filter(mine), "group", "group__name", "joined_at", "shows", "keeps"
        ),
        "invited_to_groups": rows(Invitation.objects.filter(mine), "group", "by", "at"),
        "has_invited_to_groups": rows(
            Invitation.objects.filter(by=player), "group", "player", "at"
        ),
        "wants_suggestions": rows(SuggestionWish.objects.filter(mine), "since"),
        "wants_random_group": rows(
            DrawWish.objects.filter(mine), "queue__slug", "language", "since"
        ),
    }


def clans_of(player: Player) -> dict[str, Any]:
    """Clans that the player is and was in, and what is asked. Not which have removed it, nor members."""
    mine = Q(player=player)
    return {
        "clans": rows(Span.objects.filter(mine), "clan", "clan__name", "since", "until"),
        "clan_officer": rows(ClanMembership.objects.filter(mine), "clan", "is_officer"),
        "invited_to_clans": rows(ClanInvitation.objects.filter(mine), "clan", "by", "at"),
        "has_invited_to_clans": rows(
            ClanInvitation.objects.filter(by=player), "clan", "player", "at"
        ),
        "applied_to_clans": rows(ClanApplication.objects.filter(mine), "clan", "at"),
    }
