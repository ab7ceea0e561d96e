"""Another track is shown while others rate and matches are confirmed: one is shown at any moment, and whole."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

import pytest
from django.db import connection, transaction

from events import outbox
from events.models import Event
from foundation import clock
from leaderboards.boards import refresh
from leaderboards.models import Board, Standing
from ratings.models import RatingTrack
from ratings.runs.run import due_tracks, hold_lease
from ratings.tasks import rate_due_tracks
from ratings.tracks.promotion import promote_requested, request_promotion, requested_tracks
from tests.processes import PATIENCE, wait_until
from tests.ratings.arena import DAY, START, make_arena, random_history

pytestmark = pytest.mark.django_db(transaction=True)
HISTORY = random_history(120, 6, days=40)


@pytest.fixture(autouse=True)
def _wake_ups_are_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    """Workers look by themselves."""
    monkeypatch.setattr("ratings.tracks.promotion.wake", lambda _task: None)


@contextmanager
def workers(number: int) -> Iterator[None]:
    """Threads, with connections of their own, that do what is due over and over while the block runs."""
    over = threading.Event()

    def work() -> None:
        try:
            while not over.is_set():
                rate_due_tracks()
        finally:
            connection.close()

    threads = [threading.Thread(target=work) for _ in range(number)]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        over.set()
        for thread in threads:
            thread.join(PATIENCE)
            assert not thread.is_alive()


@pytest.mark.full
def test_while_matches_are_confirmed_and_rated() -> None:
    arena = make_arena(6, inactive_after_days=10_000)
    first, second = arena.track(shown=True), arena.track(k_new=60)
    arena.play(*HISTORY[:40])
    shown = RatingTrack.objects.filter(ladder=arena.ladder, shown=True)
    with workers(2):
        wait_until(lambda: not RatingTrack.objects.filter(rated_seq__lt=40).exists())
        for number, played in enumerate(HISTORY[40:]):
            with transaction.atomic():  # confirmed this moment, so that nothing is due for long
                arena.play(replace(played, day=(clock.now() - START) / DAY))
            if number % 20 == 5:
                wait_until(lambda: not due_tracks())  # whatever the machine was at meanwhile
                wanted = second if shown.get() == first else first
                request_promotion(track=wanted, by=None, note="")
            if number % 20 == 15:
                wait_until(lambda: requested_tracks() == [])
            assert shown.count() == 1
        wait_until(lambda: not RatingTrack.objects.filter(rated_seq__lt=120).exists())
    assert Event.objects.filter(kind="track.shown").count() == 4
    assert shown.get() == first
    rate_due_tracks()
    ratings = dict(first.ratings.values_list("player_id", "value"))
    for track in (first, second):
        assert sum(track.ratings.values_list("games", flat=True)) == 240
    refresh.refresh(first.pk)
    board = Standing.objects.filter(track=first)
    assert dict(board.values_list("player_id", "order_value")) == ratings


def test_two_at_once_switch_once() -> None:
    arena = make_arena(6)
    first, other = arena.track(shown=True), arena.track(k_new=60)
    arena.play(*HISTORY[:20])
    rate_due_tracks()
    wait_until(lambda: _is_delivered(first))
    request_promotion(track=other, by=None, note="")
    together = threading.Barrier(2)

    def show() -> None:
        try:
            together.wait(PATIENCE)
            assert promote_requested(other.pk)
        finally:
            connection.close()

    threads = [threading.Thread(target=show) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    assert Event.objects.filter(kind="track.shown").count() == 1
    assert RatingTrack.objects.get(ladder=arena.ladder, shown=True) == other
    wait_until(lambda: _is_delivered(other))


def test_nobody_waits_for_whoever_is_at_the_track() -> None:
    arena = make_arena(6)
    first, other = arena.track(shown=True), arena.track(k_new=60)
    arena.play(*HISTORY[:20])
    rate_due_tracks()
    request_promotion(track=other, by=None, note="")
    with hold_lease(other.pk, wait=True) as claimed:
        assert claimed
        on_its_own_connection(rate_due_tracks)
        assert requested_tracks() == [other.pk]
        assert not Board.objects.filter(track=other).exists()
    rate_due_tracks()
    first.refresh_from_db()
    assert (first.shown, requested_tracks()) == (False, [])


def on_its_own_connection(work: Callable[[], None]) -> None:
    """Do it as another process would."""

    def run() -> None:
        try:
            work()
        finally:
            connection.close()

    thread = threading.Thread(target=run)
    thread.start()
    thread.join(PATIENCE)
    assert not thread.is_alive()


def _is_delivered(track: RatingTrack) -> bool:
    """Whether the events have made its board the only one: that of the track shown before is taken away."""
    outbox.deliver()
    boards = list(Board.objects.values_list("track", "revision"))
    return boards == [(track.pk, RatingTrack.objects.get(pk=track.pk).revision)]
