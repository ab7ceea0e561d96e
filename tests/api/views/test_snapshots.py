"""An answer is of one moment: what others change while it is put together is wholly in it, or not at all."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from matchmaking.queues.wait_estimates import LATELY
from tests.api.matrix import ROWS, Row
from tests.api.world import World, make_world

READING = ("SELECT", "WITH")
BEGINS = "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY"
ENDS = {"COMMIT", "ROLLBACK"}
# Who calls, and whether what is asked for is the caller's.
FIRST = 2
# What is known of waits is kept for seconds, and so is of another moment anyway.
OF_BEFORE = LATELY.split("%", 1)[0].strip()


def outside(world: World, row: Row, caller: str) -> int:
    """How many queries an answer takes that are not read from one snapshot."""
    with CaptureQueriesContext(connection) as seen:
        world.call(row.method, row.path(world), caller)
    number, is_inside = 0, False
    for query in seen.captured_queries:
        sql = query["sql"].lstrip()
        is_inside = sql == BEGINS or (is_inside and sql not in ENDS)
        number += sql.startswith(READING) and not is_inside and not sql.startswith(OF_BEFORE)
    return number


@pytest.mark.full
@pytest.mark.django_db(transaction=True)
def test_what_takes_several_queries_is_read_at_once() -> None:
    world = make_world()
    torn = {
        (row.route, caller): number
        for row in ROWS
        if row.method == "GET" and row.route != "stream"
        for caller in ("server-all", "player-play")
        if (number := outside(world, row, caller)) > FIRST
    }
    assert torn == {}
