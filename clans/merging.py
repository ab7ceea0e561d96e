"""What a merge of two players means for their clans."""

from clans.held import hold_clan
from clans.membership import leave_all
from clans.models import Application, Invitation, Membership, Removal, Span, end_spans
from clans.refusals import UnknownClanError
from clans.told import withdraw_application, withdraw_invitation
from events.kinds import Kind
from foundation import clock
from ratings.merging.merge import Followed

__all__ = ["follow_merge"]


def follow_merge(followed: Followed) -> None:
    """Let the one that counts for both be in the clan of the merged player, unless it is in one itself, and stay out of
    those that removed it.

    What is over of the merged player's time in clans stays its own: whose event one is follows from the merge, and in
    which clan that one was from its own time. When the merge is undone nothing moves back.
    """
    if followed.is_undone:
        return
    player, into = followed.merge.merged_id, followed.merge.into_id
    if not Membership.objects.filter(player=into).exists():
        _move(player, into)
    leave_all(player, clock.now())
    Removal.objects.bulk_create(
        [
            Removal(clan_id=clan_id, player_id=into)
            for clan_id in Removal.objects.filter(player=player).values_list("clan", flat=True)
        ],
        ignore_conflicts=True,
    )
    # What was asked of, or by, the merged player: the other is asked, and asks, for itself.
    asked = Application.objects.filter(player=player)
    for clan_id in list(asked.values_list("clan", flat=True)):
        withdraw_application(clan_id, player)
    asked.delete()
    Invitation.objects.filter(player=player).delete()
    Invitation.objects.filter(player=into, by=player).delete()
    Invitation.objects.filter(by=player).update(by=into)


def _move(player: int, into: int) -> None:
    """The membership goes over with its role; the time of the one ends as that of the other begins."""
    own = Membership.objects.filter(player=player).first()
    if own is None:
        return
    try:
        held = hold_clan(own.clan_id)
    except UnknownClanError:
        return
    now = clock.now()
    end_spans(Span.objects.filter(pk=own.span_id), now)
    span = Span.objects.create(clan=held.clan, player_id=into, since=now)
    if held.clan.leader_id == player:
        held.clan.leader_id = into
        held.clan.save(update_fields=["leader"])
    Membership.objects.filter(pk=own.pk).update(player=into, span=span)
    if Invitation.objects.filter(clan=held.clan, player=into).delete()[0]:
        withdraw_invitation(held.clan.pk, into)
    asked = Application.objects.filter(player=into)
    for clan_id in list(asked.values_list("clan", flat=True)):
        withdraw_application(clan_id, into)
    asked.delete()
    held.tell(Kind.CLAN_CHANGED, [into])
