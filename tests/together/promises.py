"""What is promised of rooms, challenges, rounds and conduct, beside what is promised of searches."""

from collections.abc import Mapping
from datetime import datetime

from django.db import connection

from tests.matchmaking.machine.promises import BROKEN

__all__ = ["QUESTIONS", "SETTLED", "got_in", "places_and_cooling"]

_OWN: Mapping[str, str] = {
    "a player in two places": """
        SELECT FROM (
            SELECT player_id FROM matchmaking_ticketmember WHERE live
            UNION ALL SELECT player_id FROM rooms_roommember WHERE live AND seat IS NOT NULL
            UNION ALL SELECT player_id FROM ratings_participant WHERE playing
        ) AS place GROUP BY player_id HAVING count(*) > 1""",
    "a room that is over-full, or a seat that two have": """
        SELECT FROM rooms_room AS room JOIN rooms_roommember AS member ON member.room_id = room.id
        WHERE member.live AND member.seat IS NOT NULL GROUP BY room.id
        HAVING count(*) > room.seats OR count(*) <> count(DISTINCT seat) OR max(seat) >= room.seats""",
    "a room that lives without its host, or members of one that has ended": """
        SELECT FROM rooms_room AS room WHERE (ended_at IS NULL) <> EXISTS (
            SELECT FROM rooms_roommember WHERE room_id = room.id AND live
            AND (player_id = room.host_id OR room.ended_at IS NOT NULL))""",
    "a seat that somebody was told of and that is lost": """
        SELECT FROM unnest(%(sat_0)s::bigint[], %(sat_1)s::bigint[]) AS told (room, player) WHERE NOT EXISTS (
            SELECT FROM rooms_roommember WHERE room_id = told.room AND player_id = told.player
            AND (live OR left_at IS NOT NULL))""",
    "a removed player who has slipped back": """
        SELECT FROM unnest(%(removed_0)s::bigint[], %(removed_1)s::bigint[]) AS told (room, player)
        WHERE NOT EXISTS (SELECT FROM rooms_roommember WHERE room_id = told.room AND player_id = told.player
                          AND removed AND NOT live)""",
    "a match that came from nowhere, or from two": """
        SELECT FROM ratings_match AS match WHERE 1 <> (
            (SELECT count(*) FROM matchmaking_offer WHERE match_id = match.id)
            + (SELECT count(*) FROM rooms_room WHERE match_id = match.id)
            + (SELECT count(*) FROM challenges_challenge WHERE match_id = match.id))""",
    "a match of others than sat in the room": """
        SELECT FROM rooms_room AS room WHERE match_id IS NOT NULL AND (
            room.seats <> (SELECT count(*) FROM ratings_participant WHERE match_id = room.match_id)
            OR EXISTS (
                SELECT FROM ratings_participant AS part WHERE match_id = room.match_id AND NOT EXISTS (
                    SELECT FROM rooms_roommember WHERE room_id = room.id AND player_id = part.player_id
                    AND seat IS NOT NULL AND NOT removed)))""",
    "a draft that has a player twice, or a team that is too large": """
        SELECT FROM rooms_room AS room JOIN rooms_roommember AS member ON member.room_id = room.id
        WHERE member.live AND member.team IS NOT NULL AND room.ended_at IS NULL GROUP BY room.id, member.team
        HAVING count(*) > room.team_size OR count(*) FILTER (WHERE picked = 0) <> 1
            OR count(*) <> count(DISTINCT member.player_id)""",
    "a pick of a room that is open, or of somebody without a seat": """
        SELECT FROM rooms_room AS room JOIN rooms_roommember AS member ON member.room_id = room.id
        WHERE member.live AND member.team IS NOT NULL AND (room.state = 'open' OR member.seat IS NULL)""",
    "a turn of a room in which nobody has one, or none where somebody has": """
        SELECT FROM rooms_room WHERE (state IN ('drafting', 'starting')) <> (turn_ends_at IS NOT NULL)""",
    "a challenge whose match has others in it": """
        SELECT FROM challenges_challenge AS challenge WHERE (state = 'started') <> (match_id IS NOT NULL)
            OR (match_id IS NOT NULL AND
                ARRAY[least(challenger_id, challenged_id), greatest(challenger_id, challenged_id)]
                <> ARRAY(SELECT player_id FROM ratings_participant WHERE match_id = challenge.match_id ORDER BY 1))""",
    "a match by a challenge that somebody was told of and that is another": """
        SELECT FROM unnest(%(begun_0)s::bigint[], %(begun_1)s::bigint[]) AS told (challenge, match)
        WHERE NOT EXISTS (SELECT FROM challenges_challenge WHERE id = told.challenge AND match_id = told.match)""",
    "a round that was held, and somebody was neither let in nor passed over": """
        SELECT FROM matchmaking_roundentry AS entry JOIN matchmaking_round AS round ON round.id = entry.round_id
        WHERE (round.state = 'held' AND entry.state = 'joined')
           OR (round.state <> 'held' AND entry.ticket_id IS NOT NULL)
           OR (entry.state = 'searched') <> (entry.ticket_id IS NOT NULL)""",
    "two of a round whose tickets came to two matches": """
        SELECT FROM matchmaking_roundentry AS entry
        JOIN matchmaking_offerticket AS seat ON seat.ticket_id = entry.ticket_id
        JOIN matchmaking_offer AS offer ON offer.id = seat.offer_id
        WHERE offer.match_id IS NOT NULL GROUP BY entry.id HAVING count(*) > 1""",
    "a match that was declined, and nobody is charged with it": """
        SELECT FROM unnest(%(declined_0)s::bigint[], %(declined_1)s::bigint[]) AS told (offer, ticket)
        WHERE NOT EXISTS (SELECT FROM matchmaking_offence AS offence
                          JOIN matchmaking_ticketmember AS member ON member.player_id = offence.player_id
                          WHERE offence.offer = told.offer AND member.ticket_id = told.ticket AND kind = 'declined')""",
    "silence that is not charged, or that of others": """
        SELECT FROM matchmaking_offer AS offer JOIN matchmaking_offerticket AS seat ON seat.offer_id = offer.id
        JOIN matchmaking_ticketmember AS member ON member.ticket_id = seat.ticket_id
        WHERE offer.state = 'expired' AND (seat.accepted_at IS NULL) <> EXISTS (
            SELECT FROM matchmaking_offence WHERE offer = offer.id AND player_id = member.player_id
            AND kind = 'silent')""",
    "one offence that counts twice": """
        SELECT FROM matchmaking_offence WHERE offer IS NOT NULL GROUP BY player_id, offer HAVING count(*) > 1
        UNION ALL
        SELECT FROM matchmaking_offence WHERE kind = 'left' GROUP BY player_id, match_id HAVING count(*) > 1
        UNION ALL
        SELECT FROM matchmaking_offence WHERE kind = 'reported' AND taken_back_at IS NULL
            AND at > %(now)s::timestamptz - interval '14 days'
        GROUP BY player_id, reporter_id HAVING count(*) > 1""",
    "two in a room who were brought together after a block": """
        SELECT FROM rooms_roommember AS one JOIN rooms_roommember AS two USING (room_id)
        JOIN people_block AS block ON block.player_id = one.player_id AND block.blocked_id = two.player_id
        WHERE one.live AND two.live AND block.created_at < greatest(one.joined_at, two.joined_at)""",
    "a challenge that came to a match after a block": """
        SELECT FROM challenges_challenge AS challenge JOIN ratings_match AS match ON match.id = challenge.match_id
        JOIN people_block AS block ON block.created_at < match.played_at
        AND least(block.player_id, block.blocked_id) = least(challenger_id, challenged_id)
        AND greatest(block.player_id, block.blocked_id) = greatest(challenger_id, challenged_id)""",
}
# Where matches come from is asked of all ways at once.
QUESTIONS = {**{k: v for k, v in BROKEN.items() if k != "a match that nobody was offered"}, **_OWN}

# What is left when hours have passed and workers have done what is due: nothing is stuck for ever.
SETTLED: Mapping[str, str] = {
    "a search that never ends": "SELECT FROM matchmaking_ticket WHERE state IN ('waiting', 'offered')",
    "an offer that never ends": "SELECT FROM matchmaking_offer WHERE state = 'pending'",
    "a room that never closes": "SELECT FROM rooms_room WHERE ended_at IS NULL",
    "a challenge that never ends": "SELECT FROM challenges_challenge WHERE state IN ('open', 'accepted')",
    "a round that never begins": """
        SELECT FROM matchmaking_round WHERE state = 'announced' AND starts_at < %(now)s""",
    "a match that never ends": "SELECT FROM ratings_match WHERE state IN ('playing', 'reported')",
}
_PLACES = """
SELECT member.player_id, 'ticket', ticket_id FROM matchmaking_ticketmember AS member WHERE live
UNION ALL SELECT player_id, 'seat', room_id FROM rooms_roommember WHERE live AND seat IS NOT NULL
UNION ALL SELECT challenger_id, 'challenge', id FROM challenges_challenge
UNION ALL SELECT challenged_id, 'accepted challenge', id FROM challenges_challenge
    WHERE state IN ('accepted', 'started')
UNION ALL SELECT part.player_id, 'match', part.match_id FROM ratings_participant AS part
    WHERE NOT EXISTS (SELECT FROM matchmaking_offer WHERE match_id = part.match_id)
"""
_COOLING = """
SELECT player_id, cooling_until FROM matchmaking_conductstanding WHERE cooling_until > %s
"""
Places = set[tuple[int, str, int]]
Cooling = Mapping[int, datetime]


def places_and_cooling(now: datetime) -> tuple[Places, Cooling]:
    """Where players are, or wanted to be, and who cools off until when."""
    with connection.cursor() as cursor:
        cursor.execute(_PLACES)
        places = {(player, what, number) for player, what, number in cursor.fetchall()}
        cursor.execute(_COOLING, [now])
        return places, dict(cursor.fetchall())


def got_in(before: tuple[Places, Cooling], after: tuple[Places, Cooling]) -> list[str]:
    """Who has come to a new place between two looks, and has cooled off in both for the same time."""
    (places, cooling), (later, still) = before, after
    out = {player for player, until in cooling.items() if still.get(player) == until}
    return [f"{what} {number}" for player, what, number in later - places if player in out]
