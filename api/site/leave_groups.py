"""A person who is deleted leaves its groups."""

from django.db.models import Q

from api.site.forget_texts import empty_groups_of
from api.site.taken import Taken
from groups.membership import leave_all
from groups.models import DrawWish, Invitation, Membership, Removal, SuggestionWish
from ratings.models import Player

__all__ = ["leave_groups"]


def leave_groups(player: Player, taken: Taken) -> None:
    """Its groups are others' from now on, or end; it is asked into none, and wants none, any more."""
    empty_groups_of(player, taken)
    taken.deleted[Membership] += Membership.objects.filter(player=player).count()
    leave_all(player.pk)
    for rows in (
        Invitation.objects.filter(Q(player=player) | Q(by=player)),
        Removal.objects.filter(player=player),
        SuggestionWish.objects.filter(player=player),
        DrawWish.objects.filter(player=player),
    ):
        taken.delete(rows)
