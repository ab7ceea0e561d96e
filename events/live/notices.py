"""Notices: messages that were broadcast, as they are kept for some days.

For streams that begin again, and for programs that were away.

A reader goes by offsets. Whatever comes before the first transaction that still runs is complete, so what an offset
has passed never grows. An offset of another cluster, or from before what has been forgotten, says nothing any more.
"""

import json
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import connection

from events.live.messages import Message, Offset, json_of
from events.models import Notice
from events.outbox import FIRST_RUNNING, foreign_transactions
from foundation import clock
from foundation.postgresql.prepared import prepared
from foundation.postgresql.rows import delete_in_batches

__all__ = ["GoneError", "Kept", "begin_anew", "forget_notices", "head", "keep", "read"]

SCANNED = 5000  # notices that one reading looks at, whoever they are for
BATCH = 5000  # that are deleted at once
_NOT_PLAIN = re.compile(r'[\x00-\x1f"\\]')
# A line for each message in each column: records of JSON take twice as long.
_KEEP = """
INSERT INTO events_notice (cluster, at, kind, topics, ids, players)
SELECT (SELECT system_identifier FROM pg_control_system()), coalesce(%(at)s::timestamptz, now()), kind,
       topics::varchar[], ids::jsonb, players::bigint[]
FROM unnest(string_to_array(%(kinds)s, chr(10)), string_to_array(%(topics)s, chr(10)),
            string_to_array(%(ids)s, chr(10)), string_to_array(%(players)s, chr(10)))
     WITH ORDINALITY AS given (kind, topics, ids, players, ordinality)
ORDER BY ordinality
RETURNING cluster, transaction, id
"""
_HEAD = f"""
SELECT system_identifier, ({FIRST_RUNNING}), pg_snapshot_xmax(pg_current_snapshot())::text::bigint
FROM pg_control_system()
"""  # noqa: S608
_IS_GONE = """
SELECT EXISTS (SELECT FROM events_notice
               WHERE topics = '{}' AND cluster = %(cluster)s AND (transaction, id) > (%(transaction)s, %(notice)s))
"""
# Only rows that are asked for leave the database, and the last that was looked at: most are for others.
_READ = """
SELECT transaction, id, at, kind, topics, ids, players, seen FROM (
    SELECT *, row_number() OVER (ORDER BY transaction, id) AS number, count(*) OVER () AS seen FROM (
        SELECT * FROM events_notice
        WHERE (transaction, id) > (%(transaction)s, %(notice)s) AND transaction < %(before)s AND cluster = %(cluster)s
        ORDER BY transaction, id LIMIT %(scanned)s
    ) AS scanned
) AS numbered
WHERE number = seen OR %(topics)s::varchar[] IS NULL OR topics && %(topics)s::varchar[]
ORDER BY transaction, id
"""
# The last in order, not in time: clocks are set back. Materialised, or else the planner looks for it from the end on,
# past everything that is kept.
_MARK = """
WITH old AS MATERIALIZED (
    SELECT transaction, id FROM events_notice WHERE at < %(before)s AND cluster = %(cluster)s AND topics <> '{}')
UPDATE events_notice SET topics = '{}', kind = 'begun', ids = '{}', players = '{}'
WHERE id = (SELECT id FROM old ORDER BY transaction DESC, id DESC LIMIT 1)
"""


class GoneError(Exception):
    """What came after this offset is kept no more, at least in part."""


@dataclass(frozen=True, slots=True)
class Kept:
    """Messages and when they were sent, the offset after them, and whether there is more."""

    messages: list[tuple[datetime, Message]]
    offset: Offset
    is_more: bool


def keep(messages: Sequence[Message]) -> list[str]:
    """Write messages without an offset down in the current transaction; returns them packed, with their offsets.

    Raises ValueError where a kind or a topic would have to be quoted.
    """
    if not messages:
        return []
    topics = ['"' + '","'.join(message.topics) + '"' for message in messages]
    ids = [json_of(message.ids) for message in messages]
    players = [",".join(map(str, message.players)) for message in messages]
    kinds = [message.kind for message in messages]
    words = [*kinds, *(topic for message in messages for topic in message.topics)]
    if _NOT_PLAIN.search("".join(words)):
        wrong = next(filter(_NOT_PLAIN.search, words))
        raise ValueError(f"{wrong!r}: kinds and topics are words without quotes, as player:1")
    given = {
        "at": clock.replaced(),
        "kinds": "\n".join(kinds),
        "topics": "\n".join(f"{{{one}}}" for one in topics),
        "ids": "\n".join(ids),
        "players": "\n".join(f"{{{one}}}" for one in players),
    }
    with prepared() as cursor:
        cursor.execute(_KEEP, given)
        offsets = [f"[{cluster},{number},{pk}]" for cluster, number, pk in cursor.fetchall()]
    told = [f',"players":[{one}]' if one else "" for one in players]
    return [
        f'{{"topics":[{to}],"kind":"{kind}","ids":{named}{whom},"offset":{offset}}}'
        for to, kind, named, whom, offset in zip(topics, kinds, ids, told, offsets, strict=True)
    ]


def head() -> Offset:
    """The offset after everything that is complete now."""
    return _ends()[0]


def read(after: Offset, topics: Collection[str] | None, most: int = SCANNED) -> Kept:
    """Messages on these topics (None: on all) after an offset. Raises GoneError."""
    until, latest = _ends()
    if after.cluster != until.cluster or after.transaction > latest:
        raise GoneError(str(after))
    until = max(after, until)
    given = after._asdict() | {"before": until.transaction, "scanned": SCANNED}
    given["topics"] = None if topics is None else list(topics)
    with connection.cursor() as cursor:
        cursor.execute(_READ, given)
        rows = cursor.fetchall()
        # Asked last: what is forgotten meanwhile is missed here.
        cursor.execute(_IS_GONE, given)
        if cursor.fetchone() == (True,):
            raise GoneError(str(after))
    found: list[tuple[datetime, Message]] = []
    has_all = not rows or rows[-1][-1] < SCANNED
    for xact, pk, at, kind, to, ids, players, _seen in rows:
        offset = Offset(until.cluster, xact, pk)
        if topics is None or not set(topics).isdisjoint(to):
            named = json.loads(ids) if isinstance(ids, str) else ids
            found.append((at, Message(tuple(to), kind, named, tuple(players), offset)))
            if len(found) == most:
                return Kept(found, offset, is_more=pk != rows[-1][1] or not has_all)
    if not has_all:
        return Kept(found, Offset(until.cluster, *rows[-1][:2]), is_more=True)
    return Kept(found, until, is_more=False)


def _ends() -> tuple[Offset, int]:
    """The offset after everything that is complete, and the number of the next transaction."""
    running = foreign_transactions()
    with connection.cursor() as cursor:
        cursor.execute(_HEAD, {"foreign_transactions": running})
        cluster, first_running, latest = cursor.fetchone()
    return Offset(cluster, first_running, 0), latest


def begin_anew() -> None:
    """Let no offset of before count: what it has passed may not have happened."""
    Notice.objects.create(kind="begun", topics=[])


def forget_notices(days: float) -> None:
    """Delete what is older, up to the last such notice, which stays as a mark that something is gone."""
    before, cluster = clock.now() - timedelta(days=days), head().cluster
    with connection.cursor() as cursor:
        cursor.execute(_MARK, {"before": before, "cluster": cluster})
    # No offset is of these, or may go on from them.
    delete_in_batches(Notice.objects.filter(at__lt=before).exclude(cluster=cluster), BATCH)
    here = Notice.objects.filter(cluster=cluster).order_by("transaction", "id")
    if last := here.filter(topics=[]).last():
        passed = here.filter(transaction__lte=last.transaction)
        delete_in_batches(passed.exclude(transaction=last.transaction, pk__gte=last.pk), BATCH)
