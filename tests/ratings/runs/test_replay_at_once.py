"""Replays by real processes: killed at every statement, at once, and while matches are confirmed and annulled."""

import pytest
from django.db import connection, transaction

from events.models import Event
from foundation import clock
from leaderboards.models import Board
from ratings.models import Match, RatingChange, RatingRun, RatingTrack, TrackState
from ratings.runs.replay import drop_retired
from ratings.runs.run import due_replays, due_tracks, rate_track
from ratings.tasks import rate_due_tracks
from tests.countdown import kill_after_each
from tests.processes import running, wait_until
from tests.ratings.arena import DAY, START, Arena, history_of, late, random_history
from tests.ratings.replays import annul, clean_arena, live, rate_all, story_of
from tests.ratings.runs.test_runs_at_once import killed_rating, rate

pytestmark = pytest.mark.django_db(transaction=True)
HISTORY = random_history(200, 6, days=40)


def work() -> None:
    while True:
        rate_due_tracks()


def killed_dropping() -> int:
    with late():
        return kill_after_each(drop_retired)


@pytest.fixture(autouse=True)
def _wake_ups_are_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a worker would do at once is done when the test says so."""
    monkeypatch.setattr("ratings.runs.replay.wake", lambda _task: None)


def annulled_arena() -> tuple[Arena, list[int], Match]:
    """Everything is rated, and the replays without one match are asked for."""
    arena = clean_arena(6, HISTORY)
    rate_due_tracks()
    match = Match.objects.get(ladder_seq=100)
    return arena, annul(match), match


def is_all_done() -> bool:
    """Also what a worker does last: a session that has just been killed may look alive, and as if it rated."""
    return not due_replays() and not due_tracks() and not RatingRun.objects.exists()


def expected_of(arena: Arena, track: RatingTrack) -> RatingTrack:
    """A track of the same kind that never saw the match."""
    alone = arena.track(track.system, days=track.period_days)
    arena.rate(alone)
    return alone


@pytest.mark.full
@pytest.mark.parametrize("which", [0, 1], ids=["shown, at once", "shadow, by period"])
def test_killed_between_any_two_statements_a_replay_is_whole(which: int) -> None:
    arena, replays, _ = annulled_arena()
    replay = RatingTrack.objects.get(pk=replays[which])
    alone = expected_of(arena, replay)
    with running(killed_rating, replay.pk) as killing:
        assert killing.hear() > 35
    assert story_of(arena, replay) == story_of(arena, alone)
    assert replay.state == TrackState.LIVE
    assert replay.shown == (which == 0)
    assert Event.objects.filter(kind="track.replaced").count() == 1
    if replay.shown:
        assert Board.objects.get(pk=replay.pk).revision == replay.revision


@pytest.mark.full
def test_killed_between_any_two_statements_deleting_goes_on() -> None:
    arena, _, _ = annulled_arena()
    rate_due_tracks()
    annul(Match.objects.get(ladder_seq=50))
    for track_id in due_replays():
        rate_track(track_id)
    kept = [history_of(track) for track in arena.ladder.tracks.filter(generation__gt=1)]
    with running(killed_dropping) as killing:
        assert killing.hear() > 15
    assert not arena.ladder.tracks.filter(generation=1).exists()
    assert [history_of(track) for track in arena.ladder.tracks.all()] == kept
    assert set(RatingChange.objects.values_list("track", flat=True)) == set(
        arena.ladder.tracks.values_list("pk", flat=True)
    )


def test_two_processes_at_once_switch_once() -> None:
    arena, replays, _ = annulled_arena()
    replay = RatingTrack.objects.get(pk=replays[0])
    alone = expected_of(arena, replay)
    with running(rate, replay.pk) as one, running(rate, replay.pk) as other:
        assert (one.wait(), other.wait()) == (0, 0)
    assert story_of(arena, replay) == story_of(arena, alone)
    assert Event.objects.filter(kind="track.replaced", payload__track=replay.pk).count() == 1
    assert not RatingRun.objects.exists()


def test_matches_confirmed_and_annulled_while_workers_rate() -> None:
    arena = clean_arena(6, HISTORY[:100])
    with running(work), running(work):
        wait_until(lambda: not RatingTrack.objects.filter(rated_seq__lt=100).exists())
        for number, played in enumerate(HISTORY[100:160]):
            with transaction.atomic():
                arena.play(played)
            if number % 12 == 5:
                annul(Match.objects.get(ladder_seq=10 + number))
        wait_until(is_all_done)
    rate_all()  # the open period too
    for system in ("elo", "glicko"):
        track = live(arena, system)
        assert track.generation > 1
        assert sum(track.ratings.values_list("games", flat=True)) == 2 * 155
        alone = expected_of(arena, track)
        assert story_of(arena, track) == story_of(arena, alone)


def test_what_is_confirmed_before_the_switch_holds_it_up() -> None:
    """The switch looks again under the lock: nobody's match is missing from what is shown then."""
    arena, replays, _ = annulled_arena()
    from ratings.runs import replay

    played: list[Match] = []

    def play_once(_: int) -> None:
        if not played:
            played.extend(arena.play(HISTORY[0]))

    replay._preparers.append(play_once)
    try:
        assert rate_track(replays[0]).matches == 200
    finally:
        replay._preparers.remove(play_once)
    track = live(arena, "elo")
    assert track.pk == replays[0]
    assert track.changes.filter(match=played[0]).count() == 2


def test_what_another_process_is_deleting_is_left_to_it() -> None:
    arena, _, _ = annulled_arena()
    rate_due_tracks()
    annul(Match.objects.get(ladder_seq=50))
    with clock.at(START + 10_000 * DAY):
        for track_id in due_replays():
            rate_track(track_id)
    stale = arena.ladder.tracks.filter(generation=1)
    other = connection.copy()
    try:
        with other.cursor() as cursor:
            other.set_autocommit(False)
            cursor.execute("SELECT FROM ratings_ratingtrack WHERE generation = 1 FOR UPDATE")
            assert drop_retired() == 0
            assert stale.count() == 2
            other.rollback()
        assert drop_retired() == 2
    finally:
        other.close()
    rate_all()
    assert due_replays() == []
