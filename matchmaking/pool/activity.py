"""Who plays when, who is new, who comes back and who is lost: by hour of the week, and one stretch after the other."""

from dataclasses import dataclass
from datetime import date

from django.db import connection

from matchmaking.pool.period import Period

__all__ = ["CELLS", "ENDED", "PLAYED", "Activity", "Stretch", "Totals", "activity_of"]

# Hours of a week, from Monday at midnight on.
CELLS = 7 * 24

# An annulled match was played all the same, by a cheater say. Those of an import that was taken back never were, here.
_TOOK_PLACE = """match.state <> 'aborted'
      AND (match.source_id IN (SELECT id FROM ratings_importedfile WHERE taken_back_at IS NOT NULL)) IS NOT TRUE"""
# Of a queue through its offers: their index knows the queue, and a match begins soon after its offer was made.
PLAYED = f"""
    SELECT match.id, match.played_at AT TIME ZONE %(zone)s AS local, match.played_at FROM ratings_match AS match
    WHERE NOT %(is_queue)s AND match.ladder_id = ANY(%(ladders)s) AND {_TOOK_PLACE}
      AND match.played_at >= {{since}} AND match.played_at < {{until}}
    UNION ALL
    SELECT match.id, match.played_at AT TIME ZONE %(zone)s, match.played_at FROM matchmaking_offer AS offer
    JOIN ratings_match AS match ON match.id = offer.match_id
    WHERE %(is_queue)s AND offer.queue_id = ANY(%(queues)s) AND {_TOOK_PLACE}
      AND offer.created_at >= {{since}} - interval '1 hour' AND offer.created_at < {{until}}
      AND match.played_at >= {{since}} AND match.played_at < {{until}}
"""  # noqa: S608 - constants
# A search that ended with a partner of the game has found nobody.
ENDED = """
    SELECT id, CASE WHEN supplied THEN 'cancelled' ELSE state END AS state, ended_at, waiting_since,
           waiting_since AT TIME ZONE %(zone)s AS local FROM matchmaking_ticket
    WHERE queue_id = ANY(%(queues)s) AND state = 'matched' AND ended_at >= %(since)s AND ended_at < %(until)s
    UNION ALL
    SELECT id, state, ended_at, waiting_since, waiting_since AT TIME ZONE %(zone)s FROM matchmaking_ticket
    WHERE queue_id = ANY(%(queues)s) AND state IN ('cancelled', 'expired')
      AND ended_at >= %(since)s AND ended_at < %(until)s
"""
_CELL = "((extract(isodow FROM {at}) - 1) * 24 + extract(hour FROM {at}))::int"
# Who had played long before is asked of their matches player by player, the oldest first: that ends at once.
_ACTIVITY = f"""
WITH played AS MATERIALIZED ({PLAYED.format(since="%(since)s", until="%(until)s")}),
took AS MATERIALIZED (
    SELECT participant.player_id AS player, played.local FROM played
    JOIN ratings_participant AS participant ON participant.match_id = played.id
), ended AS MATERIALIZED ({ENDED}),
there AS (
    SELECT DISTINCT player, date_trunc('hour', local) AS hour FROM (
        SELECT player, local FROM took
        UNION ALL
        SELECT member.player_id, ended.local FROM ended
        JOIN matchmaking_ticketmember AS member ON member.ticket_id = ended.id
    ) AS seen
), came AS MATERIALIZED (SELECT player, min(local) AS at FROM took GROUP BY player),
earlier AS MATERIALIZED ({PLAYED.format(since="%(absent_since)s", until="%(since)s")}),
went AS MATERIALIZED (
    SELECT participant.player_id AS player, max(earlier.local) AS at FROM earlier
    JOIN ratings_participant AS participant ON participant.match_id = earlier.id GROUP BY participant.player_id
), arrived AS MATERIALIZED (
    SELECT came.player, came.at, EXISTS (
        SELECT FROM (
            SELECT match.played_at FROM ratings_participant AS participant
            JOIN ratings_match AS match ON match.id = participant.match_id
            WHERE participant.player_id = came.player AND {_TOOK_PLACE} AND match.played_at < %(since)s
            ORDER BY participant.match_id LIMIT 1
        ) AS first
    ) AS is_known
    FROM came LEFT JOIN went ON went.player = came.player WHERE went.player IS NULL
), lost AS MATERIALIZED (
    SELECT went.player, went.at FROM went LEFT JOIN came ON came.player = went.player WHERE came.player IS NULL
)
SELECT 'matches', {_CELL.format(at="local")}, NULL::date, count(*) FROM played GROUP BY 2
UNION ALL SELECT 'players', {_CELL.format(at="hour")}, NULL, count(*) FROM there GROUP BY 2
UNION ALL SELECT CASE WHEN is_known THEN 'returning' ELSE 'new' END, {_CELL.format(at="at")}, NULL, count(*)
    FROM arrived GROUP BY 1, 2
UNION ALL SELECT 'lost', {_CELL.format(at="at")}, NULL, count(*) FROM lost GROUP BY 2
UNION ALL SELECT 'matches', NULL, date_trunc(%(step)s, local)::date, count(*) FROM played GROUP BY 3
UNION ALL SELECT 'players', NULL, date_trunc(%(step)s, local)::date, count(DISTINCT player) FROM took GROUP BY 3
UNION ALL SELECT CASE WHEN is_known THEN 'returning' ELSE 'new' END, NULL, date_trunc(%(step)s, at)::date, count(*)
    FROM arrived GROUP BY 1, 3
UNION ALL SELECT 'players', NULL, NULL, count(*) FROM came
"""  # noqa: S608 - constants


@dataclass(frozen=True, slots=True)
class Totals:
    """Of a whole period.

    matches    that began in it and were neither aborted nor of an import that was taken back
    players    who took part in one
    new        of these, who never played the game before
    returning  of these, who did, but not within the 28 days before
    lost       who played within these 28 days, and not in the period
    """

    matches: int
    players: int
    new: int
    returning: int
    lost: int

    @property
    def stayed(self) -> int:
        """Who played in the 28 days before, too."""
        return self.players - self.new - self.returning


@dataclass(frozen=True, slots=True)
class Stretch:
    """A day, or a week by its Monday."""

    begins: date
    matches: int
    players: int
    new: int
    returning: int


@dataclass(frozen=True, slots=True)
class Activity:
    """Figures of a period.

    totals     of all of it
    cells      "matches", "new", "returning", "lost" and "players" (who began a search or a match in that hour, each
               day's added up), each for the hours of a week
    stretches  one after the other
    """

    totals: Totals
    cells: dict[str, list[int]]
    stretches: list[Stretch]


def activity_of(period: Period) -> Activity:
    """Return who played, and who came and went. One query."""
    with connection.cursor() as cursor:
        cursor.execute(_ACTIVITY, period.given())
        rows = cursor.fetchall()
    names = ("matches", "players", "new", "returning", "lost")
    cells = {name: [0] * CELLS for name in names}
    stretches: dict[date, dict[str, int]] = {}
    players = 0
    for name, cell, begins, number in rows:
        if cell is not None:
            cells[name][cell] = number
        elif begins is not None:
            stretches.setdefault(begins, dict.fromkeys(names[:4], 0))[name] = number
        elif name == "players":
            players = number
    sums = {name: sum(cells[name]) for name in names} | {"players": players}
    return Activity(
        totals=Totals(**sums),
        cells=cells,
        stretches=[Stretch(begins, **stretches[begins]) for begins in sorted(stretches)],
    )
