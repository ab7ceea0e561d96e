"""However long the tables have grown, what a sweep ends is found by the indexes of what is live."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection

from matchmaking.offers.answer import expire_offers
from matchmaking.tickets.expire import expire_silent_tickets
from tests.matchmaking.hall import make_hall

pytestmark = pytest.mark.django_db

# Most ended long ago: by the statistics many a waiting one should have been silent for as long.
_AT = "now() - CASE WHEN n > %(ended)s THEN interval '0' ELSE interval '1 day' END"
_TICKETS = f"""
INSERT INTO matchmaking_ticket (queue_id, state, waiting_since, seen_at, ended_at)
SELECT %(queue)s, CASE WHEN n > %(ended)s THEN 'waiting' ELSE 'cancelled' END, {_AT}, {_AT},
       CASE WHEN n <= %(ended)s THEN now() END
FROM generate_series(1, %(ended)s + 9000) AS n
"""  # noqa: S608 - constants
_OFFERS = f"""
INSERT INTO matchmaking_offer (queue_id, state, created_at, expires_at)
SELECT %(queue)s, CASE WHEN n > %(ended)s THEN 'pending' ELSE 'declined' END, {_AT}, {_AT} + interval '20 seconds'
FROM generate_series(1, %(ended)s + 9000) AS n
"""  # noqa: S608


@pytest.mark.parametrize(
    ("fill", "end", "index"),
    [(_TICKETS, expire_silent_tickets, "ticket_silent"), (_OFFERS, expire_offers, "offer_due")],
)
def test_it_is_found_by_its_index(fill: str, end: Callable[[int], int], index: str) -> None:
    queue, plans = make_hall(0).queue.pk, list[str]()
    with connection.cursor() as cursor:
        cursor.execute(fill, {"queue": queue, "ended": 20_000})
        cursor.execute("ANALYZE matchmaking_ticket, matchmaking_offer")

    def explaining(execute: Callable[..., Any], sql: str, given: Any, *more: Any) -> Any:
        if "FOR UPDATE" in sql and "matchmaking_" in sql:
            with connection.connection.cursor() as cursor:
                plans.append(str(cursor.execute(f"EXPLAIN {sql}", given).fetchall()))
        return execute(sql, given, *more)

    with connection.execute_wrapper(explaining):
        assert end(queue) == 0
    assert plans
    for plan in plans:
        assert index in plan
