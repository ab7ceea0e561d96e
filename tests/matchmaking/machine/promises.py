"""What is promised, as questions to the database: each finds what breaks a promise. One statement asks them all."""

from collections.abc import Mapping
from typing import Any

import psycopg

__all__ = ["BROKEN", "Watcher"]

BROKEN: Mapping[str, str] = {
    "a ticket in two live offers, or in two matches": """
        SELECT FROM matchmaking_offerticket AS seat JOIN matchmaking_offer AS offer ON offer.id = seat.offer_id
        WHERE offer.state IN ('pending', 'accepted') GROUP BY seat.ticket_id HAVING count(*) > 1""",
    "a player with two live tickets": """
        SELECT FROM matchmaking_ticketmember AS member JOIN matchmaking_ticket AS ticket ON ticket.id = member.ticket_id
        WHERE ticket.state IN ('waiting', 'offered') GROUP BY member.player_id HAVING count(*) > 1""",
    "a player in two matches": """
        SELECT FROM ratings_participant WHERE playing GROUP BY player_id HAVING count(*) > 1""",
    "a member that does not follow its ticket": """
        SELECT FROM matchmaking_ticketmember AS member JOIN matchmaking_ticket AS ticket ON ticket.id = member.ticket_id
        WHERE member.live <> (ticket.state IN ('waiting', 'offered'))""",
    "a lost ticket: without players, or ended without a time": """
        SELECT FROM matchmaking_ticket AS ticket
        WHERE (state IN ('waiting', 'offered')) <> (ended_at IS NULL) OR ended_at < waiting_since
           OR NOT EXISTS (SELECT FROM matchmaking_ticketmember WHERE ticket_id = ticket.id)""",
    "an offered ticket without an offer, or a waiting one with": """
        SELECT FROM matchmaking_ticket AS ticket WHERE (state = 'offered') <> EXISTS (
            SELECT FROM matchmaking_offerticket AS seat JOIN matchmaking_offer AS offer ON offer.id = seat.offer_id
            WHERE seat.ticket_id = ticket.id AND seat.live AND offer.state = 'pending')""",
    "a matched ticket without a match, or another one with": """
        SELECT FROM matchmaking_ticket AS ticket WHERE (state = 'matched') <> EXISTS (
            SELECT FROM matchmaking_offerticket AS seat JOIN matchmaking_offer AS offer ON offer.id = seat.offer_id
            WHERE seat.ticket_id = ticket.id AND seat.live AND offer.match_id IS NOT NULL)""",
    "half an offer: teams of the wrong number or size": """
        SELECT FROM matchmaking_offer AS offer JOIN matchmaking_queue AS queue ON queue.id = offer.queue_id
        JOIN ratings_ladder AS ladder ON ladder.id = queue.ladder_id
        WHERE array_fill(ladder.team_size::bigint, ARRAY[ladder.team_count]) IS DISTINCT FROM (
            SELECT array_agg(size) FROM (
                SELECT count(*) AS size FROM matchmaking_offerticket AS seat
                JOIN matchmaking_ticketmember AS member USING (ticket_id)
                WHERE seat.offer_id = offer.id GROUP BY seat.team) AS team)""",
    "a closed offer that holds tickets, or an open one that does not": """
        SELECT FROM matchmaking_offerticket AS seat JOIN matchmaking_offer AS offer ON offer.id = seat.offer_id
        WHERE seat.live <> (offer.state IN ('pending', 'accepted'))
           OR (offer.state = 'accepted' AND seat.accepted_at IS NULL)""",
    "a match of other players or teams than were offered": """
        SELECT FROM matchmaking_offer AS offer
        WHERE offer.match_id IS NOT NULL AND ARRAY(
            SELECT member.player_id * 100 + seat.team FROM matchmaking_offerticket AS seat
            JOIN matchmaking_ticketmember AS member USING (ticket_id) WHERE seat.offer_id = offer.id ORDER BY 1
        ) <> ARRAY(
            SELECT player_id * 100 + team FROM ratings_participant WHERE match_id = offer.match_id ORDER BY 1)""",
    "a match that nobody was offered": """
        SELECT FROM ratings_match AS match
        WHERE NOT EXISTS (SELECT FROM matchmaking_offer WHERE match_id = match.id)""",
    "a player who plays a match that is over": """
        SELECT FROM ratings_participant AS part JOIN ratings_match AS match ON match.id = part.match_id
        WHERE part.playing AND match.state NOT IN ('playing', 'reported')""",
    "a rating that is not what its last change made of it": """
        SELECT FROM ratings_rating AS rating CROSS JOIN LATERAL (
            SELECT value_after, deviation_after FROM ratings_ratingchange
            WHERE track_id = rating.track_id AND player_id = rating.player_id ORDER BY id DESC LIMIT 1) AS made
        WHERE (rating.value, rating.deviation) IS DISTINCT FROM (made.value_after, made.deviation_after)""",
    "a change by a match that counts for nothing": """
        SELECT FROM ratings_ratingchange AS change JOIN ratings_match AS match ON match.id = change.match_id
        WHERE match.state <> 'confirmed'""",
    "a party that searches in part": """
        SELECT FROM matchmaking_ticket AS ticket
        WHERE party_id IS NOT NULL AND state IN ('waiting', 'offered') AND ARRAY(
            SELECT player_id FROM matchmaking_ticketmember WHERE ticket_id = ticket.id ORDER BY 1
        ) <> ARRAY(
            SELECT player_id FROM matchmaking_partymember WHERE party_id = ticket.party_id AND live ORDER BY 1)""",
    "a party whose leader is no member, or that has ended with members": """
        SELECT FROM matchmaking_party AS party WHERE (ended_at IS NULL) <> EXISTS (
            SELECT FROM matchmaking_partymember WHERE party_id = party.id AND live
            AND (player_id = party.leader_id OR party.ended_at IS NOT NULL))""",
    "a player in two parties": """
        SELECT FROM matchmaking_partymember WHERE live GROUP BY player_id HAVING count(*) > 1""",
    "two together of whom one avoids the other": """
        SELECT FROM matchmaking_offerticket AS one JOIN matchmaking_offerticket AS two USING (offer_id)
        JOIN matchmaking_ticketmember AS here ON here.ticket_id = one.ticket_id
        JOIN matchmaking_ticketmember AS there ON there.ticket_id = two.ticket_id
        JOIN matchmaking_avoided AS list ON list.player_id = here.player_id AND list.avoided_id = there.player_id
        JOIN matchmaking_offer AS offer ON offer.id = one.offer_id
        WHERE one.ticket_id <> two.ticket_id AND offer.created_at >= list.created_at""",
    "a standing in conduct that is not what the offences say": """
        SELECT FROM matchmaking_conductstanding AS standing CROSS JOIN LATERAL (
            SELECT coalesce(sum(points * power(0.5, extract(epoch FROM standing.as_of - at)::float8 / 86400 / 14)), 0)
                   AS score, max(cools_until) AS until
            FROM matchmaking_offence WHERE player_id = standing.player_id AND taken_back_at IS NULL) AS said
        WHERE abs(standing.score - said.score) > 1e-6 OR standing.cooling_until IS DISTINCT FROM said.until""",
    "an offence, and nobody has a standing by it": """
        SELECT FROM matchmaking_offence AS offence
        WHERE NOT EXISTS (SELECT FROM matchmaking_conductstanding WHERE player_id = offence.player_id)""",
    "cooling off by a first offence": """
        SELECT FROM matchmaking_offence AS offence WHERE cools_until IS NOT NULL AND NOT EXISTS (
            SELECT FROM matchmaking_offence WHERE player_id = offence.player_id AND id <> offence.id
              AND at <= offence.at)""",
    "somebody who has accepted a match while cooling off": """
        SELECT FROM matchmaking_offerticket AS seat
        JOIN matchmaking_offer AS offer ON offer.id = seat.offer_id
        JOIN matchmaking_queue AS queue ON queue.id = offer.queue_id
        JOIN matchmaking_ticketmember AS member ON member.ticket_id = seat.ticket_id
        JOIN matchmaking_offence AS offence ON offence.player_id = member.player_id
        WHERE seat.accepted_at > offence.at AND seat.accepted_at < offence.cools_until
          AND NOT queue.accepts_by_itself
          AND (offence.taken_back_at IS NULL OR offence.taken_back_at > seat.accepted_at)""",
    "somebody who is charged with leaving a match of others": """
        SELECT FROM matchmaking_offence AS offence JOIN ratings_match AS match ON match.id = offence.match_id
        WHERE offence.kind = 'left' AND NOT EXISTS (
            SELECT FROM ratings_participant WHERE match_id = match.id AND player_id = offence.player_id)""",
    "a cancelled ticket, and somebody was told so, that is something else": """
        SELECT FROM matchmaking_ticket WHERE id = ANY(%(cancelled)s::bigint[]) AND state <> 'cancelled'""",
    "a match that somebody was told of and that is gone": """
        SELECT FROM unnest(%(matched)s::bigint[]) AS told (id)
        WHERE NOT EXISTS (SELECT FROM matchmaking_ticket WHERE id = told.id AND state = 'matched')""",
    "a search that somebody was told of and that is lost, or waits since another time": """
        SELECT FROM unnest(%(joined)s::bigint[], %(since)s::timestamptz[]) AS told (id, since)
        WHERE NOT EXISTS (SELECT FROM matchmaking_ticket WHERE id = told.id AND waiting_since = told.since)""",
}
_COUNT = """
SELECT 'tickets ' || state, count(*) FROM matchmaking_ticket GROUP BY state UNION ALL
SELECT 'offers ' || state, count(*) FROM matchmaking_offer GROUP BY state UNION ALL
SELECT 'matches of ' || ladder.slug, count(*) FROM ratings_match AS match
JOIN ratings_ladder AS ladder ON ladder.id = match.ladder_id GROUP BY ladder.slug UNION ALL
SELECT 'parties', count(*) FROM matchmaking_party HAVING count(*) > 0 UNION ALL
SELECT 'ratings changed', count(*) FROM ratings_ratingchange HAVING count(*) > 0
"""


class Watcher:
    """Looks from beside at what is committed."""

    def __init__(self, address: dict[str, Any], questions: Mapping[str, str] = BROKEN) -> None:
        self._ask = " UNION ALL ".join(
            f"SELECT '{name}' WHERE EXISTS ({question})" for name, question in questions.items()
        )
        # To plan the question takes ten times as long as to answer it, and Django's cursors prepare nothing.
        own = {**address, "cursor_factory": psycopg.Cursor, "prepare_threshold": 0}
        self._session: psycopg.Connection[Any] = psycopg.connect(**own, autocommit=True)
        self._session.execute("SET plan_cache_mode = force_generic_plan")
        self._session.execute("SET jit = off")

    def broken(self, told: Mapping[str, Any]) -> list[str]:
        """Which promises are broken now; `told` is what players were told."""
        return [name for (name,) in self._session.execute(self._ask, told)]

    def counted(self) -> dict[str, int]:
        """How much of everything there is."""
        return dict(self._session.execute(_COUNT).fetchall())

    def tidy(self) -> None:
        """Free the room of rows that have gone."""
        self._session.execute("VACUUM")

    def close(self) -> None:
        self._session.close()
