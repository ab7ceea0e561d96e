"""Reading who waits in a queue, as arrays: with the ratings that count now."""

from collections.abc import Mapping
from datetime import datetime, timedelta

import numpy as np

from foundation.postgresql.bulk import Column, fetch_columns, moment, real, to_micros, whole
from foundation.timekeeping import Deadlines
from matchmaking.feedback.read import read_tastes
from matchmaking.pairing.tickets import Members, Tickets, strengths
from matchmaking.sweep.history import read_conduct, read_map_points, read_ties
from matchmaking.sweep.pairing_context import PairingContext
from matchmaking.sweep.profiles import read_alike
from matchmaking.sweep.traits import Traits, read_traits, roles_of
from ratings.systems import Ratings
from ratings.systems.arrays import Floats
from ratings.tracks.periods import calendar_of

__all__ = ["read_waiting"]

# Whoever has gone silent, or is asked whether still there, is not offered a match. Ratings and matches are looked up
# player by player whatever the statistics say: on a new track, or in the evening, they know of a handful where there
# are thousands, and joining those with each other took seconds.
_MEMBERS = """
matchmaking_ticket AS ticket JOIN matchmaking_ticketmember AS member ON member.ticket_id = ticket.id
LEFT JOIN LATERAL ({rating}) AS rating ON true
WHERE ticket.queue_id = %(queue)s AND ticket.state = 'waiting' AND ticket.seen_at >= %(seen_since)s
  AND ticket.asked_at IS NULL
"""
_RATING = """
SELECT value, deviation, volatility, as_of FROM ratings_rating
WHERE player_id = member.player_id AND track_id + 0 = %(track)s LIMIT 1
"""
# Of the chosen character where it has a rating, else of the player as a whole.
_OF_CHARACTER = """
SELECT value, deviation, volatility, as_of FROM ratings_rating
WHERE player_id = member.player_id
  AND (track_id + 0 = %(track)s OR member.character <> '' AND track_id + 0 = %(characters)s
       AND facet = member.character)
ORDER BY facet DESC LIMIT 1
"""
_PLAYS = (
    "(SELECT 1 FROM ratings_participant WHERE player_id = member.player_id AND playing LIMIT 1)"
)
_COLUMNS = {
    "ticket": whole("ticket.id"),
    "member": whole("member.id"),
    "player": whole("member.player_id"),
    "plays": whole(f"coalesce({_PLAYS}, 0)"),
    "since": moment("ticket.waiting_since"),
    "wishes": whole("(ticket.wishes <> '{}')::int"),
    # Of a row `rating` that may be missing.
    "value": real("coalesce(rating.value, 'NaN')"),
    "deviation": real("coalesce(rating.deviation, 'NaN')"),
    "volatility": real("coalesce(rating.volatility, 'NaN')"),
    "as_of": moment("coalesce(rating.as_of, ticket.waiting_since)"),
}
_MICROSECONDS = 1_000_000


def read_waiting(context: PairingContext, time: Deadlines) -> Tickets:
    """Read the tickets of a queue that may be offered a match, with what its plan looks at.

    Whoever reads from one snapshot looks at the clock before: that may be written down.
    """
    queue, plan, now = context.queue, context.plan, time.now
    given = {
        "queue": queue.pk,
        "track": context.track.pk if context.track else 0,
        "characters": context.characters.pk if context.characters else 0,
        "seen_since": now - timedelta(seconds=queue.heartbeat_seconds),
    }
    source = _MEMBERS.format(rating=_OF_CHARACTER if context.characters else _RATING)
    found = fetch_columns(_COLUMNS, source, given)
    # Members by ticket, who came first leading; without the tickets of which somebody plays already.
    plays = np.isin(found["ticket"], found["ticket"][found["plays"] > 0])
    order = np.lexsort((found["member"], found["ticket"]))
    kept = order[~plays[order]]
    found = {name: column[kept] for name, column in found.items()}
    traits: Traits = {}
    if found["wishes"].any():
        asked, sizes = np.unique(found["ticket"], return_counts=True)
        traits, unclear = read_traits(plan, given, asked)
        if unclear.any():
            traits = {name: column[~unclear] for name, column in traits.items()}
            clear = np.repeat(~unclear, sizes)
            found = {name: column[clear] for name, column in found.items()}
    value, deviations = _current_ratings(context, found, now)
    nothing = np.zeros(len(found["ticket"]), dtype=np.int64)
    members = Members(
        ticket=np.unique(found["ticket"], return_inverse=True)[1],
        player=found["player"],
        rating=value,
        deviation=deviations,
        roles=roles_of(plan.settings, found["member"]) if plan.settings.roles else nothing,
    )
    first = members.starts[:-1]
    since = found["since"][first]
    if time.turn is not None:  # nobody has waited for as long as the clock has jumped ahead
        by = max(time.by, timedelta()) // timedelta(microseconds=1)
        since = np.where(since <= to_micros(time.turn), since + by, since)
    tastes = read_tastes(queue, members) if plan.has_feedback and len(members) > 1 else None
    rating, deviation = strengths(members, plan.settings.teams.party_bonus)
    return Tickets(
        id=found["ticket"][first],
        player=found["player"][first],
        rating=rating,
        deviation=deviation,
        waited=np.maximum(to_micros(now) - since, 0) / _MICROSECONDS,
        traits={
            **read_conduct(plan, members, now),
            **read_alike(plan.settings, members),
            **read_map_points(plan.settings, members),
            **traits,
            **(tastes.traits if tastes else {}),
        },
        ties=read_ties(plan.settings, members, now) | (tastes.ties if tastes else {}),
        members=members,
    )


def _current_ratings(
    context: PairingContext, found: Mapping[str, Column], now: datetime
) -> tuple[Floats, Floats]:
    """Ratings and deviations as of now, nan where the system has no deviation.

    Players without a rating have what everyone begins with; on a ladder without a track all are equal.
    """
    value, deviation, volatility = (found[name] for name in ("value", "deviation", "volatility"))
    system = context.plan.system
    if context.track is None or system is None:
        return np.zeros(len(value)), deviation
    initial, new = system.initial(1), np.isnan(value)
    value[new] = initial.value[0]
    if initial.deviation is None:
        return value, deviation
    deviation[new] = initial.deviation[0]
    if initial.volatility is not None:
        volatility[new] = initial.volatility[0]
    if (calendar := calendar_of(context.track)) is None:
        return value, deviation
    # Deviations have grown since they were computed, by the part of a period that has passed.
    nothing = np.zeros(len(value), dtype=np.int64)
    known = None if initial.volatility is None else volatility
    idle = np.maximum(to_micros(now) - found["as_of"], 0) / calendar.length_us
    aged = system.age(Ratings(value, deviation, known, nothing, nothing), idle).deviation
    return value, deviation if aged is None else aged
