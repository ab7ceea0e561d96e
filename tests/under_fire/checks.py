"""What must hold when all is over. Each check is one query that counts what is wrong."""

from collections.abc import Mapping

__all__ = ["KEPT", "PLAY"]

PLAY: Mapping[str, str] = {
    "tickets in two live offers": """
        SELECT count(*) FROM (SELECT FROM matchmaking_offerticket WHERE live
                              GROUP BY ticket_id HAVING count(*) > 1) AS doubled""",
    "tickets in two matches": """
        SELECT count(*) FROM (SELECT FROM matchmaking_offerticket AS seat
                              JOIN matchmaking_offer AS offer ON offer.id = seat.offer_id
                              WHERE offer.match_id IS NOT NULL
                              GROUP BY ticket_id HAVING count(DISTINCT offer.match_id) > 1) AS doubled""",
    # Whoever does not accept has ended, so no two tickets that part meet again. Tells of doubled sweeps for good.
    "pairs of tickets in two offers": """
        SELECT count(*) FROM (SELECT FROM (SELECT array_agg(ticket_id ORDER BY ticket_id) AS tickets
                              FROM matchmaking_offerticket GROUP BY offer_id) AS offer
                              GROUP BY tickets HAVING count(*) > 1) AS doubled""",
    "matches of two offers": """
        SELECT count(match_id) - count(DISTINCT match_id) FROM matchmaking_offer""",
    "accepted offers without a match": """
        SELECT count(*) FROM matchmaking_offer WHERE (state = 'accepted') <> (match_id IS NOT NULL)""",
    "offers without all teams, and whole": """
        SELECT count(*) FROM matchmaking_offer AS offer JOIN matchmaking_queue AS queue ON queue.id = offer.queue_id
        JOIN ratings_ladder AS ladder ON ladder.id = queue.ladder_id
        WHERE array_fill(ladder.team_size::int, ARRAY[ladder.team_count::int]) IS DISTINCT FROM (
            SELECT array_agg(size) FROM (
                SELECT count(*)::int AS size FROM matchmaking_offerticket AS seat
                JOIN matchmaking_ticketmember AS member USING (ticket_id)
                WHERE seat.offer_id = offer.id GROUP BY seat.team) AS team)""",
    "matches without all teams, and whole": """
        SELECT count(*) FROM ratings_match AS match JOIN ratings_ladder AS ladder ON ladder.id = match.ladder_id
        WHERE ladder.rated_by <> 'events'  -- people join and leave as they like
        AND array_fill(ladder.team_size::int, ARRAY[ladder.team_count::int]) IS DISTINCT FROM (
            SELECT array_agg(size) FROM (
                SELECT count(*)::int AS size FROM ratings_participant
                WHERE match_id = match.id GROUP BY team) AS team)""",
    "matches without an offer": """
        SELECT count(*) FROM ratings_match AS match
        WHERE NOT EXISTS (SELECT FROM matchmaking_offer WHERE match_id = match.id)""",
    "matches with other players than their offer": """
        SELECT count(*) FROM matchmaking_offer AS offer
        JOIN matchmaking_offerticket AS seat ON seat.offer_id = offer.id
        JOIN matchmaking_ticketmember AS member ON member.ticket_id = seat.ticket_id
        WHERE offer.match_id IS NOT NULL AND NOT EXISTS (
            SELECT FROM ratings_participant AS part WHERE part.match_id = offer.match_id
            AND part.player_id = member.player_id AND part.team = seat.team)""",
    "matched tickets without a match": """
        SELECT count(*) FROM matchmaking_ticket AS ticket WHERE state = 'matched' AND NOT EXISTS (
            SELECT FROM matchmaking_offerticket AS seat JOIN matchmaking_offer AS offer ON offer.id = seat.offer_id
            WHERE seat.ticket_id = ticket.id AND offer.match_id IS NOT NULL)""",
    "tickets of a match that are not matched": """
        SELECT count(*) FROM matchmaking_offer AS offer
        JOIN matchmaking_offerticket AS seat ON seat.offer_id = offer.id
        JOIN matchmaking_ticket AS ticket ON ticket.id = seat.ticket_id
        WHERE offer.match_id IS NOT NULL AND ticket.state <> 'matched'""",
    "matches that not everybody accepted": """
        SELECT count(*) FROM matchmaking_offer AS offer
        JOIN matchmaking_offerticket AS seat ON seat.offer_id = offer.id
        WHERE offer.match_id IS NOT NULL AND seat.accepted_at IS NULL""",
    "seats whose live flag disagrees with their offer": """
        SELECT count(*) FROM matchmaking_offerticket AS seat
        JOIN matchmaking_offer AS offer ON offer.id = seat.offer_id
        WHERE seat.live <> (offer.state IN ('pending', 'accepted'))""",
    "members whose live flag disagrees with their ticket": """
        SELECT count(*) FROM matchmaking_ticketmember AS member
        JOIN matchmaking_ticket AS ticket ON ticket.id = member.ticket_id
        WHERE member.live <> (ticket.state IN ('waiting', 'offered'))""",
    "offered tickets without a pending offer, or the other way round": """
        SELECT count(*) FROM matchmaking_ticket AS ticket
        WHERE (state = 'offered') <> EXISTS (
            SELECT FROM matchmaking_offerticket AS seat JOIN matchmaking_offer AS offer ON offer.id = seat.offer_id
            WHERE seat.ticket_id = ticket.id AND offer.state = 'pending')""",
    "tickets without a member": """
        SELECT count(*) FROM matchmaking_ticket AS ticket
        WHERE NOT EXISTS (SELECT FROM matchmaking_ticketmember WHERE ticket_id = ticket.id)""",
    "players with two live tickets": """
        SELECT count(*) FROM (SELECT FROM matchmaking_ticketmember WHERE live
                              GROUP BY player_id HAVING count(*) > 1) AS doubled""",
    "live parties without their leader, or ended ones with members": """
        SELECT count(*) FROM matchmaking_party AS party WHERE (ended_at IS NULL) <> EXISTS (
            SELECT FROM matchmaking_partymember WHERE party_id = party.id AND live
            AND (player_id = party.leader_id OR party.ended_at IS NOT NULL))""",
    "players in two parties": """
        SELECT count(*) FROM (SELECT FROM matchmaking_partymember WHERE live
                              GROUP BY player_id HAVING count(*) > 1) AS doubled""",
    "tickets with somebody who was never in their party": """
        SELECT count(*) FROM matchmaking_ticket AS ticket JOIN matchmaking_ticketmember AS member
        ON member.ticket_id = ticket.id
        WHERE ticket.party_id IS NOT NULL AND NOT EXISTS (
            SELECT FROM matchmaking_partymember WHERE party_id = ticket.party_id AND player_id = member.player_id)""",
    "players in two matches at once": """
        SELECT count(*) FROM (SELECT FROM ratings_participant WHERE playing
                              GROUP BY player_id HAVING count(*) > 1) AS doubled""",
    "stuck: tickets still live": """
        SELECT count(*) FROM matchmaking_ticket WHERE state IN ('waiting', 'offered')""",
    "stuck: offers still pending": "SELECT count(*) FROM matchmaking_offer WHERE state = 'pending'",
    "stuck: players still playing": "SELECT count(*) FROM ratings_participant WHERE playing",
    "stuck: matches still open": """
        SELECT count(*) FROM ratings_match WHERE state IN ('playing', 'reported')""",
    "confirmed matches without a result": """
        SELECT count(*) FROM ratings_match AS match JOIN ratings_participant AS part ON part.match_id = match.id
        WHERE (match.state = 'confirmed') <> (part.rank IS NOT NULL)""",
    "confirmed against the word of a side": """
        SELECT count(*) FROM ratings_match AS match
        JOIN ratings_report AS report ON report.match_id = match.id
        JOIN ratings_participant AS own ON own.match_id = match.id AND own.player_id = report.player_id
        JOIN ratings_participant AS other ON other.match_id = match.id AND other.team <> own.team
        WHERE match.state = 'confirmed'
          AND report.outcome <> CASE WHEN own.rank < other.rank THEN 'won' WHEN own.rank > other.rank THEN 'lost'
                                     ELSE 'drawn' END
          -- whoever left speaks for the team only when nobody of it stayed
          AND NOT (own.left_early AND EXISTS (
              SELECT FROM ratings_participant AS mate
              WHERE mate.match_id = match.id AND mate.team = own.team AND NOT mate.left_early))
          -- whoever contradicts more than half of the team, or of all players, is outvoted
          AND NOT EXISTS (
              SELECT FROM ratings_participant AS one
              JOIN ratings_participant AS foe ON foe.match_id = one.match_id AND foe.team <> one.team
              LEFT JOIN ratings_report AS word ON word.match_id = one.match_id AND word.player_id = one.player_id
                  AND word.outcome = CASE WHEN one.rank < foe.rank THEN 'won' WHEN one.rank > foe.rank THEN 'lost'
                                          ELSE 'drawn' END
              WHERE one.match_id = match.id
              HAVING 2 * count(DISTINCT word.player_id) > count(DISTINCT one.player_id)
                  OR 2 * count(DISTINCT word.player_id) FILTER (WHERE one.team = own.team)
                     > count(DISTINCT one.player_id) FILTER (WHERE one.team = own.team))""",
    "disputed though the reports agree": """
        SELECT count(*) FROM ratings_match AS match WHERE state = 'disputed'
        AND (SELECT count(DISTINCT CASE report.outcome WHEN 'won' THEN part.team::text
                                   WHEN 'lost' THEN (1 - part.team)::text ELSE report.outcome END)
             FROM ratings_report AS report JOIN ratings_participant AS part
             ON part.match_id = report.match_id AND part.player_id = report.player_id
             WHERE report.match_id = match.id) < 2""",
    "sequence: confirmed matches without a place": """
        SELECT count(*) FROM ratings_match WHERE state = 'confirmed' AND rated AND ladder_seq IS NULL""",
    "sequence: gaps": """
        SELECT count(*) FROM ratings_ladder AS ladder WHERE last_seq <> (
            SELECT count(*) FROM ratings_match WHERE ladder_id = ladder.id AND state = 'confirmed' AND rated)""",
    "rated twice": """
        SELECT count(*) FROM (SELECT FROM ratings_ratingchange WHERE match_id IS NOT NULL
                              GROUP BY track_id, match_id, player_id HAVING count(*) > 1) AS doubled""",
    "never rated": """
        SELECT count(*) FROM ratings_ratingtrack AS track JOIN ratings_match AS match USING (ladder_id)
        JOIN ratings_participant AS part ON part.match_id = match.id
        WHERE track.period_days IS NULL AND match.state = 'confirmed' AND match.rated AND NOT EXISTS (
            SELECT FROM ratings_ratingchange AS change WHERE change.track_id = track.id
            AND change.match_id = match.id AND change.player_id = part.player_id)""",
    "rated though not confirmed": """
        SELECT count(*) FROM ratings_ratingchange AS change JOIN ratings_match AS match ON match.id = change.match_id
        WHERE match.state <> 'confirmed'""",
    "tracks not at the end of their sequence": """
        SELECT count(*) FROM ratings_ratingtrack AS track JOIN ratings_ladder AS ladder ON ladder.id = track.ladder_id
        WHERE track.rated_seq <> ladder.last_seq""",
    "ratings whose games do not add up": """
        SELECT count(*) FROM ratings_rating AS rating JOIN ratings_ratingtrack AS track ON track.id = rating.track_id
        WHERE rating.games <> (
            SELECT count(*) FROM ratings_participant AS part JOIN ratings_match AS match ON match.id = part.match_id
            WHERE part.player_id = rating.player_id AND match.ladder_id = track.ladder_id
            AND match.state = 'confirmed')""",
    "events: matches whose start was told not once": """
        SELECT count(*) FROM ratings_match AS match WHERE 1 <> (
            SELECT count(*) FROM events_event
            WHERE kind = 'match.started' AND (payload->>'match')::bigint = match.id)""",
    "events: matches whose end was told not once": """
        SELECT count(*) FROM ratings_match AS match WHERE 1 <> (
            SELECT count(*) FROM events_event WHERE kind = 'match.' || match.state
            AND (payload->>'match')::bigint = match.id)""",
    "events: matches told to have two ends": """
        SELECT count(*) FROM (
            SELECT FROM events_event
            WHERE kind IN ('match.confirmed', 'match.disputed', 'match.aborted', 'match.abandoned')
            GROUP BY payload->>'match' HAVING count(*) > 1) AS doubled""",
    "left over: claims of queues": """
        SELECT count(*) FROM matchmaking_queue WHERE sweep_until IS NOT NULL AND sweep_until > clock_timestamp()""",
    "left over: claims of tracks": "SELECT count(*) FROM ratings_ratingrun",
}

# Against what was acknowledged: table `kept` (what, ticket, match, player, offer).
KEPT: Mapping[str, str] = {
    "acknowledged joins that are lost": """
        SELECT count(*) FROM kept WHERE what = 'joined' AND NOT EXISTS (
            SELECT FROM matchmaking_ticketmember AS member
            WHERE member.ticket_id = kept.ticket AND member.player_id = kept.player)""",
    "acknowledged cancels that were matched": """
        SELECT count(*) FROM kept JOIN matchmaking_ticket AS ticket ON ticket.id = kept.ticket
        WHERE what IN ('cancelled', 'declined') AND (ticket.state = 'matched' OR EXISTS (
            SELECT FROM matchmaking_offerticket AS seat JOIN matchmaking_offer AS offer ON offer.id = seat.offer_id
            WHERE seat.ticket_id = ticket.id AND offer.match_id IS NOT NULL))""",
    "acknowledged cancels that are lost": """
        SELECT count(*) FROM kept LEFT JOIN matchmaking_ticket AS ticket ON ticket.id = kept.ticket
        WHERE what IN ('cancelled', 'declined') AND ticket.state IS DISTINCT FROM 'cancelled'
        AND ticket.state IS DISTINCT FROM 'expired'""",
    "acknowledged acceptances that are lost": """
        SELECT count(*) FROM kept WHERE what = 'accepted' AND NOT EXISTS (
            SELECT FROM matchmaking_offerticket AS seat WHERE seat.ticket_id = kept.ticket
            AND seat.offer_id = kept.offer
            -- whoever has accepted may still leave, and has declined then
            AND (seat.accepted_at IS NOT NULL OR seat.declined_at IS NOT NULL))""",
    "acknowledged reports that are lost": """
        SELECT count(*) FROM kept JOIN ratings_match AS match ON match.id = kept.match
        WHERE what = 'reported' AND match.state NOT IN ('confirmed', 'aborted') AND NOT EXISTS (
            SELECT FROM ratings_report AS report
            WHERE report.match_id = kept.match AND report.player_id = kept.player)""",
}
