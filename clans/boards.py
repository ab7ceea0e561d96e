"""Clans on a ladder: ordered by their best members there.

What counts are the `counted` best members of a clan that the ladder's leaderboard lists, by what that orders by: their
mean, or their sum. By the mean a clan has as many members there, or is left out: else one strong member alone would
beat all clans. By the sum whoever is missing counts nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import connection

from clans.models import BoardBy, Clan, ClanRules
from ratings.models import RatingTrack

__all__ = ["MOST_SHOWN", "ClanRow", "clan_board"]

MOST_SHOWN = 100
# Members that the board lists, the best of each clan first.
_BOARD = """
SELECT clan, listed, figure, best FROM (
    SELECT clan, count(*) AS listed, max(player) FILTER (WHERE place = 1) AS best,
           sum(value) FILTER (WHERE place <= %(counted)s) / (CASE WHEN %(mean)s THEN %(counted)s ELSE 1 END) AS figure
    FROM (
        SELECT membership.clan_id AS clan, standing.player_id AS player, standing.order_value AS value,
               row_number() OVER (
                   PARTITION BY membership.clan_id ORDER BY standing.order_value DESC, standing.player_id
               ) AS place
        FROM clans_membership AS membership
        JOIN leaderboards_standing AS standing
            ON standing.player_id = membership.player_id AND standing.track_id = %(track)s AND standing.listed
    ) AS members
    GROUP BY clan HAVING count(*) >= (CASE WHEN %(mean)s THEN %(counted)s ELSE 1 END)
) AS clans
ORDER BY figure DESC, clan LIMIT %(most)s
"""


@dataclass(frozen=True, slots=True)
class ClanRow:
    """A clan on a ladder; those with equal figures share a rank.

    value   mean or sum of its best members
    listed  how many of its members the leaderboard lists
    best    its best member there, by id
    """

    rank: int
    clan: Clan
    value: float
    listed: int
    best: int


def clan_board(track: RatingTrack, rules: ClanRules) -> Sequence[ClanRow]:
    """The best clans on a track that may be shown: call it for a public one. Two queries."""
    given = {
        "track": track.pk,
        "counted": rules.counted,
        "mean": rules.board_by == BoardBy.MEAN,
        "most": MOST_SHOWN,
    }
    with connection.cursor() as cursor:
        cursor.execute(_BOARD, given)
        found: list[tuple[int, int, float, int]] = cursor.fetchall()
    clans = Clan.objects.in_bulk([clan for clan, *_rest in found])
    rows: list[ClanRow] = []
    for number, (clan, listed, value, best) in enumerate(found, start=1):
        rank = rows[-1].rank if rows and rows[-1].value == value else number
        rows.append(ClanRow(rank, clans[clan], value, listed, best))
    return rows
