"""Who leaves matches, declines offers and lets them pass, as a share of what they could have."""

from dataclasses import dataclass

from django.db import connection

from matchmaking.pool.activity import PLAYED
from matchmaking.pool.period import Period

__all__ = ["LEAST", "MOST", "Habit", "habits_of"]

# With fewer matches, or offers, a share says nothing; so many are shown.
LEAST, MOST = 5, 20

_LEAVES = f"""
WITH played AS MATERIALIZED ({PLAYED.format(since="%(since)s", until="%(until)s")})
SELECT participant.player_id, count(*), count(*) FILTER (WHERE participant.left_early)
FROM played JOIN ratings_participant AS participant ON participant.match_id = played.id
GROUP BY participant.player_id HAVING count(*) >= %(least)s AND count(*) FILTER (WHERE participant.left_early) > 0
"""  # noqa: S608 - constants
# Of a party nobody says who of it answered: all its players count.
_ANSWERS = """
SELECT member.player_id, count(*), count(*) FILTER (WHERE asked.declined_at IS NOT NULL),
    count(*) FILTER (WHERE offer.state = 'expired' AND asked.accepted_at IS NULL AND asked.declined_at IS NULL)
FROM matchmaking_offer AS offer JOIN matchmaking_offerticket AS asked ON asked.offer_id = offer.id
JOIN matchmaking_ticketmember AS member ON member.ticket_id = asked.ticket_id
WHERE offer.queue_id = ANY(%(queues)s) AND offer.created_at >= %(since)s AND offer.created_at < %(until)s
  AND offer.state <> 'pending'
GROUP BY member.player_id HAVING count(*) >= %(least)s
"""
_SHOWN = """
SELECT found.player, player.name, found.of, found.{figure}
FROM ({found}) AS found (player, of, {figures}) JOIN ratings_player AS player ON player.id = found.player
WHERE found.{figure} > 0
ORDER BY found.{figure}::float8 / found.of DESC, found.{figure} DESC, found.player LIMIT %(most)s
"""


@dataclass(frozen=True, slots=True)
class Habit:
    """A player who did something `number` times `of` so many."""

    player_id: int
    name: str
    number: int
    of: int

    @property
    def share(self) -> float:
        """From 0 to 1."""
        return self.number / self.of


def habits_of(period: Period) -> dict[str, list[Habit]]:
    """Return who left ("left"), declined ("declined") and let pass ("passed") most, by their shares. Three queries."""
    answers = "declined, passed"
    return {
        "left": _read(period, _SHOWN.format(found=_LEAVES, figures="number", figure="number")),
        **{
            name: _read(period, _SHOWN.format(found=_ANSWERS, figures=answers, figure=name))
            for name in ("declined", "passed")
        },
    }


def _read(period: Period, statement: str) -> list[Habit]:
    with connection.cursor() as cursor:
        cursor.execute(statement, {**period.given(), "least": LEAST, "most": MOST})
        return [Habit(pk, name, number, of) for pk, name, of, number in cursor.fetchall()]
