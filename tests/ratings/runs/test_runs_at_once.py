"""Rating runs of real processes: at once, killed at every statement, stopped for good."""

import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial

import psycopg
import pytest
from django.db import DatabaseError, IntegrityError, connection, transaction

from events.models import Event
from foundation.postgresql.lease import end_stuck_holders, hold_firmly
from foundation.postgresql.locks import Lock, hold, try_hold
from ratings.models import RatingChange, RatingRun, RatingTrack
from ratings.runs.compute import RatedChunk, rate_periods
from ratings.runs.load import load_matches, load_state
from ratings.runs.position import Position, chunk_after, find_position
from ratings.runs.run import hold_lease, rate_track
from ratings.runs.write import StalePositionError, commit
from ratings.tracks.parameters import change_parameters
from tests.countdown import kill_after_each
from tests.processes import PATIENCE, Running, running, say, wait_until
from tests.ratings.arena import Arena, Played, history_of, late, make_arena, random_history

pytestmark = pytest.mark.django_db(transaction=True)


def rate(track: int) -> None:
    """At a time of its own, for else a period might end between two runs that are compared."""
    with late():
        rate_track(track)


def killed_rating(track: int) -> int:
    return kill_after_each(partial(rate, track))


def hold_ladder(pk: int, then: Callable[[], None]) -> None:
    with transaction.atomic():
        hold(Lock.LADDER, pk)
        then()


def rest() -> None:
    say("held")
    time.sleep(PATIENCE)


def stay_awake() -> None:
    """Never look as if it had stopped, however long a busy machine takes until somebody waits for it."""
    say("held")
    while True:
        connection.cursor().execute("SELECT")
        time.sleep(0.1)


def stick_in_copy() -> None:
    cursor = connection.cursor()
    cursor.execute("CREATE TEMP TABLE rows_in (n int)")
    with cursor.copy("COPY rows_in FROM STDIN") as block:
        block.write(b"1")
        rest()


def work() -> None:
    say("held")
    connection.cursor().execute("SELECT pg_sleep(600)")


@contextmanager
def holding(arena: Arena, then: Callable[[], None]) -> Iterator[Running]:
    """A process that holds the ladder's lock when the block begins, and then does something."""
    with running(hold_ladder, arena.ladder.pk, then) as holder:
        assert holder.hear() == "held"
        yield holder


def busy_arena() -> Arena:
    arena = make_arena(8)
    arena.play(*random_history(300, 8, days=90))
    return arena


def holds_lock(pk: int) -> bool:
    with transaction.atomic():
        return not try_hold(Lock.LADDER, pk)


@pytest.mark.parametrize(("system", "days"), [("elo", None), ("glicko", 5)])
def test_two_processes_at_once_rate_everything_once(system: str, days: float | None) -> None:
    arena = busy_arena()
    track, alone = arena.track(system, days=days), arena.track(system, days=days)
    arena.rate(alone)
    with running(rate, track.pk) as one, running(rate, track.pk) as other:
        assert (one.wait(), other.wait()) == (0, 0)
    assert history_of(track) == history_of(alone)
    assert track.revision == 1
    assert Event.objects.filter(kind="ratings.changed", payload__track=track.pk).count() == 1
    assert not RatingRun.objects.exists()


@pytest.mark.parametrize(("system", "days"), [("elo", None), ("glicko", 5)])
def test_killed_between_any_two_statements_nothing_is_half(system: str, days: float | None) -> None:
    arena = busy_arena()
    alone, track = arena.track(system, days=days), arena.track(system, days=days)
    arena.rate(alone)
    with running(killed_rating, track.pk) as killing:
        assert killing.hear() > 20
    assert history_of(track) == history_of(alone)
    assert track.revision == 1
    assert Event.objects.filter(kind="ratings.changed", payload__track=track.pk).count() == 1


def rated_so_far(track: RatingTrack) -> tuple[Position, RatedChunk]:
    """What a run has computed, and would commit next."""
    position = find_position(track.pk, until=None)
    chunk = chunk_after(position)
    matches = load_matches(position.ladder_id, after=chunk.after, last=chunk.last)
    state, matches = load_state(position, matches, everyone=True)
    rated = rate_periods(position, chunk, state, matches, lambda _matches, _closed: None)
    return position, rated


def test_a_commit_from_an_old_position_is_refused() -> None:
    arena = busy_arena()
    track = arena.track("glicko", days=5)
    position, rated = rated_so_far(track)
    rate_track(track.pk)
    before = history_of(track)
    with pytest.raises(StalePositionError, match="has left revision 0"):
        commit(position, rated)
    assert history_of(track) == before


def test_a_commit_under_older_parameters_is_refused() -> None:
    arena = busy_arena()
    track = arena.track("glicko", days=5)
    position, rated = rated_so_far(track)
    change_parameters(track=track, parameters={"deviation_min": 50}, actor=None, note="")
    with pytest.raises(StalePositionError):
        commit(position, rated)
    assert RatingChange.objects.count() == 0
    assert rate_track(track.pk).matches == 300


def test_a_track_that_another_rates_is_left_to_it() -> None:
    arena = busy_arena()
    track = arena.track()
    with holding(arena, stay_awake) as holder, running(rate, track.pk):
        wait_until(RatingRun.objects.filter(pk=track.pk).exists)
        assert rate_track(track.pk, wait=False).matches == 0
        assert RatingChange.objects.count() == 0
        holder.kill()
        wait_until(lambda: RatingTrack.objects.get(pk=track.pk).revision == 1)


def test_the_claim_of_a_killed_process_is_taken_over_at_once() -> None:
    arena = busy_arena()
    track = arena.track()
    with holding(arena, stay_awake), running(rate, track.pk) as killed:
        wait_until(RatingRun.objects.filter(pk=track.pk).exists)
        killed.kill()
    assert rate_track(track.pk).matches == 300


def test_a_stopped_run_past_its_deadline_is_ended() -> None:
    arena = busy_arena()
    track = arena.track()
    with holding(arena, stay_awake) as holder, running(rate, track.pk) as stopped:
        wait_until(_is_waiting_for_the_lock)  # it will not extend its claim meanwhile
        stopped.send_signal(signal.SIGSTOP)
        holder.kill()
        RatingRun.objects.update(deadline=RatingRun.objects.get().claimed_at)
        assert rate_track(track.pk).matches == 300
        before = history_of(track)
        stopped.send_signal(signal.SIGCONT)
        assert stopped.wait() != 0
    assert history_of(track) == before


@pytest.mark.parametrize("then", [rest, stick_in_copy], ids=["idle", "in the middle of COPY"])
def test_a_stopped_holder_of_the_lock_is_ended(then: Callable[[], None]) -> None:
    arena = busy_arena()
    with holding(arena, then) as holder:
        holder.send_signal(signal.SIGSTOP)
        wait_until(_a_holder_waits_for_its_client)  # its server may still be at what it sent last
        assert holds_lock(arena.ladder.pk)
        assert end_stuck_holders(Lock.LADDER, arena.ladder.pk, seconds=600) == []
        assert len(end_stuck_holders(Lock.LADDER, arena.ladder.pk, seconds=0)) == 1
        with transaction.atomic():
            hold_firmly(Lock.LADDER, arena.ladder.pk)
        assert not holds_lock(arena.ladder.pk)


def test_a_holder_that_works_is_left_alone() -> None:
    arena = busy_arena()
    with holding(arena, work):
        wait_until(_is_sleeping)
        assert end_stuck_holders(Lock.LADDER, arena.ladder.pk, seconds=0) == []
        _end_sleepers()


SESSIONS = """
SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event = %s
AND pid IN (SELECT pid FROM pg_locks WHERE locktype = 'advisory')
"""


def _a_holder_waits_for_its_client() -> bool:
    return _is_any_holder_at("ClientRead")


def _is_sleeping() -> bool:
    return _is_any_holder_at("PgSleep")


def _is_waiting_for_the_lock() -> bool:
    return _is_any_holder_at("advisory")


def _is_any_holder_at(wait_event: str) -> bool:
    with psycopg.connect(**connection.get_connection_params()) as other:
        row = other.execute(SESSIONS, [wait_event]).fetchone()
    return bool(row and row[0])


def _end_sleepers() -> None:
    with psycopg.connect(**connection.get_connection_params()) as other:
        other.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event = 'PgSleep'"
            " AND datname = current_database()"
        )


def test_the_claim_is_given_back_when_a_run_fails() -> None:
    track = make_arena().track()

    def fail() -> None:
        with hold_lease(track.pk, wait=True):
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert not RatingRun.objects.exists()


def test_the_ledger_only_grows() -> None:
    arena = busy_arena()
    track = arena.track()
    rate_track(track.pk)
    for change in ("UPDATE ratings_ratingchange SET games = 2", "DELETE FROM ratings_ratingchange"):
        with pytest.raises(DatabaseError, match="the ledger only grows"), connection.cursor() as c:
            c.execute(change)
    assert RatingChange.objects.count() == 600


def test_nothing_is_rated_twice_whatever_asks_for_it() -> None:
    arena = make_arena()
    track = arena.track()
    arena.play(Played(1, 0, 1, 1))
    rate_track(track.pk)
    row = RatingChange.objects.values().first()
    assert row is not None
    with pytest.raises(IntegrityError, match="change_once_per_match"):
        RatingChange.objects.create(**{**row, "id": None})


def test_a_change_needs_its_rating_and_a_rating_its_track() -> None:
    arena = busy_arena()
    track, other = arena.track(), arena.track()
    rate_track(track.pk)
    row = RatingChange.objects.values().first()
    assert row is not None
    with pytest.raises(IntegrityError, match="belongs to a rating"):
        RatingChange.objects.create(**{**row, "id": None, "track_id": other.pk})
    rating = track.ratings.values().first()
    assert rating is not None
    with pytest.raises(IntegrityError, match="a track and a player that exist"):
        track.ratings.create(**{**rating, "id": None, "player_id": 0})
    with pytest.raises(IntegrityError, match="still referred to"), connection.cursor() as cursor:
        cursor.execute("DELETE FROM ratings_rating")


@pytest.mark.django_db
def test_the_short_wait_is_for_the_lock_alone() -> None:
    with transaction.atomic(), connection.cursor() as cursor:
        hold_firmly(Lock.LADDER, 1)
        cursor.execute("SELECT current_setting('lock_timeout')")
        assert cursor.fetchone() == ("0",)


def test_a_lock_lasts_only_inside_a_transaction() -> None:
    with pytest.raises(transaction.TransactionManagementError, match="a lock lasts until"):
        hold(Lock.LADDER, 1)
