"""Clans as others see them: lists, and one with its members. Who is asked, and who asks, they tell whom it concerns.

Nothing here tells a rating.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from django.db.models import Count, Q

from clans.membership import may_apply, may_join
from clans.models import Application, Clan, Invitation, Membership, Role
from foundation.names import skeleton_of
from ratings.models import Player

__all__ = [
    "ClanSeen",
    "ListedClan",
    "Member",
    "clan_of",
    "clan_seen",
    "clans_asked",
    "clans_inviting",
    "clans_listed",
]


@dataclass(frozen=True, slots=True)
class ListedClan:
    """A clan in a list, with the number of its members."""

    clan: Clan
    size: int

    @property
    def is_full(self) -> bool:
        """Whether nobody else may come."""
        return self.size >= self.clan.most


@dataclass(frozen=True, slots=True)
class Member:
    """One who is in a clan, and what it may do there."""

    row: Membership
    role: Role

    @property
    def player(self) -> Player:
        """Who it is."""
        return self.row.player


@dataclass(frozen=True, slots=True)
class ClanSeen:
    """A clan as somebody sees it.

    members      the leader, then officers, then the others, the longest first
    invited      who is asked, for the leader and officers
    applied      who asks to come, for the same
    own          the viewer among the members
    is_invited   of the viewer; so `has_applied`
    may_join     whether the viewer, who is no member, may come in as it is while there is room
    may_apply    whether the viewer may ask to come in
    """

    clan: Clan
    members: Sequence[Member]
    invited: Sequence[Invitation] = ()
    applied: Sequence[Application] = ()
    own: Member | None = None
    is_invited: bool = False
    has_applied: bool = False
    may_join: bool = False
    may_apply: bool = False

    @property
    def is_leader(self) -> bool:
        """Whether the viewer leads it."""
        return self.own is not None and self.own.role == Role.LEADER

    @property
    def is_staff(self) -> bool:
        """Whether the viewer leads it, or is an officer."""
        return self.own is not None and self.own.role != Role.MEMBER

    @property
    def is_full(self) -> bool:
        """Whether nobody else may come."""
        return len(self.members) >= self.clan.most


def clan_seen(clan: Clan, player: Player | None) -> ClanSeen:
    """A clan as the player sees it; None: as anybody, or a server. Seven queries at most, for any size."""
    rows = Membership.objects.filter(clan=clan).select_related("player")
    members = [Member(row, _role(clan, row)) for row in rows.order_by("-is_officer", "pk")]
    members.sort(key=lambda one: one.role != Role.LEADER)
    if player is None or clan.is_over:
        return ClanSeen(clan, members)
    own = next((one for one in members if one.row.player_id == player.pk), None)
    asked = Invitation.objects.filter(clan=clan).select_related("player", "by").order_by("pk")
    asks = Application.objects.filter(clan=clan).select_related("player").order_by("pk")
    if own is not None:
        if own.role == Role.MEMBER:
            return ClanSeen(clan, members, own=own)
        return ClanSeen(clan, members, list(asked), list(asks), own)
    ids = [one.row.player_id for one in members]
    return ClanSeen(
        clan,
        members,
        is_invited=asked.filter(player=player).exists(),
        has_applied=asks.filter(player=player).exists(),
        may_join=may_join(clan, ids, player),
        may_apply=may_apply(clan, ids, player),
    )


def clan_of(player_id: int) -> ListedClan | None:
    """The clan that the player is in. Two queries."""
    own = Membership.objects.filter(player=player_id).select_related("clan__game").first()
    return _with_sizes([own.clan])[0] if own is not None else None


def clans_inviting(player_id: int) -> list[ListedClan]:
    """Clans that have asked the player to come, the latest first. Two queries."""
    asked = Invitation.objects.filter(player=player_id).order_by("-pk")
    return _with_sizes([one.clan for one in asked.select_related("clan__game")])


def clans_asked(player_id: int) -> list[ListedClan]:
    """Clans that the player asks to come into, the latest first. Two queries."""
    asks = Application.objects.filter(player=player_id).order_by("-pk")
    return _with_sizes([one.clan for one in asks.select_related("clan__game")])


def clans_listed(
    game_id: int, *, text: str = "", before: int | None = None, most: int = 50
) -> tuple[list[ListedClan], int | None]:
    """A page of the game's clans, the newest first, and before which number the next begins; None after the last.

    text  a tag, or a part of a name, as they look. Two queries.
    """
    clans = Clan.objects.filter(game=game_id, ended_at=None)
    if text:
        looks = skeleton_of(text)
        clans = clans.filter(Q(tag_skeleton=looks) | Q(name_skeleton__contains=looks))
    if before is not None:
        clans = clans.filter(pk__lt=before)
    found = list(clans.select_related("game").order_by("-pk")[: most + 1])
    return _with_sizes(found[:most]), found[most - 1].pk if len(found) > most else None


def _role(clan: Clan, row: Membership) -> Role:
    if row.player_id == clan.leader_id:
        return Role.LEADER
    return Role.OFFICER if row.is_officer else Role.MEMBER


def _with_sizes(clans: Collection[Clan]) -> list[ListedClan]:
    rows = Membership.objects.filter(clan__in=[one.pk for one in clans])
    counted = rows.values("clan").annotate(number=Count("pk")).order_by()
    sizes = {row["clan"]: row["number"] for row in counted}
    return [ListedClan(one, sizes.get(one.pk, 0)) for one in clans]
