"""Matches that wait for nobody: all who have not reported are suspended from results until the match is due, or longer,
so no report can come.

What was said stands at once then, as at the deadline; where nothing was, the match ends without a result after the time
for a report. Where one of the ladder's last results is a server's, the next may come from there, too: nothing is
shortened.
"""

from datetime import datetime

from foundation import clock
from foundation.postgresql.prepared import prepared
from ratings.models import Ladder, Match
from ratings.sanctions import SUSPENDED_NOW

__all__ = ["DUE_AT", "due_silenced", "reported_by_servers", "silenced_until"]

# So many counted results tell whether servers report here: one may be an operator's, or come from a file.
_LATEST = 20
_SANCTION = f"""
sanction.suspended_from IN ('results', 'all') AND {SUSPENDED_NOW}
AND (sanction.until IS NULL OR sanction.until >= match.due_at)
"""
# Conditions and values in SQL on `ratings_match AS match` and its `ratings_ladder AS ladder`; `at` is what
# `clock.replaced()` gives.
_IS_SILENCED = f"""
NOT EXISTS (
    SELECT FROM ratings_participant AS silent
    WHERE silent.match_id = match.id
      AND NOT EXISTS (SELECT FROM ratings_report AS said
                      WHERE said.match_id = match.id AND said.player_id = silent.player_id)
      AND NOT EXISTS (SELECT FROM ratings_sanction AS sanction
                      WHERE sanction.player_id = silent.player_id AND {_SANCTION})
) AND NOT EXISTS (
    SELECT FROM ratings_match AS last
    WHERE last.ladder_id = ladder.id AND last.ladder_seq > ladder.last_seq - {_LATEST}
      AND last.server_key IS NOT NULL
)
"""  # noqa: S608 - constants
_UNTIL = "least(match.due_at, match.played_at + ladder.report_minutes * interval '1 minute')"
# When a match is due, also one that nobody may report.
DUE_AT = f"CASE WHEN match.state = 'playing' AND {_IS_SILENCED} THEN {_UNTIL} ELSE match.due_at END"
_UNTIL_OF = f"""
SELECT {_UNTIL} FROM ratings_match AS match JOIN ratings_ladder AS ladder ON ladder.id = match.ladder_id
WHERE match.id = %(match)s AND match.state = 'playing' AND {_IS_SILENCED}
"""  # noqa: S608
# By the players who are suspended, of whom there are few.
_DUE = f"""
SELECT DISTINCT match.id
FROM ratings_sanction AS sanction
JOIN ratings_participant AS kept ON kept.player_id = sanction.player_id AND kept.playing
JOIN ratings_match AS match ON match.id = kept.match_id AND match.state IN ('playing', 'reported')
JOIN ratings_ladder AS ladder ON ladder.id = match.ladder_id
WHERE {_SANCTION} AND (match.state = 'reported' OR {_UNTIL} <= coalesce(%(at)s::timestamptz, now()))
  AND {_IS_SILENCED}
ORDER BY match.id LIMIT %(limit)s
"""  # noqa: S608


def due_silenced(limit: int) -> list[int]:
    """Ids of open matches of this kind that are to be ended now. One query."""
    with prepared() as cursor:
        cursor.execute(_DUE, {"at": clock.replaced(), "limit": limit})
        return [pk for (pk,) in cursor.fetchall()]


def silenced_until(match: Match) -> datetime | None:
    """When a match of which nobody may report ends without a result; None for any other. One query."""
    with prepared() as cursor:
        cursor.execute(_UNTIL_OF, {"match": match.pk, "at": clock.replaced()})
        row: tuple[datetime] | None = cursor.fetchone()
    return row[0] if row else None


def reported_by_servers(ladder: Ladder) -> bool:
    """Whether one of the last results that were counted came from the game's server. One query."""
    last = Match.objects.filter(ladder=ladder, ladder_seq__gt=ladder.last_seq - _LATEST)
    return last.filter(server_key__isnull=False).exists()
