"""Coming into a clan and leaving it: joining, applying, being accepted, and being sent away.

What the clan and the player both want has come at once: who is invited joins by applying, and an invitation to an
applicant accepts.
"""

from collections.abc import Collection
from contextlib import suppress
from datetime import datetime

from clans.held import HeldClan, hold_clan
from clans.lifecycle import add_member, check_may_join, end_clan, lead
from clans.models import (
    Access,
    Application,
    Clan,
    Invitation,
    Membership,
    Removal,
    Role,
    Span,
    end_spans,
)
from clans.refusals import (
    ClanNotOpenError,
    NotAppliedError,
    NotClanLeaderError,
    RemovesLeaderError,
    TooManyApplicationsError,
    UnknownClanError,
)
from clans.told import (
    tell,
    tell_accepted,
    tell_applied,
    tell_leads,
    tell_removed,
    withdraw_application,
    withdraw_invitation,
)
from events.kinds import Kind
from foundation.postgresql.transactions import briefly
from groups.held import hold_players
from people import blocks
from people.refusals import NotOpenToThisError
from ratings.models import Player, Sanction, SuspendedFrom
from ratings.players.site_ids import is_deleted
from ratings.sanctions import SuspendedError

__all__ = [
    "MOST_APPLICANTS",
    "MOST_APPLICATIONS",
    "accept",
    "apply",
    "follow_sanction",
    "join",
    "leave",
    "leave_all",
    "may_apply",
    "may_join",
    "remove",
    "take_back",
    "take_in",
    "turn_down",
]

MOST_APPLICATIONS = 5  # of one player, that wait for an answer
MOST_APPLICANTS = 100  # of one clan


def join(*, clan_id: int, player: Player) -> Clan:
    """Become a member; for a member nothing changes.

    Raises UnknownClanError, ClanNotOpenError, ClanFullError, InClanError, ArchivedError, SuspendedError.
    """
    with briefly() as now:
        own = hold_players([player.pk])[player.pk]
        held = hold_clan(clan_id)
        if own.pk in held.players:
            return held.clan
        if not may_join(held.clan, held.players, own):
            raise ClanNotOpenError(clan_id)
        check_may_join(own)
        take_in(held, own.pk, now)
    return held.clan


def apply(*, clan_id: int, player: Player) -> Clan:
    """Ask to come in; the same again changes nothing. Whoever is invited joins.

    Raises what `join` does, and TooManyApplicationsError.
    """
    with briefly() as now:
        own = hold_players([player.pk])[player.pk]
        held = hold_clan(clan_id)
        if own.pk in held.players:
            return held.clan
        is_open = may_join(held.clan, held.players, own)
        if not is_open and not may_apply(held.clan, held.players, own):
            raise ClanNotOpenError(clan_id)
        check_may_join(own)
        if is_open:
            take_in(held, own.pk, now)
            return held.clan
        waiting = Application.objects.filter(clan=clan_id)
        if waiting.filter(player=own).exists():
            return held.clan
        held.free_place()  # whoever could not be accepted has nothing to wait for
        if Application.objects.filter(player=own).count() >= MOST_APPLICATIONS:
            raise TooManyApplicationsError(MOST_APPLICATIONS)
        if waiting.count() >= MOST_APPLICANTS:
            raise TooManyApplicationsError(MOST_APPLICANTS)
        Application.objects.create(clan=held.clan, player=own, at=now)
        tell_applied(held.clan, held.staff, own.pk)
        tell(Kind.CLAN_APPLIED, held.clan, [*held.staff, own.pk])
    return held.clan


def may_join(clan: Clan, members: Collection[int], player: Player) -> bool:
    """Whether the player may come in as it is, full or not: the clan is open, or has invited it. Three queries at most.

    Blocks by others are not asked: whoever may not join an open clan would know that one of its members blocks it.
    """
    if not _may_belong(clan, player) or clan.access == Access.NOBODY:
        return False
    is_invited = Invitation.objects.filter(clan=clan, player=player).exists()
    if not is_invited and clan.access != Access.ALL:
        return False
    if not is_invited and Removal.objects.filter(clan=clan, player=player).exists():
        return False
    return not _blocks_one_of(player, members)


def may_apply(clan: Clan, members: Collection[int], player: Player) -> bool:
    """Whether the player may ask to come in. Two queries at most."""
    if not _may_belong(clan, player) or clan.access != Access.APPLY:
        return False
    is_removed = Removal.objects.filter(clan=clan, player=player).exists()
    return not is_removed and not _blocks_one_of(player, members)


def take_back(*, clan_id: int, player: Player) -> None:
    """Take the own application back; no notice tells of it. Raises NotAppliedError, UnknownClanError."""
    with briefly():
        held = hold_clan(clan_id)
        _end_application(held, player.pk)


def accept(*, clan_id: int, player_id: int, by: Player) -> Clan:
    """Let an applicant come in, as the leader or an officer.

    Raises UnknownClanError, NotClanMemberError, NotClanOfficerError, NotAppliedError, ClanFullError, InClanError,
    ArchivedError, and NotOpenToThisError for an applicant who may be in no clan now.
    """
    with briefly() as now:
        two = hold_players([by.pk, player_id])
        held = hold_clan(clan_id)
        held.check_staff(by.pk)
        if not Application.objects.filter(clan=clan_id, player=player_id).exists():
            raise NotAppliedError(player_id)
        other = two[player_id]
        if not _may_belong(held.clan, other):
            raise NotOpenToThisError(player_id)
        try:
            check_may_join(other)
        except SuspendedError as sanction:  # which is nobody else's to learn
            raise NotOpenToThisError(player_id) from sanction
        take_in(held, player_id, now)
        tell_accepted(held.clan, player_id)
    return held.clan


def follow_sanction(sanction: Sanction) -> None:
    """Take back what a player has applied for who may come into no clan any more, as if it did so itself.

    Whoever accepted it would find out otherwise that the player may not.
    """
    forbids = {SuspendedFrom.PARTIES, SuspendedFrom.ALL}
    if sanction.lifted_at is None and sanction.suspended_from in forbids:
        applied = Application.objects.filter(player=sanction.player_id)
        for clan_id in list(applied.order_by("clan").values_list("clan", flat=True)):
            with suppress(NotAppliedError, UnknownClanError):
                take_back(clan_id=clan_id, player=sanction.player)


def turn_down(*, clan_id: int, player_id: int, by: Player) -> Clan:
    """Turn an application down, as the leader or an officer; no notice tells of it.

    Raises UnknownClanError, NotClanMemberError, NotClanOfficerError, NotAppliedError.
    """
    with briefly():
        held = hold_clan(clan_id)
        held.check_staff(by.pk)
        _end_application(held, player_id)
    return held.clan


def leave(*, clan_id: int, player: Player) -> None:
    """Leave the clan. After the leader the longest officer leads it, else the longest member; with the last it ends.

    Raises UnknownClanError, NotClanMemberError.
    """
    with briefly() as now:
        hold_players([player.pk])
        _part(hold_clan(clan_id), player.pk, now)


def leave_all(player_id: int, now: datetime) -> None:
    """Leave the clan there is: whoever is deleted or merged. Within a transaction in which its row is held."""
    for clan_id in Membership.objects.filter(player=player_id).values_list("clan", flat=True):
        try:
            held = hold_clan(clan_id)
        except UnknownClanError:  # dissolved meanwhile
            continue
        if player_id in held.players:
            _part(held, player_id, now)


def remove(*, clan_id: int, player_id: int, by: Player) -> Clan:
    """Send a member away: officers do so with plain members, the leader with all others. It comes back by invitation.

    Raises UnknownClanError, NotClanMemberError, NotClanOfficerError, NotClanLeaderError, RemovesLeaderError.
    """
    with briefly() as now:
        hold_players([player_id])
        held = hold_clan(clan_id)
        held.check_staff(by.pk)
        role = held.role(player_id)
        if role == Role.LEADER:
            raise RemovesLeaderError(player_id)
        if role == Role.OFFICER and by.pk != held.clan.leader_id:
            raise NotClanLeaderError(held.clan.leader_id or 0)
        _part(held, player_id, now)
        Removal.objects.get_or_create(clan=held.clan, player_id=player_id)
        tell_removed(held.clan, player_id)
    return held.clan


def take_in(held: HeldClan, player_id: int, now: datetime) -> None:
    """Let a player in who may join, and whose row is held: what was asked is answered. Raises ClanFullError."""
    add_member(held, player_id, now)
    clan = held.clan.pk
    if Invitation.objects.filter(clan=clan, player=player_id).delete()[0]:
        withdraw_invitation(clan, player_id)
    Removal.objects.filter(clan=clan, player=player_id).delete()
    asked = Application.objects.filter(player=player_id)  # also of other clans
    for other in list(asked.values_list("clan", flat=True)):
        withdraw_application(other, player_id)
    asked.delete()
    held.tell(Kind.CLAN_JOINED)


def _may_belong(clan: Clan, player: Player) -> bool:
    return (
        clan.game_id == player.game_id and player.merged_into_id is None and not is_deleted(player)
    )


def _blocks_one_of(player: Player, members: Collection[int]) -> bool:
    return blocks.blocked_by(player.pk).filter(blocked__in=members).exists()


def _end_application(held: HeldClan, player_id: int) -> None:
    if not Application.objects.filter(clan=held.clan, player=player_id).delete()[0]:
        raise NotAppliedError(player_id)
    withdraw_application(held.clan.pk, player_id)
    tell(Kind.CLAN_CHANGED, held.clan, [*held.staff, player_id])


def _part(held: HeldClan, player_id: int, now: datetime) -> None:
    """Take a member out; somebody else leads the clan where it was the leader, and it ends where it was the last."""
    held.member(player_id)
    if player_id == held.clan.leader_id:
        heir = held.heir
        if heir is None:
            end_clan(held, now)
            return
        lead(held, heir)
        tell_leads(held.clan, heir)
    Membership.objects.filter(clan=held.clan, player=player_id).delete()
    end_spans(Span.objects.filter(clan=held.clan, player=player_id, until=None), now)
    held.tell(Kind.CLAN_LEFT)
    held.members = [one for one in held.members if one.player_id != player_id]
