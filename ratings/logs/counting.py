"""Counting logs of matches that are over, for statistics: each once, its events then need not be read any more."""

from collections.abc import Iterable

from django.db import connection

from foundation.postgresql.transactions import briefly
from ratings.logs.told import KINDS, told
from ratings.models import LogDuel, LogWeapon, MatchLog, MatchState

__all__ = ["count_logs", "uncount_logs"]

# Logs of a transaction, and their events: more of these only where one log alone has more.
_BATCH, _EVENTS = 50, 50_000
_COUNT = f"""
WITH {told("event.log_id = ANY(%(logs)s)")}, frag AS MATERIALIZED (
    SELECT log, named AS player, named_victim AS victim, detail AS weapon, count(*) AS frags
    FROM told WHERE act = %(frag)s AND counts AND named IS NOT NULL AND named_victim IS NOT NULL
    GROUP BY log, named, named_victim, detail
), duels AS (
    INSERT INTO ratings_logduel (log_id, player_id, victim_id, frags)
    SELECT log, player, victim, sum(frags) FROM frag GROUP BY log, player, victim
), weapons AS (
    INSERT INTO ratings_logweapon (log_id, player_id, weapon, frags)
    SELECT log, player, weapon, sum(frags) FROM frag GROUP BY log, player, weapon
)
UPDATE ratings_matchlog SET counted_at = %(now)s WHERE match_id = ANY(%(logs)s)
"""  # noqa: S608 - constants


def count_logs() -> int:
    """Count the frags of matches that are over by pairs and by weapons; returns of how many logs.

    Correct when run never, once, twice or twice at once. Of a match that counts no more the rows stay: who reads them
    asks for the state of matches.
    """
    counted = 0
    while True:
        with briefly() as now:
            due = MatchLog.objects.filter(counted_at=None).exclude(match__state=MatchState.PLAYING)
            held = due.select_for_update(skip_locked=True, no_key=True, of=("self",))
            logs = _first(held.order_by("pk").values_list("pk", "highest")[:_BATCH])
            if logs:
                with connection.cursor() as cursor:
                    cursor.execute("SET LOCAL statement_timeout = '60s'")  # a million events
                    cursor.execute(_COUNT, {**KINDS, "logs": logs, "now": now})
        counted += len(logs)
        if not logs:
            return counted


def _first(logs: Iterable[tuple[int, int]]) -> list[int]:
    """The first of these logs that have no more events together than are counted at once, one at least."""
    chosen: list[int] = []
    events = 0
    for pk, highest in logs:
        events += highest
        if chosen and events > _EVENTS:
            break
        chosen.append(pk)
    return chosen


def uncount_logs(logs: Iterable[int]) -> None:
    """Let logs be counted anew, as their events have changed. In a transaction."""
    chosen = sorted(set(logs))
    LogDuel.objects.filter(log__in=chosen).delete()
    LogWeapon.objects.filter(log__in=chosen).delete()
    MatchLog.objects.filter(pk__in=chosen).update(counted_at=None)
