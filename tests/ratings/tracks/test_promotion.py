"""Another live track is shown: what is refused, what is asked for and taken back, and the switch itself."""

import pytest
from django.db import IntegrityError, transaction

from accounts.models import AuditEntry, User
from events.models import Event
from foundation import clock
from ratings.management.catch_up import catch_up
from ratings.models import Facet, Match, RatingTrack, TrackState
from ratings.runs.run import due_replays, rate_track
from ratings.tasks import rate_due_tracks
from ratings.tracks.parameters import create_track
from ratings.tracks.promotion import (
    NotPromotableError,
    check_promotable,
    promote_requested,
    request_promotion,
    requested_tracks,
    shown_track,
)
from tests.ratings.arena import DAY, START, Arena, make_arena, random_history
from tests.ratings.replays import annul, rate_all

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("declared")]
NIGHT = 60.0


def rated_arena() -> tuple[Arena, RatingTrack, RatingTrack]:
    """An Elo track that is shown, and a Glicko one in the shadow."""
    arena = make_arena(5)
    elo, glicko = arena.track(shown=True), arena.track("glicko", days=5)
    arena.play(*random_history(40, 5, days=30))
    for track in (elo, glicko):
        arena.rate(track, day=NIGHT)
    return arena, elo, glicko


def ask(track: RatingTrack, by: User | None = None) -> None:
    with clock.at(START + NIGHT * DAY):
        request_promotion(track=track, by=by, note="It predicts better.")


def work() -> None:
    with clock.at(START + NIGHT * DAY):
        rate_due_tracks()


def refusal_of(track: RatingTrack) -> str:
    track.refresh_from_db()
    with clock.at(START + NIGHT * DAY), pytest.raises(NotPromotableError) as refused:
        request_promotion(track=track, by=None, note="")
    return str(refused.value)


def test_the_track_that_was_asked_for_is_shown() -> None:
    arena, elo, glicko = rated_arena()
    ada = User.objects.create_user("ada")
    ask(glicko, ada)
    assert shown_track(arena.ladder) == elo
    work()
    elo.refresh_from_db()
    glicko.refresh_from_db()
    assert shown_track(arena.ladder) == glicko
    assert (elo.shown, elo.state, glicko.shown_next) == (False, TrackState.LIVE, False)
    assert glicko.shown_since == START + NIGHT * DAY
    event = Event.objects.get(kind="track.shown")
    assert event.payload == {
        "track": glicko.pk,
        "replaced": elo.pk,
        "ladder": arena.ladder.pk,
        "shown": True,
    }
    entry = AuditEntry.objects.get(action="track.show_requested")
    assert (entry.actor, entry.note) == (ada, "It predicts better.")
    assert entry.target_id == str(glicko.pk)
    assert (entry.before, entry.after) == ({"shown": elo.pk}, {"shown": glicko.pk})


def test_both_go_on_being_rated() -> None:
    arena, elo, glicko = rated_arena()
    ask(glicko)
    work()
    arena.play(*random_history(5, 5, days=1))
    rate_all(day=NIGHT + 20)
    for track in (elo, glicko):
        track.refresh_from_db()
        assert track.rated_seq == 45


def test_a_ladder_that_shows_nothing() -> None:
    arena = make_arena()
    elo = arena.track()
    ask(elo)
    work()
    assert shown_track(arena.ladder) == elo
    assert Event.objects.get(kind="track.shown").payload["replaced"] is None


def test_without_a_worker_a_command_shows_it() -> None:
    arena, _elo, glicko = rated_arena()
    ask(glicko)
    with clock.at(START + NIGHT * DAY):
        catch_up(arena.ladder, quiet=True)
    assert shown_track(arena.ladder) == glicko


def test_what_is_done_twice_is_done_once() -> None:
    _arena, _elo, glicko = rated_arena()
    ask(glicko)
    with clock.at(START + NIGHT * DAY):
        assert promote_requested(glicko.pk)
        assert promote_requested(glicko.pk)
    assert Event.objects.filter(kind="track.shown").count() == 1


def test_there_and_back_again() -> None:
    arena, elo, glicko = rated_arena()
    for track in (glicko, elo):
        track.refresh_from_db()
        ask(track)
        work()
        assert shown_track(arena.ladder) == track


def test_asking_for_the_shown_track_takes_it_back() -> None:
    arena, elo, glicko = rated_arena()
    ask(glicko)
    ask(elo)
    assert requested_tracks() == []
    work()
    assert shown_track(arena.ladder) == elo
    entry = AuditEntry.objects.latest("pk")
    assert entry.before == {"shown": elo.pk, "asked_for": glicko.pk}
    assert entry.after == {"shown": elo.pk}


def test_another_request_takes_the_place_of_the_first() -> None:
    arena, _elo, glicko = rated_arena()
    other = arena.track("elo", k_new=50)
    arena.rate(other, day=NIGHT)
    ask(glicko)
    ask(other)
    work()
    assert shown_track(arena.ladder) == other
    glicko.refresh_from_db()
    assert not glicko.shown_next


def test_what_is_shown_or_asked_for_already_is_refused() -> None:
    _arena, elo, glicko = rated_arena()
    assert "Players see Go · elo already." in refusal_of(elo)
    ask(glicko)
    assert "was asked for already" in refusal_of(glicko)


def test_a_track_by_maps_is_refused() -> None:
    arena, _elo, _glicko = rated_arena()
    maps = create_track(
        ladder=arena.ladder,
        system="elo",
        parameters={},
        period_days=None,
        shown=False,
        facet=Facet.MAP,
    )
    assert "rates each map or character apart" in refusal_of(maps)


def test_a_track_that_is_not_live_is_refused() -> None:
    _arena, elo, _glicko = rated_arena()
    annul(Match.objects.get(ladder_seq=10))
    replay = RatingTrack.objects.get(replaces=elo)
    assert "is replaying. Players see live tracks only." in refusal_of(replay)
    work()
    assert "is retired. Players see live tracks only." in refusal_of(elo)


@pytest.mark.parametrize("system", ["elo", "glicko"])
def test_a_replay_of_either_is_waited_for(system: str) -> None:
    arena, _elo, _glicko = rated_arena()
    annul(Match.objects.get(ladder_seq=10))
    tracks = RatingTrack.objects.select_related("ladder").filter(ladder=arena.ladder)
    other = tracks.exclude(system=system).get(state=TrackState.REPLAY)
    with clock.at(START + NIGHT * DAY):
        rate_track(other.pk)
    wanted = tracks.filter(state=TrackState.LIVE, system="glicko")
    said = refusal_of(wanted.get()).replace(" · generation 2", "")
    assert f"Go · {system} is being recalculated" in said
    work()
    with clock.at(START + NIGHT * DAY):
        check_promotable(wanted.get())


@pytest.mark.parametrize(("system", "days"), [("elo", None), ("glicko", 5.0)])
def test_a_track_that_is_behind_is_refused(system: str, days: float | None) -> None:
    arena, _elo, _glicko = rated_arena()
    late = arena.track(system, days=days)
    if days is not None:  # its periods have begun
        arena.rate(late, day=5)
    assert f"it has rated up to match {late.rated_seq} of 40" in refusal_of(late)
    arena.rate(late, day=NIGHT)
    ask(late)


def test_a_match_of_this_moment_does_not_make_it_late() -> None:
    """The worker rates it, then shows the track."""
    arena, elo, _glicko = rated_arena()
    other = arena.track("elo", k_new=50)
    arena.rate(other, day=NIGHT)
    (match,) = arena.play(*random_history(1, 5, days=0))
    Match.objects.filter(pk=match.pk).update(confirmed_at=START + NIGHT * DAY)
    arena.rate(elo, day=NIGHT)  # it has its place now
    ask(other)
    with clock.at(START + NIGHT * DAY):
        assert not promote_requested(other.pk)
    assert shown_track(arena.ladder) == elo
    work()
    assert shown_track(arena.ladder) == other
    assert other.changes.filter(match=match).count() == 2


def test_a_replay_inherits_the_request() -> None:
    """The match is annulled between the request and the switch."""
    arena, elo, glicko = rated_arena()
    ask(glicko)
    annul(Match.objects.get(ladder_seq=10))
    assert requested_tracks() == []
    with clock.at(START + NIGHT * DAY):
        assert not promote_requested(glicko.pk)
    assert shown_track(arena.ladder) == elo
    work()
    assert due_replays() == []
    work()
    shown = shown_track(arena.ladder)
    assert shown is not None
    assert (shown.system, shown.generation, shown.shown_next) == ("glicko", 2, False)


def test_a_replay_of_the_shown_track_inherits_since_when() -> None:
    arena, _elo, glicko = rated_arena()
    ask(glicko)
    work()
    annul(Match.objects.get(ladder_seq=10))
    work()
    shown = shown_track(arena.ladder)
    assert shown is not None
    assert (shown.generation, shown.shown_since) == (2, START + NIGHT * DAY)


def test_the_database_holds_what_may_be_asked_for() -> None:
    arena, elo, glicko = rated_arena()
    other = arena.track("elo", k_new=50)
    RatingTrack.objects.filter(pk=glicko.pk).update(shown_next=True)
    for track in (elo, other):  # it is shown; another is asked for
        with pytest.raises(IntegrityError), transaction.atomic():
            RatingTrack.objects.filter(pk=track.pk).update(shown_next=True)


def test_what_is_wrong_with_one_does_not_hold_up_others(monkeypatch: pytest.MonkeyPatch) -> None:
    arena, _elo, glicko = rated_arena()
    other = Arena(2, slug="chess")
    second = other.track()
    for track in (glicko, second):
        ask(track)

    def fail(track_id: int) -> None:
        if track_id == glicko.pk:
            raise ValueError("no board")

    monkeypatch.setattr("ratings.runs.replay._preparers", [fail])
    work()
    assert shown_track(other.ladder) == second
    assert shown_track(arena.ladder) != glicko
    glicko.refresh_from_db()
    assert glicko.shown_next
