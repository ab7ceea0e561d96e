"""Who has so many open disputes that ranked queues are closed to them, and what is held against whom.

Who lies in a dispute cannot be read from it: both say that they have won. But who lies after every lost match
has disputes with one opponent after the other, each of whom has few. So a dispute counts against one of the two
only: against whom more disputes have lately been decided; where that is the same, who has disputes with more
opponents; and against neither where that is the same too.
"""

from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.db import connection

from foundation import clock
from foundation.postgresql.prepared import prepared
from ratings.models import Game

__all__ = ["Disputant", "disputants", "kept_out"]

_COUNTS_FOR = timedelta(
    days=14
)  # of an open dispute, since the match was played: no operator may ever come
_HELD_FOR = timedelta(days=90)  # of one decided against the player

# How many sides say that they shared the place that this word says it shared.
_SHARING = """
(SELECT count(DISTINCT participant.team) FROM ratings_report AS also
 JOIN ratings_participant AS participant
   ON participant.match_id = also.match_id AND participant.player_id = also.player_id
 WHERE also.match_id = {0}.match_id AND also.place = {0}.place AND also.outcome = 'drawn')
"""
# A place shared with nobody, or by more than there are places left: a contradiction to whatever the others say.
_CANNOT_BE = f"""
({{0}}.outcome = 'drawn' AND {{0}}.place IS NOT NULL AND (
    {_SHARING} = 1 OR {{0}}.place - 1 + {_SHARING} >
    (SELECT count(DISTINCT participant.team) FROM ratings_participant AS participant
     WHERE participant.match_id = {{0}}.match_id)))
"""  # noqa: S608
# A place that those take up who share a better one.
_IS_TAKEN_UP = f"""
({{1}}.outcome = 'drawn' AND {{0}}.place > {{1}}.place AND {{0}}.place < {{1}}.place + {_SHARING.format("{1}")})
"""
# Two words of different sides contradict each other. A player who reports a loss disputes nothing.
_CONTRADICT = f"""
(word.outcome <> 'lost' OR word.place IS NOT NULL) AND (
    (word.outcome = 'not_played') <> (answer.outcome = 'not_played')
    OR (word.place = answer.place AND NOT (word.outcome = 'drawn' AND answer.outcome = 'drawn'))
    OR (word.place IS NULL AND answer.place IS NULL
        AND answer.outcome <> CASE word.outcome WHEN 'won' THEN 'lost' ELSE word.outcome END)
    OR {_CANNOT_BE.format("word")} OR {_CANNOT_BE.format("answer")}
    OR {_IS_TAKEN_UP.format("word", "answer")} OR {_IS_TAKEN_UP.format("answer", "word")}
)
"""
# Participants without a rank are in an index of their own. `near`: whose disputes have to be known.
_KNOWN = f"""
clash AS MATERIALIZED (
    SELECT DISTINCT own.player_id AS player, own.match_id AS match, other.player_id AS opponent
    FROM ratings_participant AS own
    JOIN ratings_match AS match ON match.id = own.match_id
    JOIN ratings_ladder AS ladder ON ladder.id = match.ladder_id
    JOIN ratings_report AS word ON word.match_id = own.match_id AND word.player_id = own.player_id
    JOIN ratings_participant AS other ON other.match_id = own.match_id AND other.team <> own.team
    JOIN ratings_report AS answer ON answer.match_id = other.match_id AND answer.player_id = other.player_id
    WHERE own.player_id IN (SELECT player FROM near) AND own.rank IS NULL
      AND match.state = 'disputed' AND ladder.mode = 'ranked'
      AND match.played_at > coalesce(%(at)s::timestamptz, now()) - %(counts_for)s AND {_CONTRADICT}
), doubt AS MATERIALIZED (
    SELECT near.player, (
        SELECT count(*) FROM ratings_report AS word JOIN ratings_match AS match ON match.id = word.match_id
        WHERE word.player_id = near.player AND word.overruled AND match.state = 'confirmed'
          AND match.played_at > coalesce(%(at)s::timestamptz, now()) - %(held_for)s
    ) AS overruled, (
        SELECT least(count(DISTINCT clash.match), count(DISTINCT clash.opponent))
        FROM clash WHERE clash.player = near.player
    ) AS opponents
    FROM near
), held AS (
    SELECT clash.* FROM clash
    JOIN doubt AS own ON own.player = clash.player
    JOIN doubt AS other ON other.player = clash.opponent
    WHERE (own.overruled, own.opponents) > (other.overruled, other.opponents)
)
"""  # noqa: S608
_OF_SOME = f"""
WITH near AS MATERIALIZED (
    SELECT unnest(%(players)s::bigint[]) AS player
    UNION
    SELECT other.player_id FROM ratings_participant AS own
    JOIN ratings_match AS match ON match.id = own.match_id AND match.state = 'disputed'
    JOIN ratings_participant AS other ON other.match_id = own.match_id
    WHERE own.player_id = ANY(%(players)s) AND own.rank IS NULL
), {_KNOWN}
SELECT player, match, opponent FROM held WHERE player = ANY(%(players)s)
"""  # noqa: S608
_OF_ALL = f"""
WITH open AS MATERIALIZED (
    SELECT participant.player_id AS player, count(*) AS matches FROM ratings_match AS match
    JOIN ratings_participant AS participant ON participant.match_id = match.id
    WHERE match.state = 'disputed' GROUP BY participant.player_id
), near AS MATERIALIZED (
    SELECT player FROM open UNION SELECT player_id FROM ratings_report WHERE overruled
), {_KNOWN}
SELECT player.id, player.name, game.name, coalesce(open.matches, 0),
       least(count(DISTINCT held.match), count(DISTINCT held.opponent)) AS counted, doubt.overruled,
       game.disputes_at_most
FROM doubt
JOIN ratings_player AS player ON player.id = doubt.player
JOIN ratings_game AS game ON game.id = player.game_id
LEFT JOIN open ON open.player = doubt.player
LEFT JOIN held ON held.player = doubt.player
WHERE open.matches > 0 OR doubt.overruled > 0
GROUP BY player.id, game.id, open.matches, doubt.overruled
ORDER BY game.disputes_at_most > 0
           AND least(count(DISTINCT held.match), count(DISTINCT held.opponent)) >= game.disputes_at_most DESC,
         doubt.overruled DESC, counted DESC, coalesce(open.matches, 0) DESC, player.id
LIMIT %(most)s
"""  # noqa: S608


@dataclass(frozen=True, slots=True)
class Disputant:
    """A player with disputes.

    disputes   that wait for a decision
    counted    how many of them count against the player
    overruled  how many were decided against the player lately
    limit      of open disputes that count; 0: none
    """

    id: int
    name: str
    game: str
    disputes: int
    counted: int
    overruled: int
    limit: int

    @property
    def is_kept_out(self) -> bool:
        """Whether ranked queues are closed to the player."""
        return 0 < self.limit <= self.counted


def kept_out(game: Game, player_ids: Collection[int]) -> dict[int, list[int]]:
    """Which of these players of a game may not search for ranked matches, each with the disputes that count. One query.

    A clock that jumped is believed here: it ends nothing, and takes nothing from anybody for good.
    """
    if not game.disputes_at_most:
        return {}
    with prepared() as cursor:
        cursor.execute(_OF_SOME, {"players": list(player_ids), **_times()})
        rows = cursor.fetchall()
    matches, opponents = defaultdict[int, set[int]](set), defaultdict[int, set[int]](set)
    for player, match, opponent in rows:
        matches[player].add(match)
        opponents[player].add(opponent)
    return {
        player: sorted(found)
        for player, found in matches.items()
        if min(len(found), len(opponents[player])) >= game.disputes_at_most
    }


def disputants(most: int) -> list[Disputant]:
    """Players with disputes, open or lately decided against them: who is kept out first, then the most often wrong."""
    with connection.cursor() as cursor:
        cursor.execute(_OF_ALL, {"most": most, **_times()})
        return [Disputant(*row) for row in cursor.fetchall()]


def _times() -> dict[str, Any]:
    return {"at": clock.replaced(), "counts_for": _COUNTS_FOR, "held_for": _HELD_FOR}
