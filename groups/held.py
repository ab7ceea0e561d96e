"""A group held still, with who is in it.

Locks: rows of players by id, then the group's row. Deleting a person and merging hold players first, too.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from django.db.models import Q

from events.kinds import Kind
from groups.models import Group, Membership
from groups.refusals import (
    NotGroupMemberError,
    NotGroupOwnerError,
    PlayerGoneError,
    UnknownGroupError,
)
from groups.told import tell
from ratings.models import Player
from ratings.players.site_ids import is_deleted

__all__ = ["HeldGroup", "hold_group", "hold_groups_of", "hold_player", "hold_players"]


@dataclass(slots=True)
class HeldGroup:
    """A group that nobody else changes before this transaction ends; its members, the longest first."""

    group: Group
    members: list[Membership]

    @property
    def players(self) -> list[int]:
        """Ids of all members."""
        return [one.player_id for one in self.members]

    @property
    def free_place(self) -> int | None:
        """The lowest place that nobody has; None in a full group."""
        taken = {one.place for one in self.members}
        return next((place for place in range(self.group.most) if place not in taken), None)

    def member(self, player_id: int) -> Membership:
        """The member who is this player. Raises NotGroupMemberError."""
        for one in self.members:
            if one.player_id == player_id:
                return one
        raise NotGroupMemberError(player_id)

    def check_owner(self, player_id: int) -> None:
        """Raise NotGroupMemberError and NotGroupOwnerError unless the player owns it."""
        self.member(player_id)
        if player_id != self.group.owner_id:
            raise NotGroupOwnerError(self.group.owner_id)

    def tell(self, kind: Kind, others: Iterable[int] = ()) -> None:
        """Let members, and `others`, hear that something has changed; and the servers of their games."""
        tell(kind, self.group.pk, [*self.players, *others])


def hold_players(player_ids: Collection[int]) -> dict[int, Player]:
    """Lock rows of players, before that of a group: so nobody joins who is being deleted or merged."""
    rows = Player.objects.select_for_update(no_key=True, of=("self",)).filter(pk__in=player_ids)
    return {one.pk: one for one in rows.select_related("game").order_by("pk")}


def hold_player(player_id: int) -> Player:
    """Lock the row of a player who asks for something. Raises PlayerGoneError."""
    player = hold_players([player_id])[player_id]
    if player.merged_into_id is not None or is_deleted(player):
        raise PlayerGoneError(player_id)
    return player


def hold_group(group_id: int) -> HeldGroup:
    """Lock a group, inside a transaction. Raises UnknownGroupError."""
    rows = Group.objects.select_for_update(no_key=True, of=("self",)).select_related("game")
    group = rows.filter(pk=group_id).first()
    if group is None:
        raise UnknownGroupError
    return HeldGroup(group, list(Membership.objects.filter(group=group).order_by("pk")))


def hold_groups_of(player_ids: Collection[int], others: Collection[int] = ()) -> None:
    """Lock all groups of players who go, and `others`, by id: two who go at once do not wait for each other in a
    circle.
    """
    own = Membership.objects.filter(player__in=player_ids).values("group")
    rows = Group.objects.filter(Q(pk__in=own) | Q(pk__in=others)).order_by("pk")
    list(rows.select_for_update(no_key=True, of=("self",)).values_list("pk"))
