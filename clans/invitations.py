"""Asking players into a clan."""

from datetime import timedelta

from clans.held import hold_clan
from clans.lifecycle import check_may_join
from clans.membership import take_in
from clans.models import Access, Application, Clan, Invitation
from clans.refusals import ClanNotOpenError
from clans.told import tell, tell_accepted, tell_invited, withdraw_application, withdraw_invitation
from events.kinds import Kind
from foundation import clock, timekeeping
from foundation.postgresql.transactions import briefly
from groups.held import hold_players
from groups.membership import INVITATIONS_KEPT, MOST_INVITED
from groups.refusals import NotInvitedError, TooManyInvitedError
from people.may import check_challenge
from people.refusals import NotOpenToThisError
from ratings.models import Player
from ratings.sanctions import SuspendedError, check_may_write

__all__ = ["APPLICATIONS_KEPT", "decline", "forget_old", "invite", "withdraw"]

APPLICATIONS_KEPT: timedelta = INVITATIONS_KEPT
_AT_ONCE = 500


def invite(*, clan_id: int, player_id: int, by: Player) -> Clan:
    """Ask a player of the game into the clan, as the leader or an officer; the same again changes nothing. Whoever has
    applied is in then.

    Raises UnknownClanError, NotClanMemberError, NotClanOfficerError, ClanNotOpenError, TooManyInvitedError,
    ClanFullError, InClanError, ArchivedError, SuspendedError, and NotOpenToThisError for whatever reason of the other.
    """
    with briefly() as now:
        two = hold_players([by.pk, player_id])
        other = two.get(player_id)
        held = hold_clan(clan_id)
        held.check_staff(by.pk)
        if held.clan.access == Access.NOBODY:
            raise ClanNotOpenError(clan_id)
        if other is None or player_id in held.players:
            raise NotOpenToThisError(player_id)
        check_challenge(by.pk, player_id)
        check_may_write(by.pk)  # the name of the clan is read by whoever is invited
        if Application.objects.filter(clan=clan_id, player=player_id).exists():
            try:
                check_may_join(other)
            except SuspendedError as sanction:  # which is nobody else's to learn
                raise NotOpenToThisError(player_id) from sanction
            take_in(held, player_id, now)
            tell_accepted(held.clan, player_id)
            return held.clan
        waiting = Invitation.objects.filter(clan=clan_id)
        if waiting.filter(player=player_id).exists():
            return held.clan
        if waiting.count() >= MOST_INVITED:
            raise TooManyInvitedError(MOST_INVITED)
        Invitation.objects.create(clan=held.clan, player=other, by=by, at=now)
        tell_invited(held.clan, player_id, by.pk)
        tell(Kind.CLAN_INVITED, held.clan, [*held.staff, player_id])
    return held.clan


def decline(*, clan_id: int, player: Player) -> None:
    """Turn an invitation down; no notice tells of it. Raises UnknownClanError, NotInvitedError."""
    with briefly():
        held = hold_clan(clan_id)
        _end(held.clan, player.pk, held.staff)


def withdraw(*, clan_id: int, player_id: int, by: Player) -> Clan:
    """Take an invitation back, as the leader or an officer.

    Raises UnknownClanError, NotClanMemberError, NotClanOfficerError, NotInvitedError.
    """
    with briefly():
        held = hold_clan(clan_id)
        held.check_staff(by.pk)
        _end(held.clan, player_id, held.staff)
    return held.clan


def forget_old() -> int:
    """Forget invitations and applications that nobody has answered; returns how many."""
    if not timekeeping.is_steady():  # by a wrong clock all are old
        return 0
    forgotten, before = 0, clock.now() - APPLICATIONS_KEPT
    for model, take_back in (
        (Invitation, withdraw_invitation),
        (Application, withdraw_application),
    ):
        old = model._default_manager.filter(at__lt=before).order_by("pk")
        for pk, clan, player in list(old.values_list("pk", "clan", "player")[:_AT_ONCE]):
            with briefly():
                if model._default_manager.filter(pk=pk).delete()[0]:
                    take_back(clan, player)
                    forgotten += 1
    return forgotten


def _end(clan: Clan, player_id: int, staff: list[int]) -> None:
    if not Invitation.objects.filter(clan=clan, player=player_id).delete()[0]:
        raise NotInvitedError(player_id)
    withdraw_invitation(clan.pk, player_id)
    tell(Kind.CLAN_CHANGED, clan, [*staff, player_id])
