"""Refreshes by several processes at once, and refreshes that are killed."""

import os
import random
import signal
import time

import pytest
from django.db import connection, transaction

from foundation.postgresql.locks import Lock, hold
from leaderboards.boards import refresh
from leaderboards.models import Board, Standing
from ratings.models import Rating
from tests.leaderboards.cast import Cast, check_buckets, make_cast
from tests.processes import hear, running, wait_until

pytestmark = pytest.mark.django_db(transaction=True)


def follow(track: int) -> None:
    while True:
        refresh.refresh(track)
        refresh.relist(track)
        refresh.flip_due()


def end_halfway(track: int) -> None:
    """End with everything written and nothing committed."""
    with transaction.atomic():
        assert refresh.refresh(track) == 3
        os.kill(os.getpid(), signal.SIGKILL)


def refresh_when_told(track: int) -> int:
    hear()
    return refresh.refresh(track)


def check_board(cast: Cast) -> None:
    """Standings are the ratings, and buckets are counts of standings."""
    check_buckets(cast.track)
    ratings = Rating.objects.filter(track=cast.track).order_by("pk")
    values = Standing.objects.filter(track=cast.track).order_by("pk")
    assert list(values.values_list("rating_id", "order_value")) == list(
        ratings.values_list("pk", "value")
    )


def test_two_refreshes_at_once_count_once() -> None:
    cast = make_cast(500)
    with (
        running(refresh_when_told, cast.track.pk) as first,
        running(refresh_when_told, cast.track.pk) as second,
    ):
        cast.values(range(1000, 1500))
        with transaction.atomic():
            hold(Lock.BOARD, cast.track.pk)
            for process in (first, second):
                process.tell("go")
            wait_until(_are_two_waiting)
        written = [process.hear() for process in (first, second)]
    assert sorted(written) == [0, 500]
    check_board(cast)


def test_two_processes_follow_ratings_that_change() -> None:
    cast, chance = make_cast(60), random.Random(7)
    refresh.refresh(cast.track.pk)  # else there may be no board yet when it is first looked at
    with running(follow, cast.track.pk), running(follow, cast.track.pk):
        for _ in range(30):
            changed = chance.sample(range(60), 12)
            cast.rate({position: {"value": chance.uniform(1400, 1430)} for position in changed})
            _check_buckets_in_one_snapshot(cast)
        _wait_until_followed(cast)
    check_board(cast)


def test_a_killed_refresh_leaves_all_as_it_was_or_as_it_should_be() -> None:
    cast, chance = make_cast(400), random.Random(11)
    cast.values(range(1000, 1400))
    for _ in range(3):
        with running(follow, cast.track.pk) as process:
            _wait_until_followed(cast)
            cast.rate({n: {"value": chance.uniform(1000, 1400)} for n in range(0, 400, 9)})
            time.sleep(chance.uniform(0.0, 0.08))
            process.kill()
        _wait_for_the_lock(cast)
        check_buckets(cast.track)
    refresh.refresh(cast.track.pk)
    check_board(cast)


def test_a_refresh_that_ends_halfway_writes_nothing() -> None:
    cast = make_cast(3)
    cast.values([1600, 1500, 1400])
    refresh.refresh(cast.track.pk)
    before = list(Standing.objects.order_by("pk").values())
    cast.values([1400, 1500, 1600])
    with running(end_halfway, cast.track.pk) as process:
        assert process.wait() == -signal.SIGKILL
    _wait_for_the_lock(cast)
    assert list(Standing.objects.order_by("pk").values()) == before
    check_buckets(cast.track)
    assert refresh.refresh(cast.track.pk) == 3
    check_board(cast)


def _are_two_waiting() -> bool:
    """Whether two sessions wait for an advisory lock of this database."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"
            " AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
        )
        return bool(cursor.fetchone()[0] == 2)


def _wait_until_followed(cast: Cast) -> None:
    """Until the processes have brought the board up to the newest ratings."""
    boards = Board.objects.filter(pk=cast.track.pk, revision=cast.track.revision)
    wait_until(boards.exists)


def _check_buckets_in_one_snapshot(cast: Cast) -> None:
    """Between two statements a process may write: both must see the same."""
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        check_buckets(cast.track)


def _wait_for_the_lock(cast: Cast) -> None:
    """The server notices by itself that the process is gone, and rolls back."""
    with transaction.atomic():
        hold(Lock.BOARD, cast.track.pk)
