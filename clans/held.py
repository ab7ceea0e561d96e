"""A clan held still, with who is in it.

Locks: rows of players by id, then the clan's row. Deleting a person and merging hold players first, too. The database
writes a clan's tag beside the names of its members, so who changes it, or ends the clan, holds their rows as well.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from django.db.models import Q

from clans.models import Clan, Membership, Role
from clans.refusals import (
    ClanFullError,
    NotClanLeaderError,
    NotClanMemberError,
    NotClanOfficerError,
    UnknownClanError,
)
from clans.told import tell
from events.kinds import Kind
from groups.held import hold_players

__all__ = ["HeldClan", "hold_clan", "hold_clan_and_members", "hold_clans_of"]


@dataclass(slots=True)
class HeldClan:
    """A clan that nobody else changes before this transaction ends; its members, the longest first."""

    clan: Clan
    members: list[Membership]

    @property
    def players(self) -> list[int]:
        """Ids of all members."""
        return [one.player_id for one in self.members]

    @property
    def staff(self) -> list[int]:
        """Ids of the leader and of officers."""
        return [pk for pk in self.players if self.role(pk) != Role.MEMBER]

    @property
    def heir(self) -> int | None:
        """Who leads after the leader: the longest officer, else the longest member; None where nobody is left."""
        others = [one for one in self.members if one.player_id != self.clan.leader_id]
        by_rank = sorted(others, key=lambda one: (not one.is_officer, one.pk))
        return by_rank[0].player_id if by_rank else None

    def free_place(self) -> int:
        """The lowest place that nobody has. Raises ClanFullError."""
        taken = {one.place for one in self.members}
        for place in range(self.clan.most):
            if place not in taken:
                return place
        raise ClanFullError(self.clan.most)

    def member(self, player_id: int) -> Membership:
        """The member who is this player. Raises NotClanMemberError."""
        for one in self.members:
            if one.player_id == player_id:
                return one
        raise NotClanMemberError(player_id)

    def role(self, player_id: int) -> Role:
        """What the member may do. Raises NotClanMemberError."""
        member = self.member(player_id)
        if player_id == self.clan.leader_id:
            return Role.LEADER
        return Role.OFFICER if member.is_officer else Role.MEMBER

    def check_staff(self, player_id: int) -> None:
        """Raise NotClanMemberError and NotClanOfficerError unless the player leads it, or is an officer."""
        if self.role(player_id) == Role.MEMBER:
            raise NotClanOfficerError

    def check_leader(self, player_id: int) -> None:
        """Raise NotClanMemberError and NotClanLeaderError unless the player leads it."""
        if self.role(player_id) != Role.LEADER:
            raise NotClanLeaderError(self.clan.leader_id or 0)

    def tell(self, kind: Kind, others: Iterable[int] = ()) -> None:
        """Let members, and `others`, hear that something has changed; and the servers of the game."""
        tell(kind, self.clan, [*self.players, *others])


def hold_clan(clan_id: int) -> HeldClan:
    """Lock a clan that was not dissolved, inside a transaction. Raises UnknownClanError."""
    rows = Clan.objects.select_for_update(no_key=True, of=("self",)).select_related("game")
    clan = rows.filter(pk=clan_id, ended_at=None).first()
    if clan is None:
        raise UnknownClanError
    return HeldClan(clan, list(Membership.objects.filter(clan=clan).order_by("pk")))


def hold_clan_and_members(clan_id: int) -> HeldClan:
    """The same with the rows of all its members. Raises UnknownClanError."""
    hold_players(list(Membership.objects.filter(clan=clan_id).values_list("player", flat=True)))
    return hold_clan(clan_id)


def hold_clans_of(player_ids: Collection[int], others: Collection[int] = ()) -> None:
    """Lock all clans of players who go, and `others`, by id: two who go at once do not wait in a circle."""
    own = Membership.objects.filter(player__in=player_ids).values("clan")
    rows = Clan.objects.filter(Q(pk__in=own) | Q(pk__in=others)).order_by("pk")
    list(rows.select_for_update(no_key=True, of=("self",)).values_list("pk"))
