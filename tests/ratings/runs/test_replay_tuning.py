"""Parameters and replays: what is tuned meanwhile is carried over, and "as if always" begins with the first match."""

from datetime import datetime
from typing import Any

import pytest

from accounts.models import AuditEntry, User
from foundation import clock
from ratings.models import ParameterVersion, RatingTrack
from ratings.runs.replay import replay_with
from ratings.runs.run import due_replays, rate_track
from ratings.systems import ParameterError
from ratings.tracks.parameters import (
    NotLiveError,
    change_ladder_rules,
    change_parameters,
    create_track,
    current_version,
)
from tests.ratings.arena import DAY, START, Arena, Played, make_arena, random_history
from tests.ratings.replays import annul, clean_arena, live, rate_all, story_of

pytestmark = pytest.mark.django_db
HISTORY = random_history(60, 6, days=30)
LATER = [Played(41, 0, 1, 1.0), Played(42, 2, 3, 0.5), Played(43, 4, 5, 0.0)]


def tracked_arena() -> Arena:
    """An arena on which HISTORY was rated by an Elo and a Glicko track."""
    arena = make_arena(6)
    arena.track("elo", shown=True)
    arena.track("glicko", days=5)
    return arena


def at_day(day: float) -> Any:
    return clock.at(START + day * DAY)


def tune(arena: Arena, system: str, day: float, **parameters: float) -> ParameterVersion:
    with at_day(day):
        return change_parameters(
            track=live(arena, system), parameters=parameters, actor=None, note="calmer"
        )


def versions(track: RatingTrack) -> list[tuple[int, int, dict[str, object], datetime, str]]:
    rows = track.versions.order_by("number")
    return [(v.number, v.applies_from, v.parameters, v.created_at, v.note) for v in rows]


@pytest.mark.parametrize(
    ("system", "own"), [("elo", {"k_new": 80.0}), ("glicko", {"deviation_min": 60.0})]
)
def test_what_is_tuned_while_a_replay_runs_holds_on_both(
    system: str, own: dict[str, float]
) -> None:
    arena = tracked_arena()
    matches = arena.play(*HISTORY)
    rate_all(day=36)
    annul(matches[20])
    tune(arena, system, 37, **own)
    old = live(arena, system)
    (replay,) = RatingTrack.objects.filter(replaces=old)
    assert versions(replay) == versions(old)
    assert [row[0] for row in versions(replay)] == [1, 2]
    arena.play(*LATER)
    rate_all()
    clean = clean_arena(6, HISTORY[:20] + HISTORY[21:])
    rate_all(day=36)
    tune(clean, system, 37, **own)
    clean.play(*LATER)
    rate_all()
    assert story_of(arena, live(arena, system)) == story_of(clean, live(clean, system))


def test_rules_of_the_ladder_reach_the_replay_too() -> None:
    arena = tracked_arena()
    matches = arena.play(*HISTORY)
    rate_all(day=36)
    annul(matches[20])
    with at_day(37):
        added = change_ladder_rules(
            ladder=arena.ladder, changes={"established_after": 9}, actor=None, note=""
        )
    assert len(added) == 4
    rate_all()
    for system in ("elo", "glicko"):
        assert current_version(live(arena, system)).parameters["established_after"] == 9
        assert live(arena, system).generation == 2
        assert live(arena, system).versions.count() == 2


def test_versions_apply_from_the_period_that_would_have_been_open() -> None:
    """Without the first match the periods begin later, so that a change falls into another one."""
    arena = tracked_arena()
    history = [Played(1, 0, 1, 1.0), Played(9, 2, 3, 1.0), Played(13, 3, 2, 1.0)]
    first, _, _ = arena.play(*history[:2], history[2])
    rate_all(day=12)
    assert tune(arena, "glicko", 12, deviation_min=300.0).applies_from == 2
    rate_all(day=20)
    annul(first)
    rate_all(day=20)
    assert current_version(live(arena, "glicko")).applies_from == 0
    clean = clean_arena(6, history[1:])
    rate_all(day=12)
    assert tune(clean, "glicko", 12, deviation_min=300.0).applies_from == 0
    rate_all(day=20)
    told = story_of(arena, live(arena, "glicko"))
    assert told == story_of(clean, live(clean, "glicko"))
    assert [row[3] for row in told["periods"]] == [2]


@pytest.mark.parametrize(
    ("system", "own"), [("elo", {"k_new": 80.0}), ("glicko", {"deviation_min": 60.0})]
)
def test_as_if_always_equals_a_track_that_always_was_so(system: str, own: dict[str, float]) -> None:
    arena = tracked_arena()
    arena.play(*HISTORY)
    rate_all(day=36)
    tune(arena, system, 36, **dict.fromkeys(own, 40.0))
    olga = User.objects.create_user("olga")
    with at_day(37):
        replay = replay_with(track=live(arena, system), parameters=own, by=olga, note="always")
    rate_all()
    always = create_track(
        ladder=arena.ladder,
        system=system,
        parameters=own,
        period_days=replay.period_days,
        shown=False,
    )
    rate_track(always.pk)
    now = RatingTrack.objects.get(pk=replay.pk)
    assert now.shown == (system == "elo")
    told, expected = story_of(arena, now), story_of(arena, always)
    assert {row[3] for row in told.pop("periods")} <= {3}
    expected.pop("periods")
    told.pop("calendar"), expected.pop("calendar")
    assert told == expected
    assert [row[:2] for row in versions(now)] == [(3, 0)]
    assert (current_version(now).created_by, current_version(now).note) == (olga, "always")


def test_as_if_always_is_audited() -> None:
    arena = tracked_arena()
    arena.play(*HISTORY)
    rate_all(day=36)
    track = live(arena, "elo")
    replay = replay_with(track=track, parameters={"k_new": 80.0}, by=None, note="always")
    entry = AuditEntry.objects.get(action="track.replayed_with")
    assert entry.before == {"k_new": 50.0}
    assert entry.after == {"k_new": 80.0, "replay": replay.pk}
    assert (entry.target_id, entry.note) == (str(track.pk), "always")


def test_a_change_from_now_on_during_as_if_always_keeps_both() -> None:
    arena = tracked_arena()
    arena.play(*HISTORY)
    rate_all(day=36)
    replay = replay_with(track=live(arena, "elo"), parameters={"k_new": 80.0}, by=None, note="")
    tune(arena, "elo", 37, k_established=20.0)
    rate_all()
    newest = current_version(live(arena, "elo"))
    assert newest.track_id == replay.pk
    assert (newest.parameters["k_new"], newest.parameters["k_established"]) == (80.0, 20.0)
    assert [row[1] for row in versions(replay)] == [0, 61]


def test_an_annul_during_as_if_always_keeps_the_new_parameters() -> None:
    arena = tracked_arena()
    matches = arena.play(*HISTORY)
    rate_all(day=36)
    first = replay_with(track=live(arena, "elo"), parameters={"k_new": 80.0}, by=None, note="")
    RatingTrack.objects.filter(pk=first.pk).update(rated_seq=30)  # as if it had come so far
    annul(matches[20])
    rate_all()
    now = live(arena, "elo")
    assert now.pk != first.pk
    assert current_version(now).parameters["k_new"] == 80.0
    assert now.changes.values("match").distinct().count() == 59


def test_as_if_always_takes_the_place_of_a_replay_and_keeps_what_was_annulled_out() -> None:
    arena = tracked_arena()
    matches = arena.play(*HISTORY)
    rate_all(day=36)
    annul(matches[20])
    replay = replay_with(track=live(arena, "elo"), parameters={"k_new": 80.0}, by=None, note="")
    assert len(due_replays()) == 2
    rate_all()
    assert live(arena, "elo").pk == replay.pk
    assert live(arena, "elo").generation == 3
    assert not live(arena, "elo").changes.filter(match=matches[20]).exists()


def test_only_live_tracks_are_tuned() -> None:
    arena = tracked_arena()
    matches = arena.play(*HISTORY)
    rate_all(day=36)
    old = live(arena, "elo")
    annul(matches[20])
    (replay,) = RatingTrack.objects.filter(replaces=old)
    with pytest.raises(NotLiveError, match="elo · generation 2 is replaying"):
        change_parameters(track=replay, parameters={"k_new": 60}, actor=None, note="")
    rate_all()
    for act in (
        lambda: change_parameters(track=old, parameters={"k_new": 60}, actor=None, note=""),
        lambda: replay_with(track=old, parameters={"k_new": 60}, by=None, note=""),
    ):
        with pytest.raises(NotLiveError, match="elo is retired"):
            act()


def test_as_if_always_refuses_what_the_system_refuses() -> None:
    arena = tracked_arena()
    with pytest.raises(ParameterError, match="k_new"):
        replay_with(track=live(arena, "elo"), parameters={"k_new": -1}, by=None, note="")
    assert due_replays() == []


def test_a_track_added_while_a_replay_runs_is_its_own() -> None:
    arena = tracked_arena()
    matches = arena.play(*HISTORY)
    rate_all(day=36)
    annul(matches[20])
    added = arena.track("elo")
    rate_all()
    added.refresh_from_db()
    assert added.generation == 1
    (shown,) = arena.ladder.tracks.filter(shown=True)
    assert story_of(arena, added) == story_of(arena, shown)
