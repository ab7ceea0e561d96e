"""Coming into a group and leaving it: joining, inviting, removing, and what a member shows the others."""

from collections.abc import Collection
from datetime import datetime, timedelta

from django.db.models import Q, QuerySet

from events.kinds import Kind
from foundation.postgresql.transactions import briefly
from groups.held import HeldGroup, hold_group, hold_players
from groups.lifecycle import check_may_join, end_group, keep_if_wanted
from groups.models import Access, Group, Invitation, Membership, Removal
from groups.refusals import (
    GroupFullError,
    GroupNotOpenError,
    LeavesOwnGroupError,
    NotGroupOwnerError,
    NotInvitedError,
    TooManyInvitedError,
    UnknownGroupError,
)
from groups.rules import rules_of
from groups.told import tell, tell_invited, tell_removed, withdraw_invitation
from people import blocks
from people.may import check_challenge
from people.refusals import NotOpenToThisError
from ratings.models import Player
from ratings.players.site_ids import is_deleted
from ratings.sanctions import check_may_write

__all__ = [
    "INVITATIONS_KEPT",
    "MOST_INVITED",
    "decline",
    "invite",
    "join",
    "leave",
    "leave_all",
    "may_join",
    "remove",
    "show",
    "withdraw",
]

MOST_INVITED = 50  # invitations of one group that wait for an answer
INVITATIONS_KEPT = timedelta(days=30)


def join(*, group_id: int, player: Player) -> Group:
    """Become a member; for a member nothing changes.

    Raises UnknownGroupError, GroupNotOpenError, GroupFullError, TooManyGroupsError, ArchivedError, SuspendedError.
    """
    rules = rules_of(player.game_id)
    with briefly() as now:
        own = hold_players([player.pk])[player.pk]
        held = hold_group(group_id)
        if own.pk in held.players:
            return held.group
        if not may_join(held.group, held.players, own):
            raise GroupNotOpenError(group_id)
        check_may_join(own, rules)
        _add(held, own.pk, now)
        Invitation.objects.filter(group=group_id, player=own).delete()
        _removals(group_id, own).delete()
        withdraw_invitation(group_id, [own.pk])
        held.tell(Kind.GROUP_JOINED)
    return held.group


def may_join(group: Group, members: Collection[int], player: Player) -> bool:
    """Whether the group is open to the player, full or not. Four queries at most.

    Blocks by others are not asked: whoever may not join an open group would know that one of its members blocks it.
    """
    if player.merged_into_id is not None or is_deleted(player):
        return False
    if group.game_id not in (None, player.game_id) or group.access == Access.NOBODY:
        return False
    is_invited = Invitation.objects.filter(group=group, player=player).exists()
    if not is_invited:
        if _removals(group.pk, player).exists():
            return False
        if group.access == Access.INVITED and not _is_own_other(group, members, player):
            return False
    return not blocks.blocked_by(player.pk).filter(blocked__in=members).exists()


def invite(*, group_id: int, player_id: int, by: Player) -> Invitation:
    """Ask a player of the same game into the group; the same again changes nothing.

    Its owner invites, and where everyone may join every member. Raises UnknownGroupError, NotGroupMemberError,
    NotGroupOwnerError, GroupNotOpenError, TooManyInvitedError, SuspendedError, and NotOpenToThisError for whatever
    reason of the other.
    """
    with briefly() as now:
        two = hold_players([by.pk, player_id])
        other = two.get(player_id)
        held = hold_group(group_id)
        held.member(by.pk)
        if held.group.access != Access.ALL:
            held.check_owner(by.pk)
        if held.group.access == Access.NOBODY:
            raise GroupNotOpenError(group_id)
        if other is None or player_id in held.players:
            raise NotOpenToThisError(player_id)
        check_challenge(by.pk, player_id)
        check_may_write(by.pk)  # the name of the group is read by whoever is invited
        if _removals(group_id, other).exists() and by.pk != held.group.owner_id:
            raise NotOpenToThisError(player_id)
        waiting = Invitation.objects.filter(group=group_id)
        found = waiting.filter(player=player_id).first()
        if found is not None:
            return found
        if waiting.count() >= MOST_INVITED:
            raise TooManyInvitedError(MOST_INVITED)
        made = Invitation.objects.create(group=held.group, player=other, by=by, at=now)
        tell_invited(held.group, player_id, by.pk)
        tell(Kind.GROUP_INVITED, group_id, [by.pk, player_id])
    return made


def decline(*, group_id: int, player: Player) -> None:
    """Turn an invitation down; no notice tells of it. Raises NotInvitedError."""
    _take_invitation(group_id, player.pk)


def withdraw(*, group_id: int, player_id: int, by: Player) -> None:
    """Take an invitation back, as its owner or whoever has invited.

    Raises UnknownGroupError, NotGroupOwnerError, NotInvitedError.
    """
    group = Group.objects.filter(pk=group_id).first()
    if group is None:
        raise UnknownGroupError
    mine = Invitation.objects.filter(group=group_id, player=player_id, by=by)
    if group.owner_id != by.pk and not mine.exists():
        raise NotGroupOwnerError(group.owner_id)
    _take_invitation(group_id, player_id)


def leave(*, group_id: int, player: Player) -> None:
    """Leave the group. After the owner the longest member owns it; with the last one it ends.

    Raises UnknownGroupError, NotGroupMemberError.
    """
    with briefly():
        held = hold_group(group_id)
        _part(held, player.pk)


def leave_all(player_id: int) -> None:
    """Leave every group, in the order of their ids: whoever is deleted. Within the transaction of the caller."""
    own = Membership.objects.filter(player=player_id).order_by("group")
    for group_id in own.values_list("group", flat=True):
        try:
            held = hold_group(group_id)
        except UnknownGroupError:  # dissolved meanwhile
            continue
        if player_id in held.players:
            _part(held, player_id)


def remove(*, group_id: int, player_id: int, by: Player) -> Group:
    """Send a member away, as the owner: it does not come back unless the owner invites it.

    Raises UnknownGroupError, NotGroupMemberError, NotGroupOwnerError, LeavesOwnGroupError.
    """
    with briefly():
        held = hold_group(group_id)
        held.check_owner(by.pk)
        held.member(player_id)
        if player_id == held.group.owner_id:
            raise LeavesOwnGroupError(player_id)
        _part(held, player_id)
        Removal.objects.get_or_create(group=held.group, player_id=player_id)
        # Nor by what its account's players of other games were asked before.
        removed = Player.objects.get(pk=player_id)
        same = Q(pk=player_id)
        if removed.user_id is not None:
            same |= Q(user=removed.user_id)
        others = Invitation.objects.filter(group=group_id, player__in=Player.objects.filter(same))
        for invited in list(others.values_list("player", flat=True)):
            _take_invitation(group_id, invited)
        tell_removed(held.group, player_id)
    return held.group


def show(*, group_id: int, player: Player, shows: bool) -> None:
    """Choose whether the group sees what the player is at, as friends do.

    Raises UnknownGroupError, NotGroupMemberError.
    """
    with briefly():
        held = hold_group(group_id)
        member = held.member(player.pk)
        if member.shows != shows:
            member.shows = shows
            member.save(update_fields=["shows"])
            held.tell(Kind.GROUP_CHANGED)


def _is_own_other(group: Group, members: Collection[int], player: Player) -> bool:
    """Whether the player's account is in this group for all games already: it brings its players of other games."""
    if group.game_id is not None or player.user_id is None:
        return False
    return Player.objects.filter(pk__in=members, user=player.user_id).exists()


def _removals(group_id: int, player: Player) -> QuerySet[Removal]:
    """Of the player, and of other players of the same account: a group may be open to several games."""
    same = Q(player=player)
    if player.user_id is not None:
        same |= Q(player__user=player.user_id)
    return Removal.objects.filter(same, group=group_id)


def _add(held: HeldGroup, player_id: int, now: datetime) -> None:
    place = held.free_place
    if place is None:
        raise GroupFullError(held.group.most)
    member = Membership.objects.create(
        group=held.group, player_id=player_id, place=place, most=held.group.most, joined_at=now
    )
    held.members.append(member)


def _part(held: HeldGroup, player_id: int) -> None:
    """Take a member out; somebody else owns the group where it was the owner, and it ends where it was the last."""
    held.member(player_id)
    others = [one.player_id for one in held.members if one.player_id != player_id]
    if not others:
        end_group(held)
        return
    if player_id == held.group.owner_id:
        held.group.owner_id = others[0]
        held.group.save(update_fields=["owner"])
    Membership.objects.filter(group=held.group, player=player_id).delete()
    held.tell(Kind.GROUP_LEFT)
    held.members = [one for one in held.members if one.player_id != player_id]
    keep_if_wanted(held)  # those who want it may be more than half of the others


def _take_invitation(group_id: int, player_id: int) -> None:
    with briefly():
        asked = Invitation.objects.filter(group=group_id, player=player_id)
        inviters = list(asked.values_list("by", flat=True))
        if not asked.delete()[0]:
            raise NotInvitedError(player_id)
        withdraw_invitation(group_id, [player_id])
        tell(Kind.GROUP_CHANGED, group_id, [player_id, *inviters])
