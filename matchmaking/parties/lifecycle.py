"""Parties: opening, joining and leaving one, and who leads.

Every change holds the party's row, and first ends its search as `tickets.lifecycle.cancel` does: where a match
was faster, AlreadyMatchedError says so and nothing has changed. Asked again, the change is made; the match stays.
For the order of locks see `matchmaking.offers.close`.
"""

import secrets
from collections.abc import Iterable
from datetime import datetime

from django.db import IntegrityError

from accounts import audit
from accounts.models import User
from events.kinds import Kind
from foundation import clock
from foundation.postgresql.transactions import briefly
from matchmaking.broadcasts import broadcast_to_players
from matchmaking.conduct.standing import check_not_cooling
from matchmaking.models import Party, PartyMember, Ticket, TicketState
from matchmaking.models.tickets import LIVE
from matchmaking.parties.membership import HeldParty, hold_party, largest_party, party_of
from matchmaking.refusals import (
    AlreadyInPartyError,
    NoTeamsError,
    NotInPartyError,
    NotLeaderError,
    PartyFullError,
    PartyOfferedError,
    PartyOverError,
    UnknownPartyError,
)
from matchmaking.tickets import lifecycle
from ratings.archiving import ArchivedError
from ratings.models import Player, SuspendedFrom
from ratings.sanctions import SuspendedError, suspended

__all__ = [
    "check_dissolve",
    "dissolve",
    "end_party",
    "hand_over",
    "join_party",
    "leave_party",
    "open_party",
    "plain_code",
    "remove_member",
]

# No signs that are taken for each other. Nobody guesses one: there are 5e14 codes.
_SIGNS, _LENGTH = "23456789ABCDEFGHJKMNPQRSTUVWXYZ", 10
_ONE_PARTY = "party_one_live_per_player"


def open_party(*, player: Player) -> Party:
    """Begin a party, whose first member leads it.

    Raises ArchivedError, NoTeamsError, SuspendedError, CoolingOffError and AlreadyInPartyError.
    """
    if largest_party(player.game_id) < 2:
        if player.game.archived_at is not None:
            raise ArchivedError(player.game)
        raise NoTeamsError(player.game.slug)
    _check_not_suspended(player)
    while True:
        _check_in_none(player)
        try:
            with briefly() as now:
                party = Party.objects.create(
                    game_id=player.game_id, leader=player, code=_new_code(), created_at=now
                )
                PartyMember.objects.create(party=party, player=player, joined_at=now)
                _broadcast([player.pk], Kind.PARTY_JOINED, party)
                return party
        except IntegrityError as error:
            # Another party was faster. Where that has ended meanwhile, there is room for this one.
            if _ONE_PARTY not in str(error):
                raise


def join_party(*, player: Player, code: str) -> Party:
    """Become a member of the party with this code; for a member of it nothing changes.

    Raises UnknownPartyError, SuspendedError, CoolingOffError, AlreadyInPartyError, PartyFullError, AlreadyMatchedError.
    """
    wanted = plain_code(code)
    while True:
        known = Party.objects.filter(code=wanted, game=player.game_id, live=True).first()
        if known is None:
            raise UnknownPartyError
        try:
            with briefly():
                return _join(known.pk, player, wanted)
        except PartyOverError:
            raise UnknownPartyError from None
        except IntegrityError as error:
            if _ONE_PARTY not in str(error):
                raise
            _check_in_none(player)


def leave_party(*, party_id: int, player: Player, declines: bool = False) -> Party:
    """Leave a party. After the leader the longest member leads; with the last one the party ends.

    Where it `declines`, leaving while a match is offered is held against the player, as declining it would be.

    Raises PartyOverError, NotInPartyError, AlreadyMatchedError.
    """
    with briefly() as now:
        held = _hold_with(party_id, player.pk)
        _stop_search(held, player.pk if declines else None)
        _part(held, player.pk, now)
        _broadcast(held.players, Kind.PARTY_LEFT, held.party)
    return held.party


def remove_member(*, party_id: int, member: int, by: int) -> Party:
    """Send a member away, as the leader; the party takes another code, so that the old one leads nobody back.

    `member` and `by` are ids of players. Raises PartyOverError, NotInPartyError, NotLeaderError, AlreadyMatchedError.
    """
    with briefly() as now:
        held = _hold_with(party_id, by, member)
        _check_leads(held, by)
        _stop_search(held, by)
        _part(held, member, now, removed=True)
        held.party.code = _new_code()
        held.party.save(update_fields=["code"])
        _broadcast(held.players, Kind.PARTY_LEFT, held.party)
    return held.party


def hand_over(*, party_id: int, to: int, by: int) -> Party:
    """Let another member lead. `to` and `by` are ids of players.

    Raises PartyOverError, NotInPartyError, NotLeaderError, AlreadyMatchedError.
    """
    with briefly():
        held = _hold_with(party_id, by, to)
        _check_leads(held, by)
        if to != held.leader:
            _stop_search(held, by)
            _lead(held.party, to)
            _broadcast(held.players, Kind.PARTY_LED, held.party)
    return held.party


def dissolve(*, party_id: int, by: User, note: str) -> Party:
    """End a party in place of its members, as an operator. Audited.

    Raises PartyOverError, OwnMatterError and AlreadyMatchedError.
    """
    with briefly():
        held = hold_party(party_id)
        check_dissolve(by, party_id)
        _stop_search(held)
        audit.record(
            actor=by,
            action="party.dissolved",
            target=held.party,
            before={"leader": held.leader, "members": list(held.players)},
            after={},
            note=note,
        )
        _end_for_all(held)
    return held.party


def check_dissolve(by: User, party_id: int) -> None:
    """Raise OwnMatterError where the party's search is offered a match with an own player in another."""
    searches = Ticket.objects.filter(party=party_id, state__in=LIVE)
    lifecycle.check_cancel(by, searches, right="matchmaking.change_party")


def end_party(*, party_id: int) -> None:
    """End a party whose game is no longer in use. Raises PartyOverError and AlreadyMatchedError."""
    with briefly():
        held = hold_party(party_id)
        _stop_search(held)
        _end_for_all(held)


def plain_code(text: str) -> str:
    """A code as it is stored, from what somebody has typed: small letters, spaces and hyphens do not matter."""
    return "".join(sign for sign in text.upper() if sign.isalnum())[:20]


def _check_in_none(player: Player) -> None:
    if (party := party_of(player.pk)) is not None:
        raise AlreadyInPartyError(party.pk)


def _join(party_id: int, player: Player, code: str) -> Party:
    held = hold_party(party_id)
    if held.party.code != code:
        raise UnknownPartyError
    if player.pk in held.players:
        return held.party
    _check_not_suspended(player)
    largest = largest_party(player.game_id)
    if len(held.players) >= largest:
        raise PartyFullError(largest)
    _check_in_none(player)  # a search is not ended for somebody who cannot come
    if Ticket.objects.filter(party=held.party, state=TicketState.OFFERED).exists():
        raise PartyOfferedError
    _stop_search(held)
    PartyMember.objects.create(party=held.party, player=player, joined_at=clock.now())
    _broadcast([*held.players, player.pk], Kind.PARTY_JOINED, held.party)
    return held.party


def _check_not_suspended(player: Player) -> None:
    for sanction in suspended([player.pk], SuspendedFrom.PARTIES).values():
        raise SuspendedError(sanction)
    check_not_cooling([player.pk], own=player.pk)


def _hold_with(party_id: int, *players: int) -> HeldParty:
    """Hold a party of which these are members."""
    held = hold_party(party_id)
    for player in players:
        if player not in held.players:
            raise NotInPartyError(player)
    return held


def _check_leads(held: HeldParty, player_id: int) -> None:
    if player_id != held.leader:
        raise NotLeaderError(held.leader)


def _stop_search(held: HeldParty, player: int | None = None) -> None:
    """End the search that runs for the party. While the party is held none begins. `player` wants it so."""
    live = Ticket.objects.filter(party=held.party, state__in=LIVE).order_by("pk")
    for ticket_id in live.values_list("pk", flat=True):
        lifecycle.cancel(ticket_id=ticket_id, declines=player is not None, player=player)


def _part(held: HeldParty, player_id: int, now: datetime, *, removed: bool = False) -> None:
    """Take a member out; somebody else leads where it was the leader, and nobody is left where it was the last."""
    seat = PartyMember.objects.filter(party=held.party, player=player_id, live=True)
    seat.update(live=False, left_at=now, removed=removed)
    others = [pk for pk in held.players if pk != player_id]
    if not others:
        _end(held.party)
    elif player_id == held.leader:
        _lead(held.party, others[0])


def _lead(party: Party, player_id: int) -> None:
    party.leader_id = player_id
    party.save(update_fields=["leader"])


def _end_for_all(held: HeldParty) -> None:
    PartyMember.objects.filter(party=held.party, live=True).update(live=False)
    _end(held.party)
    _broadcast(held.players, Kind.PARTY_ENDED, held.party)


def _end(party: Party) -> None:
    # This transaction may have begun before the one that opened the party.
    party.ended_at = max(clock.now(), party.created_at)
    party.save(update_fields=["ended_at"])


def _new_code() -> str:
    return "".join(secrets.choice(_SIGNS) for _ in range(_LENGTH))


def _broadcast(players: Iterable[int], kind: Kind, party: Party) -> None:
    broadcast_to_players(party.game_id, players, kind, party=party.pk)
