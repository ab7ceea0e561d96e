"""Replays: what is annulled never was, to the bit; the history before it and everything else stays."""

from typing import Any

import pytest
from django.db import transaction

from events.models import Event
from foundation import clock
from ratings.models import Match, RatingChange, RatingTrack, TrackState
from ratings.runs.compute import rate_matches
from ratings.runs.replay import drop_retired, request_replays
from ratings.runs.run import due_replays, due_tracks, rate_track
from ratings.runs.sequence import sequence_confirmed
from tests.ratings.arena import DAY, LEDGER, START, Arena, Played, make_arena, random_history
from tests.ratings.replays import annul, clean_arena, live, rate_all, replays, story_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("declared")]
SYSTEMS = ("elo", "glicko")


def played_arena(
    history: list[Played], players: int = 6, **rules: int
) -> tuple[Arena, list[Match]]:
    """An arena with a shown Elo and a Glicko track, and these matches, all rated."""
    arena = make_arena(players, **rules)
    arena.track("elo", shown=True)
    arena.track("glicko", days=5)
    matches = arena.play(*history)
    rate_all(day=50)
    return arena, matches


def check_equal(arena: Arena, clean: Arena) -> None:
    rate_all()
    for system in SYSTEMS:
        expected = story_of(clean, live(clean, system))
        assert story_of(arena, live(arena, system)) == expected


@pytest.mark.parametrize("place", [0, 1, 99, 100, 101, 150, 298, 299])
def test_the_replayed_ratings_equal_a_history_without_the_match(place: int) -> None:
    history = random_history(300, 6, days=40)
    arena, matches = played_arena(history, pool_minimum=3)
    before = story_of(arena, live(arena, "elo"))
    assert len(annul(matches[place])) == 2
    clean = clean_arena(6, history[:place] + history[place + 1 :], pool_minimum=3)
    check_equal(arena, clean)
    assert replays(arena) == 0
    assert story_of(arena, live(arena, "elo")) != before


def test_the_pool_grows_where_it_would_have_grown() -> None:
    """It is looked at before every hundredth match: one fewer, and it is another match."""
    history = random_history(300, 6, days=40)
    arena, matches = played_arena(history, pool_minimum=6, established_after=12)
    assert live(arena, "elo").pool_grown_from == 101
    annul(matches[50])
    check_equal(
        arena,
        clean_arena(6, history[:50] + history[51:], pool_minimum=6, established_after=12),
    )
    assert live(arena, "elo").pool_grown_from == 102


def test_rows_before_the_event_are_those_of_the_generation_before() -> None:
    history = random_history(200, 6, days=40)
    arena, matches = played_arena(history)
    annul(matches[120])
    rate_all()
    for system in SYSTEMS:
        new = live(arena, system)
        old = new.replaces
        assert old is not None
        assert rows_before(old, matches[120]) == rows_before(new, matches[120])
        assert len(rows_before(new, matches[120])) >= 24


def rows_before(track: RatingTrack, match: Match) -> list[tuple[object, ...]]:
    match.refresh_from_db()
    rows = track.changes.filter(at__lt=match.counts_at)
    rows = rows.order_by("at", "match__ladder_seq", "player_id")
    return list(rows.values_list("match_id", "period__number", *LEDGER))


def test_places_and_times_of_the_others_stay() -> None:
    history = random_history(60, 6, days=40)
    arena, matches = played_arena(history)
    columns = ("pk", "ladder_seq", "counts_at")
    before = list(Match.objects.order_by("pk").values_list(*columns))
    annul(matches[0])
    rate_all()
    assert list(Match.objects.order_by("pk").values_list(*columns)) == before
    ladder = arena.ladder
    ladder.refresh_from_db()
    assert ladder.last_seq == 60


def test_periods_begin_where_they_would_have_begun_without_the_first_match() -> None:
    history = [Played(0.5, 0, 1, 1.0), *random_history(60, 6, days=40)[10:]]
    arena, matches = played_arena(history)
    assert live(arena, "glicko").starts_at == START
    annul(matches[0])
    check_equal(arena, clean_arena(6, history[1:]))
    assert live(arena, "glicko").starts_at == START + int(history[1].day) * DAY


def test_the_only_match_leaves_nothing() -> None:
    arena, matches = played_arena([Played(1, 0, 1, 1.0)])
    annul(matches[0])
    rate_all(day=51)
    assert live(arena, "glicko").starts_at is None
    assert not live(arena, "elo").ratings.exists()
    assert due_replays() == []
    arena.play(Played(58, 2, 3, 0.0))
    check_equal(arena, clean_arena(4, [Played(58, 2, 3, 0.0)]))
    assert live(arena, "glicko").starts_at == START + 58 * DAY
    assert arena.values(live(arena, "elo")) == {2: 1475.0, 3: 1525.0}


def test_a_track_that_has_not_come_to_the_match_just_passes_it_over() -> None:
    arena = make_arena()
    track, by_period = arena.track(), arena.track("glicko", days=5)
    matches = arena.play(Played(1, 0, 1, 1.0), Played(2, 0, 1, 1.0), Played(3, 2, 3, 1.0))
    with clock.at(START + 4 * DAY):
        rate_track(track.pk)
        rate_track(by_period.pk)
        (replay,) = annul(matches[1])
    assert RatingTrack.objects.get(pk=replay).replaces_id == track.pk
    by_period.refresh_from_db()
    assert by_period.revision == 1
    check_equal(arena, clean_arena(4, [Played(1, 0, 1, 1.0), Played(3, 2, 3, 1.0)]))
    assert live(arena, "glicko").pk == by_period.pk


def test_a_first_match_annulled_in_the_open_first_period_moves_the_start() -> None:
    arena = make_arena()
    arena.track("elo", shown=True)
    arena.track("glicko", days=5)
    matches = arena.play(Played(1, 0, 1, 1.0), Played(3, 2, 3, 1.0))
    rate_all(day=3.5)
    assert live(arena, "glicko").starts_at == START + DAY
    annul(matches[0])
    check_equal(arena, clean_arena(4, [Played(3, 2, 3, 1.0)]))
    assert live(arena, "glicko").starts_at == START + 3 * DAY


def test_what_is_confirmed_while_a_replay_runs_is_rated_by_both() -> None:
    history = random_history(50, 6, days=40)
    arena, matches = played_arena(history)
    old = live(arena, "elo")
    annul(matches[20])
    more = Played(60, 0, 1, 1.0)
    (late,) = arena.play(more)
    with clock.at(START + 61 * DAY):
        rate_track(old.pk)
    assert old.changes.filter(match=late).count() == 2
    assert live(arena, "elo").pk == old.pk
    check_equal(arena, clean_arena(6, [*history[:20], *history[21:], more]))
    assert live(arena, "elo").changes.filter(match=late).count() == 2


@pytest.mark.parametrize("second", [10, 40], ids=["behind", "ahead"])
def test_a_second_annul_behind_or_ahead_of_the_replay(second: int) -> None:
    history = random_history(50, 6, days=40)
    arena, matches = played_arena(history)
    first = annul(matches[30])
    RatingTrack.objects.filter(pk__in=first).update(rated_seq=35)  # as if it stood between them
    then = annul(matches[second])
    assert (then == first) == (second == 40)
    assert replays(arena) == 2
    if then == first:  # let it go on from where it really is
        RatingTrack.objects.filter(pk__in=first).update(rated_seq=0)
    gone = {30, second}
    check_equal(arena, clean_arena(6, [m for n, m in enumerate(history) if n not in gone]))


def test_annulled_during_a_run_it_is_not_rated(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a run has read before is computed again: the revision says so."""
    arena = make_arena()
    track = arena.track()
    matches = arena.play(Played(1, 0, 1, 1.0), Played(2, 2, 3, 1.0))
    asked: list[list[int]] = []

    def compute_and_annul(*arguments: Any) -> object:
        rated = rate_matches(*arguments)
        if not asked:
            asked.append(annul(matches[1]))
        return rated

    monkeypatch.setattr("ratings.runs.run.rate_matches", compute_and_annul)
    with clock.at(START + 5 * DAY):
        assert rate_track(track.pk).matches == 1
    assert asked == [[]]
    assert set(arena.values(track)) == {0, 1}


def test_shadow_tracks_are_replayed_and_stay_in_the_shadow() -> None:
    arena, matches = played_arena(random_history(20, 6, days=10))
    annul(matches[3])
    rate_all()
    assert live(arena, "elo").shown
    assert not live(arena, "glicko").shown
    assert [live(arena, system).generation for system in SYSTEMS] == [2, 2]


def test_the_switch_is_told() -> None:
    arena, matches = played_arena(random_history(20, 6, days=10))
    old = live(arena, "elo")
    annul(matches[3])
    rate_all()
    event = Event.objects.get(kind="track.replaced", payload__shown=True)
    assert event.payload == {
        "track": live(arena, "elo").pk,
        "replaced": old.pk,
        "ladder": arena.ladder.pk,
        "shown": True,
    }


def test_what_was_replaced_is_rated_no_further() -> None:
    arena, matches = played_arena(random_history(20, 6, days=10))
    old = live(arena, "elo")
    annul(matches[3])
    rate_all()
    old.refresh_from_db()
    assert (old.state, old.shown) == (TrackState.RETIRED, False)
    arena.play(Played(52, 0, 1, 1.0))
    sequence_confirmed(arena.ladder.pk)
    with clock.at(START + 53 * DAY):
        assert due_tracks() == [live(arena, "elo").pk]
        assert rate_track(old.pk).matches == 0


def test_of_the_generations_replaced_only_the_last_is_kept() -> None:
    arena, matches = played_arena(random_history(30, 6, days=10))
    first = {track.pk for track in arena.ladder.tracks.all()}
    annul(matches[3])
    rate_all()
    assert first <= set(arena.ladder.tracks.values_list("pk", flat=True))
    annul(matches[5])
    annul(matches[4])
    rate_all()
    kept = arena.ladder.tracks.order_by("generation").values_list("generation", "state")
    assert list(kept) == [(2, "retired"), (2, "retired"), (3, "live"), (3, "live")]
    assert not RatingChange.objects.filter(track__in=first).exists()
    assert drop_retired() == 0


def test_a_generation_that_began_anew_is_deleted() -> None:
    arena, matches = played_arena(random_history(30, 6, days=10))
    stale = annul(matches[5])
    with clock.at(START + 9 * DAY):
        for pk in stale:
            rate_track(pk, until=START + 9 * DAY)
    annul(matches[2])
    rate_all()
    assert not RatingTrack.objects.filter(pk__in=stale).exists()
    assert {live(arena, system).generation for system in SYSTEMS} == {3}


def test_a_ladder_without_tracks_needs_no_replay() -> None:
    arena = make_arena()
    with transaction.atomic():
        assert request_replays(ladder_id=arena.ladder.pk, from_seq=1) == []
