"""What a player's search looks like now: for pages and the API. Holds no ratings."""

import json
from collections.abc import Mapping, Sequence, Set
from dataclasses import asdict, dataclass, replace
from datetime import datetime, timedelta
from itertools import islice
from typing import Any

from foundation import clock
from foundation.postgresql.prepared import prepared
from foundation.postgresql.rows import Columns
from matchmaking.models import (
    Offer,
    OfferState,
    OfferTicket,
    Queue,
    Ticket,
    TicketMember,
    TicketState,
)
from matchmaking.models.tickets import LIVE
from matchmaking.offers.line_up import MemberSeen, line_ups
from matchmaking.partners import seen as partners
from matchmaking.partners.seen import PartnerSeen, partner_seen
from matchmaking.queues.wait_estimates import RATINGS, Estimate, estimates_near
from matchmaking.tickets.lifecycle import BEAT, THERE, UNSEEN, VOUCHED, Sign, beat
from ratings.models import Ladder, Participant, Player

__all__ = [
    "OfferSeen",
    "Search",
    "beat_and_look",
    "beat_and_outline",
    "look",
    "search_of",
    "searches_on",
    "seen",
]


# The tickets of a player, or of a game where no player asks.
_OWN = """
SELECT ticket.id FROM matchmaking_ticket AS ticket
JOIN matchmaking_queue AS queue ON queue.id = ticket.queue_id
JOIN ratings_ladder AS ladder ON ladder.id = queue.ladder_id
WHERE ticket.id = ANY(%(tickets)s) AND CASE WHEN %(player)s::bigint IS NULL THEN ladder.game_id = %(game)s ELSE EXISTS (
    SELECT FROM matchmaking_ticketmember AS member WHERE member.ticket_id = ticket.id AND member.player_id = %(player)s
) END
"""
_BEATEN = BEAT.format(tickets="ARRAY(SELECT id FROM own)")
# What is read is from before the sign of life, which is the only change.
_BEATEN_OUTLINES = f"""
WITH own AS MATERIALIZED ({_OWN}), beaten AS ({_BEATEN})
SELECT ticket.id, ticket.state, CASE WHEN ticket.state = 'offered' THEN offer.id END, {partners.PARTNER_MATCH}
FROM own JOIN matchmaking_ticket AS ticket ON ticket.id = own.id
LEFT JOIN matchmaking_offerticket AS offered ON offered.ticket_id = ticket.id AND offered.live
LEFT JOIN matchmaking_offer AS offer ON offer.id = offered.offer_id
{partners.PARTNER_JOIN}
ORDER BY ticket.id
"""  # noqa: S608
_TICKET, _PLAYER = Columns(Ticket, "ticket"), Columns(Player, "player")
_ALONE = f"""
SELECT coalesce(%(at)s::timestamptz, now()), {{seen_at}}, offer.state, {partners.PARTNER_MATCH}, queue.slug, queue.name,
       queue.heartbeat_seconds, {{asked_at}} + make_interval(secs => queue.still_there_seconds), ladder.slug,
       rated.value, {_TICKET.listed},
       {partners.PARTNER_COLUMNS}, member.character, member.roles, {_PLAYER.listed}
FROM {{own}} JOIN matchmaking_ticket AS ticket ON ticket.id = own.id
JOIN matchmaking_queue AS queue ON queue.id = ticket.queue_id
JOIN ratings_ladder AS ladder ON ladder.id = queue.ladder_id
LEFT JOIN matchmaking_offerticket AS offered ON offered.ticket_id = ticket.id AND offered.live
LEFT JOIN matchmaking_offer AS offer ON offer.id = offered.offer_id
LEFT JOIN ({RATINGS}) AS rated ON rated.ticket = ticket.id
{partners.PARTNER_JOIN}
JOIN matchmaking_ticketmember AS member ON member.ticket_id = ticket.id
JOIN ratings_player AS player ON player.id = member.player_id
ORDER BY ticket.id, member.id
"""  # noqa: S608
_LOOK = _ALONE.format(
    own="unnest(%(tickets)s::bigint[]) AS own (id)",
    seen_at="ticket.seen_at",
    asked_at="ticket.asked_at",
)
_BEAT_AND_LOOK = "".join(
    (
        f"WITH own AS MATERIALIZED ({_OWN}), beaten AS ({_BEATEN} RETURNING seen_at, asked_at)",
        _ALONE.format(
            own="own",
            seen_at="coalesce((SELECT seen_at FROM beaten), ticket.seen_at)",
            asked_at="""CASE WHEN EXISTS (SELECT FROM beaten) THEN (SELECT asked_at FROM beaten)
                        ELSE ticket.asked_at END""",
        ),
    )
)
# Everybody whom tickets are offered a match with, while that waits for an answer.
_OFFERS = f"""
SELECT coalesce(%(at)s::timestamptz, now()), offer.id, offer.expires_at, offer.map, offer.is_neutral,
       row.ticket_id, row.team, row.accepted_at, member.character, member.roles, {_PLAYER.listed}
FROM (
    SELECT DISTINCT offer_id AS id FROM matchmaking_offerticket WHERE ticket_id = ANY(%(tickets)s) AND live
) AS asked
JOIN matchmaking_offer AS offer ON offer.id = asked.id AND offer.state = 'pending'
JOIN matchmaking_offerticket AS row ON row.offer_id = offer.id
JOIN matchmaking_ticketmember AS member ON member.ticket_id = row.ticket_id
JOIN ratings_player AS player ON player.id = member.player_id
ORDER BY row.team, row.ticket_id, member.id
"""  # noqa: S608


@dataclass(frozen=True, slots=True)
class OfferSeen:
    """An offer that waits for answers, as one of its players sees it.

    seconds_left  until it expires, never negative
    accepted      players for whom somebody has accepted, of `of`: one answers for a whole party
    is_accepted   whether this player has, or another of the party
    team          the own one, counted from 0
    teams         everybody by team; the first plays the better side, unless the ground is neutral
    map           empty where the game chooses
    """

    id: int
    expires_at: datetime
    seconds_left: float
    accepted: int
    of: int
    is_accepted: bool
    team: int
    teams: Sequence[Sequence[MemberSeen]]
    map: str
    is_neutral: bool


@dataclass(frozen=True, slots=True)
class Search:
    """A ticket, and what has come of it.

    party_id     None for a search of one player alone
    preferences  as `matchmaking.tickets.preferences` keeps them
    waited       seconds from joining until now, or until the search ended
    estimate     of the queue, for tickets rated like this one where enough are known
    offer        while the ticket is offered a match
    match_id     once it is matched
    partner      of the game, if nobody comes; None: it is never asked
    ends_at      when it expires without a sign of life; None unless it waits
    still_there_by, still_there_left  while its players are asked whether they are still there: until when they may say
                 so, and the seconds until then; else None
    """

    ticket_id: int
    queue_id: int
    queue: str
    queue_name: str
    ladder: str
    state: TicketState
    party_id: int | None
    preferences: Mapping[str, Any]
    waiting_since: datetime
    waited: float
    ends_at: datetime | None
    estimate: Estimate
    offer: OfferSeen | None
    match_id: int | None
    still_there_by: datetime | None = None
    still_there_left: float | None = None
    partner: PartnerSeen | None = None


# A search, and the ticket's players as they see themselves.
SearchSeen = tuple[Search, list[MemberSeen]]


@dataclass(frozen=True, slots=True)
class TicketOutline:
    """In short what has come of a ticket: the offer that waits for answers, or the match."""

    ticket_id: int
    state: TicketState
    offer_id: int | None
    match_id: int | None


def search_of(player_id: int) -> Search | None:
    """Return the player's live search, or the one whose match is being played; None when there is neither.

    Four queries at most.
    """
    newest = TicketMember.objects.filter(player=player_id).order_by("-pk").first()
    if newest is None:
        return None
    search, _players = seen(newest.ticket_id)
    if search.state in LIVE:
        return search
    playing = Participant.objects.filter(match=search.match_id, player=player_id, playing=True)
    return search if search.match_id is not None and playing.exists() else None


def searches_on(ticket_ids: Sequence[int]) -> list[SearchSeen]:
    """What `seen` returns, of tickets that exist, by id. Three queries, whatever their number."""
    while (found := _seen(_LOOK, {"tickets": list(ticket_ids)})) is None:
        pass
    return found


def beat_and_outline(
    ticket_ids: Sequence[int], *, player_id: int | None, game_id: int | None
) -> list[TicketOutline]:
    """Note a sign of life of tickets, and tell in short what has come of them, by id. One query for any number.

    Those of the player, or without one of the game; others are left out.
    """
    given = {"tickets": list(ticket_ids), "player": player_id, "game": game_id, **asdict(VOUCHED)}
    with prepared() as cursor:
        cursor.execute(_BEATEN_OUTLINES, {**given, "at": clock.replaced()})
        return [
            TicketOutline(ticket, TicketState(state), offer, match)
            for ticket, state, offer, match in cursor.fetchall()
        ]


def beat_and_look(
    ticket_id: int, *, player_id: int | None, game_id: int | None, sign: Sign = VOUCHED
) -> SearchSeen:
    """Note a sign of life of a ticket, and return what `seen` does.

    Of the player, or without one of the game; Ticket.DoesNotExist for others.
    """
    given = {"tickets": [ticket_id], "player": player_id, "game": game_id, **asdict(sign)}
    found = _seen(_BEAT_AND_LOOK, given)
    return seen(ticket_id) if found is None else _the_one(found, ticket_id)


def seen(ticket_id: int) -> SearchSeen:
    """The search of a ticket, and its players as they see themselves. Raises Ticket.DoesNotExist.

    One statement where its queue is known, and one more where an offer waits for an answer.
    """
    return _the_one(searches_on([ticket_id]), ticket_id)


def look(player_id: int, *, is_there: bool = True) -> Search | None:
    """Return what `search_of` does, for the player's own eyes: looking is a sign of life, and answers whether somebody
    is still there, where somebody is.
    """
    search = search_of(player_id)
    if search is not None and search.state in LIVE:
        beat(search.ticket_id, sign=THERE if is_there else UNSEEN)
        if is_there and search.still_there_by is not None:
            return search_of(player_id)
    return search


def _the_one(found: Sequence[SearchSeen], ticket_id: int) -> SearchSeen:
    if not found:
        raise Ticket.DoesNotExist(f"there is no ticket {ticket_id}")
    return found[0]


def _seen(statement: str, given: Mapping[str, Any]) -> list[SearchSeen] | None:
    """The searches with the offers that wait for an answer; None where one was over before it was read.

    Read later than the tickets, these are as of one moment all the same: a ticket stays as it is while its offer waits.
    """
    alone = _seen_alone(statement, given)
    asked = {search.ticket_id for search, _, is_asked in alone if is_asked}
    offers = _offers_seen(asked) if asked else {}
    if asked - offers.keys():
        return None
    return [
        (replace(search, offer=offers[search.ticket_id]) if is_asked else search, members)
        for search, members, is_asked in alone
    ]


def _seen_alone(
    statement: str, given: Mapping[str, Any]
) -> list[tuple[Search, list[MemberSeen], bool]]:
    """Read tickets but for their offers, by id; each with whether one waits for an answer."""
    with prepared() as cursor:
        cursor.execute(statement, {**given, "at": clock.replaced()})
        rows = cursor.fetchall()
    tickets: list[tuple[Ticket, datetime, float | None, int | None, bool]] = []
    # Until when they may say that they are still there, and how it stands with a partner.
    further: dict[int, tuple[datetime | None, PartnerSeen | None]] = {}
    members: dict[int, list[MemberSeen]] = {}
    for row in rows:
        values = iter(row)
        now, seen_at, offer_state, match_id, slug, name, heartbeat, asked_by, ladder, rating = (
            islice(values, 10)
        )
        ticket: Ticket = _TICKET.build(values)
        partner = partner_seen(ticket, values)
        character, roles = next(values), tuple(json.loads(next(values)))
        if ticket.pk not in members:
            ticket.seen_at, ticket.wishes = seen_at, json.loads(ticket.wishes)
            ticket.queue = Queue(
                id=ticket.queue_id, slug=slug, name=name, heartbeat_seconds=heartbeat
            )
            ticket.queue.ladder = Ladder(slug=ladder)
            tickets.append((ticket, now, rating, match_id, offer_state == OfferState.PENDING))
            further[ticket.pk] = asked_by, partner
        member = MemberSeen(_PLAYER.build(values), character, roles)
        members.setdefault(ticket.pk, []).append(member)
    waits = estimates_near([(ticket.queue_id, rating) for ticket, _, rating, *_ in tickets])
    return [
        (_search(ticket, now, wait, match_id, *further[ticket.pk]), members[ticket.pk], is_asked)
        for (ticket, now, _, match_id, is_asked), wait in zip(tickets, waits, strict=True)
    ]


def _search(
    ticket: Ticket,
    now: datetime,
    wait: Estimate,
    match_id: int | None,
    asked_by: datetime | None,
    partner: PartnerSeen | None,
) -> Search:
    """The search but for its offer."""
    queue, state = ticket.queue, TicketState(ticket.state)
    heartbeat = timedelta(seconds=queue.heartbeat_seconds)
    if state != TicketState.WAITING:
        asked_by = None
    waited = max((ticket.ended_at or now) - ticket.waiting_since, timedelta())
    return Search(
        ticket_id=ticket.pk,
        queue_id=queue.pk,
        queue=queue.slug,
        queue_name=queue.name,
        ladder=queue.ladder.slug,
        state=state,
        party_id=ticket.party_id,
        preferences=ticket.wishes,
        waiting_since=ticket.waiting_since,
        waited=waited.total_seconds(),
        ends_at=ticket.seen_at + heartbeat if state == TicketState.WAITING else None,
        estimate=wait,
        offer=None,
        match_id=match_id,
        still_there_by=asked_by,
        still_there_left=max((asked_by - now).total_seconds(), 0.0) if asked_by else None,
        partner=partner,
    )


def _offers_seen(ticket_ids: Set[int]) -> dict[int, OfferSeen]:
    """What waits for an answer, by ticket. One query."""
    with prepared() as cursor:
        cursor.execute(_OFFERS, {"tickets": list(ticket_ids), "at": clock.replaced()})
        rows = cursor.fetchall()
    offers: dict[int, Offer] = {}
    own: dict[int, OfferTicket] = {}
    tickets: dict[int, list[OfferTicket]] = {}  # by offer
    players: dict[int, list[MemberSeen]] = {}  # by ticket
    for row in rows:
        now, pk, expires_at, map_name, is_neutral, ticket, team, accepted_at, character, roles = (
            row[:10]
        )
        offers[pk] = Offer(id=pk, expires_at=expires_at, map=map_name, is_neutral=is_neutral)
        if ticket not in players:
            one = OfferTicket(offer_id=pk, ticket_id=ticket, team=team, accepted_at=accepted_at)
            tickets.setdefault(pk, []).append(one)
            if ticket in ticket_ids:
                own[ticket] = one
        member = MemberSeen(_PLAYER.build(iter(row[10:])), character, tuple(json.loads(roles)))
        players.setdefault(ticket, []).append(member)
    teams = line_ups(own, tickets, players)
    return {
        pk: _offer_seen(
            offers[mine.offer_id], mine, tickets[mine.offer_id], players, teams[pk], now
        )
        for pk, mine in own.items()
    }


def _offer_seen(
    offer: Offer,
    mine: OfferTicket,
    tickets: Sequence[OfferTicket],
    members: Mapping[int, Sequence[MemberSeen]],
    teams: Sequence[Sequence[MemberSeen]],
    now: datetime,
) -> OfferSeen:
    sizes = {row.ticket_id: len(members[row.ticket_id]) for row in tickets}
    return OfferSeen(
        id=offer.pk,
        expires_at=offer.expires_at,
        seconds_left=max(offer.expires_at - now, timedelta()).total_seconds(),
        accepted=sum(sizes[row.ticket_id] for row in tickets if row.accepted_at is not None),
        of=sum(sizes.values()),
        is_accepted=mine.accepted_at is not None,
        team=mine.team,
        teams=teams,
        map=offer.map,
        is_neutral=offer.is_neutral,
    )
