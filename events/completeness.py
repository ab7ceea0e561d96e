"""Up to which transaction everything has been written: what readers that go by transactions may read.

Ids of rows are given out before commit, so that a lower one may become visible later. Whatever is older than every
transaction of this database still running is complete.
"""

from django.db import connection

__all__ = ["FIRST_RUNNING", "strangers"]

# Snapshots know of the transactions of all databases of the server; whose they are is known while their sessions are
# seen in them. That is read first: what runs then and is in the later snapshot too is a stranger's for good, for a
# transaction never changes its database. Any other counts as ours, such as one whose session cannot be seen, or one
# that began in between: what had committed by then is older, and need not wait for it.
_STRANGERS = """
SELECT coalesce(array_agg(session.backend_xid::text), '{}') FROM pg_stat_get_activity(NULL) AS session
WHERE session.backend_xid IS NOT NULL
  AND session.datid <> (SELECT oid FROM pg_database WHERE datname = current_database())
"""
# The oldest transaction that may still write; with `strangers()` as %(strangers)s.
FIRST_RUNNING = """
    SELECT coalesce(min(running.xid::text::bigint), pg_snapshot_xmax(pg_current_snapshot())::text::bigint)
    FROM pg_snapshot_xip(pg_current_snapshot()) AS running (xid)
    WHERE running.xid::xid <> ALL (%(strangers)s::xid[])
"""


def strangers() -> list[str]:
    """Numbers of transactions that run now in other databases of the server."""
    with connection.cursor() as cursor:
        cursor.execute(_STRANGERS)
        found: tuple[list[str]] = cursor.fetchone()
    return found[0]
