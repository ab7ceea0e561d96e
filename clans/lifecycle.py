"""Founding a clan, changing it, handing it over, appointing officers, and its end."""

from datetime import datetime
from typing import Any

from accounts import audit
from accounts.models import User
from clans.held import HeldClan, hold_clan, hold_clan_and_members
from clans.models import Access, Application, Clan, Invitation, Membership, Removal, Span, end_spans
from clans.refusals import ClansOffError, InClanError, RemovesLeaderError
from clans.rules import rules_of
from clans.texts import checked, save_named
from clans.told import tell, tell_ended, tell_leads, withdraw_all
from events.kinds import Kind
from foundation.postgresql.transactions import briefly
from groups.held import hold_player
from groups.lifecycle import close_ranks
from ratings.archiving import ArchivedError
from ratings.models import Player, SuspendedFrom
from ratings.sanctions import SuspendedError, check_may_write, suspended

__all__ = [
    "add_member",
    "appoint",
    "change",
    "check_may_join",
    "dissolve",
    "dissolve_by",
    "end_clan",
    "found",
    "hand_over",
    "lead",
]


def found(*, player: Player, settings: dict[str, Any]) -> Clan:
    """Found a clan, whose leader and first member the player is.

    settings  any of `clans.texts.SETTINGS`; name and tag are needed

    Raises ClansOffError, ArchivedError, SuspendedError, InClanError, ClanTooLargeError, WrongClanTextError,
    ClanTextTakenError, PlayerGoneError.
    """
    rules = rules_of(player.game_id)
    if not rules.is_open:
        raise ClansOffError
    with briefly() as now:
        held = hold_player(player.pk)
        check_may_join(held)
        check_may_write(held.pk)
        usual = {"note": "", "access": Access.APPLY, "most": rules.most_members}
        columns = checked(held.game, usual | settings, rules, least=2)
        texts = {column: columns.pop(column) for column in ("name", "tag")}
        clan = Clan(game=held.game, leader=held, founded_at=now, **columns)
        clan.call(**texts)
        save_named(clan.save)
        add_member(HeldClan(clan, []), held.pk, now)
        tell(Kind.CLAN_FOUNDED, clan, [held.pk])
    return clan


def change(*, clan_id: int, by: Player, settings: dict[str, Any]) -> Clan:
    """Change those of the settings that are given, as its leader. Members close ranks where places become fewer.

    Raises UnknownClanError, NotClanMemberError, NotClanLeaderError, ClanTooLargeError, WrongClanTextError,
    ClanTextTakenError, and SuspendedError for texts of whoever is suspended from writing to others.
    """
    rules = rules_of(by.game_id)
    with briefly():
        held = hold_clan_and_members(clan_id) if "tag" in settings else hold_clan(clan_id)
        held.check_leader(by.pk)
        clan = held.clan
        # Reading again what stays would refuse a clan that was larger, or named so, before the operator's rules.
        new = {name: value for name, value in settings.items() if value != getattr(clan, name)}
        if new.keys() & {"name", "tag", "note"}:
            check_may_write(by.pk)
        new = checked(clan.game, new, rules, least=max(2, len(held.members)))
        columns = clan.call(**{name: new.pop(name) for name in ("name", "tag") if name in new})
        for name, value in new.items():
            setattr(clan, name, value)
        if "most" in new:
            close_ranks(held.members)
        save_named(lambda: clan.save(update_fields=[*columns, *new]))
        if columns or new:
            held.tell(Kind.CLAN_CHANGED)
    return clan


def hand_over(*, clan_id: int, to: int, by: Player) -> Clan:
    """Let another member lead it; who led it is an officer then. `to` is an id.

    Raises UnknownClanError, NotClanMemberError, NotClanLeaderError.
    """
    with briefly():
        held = hold_clan(clan_id)
        held.check_leader(by.pk)
        held.member(to)
        if to != by.pk:
            Membership.objects.filter(clan=held.clan, player=by).update(is_officer=True)
            lead(held, to)
            tell_leads(held.clan, to)
            held.tell(Kind.CLAN_CHANGED)
    return held.clan


def appoint(*, clan_id: int, player_id: int, by: Player, is_officer: bool) -> Clan:
    """Make a member an officer, or no longer; the same again changes nothing.

    Raises UnknownClanError, NotClanMemberError, NotClanLeaderError, RemovesLeaderError.
    """
    with briefly():
        held = hold_clan(clan_id)
        held.check_leader(by.pk)
        member = held.member(player_id)
        if player_id == held.clan.leader_id:
            raise RemovesLeaderError(player_id)
        if member.is_officer != is_officer:
            member.is_officer = is_officer
            member.save(update_fields=["is_officer"])
            held.tell(Kind.CLAN_CHANGED)
    return held.clan


def dissolve(*, clan_id: int, by: Player) -> None:
    """End the clan for all. Raises UnknownClanError, NotClanMemberError, NotClanLeaderError."""
    with briefly() as now:
        held = hold_clan_and_members(clan_id)
        held.check_leader(by.pk)
        others = [pk for pk in held.players if pk != by.pk]
        end_clan(held, now)
        tell_ended(held.clan, others)


def dissolve_by(*, clan_id: int, by: User, note: str) -> None:
    """End the clan in place of its leader, as an operator. Audited. Raises UnknownClanError."""
    with briefly() as now:
        held = hold_clan_and_members(clan_id)
        players = held.players
        audit.record(
            actor=by,
            action="clan.dissolved",
            target=held.clan,
            before={"leader": held.clan.leader_id, "members": players},
            after={},
            note=note,
        )
        end_clan(held, now)
        tell_ended(held.clan, players)


def lead(held: HeldClan, player_id: int) -> None:
    """Let a member lead a clan that is held."""
    held.clan.leader_id = player_id
    held.clan.save(update_fields=["leader"])
    Membership.objects.filter(clan=held.clan, player=player_id).update(is_officer=False)


def add_member(held: HeldClan, player_id: int, now: datetime) -> None:
    """Put a player, whose row is held and who may join, into a clan that is held. Raises ClanFullError."""
    clan = held.clan
    place = held.free_place()
    span = Span.objects.create(clan=clan, player_id=player_id, since=now)
    member = Membership.objects.create(
        clan=clan, player_id=player_id, span=span, place=place, most=clan.most, joined_at=now
    )
    held.members.append(member)


def end_clan(held: HeldClan, now: datetime) -> None:
    """End a clan that is held, with the rows of its members. Its history stays."""
    clan = held.clan
    held.tell(Kind.CLAN_ENDED)
    asked = Application.objects.filter(clan=clan)
    withdraw_all(clan.pk, asked.values_list("player", flat=True))
    for model in (Invitation, Application, Removal):
        model._default_manager.filter(clan=clan).delete()
    Membership.objects.filter(clan=clan).delete()
    end_spans(Span.objects.filter(clan=clan, until=None), now)
    clan.leader_id, clan.ended_at = None, now
    clan.save(update_fields=["leader", "ended_at"])
    held.members = []


def check_may_join(player: Player) -> None:
    """Raise unless a player, whose row is held, may be in a clan: ArchivedError, SuspendedError, InClanError."""
    if player.game.archived_at is not None:
        raise ArchivedError(player.game)
    for sanction in suspended([player.pk], SuspendedFrom.PARTIES).values():
        raise SuspendedError(sanction)
    own = Membership.objects.filter(player=player).values_list("clan", flat=True).first()
    if own is not None:
        raise InClanError(player.pk, own)
