"""What a merge of two players means for their groups."""

from events.kinds import Kind
from groups.held import hold_group
from groups.membership import leave_all
from groups.models import DrawWish, Invitation, Membership, Removal, SuggestionWish
from groups.refusals import UnknownGroupError
from groups.told import tell, withdraw_invitation
from ratings.merging.merge import Followed

__all__ = ["follow_merge"]


def follow_merge(followed: Followed) -> None:
    """Let the one that counts for both be in the groups of the merged player, and stay out of those that removed it.

    When the merge is undone nothing moves back: a group is joined in a moment.
    """
    if followed.is_undone:
        return
    player, into = followed.merge.merged_id, followed.merge.into_id
    own = Membership.objects.filter(player=player).order_by("group")
    for group_id in own.values_list("group", flat=True):
        try:
            held = hold_group(group_id)
        except UnknownGroupError:
            continue
        if into in held.players:
            continue  # the merged player leaves below
        held.member(player)
        if held.group.owner_id == player:
            held.group.owner_id = into
            held.group.save(update_fields=["owner"])
        Membership.objects.filter(group=group_id, player=player).update(player=into)
        # It is in there now, so that nobody asks it any more.
        if Invitation.objects.filter(group=group_id, player=into).delete()[0]:
            withdraw_invitation(group_id, [into])
        others = [pk for pk in held.players if pk != player]
        tell(Kind.GROUP_CHANGED, group_id, [*others, into])
    leave_all(player)
    Removal.objects.bulk_create(
        [
            Removal(group_id=group_id, player_id=into)
            for group_id in Removal.objects.filter(player=player).values_list("group", flat=True)
        ],
        ignore_conflicts=True,
    )
    # What was asked of, or wanted by, the merged player: the other is asked, and says, for itself.
    Invitation.objects.filter(player=player).delete()
    Invitation.objects.filter(player=into, by=player).delete()
    Invitation.objects.filter(by=player).update(by=into)
    DrawWish.objects.filter(player=player).delete()
    SuggestionWish.objects.filter(player=player).delete()
