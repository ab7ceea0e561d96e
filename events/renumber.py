"""Transactions that another cluster numbered: events of a dump, restored where numbers begin anew or run elsewhere.

Readers go by numbers of transactions (see `outbox`). Those of another cluster say nothing here: events would wait
until the numbers have caught up, and new ones be passed over as read long ago. Therefore they are moved before all of
this cluster's, in their order, and the subscriptions with them.
"""

import structlog
from django.db import connection, transaction

from events.models import BEFORE_ALL
from foundation.postgresql.locks import Lock, hold

__all__ = ["is_foreign", "renumber"]

log = structlog.get_logger(__name__)

# Where numbers end here. One's own transaction may be beyond what had ended when the snapshot was taken.
_HERE = """
WITH here AS MATERIALIZED (
    SELECT system_identifier AS cluster,
           greatest(pg_snapshot_xmax(pg_current_snapshot())::text::bigint,
                    pg_current_xact_id_if_assigned()::text::bigint + 1) AS next
    FROM pg_control_system())
"""
_ASK = f"{_HERE} SELECT cluster, next FROM here"  # noqa: S608
# Of events the last is enough: a dump that has any has subscribers too, or nothing was read before.
_IS_FOREIGN = f"""
{_HERE}
SELECT EXISTS (SELECT FROM events_subscription AS subscription, here
               WHERE subscription.cluster <> here.cluster OR subscription.transaction >= here.next)
    OR (SELECT last.cluster <> here.cluster OR last.transaction >= here.next
        FROM here, (SELECT * FROM events_event ORDER BY transaction DESC, id DESC LIMIT 1) AS last)
"""  # noqa: S608
# Rows that carry our cluster's name may be foreign too: before there were names, nobody could tell.
_FOREIGN = "(cluster <> %(cluster)s OR transaction >= %(next)s)"
_LAST = f"""
SELECT coalesce(max(transaction), -1) + 1 FROM (
    SELECT transaction FROM events_event WHERE {_FOREIGN}
    UNION ALL SELECT transaction FROM events_subscription WHERE {_FOREIGN}) AS found
"""  # noqa: S608
_MOVE_EVENTS = f"""
UPDATE events_event SET transaction = transaction - %(by)s, cluster = %(cluster)s WHERE {_FOREIGN}
"""  # noqa: S608
_MOVE_SUBSCRIPTIONS = f"""
UPDATE events_subscription SET transaction = greatest(transaction - %(by)s, %(lowest)s), cluster = %(cluster)s
WHERE {_FOREIGN}
"""  # noqa: S608


def is_foreign() -> bool:
    """Whether there are numbers of another cluster. One short query."""
    with connection.cursor() as cursor:
        cursor.execute(_IS_FOREIGN)
        row: tuple[bool | None] = cursor.fetchone()
    return bool(row[0])


def renumber() -> int:
    """Move what another cluster numbered before all of this one's; returns how many events that were."""
    if not is_foreign():
        return 0
    with transaction.atomic(), connection.cursor() as cursor:
        hold(Lock.OUTBOX, 0)
        cursor.execute("SELECT FROM events_subscription ORDER BY name FOR UPDATE")
        cursor.execute(_ASK)
        cluster, next_number = cursor.fetchone()
        given = {"cluster": cluster, "next": next_number, "lowest": BEFORE_ALL}
        cursor.execute(_LAST, given)
        # New events are numbered from 1 on, and those moved earlier are below 0 already.
        given["by"] = max(0, cursor.fetchone()[0])
        cursor.execute(_MOVE_EVENTS, given)
        moved = int(cursor.rowcount)
        cursor.execute(_MOVE_SUBSCRIPTIONS, given)
    log.info("outbox.renumbered", events=moved, by=given["by"])
    return moved
