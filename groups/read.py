"""Groups as players see them: lists, and one with its members. Nothing here tells a rating."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Count, Q, QuerySet

from groups.membership import may_join
from groups.models import Access, Group, Invitation, Membership
from people.presence import Doing, doing_of
from ratings.models import Player

__all__ = [
    "LISTS",
    "GroupSeen",
    "ListedGroup",
    "group_seen",
    "groups_by_ids",
    "groups_listed",
    "member_ids_of",
    "own_group_ids",
    "own_groups",
    "visible_to",
]

LISTS = ("own", "invited", "open")


@dataclass(frozen=True, slots=True)
class ListedGroup:
    """A group in a list, with the number of its members."""

    group: Group
    size: int

    @property
    def is_full(self) -> bool:
        """Whether nobody else may come."""
        return self.size >= self.group.most


@dataclass(frozen=True, slots=True)
class GroupSeen:
    """A group as a player sees it.

    members   the longest first
    doing     by player, what those are at who show it to the viewer; of a stranger, nothing
    invited   who is asked, for the owner and for those who asked
    own       the viewer's membership
    may_join  whether the viewer, who is no member, may come in while there is room
    """

    group: Group
    members: Sequence[Membership]
    doing: Mapping[int, list[Doing]]
    invited: Sequence[Invitation]
    own: Membership | None
    is_invited: bool
    may_join: bool

    @property
    def is_owner(self) -> bool:
        """Whether the viewer owns it."""
        return self.own is not None and self.own.player_id == self.group.owner_id

    @property
    def may_invite(self) -> bool:
        """Whether the viewer may ask others in."""
        if self.group.access == Access.NOBODY or self.own is None:
            return False
        return self.is_owner or self.group.access == Access.ALL

    @property
    def is_full(self) -> bool:
        """Whether nobody else may come."""
        return len(self.members) >= self.group.most

    @property
    def keeping(self) -> int:
        """How many members want to keep a random group."""
        return sum(one.keeps for one in self.members)


def visible_to(player: Player) -> QuerySet[Group]:
    """Groups that the player may look into: its own, those it is invited to, and those that are open to all."""
    own = Membership.objects.filter(player=player).values("group")
    asked = Invitation.objects.filter(player=player).values("group")
    of_game = Q(game=player.game_id) | Q(game=None)
    groups = Group.objects.filter(Q(pk__in=own) | Q(pk__in=asked) | Q(of_game, access=Access.ALL))
    return groups.select_related("game", "owner")


def group_seen(group: Group, player: Player | None) -> GroupSeen:
    """A group as the player sees it, who may (`visible_to`); None: as servers do. So many queries for any size."""
    rows = Membership.objects.filter(group=group).select_related("player").order_by("pk")
    members = list(rows)
    asked = Invitation.objects.filter(group=group).select_related("player", "by").order_by("pk")
    if player is None:
        return GroupSeen(group, members, {}, list(asked), None, is_invited=False, may_join=False)
    ids = [one.player_id for one in members]
    own = next((one for one in members if one.player_id == player.pk), None)
    if own is None:
        is_invited = asked.filter(player=player).exists()
        is_open = may_join(group, ids, player)
        return GroupSeen(group, members, {}, [], None, is_invited=is_invited, may_join=is_open)
    showing = [one.player_id for one in members if one.shows]
    doing = doing_of(player.pk, ids, as_to_friends=showing)
    mine = asked if group.owner_id == player.pk else asked.filter(by=player)
    return GroupSeen(group, members, doing, list(mine), own, is_invited=False, may_join=False)


def groups_listed(
    player: Player, which: str, *, text: str = "", before: int | None = None, most: int = 50
) -> tuple[list[ListedGroup], int | None]:
    """A page of one of `LISTS`, the newest first, and before which number the next begins; None after the last.

    Open are those that the player is not in. Two queries.
    """
    own = Membership.objects.filter(player=player).values("group")
    if which == "own":
        groups = Group.objects.filter(pk__in=own)
    elif which == "invited":
        groups = Group.objects.filter(
            pk__in=Invitation.objects.filter(player=player).values("group")
        )
    else:
        of_game = Q(game=player.game_id) | Q(game=None)
        groups = Group.objects.filter(of_game, access=Access.ALL).exclude(pk__in=own)
    if text:
        groups = groups.filter(Q(name__icontains=text) | Q(note__icontains=text))
    if before is not None:
        groups = groups.filter(pk__lt=before)
    found = list(groups.select_related("game", "owner").order_by("-pk")[: most + 1])
    listed = _with_sizes(found[:most])
    return listed, found[most - 1].pk if len(found) > most else None


def groups_by_ids(ids: Sequence[int]) -> list[ListedGroup]:
    """These groups, in this order; those that are gone are left out. Two queries."""
    rows = Group.objects.filter(pk__in=ids).select_related("game", "owner")
    known = {one.pk: one for one in rows}
    return _with_sizes([known[pk] for pk in ids if pk in known])


def member_ids_of(group_id: int) -> set[int]:
    """Ids of the members of a group. One query."""
    return set(Membership.objects.filter(group=group_id).values_list("player", flat=True))


def own_group_ids(player_id: int) -> set[int]:
    """Ids of the groups that the player is in. One query."""
    return set(Membership.objects.filter(player=player_id).values_list("group", flat=True))


def own_groups(player: Player) -> list[Group]:
    """The groups that the player is in, the newest first. One query."""
    own = Membership.objects.filter(player=player).values("group")
    return list(Group.objects.filter(pk__in=own).order_by("-pk"))


def _with_sizes(groups: Collection[Group]) -> list[ListedGroup]:
    rows = Membership.objects.filter(group__in=[one.pk for one in groups])
    counted = rows.values("group").annotate(number=Count("pk")).order_by()
    sizes = {row["group"]: row["number"] for row in counted}
    return [ListedGroup(one, sizes.get(one.pk, 0)) for one in groups]
