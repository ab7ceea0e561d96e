"""Answering offers. The last to accept starts the match; whoever declines ends the own search only.

For the order of locks see `matchmaking.offers.close`.
"""

from datetime import datetime

from django.db.models import F, Value

from events.announcement import ANNOUNCED
from events.kinds import Kind
from foundation import timekeeping
from foundation.postgresql.prepared import prepared
from foundation.postgresql.rows import BuiltOnce
from foundation.postgresql.transactions import briefly
from foundation.refusals import RefusedError
from matchmaking.conduct.refusals import CoolingOffError, NotAvailableError
from matchmaking.models import Offer, OfferState, Queue, Ticket
from matchmaking.offers.close import (
    OfferPlayer,
    announcement_to_offer,
    conclude_offer,
    decline_held_offer,
    expire_held_offers,
    fail_held_offer,
    lock_players,
    own_will,
)
from matchmaking.offers.metrics import count_offers, note_waits
from matchmaking.playing import playing_of
from matchmaking.refusals import AlreadyMatchedError, NoOfferError, OfferOverError
from ratings.matches.refusals import AlreadyPlayingError
from ratings.matches.start import Terms, begin_match
from ratings.models import SuspendedFrom
from ratings.sanctions import SuspendedError, suspended

__all__ = ["accept", "decline", "expire_offers"]

# Offers closed in one transaction: what is sent back fits into the buffers between server and client, so that a
# client that stops does not keep the server, and with it the rows, waiting.
_BATCH = 500
_newest = BuiltOnce(
    lambda ticket: (
        Offer.objects.filter(tickets__ticket=ticket)
        .select_related("queue__ladder")
        .select_for_update(of=("self",))
        .order_by("-pk")[:1]
    ),
    int,
)
_ACCEPTED = """
accepted AS (
    UPDATE matchmaking_offerticket SET accepted_at = %(now)s
    WHERE offer_id = %(offer)s AND ticket_id = %(ticket)s AND accepted_at IS NULL
)
"""
_SEEN = "UPDATE matchmaking_ticket SET seen_at = %(now)s WHERE id = %(ticket)s"
_ACCEPT = f"WITH {_ACCEPTED} {_SEEN}"
_ACCEPT_AND_TELL = f"WITH {_ACCEPTED}, seen AS ({_SEEN}), {ANNOUNCED}"


def accept(*, ticket_id: int, offer_id: int | None = None) -> Offer:
    """Accept what is offered to a ticket; with the last acceptance the match begins, and the offer names it.

    With `offer_id` only that offer, so that nobody accepts one that was not seen. The same again gives the same.
    Raises NoOfferError, OfferOverError, AlreadyPlayingError, SuspendedError, CoolingOffError, NotAvailableError, and
    Ticket.DoesNotExist.
    """
    with briefly() as now:
        answer = _accept(ticket_id, offer_id, now)
    if isinstance(answer, RefusedError):  # only now: what was over has been closed, and that stays
        raise answer
    return answer


def decline(*, ticket_id: int, offer_id: int | None = None, player: int | None = None) -> Offer:
    """Decline what is offered to a ticket, which ends; the others wait on. The same again gives the same.

    That is held against the `player` who declines; against all of the ticket where nobody says who.

    Raises NoOfferError, OfferOverError, AlreadyMatchedError, and Ticket.DoesNotExist.
    """
    with briefly() as now:
        answer = _decline(ticket_id, offer_id, player, now)
    if isinstance(answer, RefusedError):
        raise answer
    return answer


def expire_offers(queue_id: int) -> int:
    """Close the offers of a queue whose time is over; returns how many. Whoever has accepted waits on.

    A clock that jumped ahead leaves offers the time they had left; those made ahead of it get theirs anew.
    """
    if (latest := timekeeping.deadlines().latest_start) is not None:
        _make_anew(queue_id, latest)
    time = timekeeping.deadlines()
    due = Offer.objects.filter(
        time.are_over(began="created_at", ends="expires_at"),
        queue=queue_id,
        state=OfferState.PENDING,
    )
    expired, ids = 0, [0]
    while ids:
        with briefly() as now:
            # In the order of their index. By id PostgreSQL may look through all offers there ever were.
            held = due.order_by("expires_at").select_for_update(skip_locked=True)
            ids = list(held.values_list("pk", flat=True)[:_BATCH])
            if ids:
                expire_held_offers(ids, now, time)
                slug = Queue.objects.values_list("slug", flat=True).get(pk=queue_id)
                count_offers(slug, "expired", len(ids))
        expired += len(ids)
    return expired


def _accept(ticket_id: int, offer_id: int | None, now: datetime) -> Offer | RefusedError:
    offer = _lock_newest_offer(ticket_id)
    if offer_id not in (None, offer.pk):
        return OfferOverError(offer_id or offer.pk)
    if offer.state == OfferState.ACCEPTED:
        return offer
    if _is_over(offer, now):
        return OfferOverError(offer.pk)
    players = lock_players([offer.pk])
    cooling = {one.player_id: one.cooling_until for one in players if one.cools_at(now)}
    if own := [one for one in players if one.ticket_id == ticket_id and one.player_id in cooling]:
        fail_held_offer(offer, players, cooling, now)
        is_alone = sum(one.ticket_id == ticket_id for one in players) == 1
        until = cooling[own[0].player_id]
        if until is None or not is_alone:  # of a party any member may have answered
            return NotAvailableError()
        return CoolingOffError(own[0].player_id, until, now)
    given = {"offer": offer.pk, "ticket": ticket_id, "now": now}
    if all(one.has_accepted or one.ticket_id == ticket_id for one in players):
        with prepared() as cursor:
            cursor.execute(_ACCEPT, given)
        return _start(offer, players, ticket_id, now)
    told = announcement_to_offer(offer, players, Kind.OFFER_ANSWERED)
    with prepared() as cursor:
        cursor.execute(_ACCEPT_AND_TELL, {**given, **told.given})
        told.written(cursor.fetchone())
    return offer


def _decline(
    ticket_id: int, offer_id: int | None, player: int | None, now: datetime
) -> Offer | RefusedError:
    offer = _lock_newest_offer(ticket_id)
    if offer_id not in (None, offer.pk):
        return OfferOverError(offer_id or offer.pk)
    if offer.state == OfferState.ACCEPTED:
        return AlreadyMatchedError(offer.match_id or 0)
    if offer.tickets.filter(ticket=ticket_id, declined_at__isnull=False).exists():
        return offer
    if _is_over(offer, now):
        return OfferOverError(offer.pk)
    players = lock_players([offer.pk])
    charged = own_will(players, ticket_id, player)
    decline_held_offer(offer, players, ticket_id, now, charged=charged)
    offer.state = OfferState.DECLINED
    return offer


def _lock_newest_offer(ticket_id: int) -> Offer:
    """Lock the newest offer of a ticket. Raises NoOfferError and Ticket.DoesNotExist."""
    offer = next(iter(_newest(ticket_id)), None)
    if offer is None:
        raise NoOfferError(Ticket.objects.get(pk=ticket_id).pk)
    return offer


def _is_over(offer: Offer, now: datetime) -> bool:
    """Whether it is too late to answer; closes an offer whose time is over and that nobody has closed yet."""
    if offer.state != OfferState.PENDING:
        return True
    if offer.expires_at > now:
        return False
    time = timekeeping.deadlines()
    if not time.is_over(began=offer.created_at, ends=offer.expires_at):
        return False
    expire_held_offers([offer.pk], now, time)
    count_offers(offer.queue.slug, "expired")
    return True


def _start(
    offer: Offer, players: list[OfferPlayer], ticket_id: int, now: datetime
) -> Offer | RefusedError:
    """Begin the match that all have accepted, or close the offer because somebody plays already, or is suspended."""
    sides = sorted({one.team for one in players})
    terms = Terms(
        map_name=offer.map,
        neutral=offer.is_neutral,
        characters={one.player_id: one.character for one in players if one.character},
        reported_as={one.player_id: one.reported_as for one in players if one.reported_as},
    )
    try:
        teams = [[one.player_id for one in players if one.team == side] for side in sides]
        match = begin_match(offer.queue.ladder, teams, terms)
    except AlreadyPlayingError:
        playing = playing_of([one.player_id for one in players])
        fail_held_offer(offer, players, playing, now)
        for one in players:
            if one.ticket_id == ticket_id and one.player_id in playing:
                return AlreadyPlayingError(one.player_id, playing[one.player_id])
        return OfferOverError(offer.pk)
    except SuspendedError:  # while the offer waited for answers
        out = suspended([one.player_id for one in players], SuspendedFrom.SEARCHING)
        fail_held_offer(offer, players, out, now)
        own = [one.player_id for one in players if one.ticket_id == ticket_id]
        for player in own:
            if player in out:  # of a party any member may have answered
                return SuspendedError(out[player], is_own=len(own) == 1)
        return OfferOverError(offer.pk)
    conclude_offer(offer, players, match, now)
    count_offers(offer.queue.slug, "accepted")
    note_waits(offer.queue.slug, [(now - one.waiting_since).total_seconds() for one in players])
    return offer


def _make_anew(queue_id: int, latest: datetime) -> None:
    """Let offers that were made after this moment, which has not come yet, be made now; they last as long as before."""
    ahead = Offer.objects.filter(
        queue=queue_id, state=OfferState.PENDING, expires_at__gt=latest, created_at__gt=latest
    )
    if not ahead.exists():  # as nearly always
        return
    with briefly() as now:
        held = ahead.order_by("pk").select_for_update(skip_locked=True)
        ids = list(held.values_list("pk", flat=True)[:_BATCH])
        Offer.objects.filter(pk__in=ids).update(
            created_at=now, expires_at=F("expires_at") - F("created_at") + Value(now)
        )
