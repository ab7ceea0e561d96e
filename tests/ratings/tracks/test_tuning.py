"""Tracks and their parameters."""

import pytest
from django.core.exceptions import ValidationError
from django.db.models import F

from accounts.models import AuditEntry, User
from foundation import clock
from ratings import systems
from ratings.ledger.forecasts import forecasters_of
from ratings.models import ParameterVersion, Participant, RatingTrack
from ratings.systems import ParameterError, UnknownSystemError, forgetting_constant
from ratings.tracks.parameters import (
    change_ladder_rules,
    change_parameters,
    create_track,
    current_version,
    fitting,
    system_of,
    tunable,
)
from tests.ratings.arena import DAY, START, Played, make_arena, random_history

pytestmark = pytest.mark.django_db


def test_a_track_starts_with_everything_resolved() -> None:
    arena = make_arena(days_to_forget=1000)
    track = arena.track("glicko", days=30, deviation_min=40)
    version = current_version(track)
    assert (version.number, version.applies_from) == (1, 0)
    assert version.parameters == {
        "start": 1500.0,
        "floor": 0.0,
        "deviation_start": 350.0,
        "deviation_min": 40.0,
        "deviation_max": 350.0,
        "provisional_deviation": 110.0,
        "side_advantage": 0.0,
        "days_to_forget": 1000.0,
        "established_after": 3,
        "pool_minimum": 0,
    }
    entry = AuditEntry.objects.get(action="track.created")
    assert entry.target_id == str(track.pk)
    assert entry.after is not None
    assert entry.after["parameters"] == version.parameters


def test_the_growth_of_the_deviation_follows_from_the_ladder() -> None:
    arena = make_arena(days_to_forget=1000)
    track = arena.track("glicko", days=10)
    system = system_of(current_version(track), 10)
    assert system.parameters["c"] == forgetting_constant(days_to_forget=1000, period_days=10)
    assert system.parameters["established_after"] == 3


@pytest.mark.parametrize(
    ("system", "own", "days", "words"),
    [
        ("glicko", {}, None, "by period only"),
        ("glicko", {"c": 10}, 30, "change its days_to_forget"),
        ("elo", {"established_after": 5}, None, "change its established_after"),
        ("elo", {"k_new": 5000}, None, "k_new = 5000: must be a number from 0 to 1000"),
        ("elo", {"k_old": 5}, None, "k_old"),
        ("elo", {}, 0, "period_days = 0"),
        ("elo", {}, float("inf"), "period_days = inf"),
    ],
)
def test_refuses_what_cannot_be(
    system: str, own: dict[str, float], days: float | None, words: str
) -> None:
    arena = make_arena()
    with pytest.raises(ParameterError) as caught:
        create_track(
            ladder=arena.ladder, system=system, parameters=own, period_days=days, shown=False
        )
    assert words in str(caught.value)


def test_refuses_unknown_systems_teams_and_a_second_shown_track() -> None:
    arena = make_arena()
    with pytest.raises(UnknownSystemError):
        arena.track("chess")
    arena.track(shown=True)
    with pytest.raises(ValidationError, match="shown already"):
        arena.track(shown=True)
    type(arena.ladder).objects.update(team_size=2)
    with pytest.raises(ParameterError, match="2 teams of 2"):
        arena.track("frags")


def test_a_change_applies_from_the_next_match_on() -> None:
    arena, actor = make_arena(), User.objects.create(username="ada")
    track = arena.track()
    arena.play(Played(1, 0, 1, 1), Played(2, 0, 1, 1))  # confirmed, though not sequenced yet
    version = change_parameters(track=track, parameters={"k_new": 20}, actor=actor, note="calmer")
    assert (version.number, version.applies_from, version.note) == (2, 3, "calmer")
    assert (version.parameters["k_new"], version.created_by) == (20.0, actor)
    entry = AuditEntry.objects.get(action="track.parameters_changed")
    assert (entry.before, entry.after) == ({"k_new": 50.0}, {"k_new": 20.0})
    assert (entry.actor, entry.note) == (actor, "calmer")


def test_a_change_applies_from_the_open_period_on() -> None:
    arena = make_arena()
    track = arena.track("glicko", days=10)
    arena.play(Played(1, 0, 1, 1))
    with clock.at(START + 25 * DAY):
        version = change_parameters(
            track=track, parameters={"deviation_min": 35}, actor=None, note=""
        )
    assert version.applies_from == 2


def test_a_later_change_keeps_the_earlier_one() -> None:
    track = make_arena().track()
    change_parameters(track=track, parameters={"k_new": 20}, actor=None, note="")
    version = change_parameters(track=track, parameters={"k_established": 10}, actor=None, note="")
    assert (version.parameters["k_new"], version.parameters["k_established"]) == (20.0, 10.0)
    known = RatingTrack.objects.prefetch_related("versions").get(pk=track.pk)  # the newest first
    for one in (track, known):
        versions = forecasters_of([one])[track.pk].versions
        assert [version.number for version in versions] == [1, 2, 3]


def test_a_change_sees_rules_that_others_changed_before_it() -> None:
    arena = make_arena()
    track = arena.track("glicko", days=30)
    assert track.ladder.days_to_forget == 10000  # read before the other change
    other = type(arena.ladder).objects.get(pk=arena.ladder.pk)
    change_ladder_rules(ladder=other, changes={"days_to_forget": 500}, actor=None, note="")
    changes = {"deviation_min": 35}
    version = change_parameters(track=track, parameters=changes, actor=None, note="")
    assert (version.number, version.parameters["days_to_forget"]) == (3, 500.0)


def test_inflation_is_paid_at_the_end_of_each_period() -> None:
    arena = make_arena()
    track = arena.track("elo", days=10, inflation=2)
    arena.play(Played(1, 0, 1, 0.5), Played(35, 0, 1, 0.5))
    arena.rate(track, day=41)
    assert arena.values(track) == {0: 1508.0, 1: 1508.0}


def test_a_parameter_that_its_system_got_since_is_at_its_default() -> None:
    """Versions are kept as they were made: those of an earlier release know fewer parameters."""
    arena = make_arena()
    track = arena.track("glicko", days=30)
    made = track.versions.get()
    del made.parameters["side_advantage"]
    made.save(update_fields=["parameters"])
    assert current_version(track).parameters["side_advantage"] == 0.0
    same = {"start": 1500.0, "side_advantage": 0.0}
    change_parameters(track=track, parameters=same, actor=None, note="")
    assert track.versions.count() == 1
    change_parameters(track=track, parameters={"deviation_min": 45.0}, actor=None, note="")
    assert set(AuditEntry.objects.get(action="track.parameters_changed").after or {}) == {
        "deviation_min"
    }


@pytest.mark.parametrize(
    ("system", "days", "words"),
    [
        ("glicko2", None, "rates by period only"),
        ("frags", None, "2 teams of 2"),
        ("frags", 7.0, "2 teams of 2"),
    ],
)
def test_refuses_a_system_that_does_not_fit(system: str, days: float | None, words: str) -> None:
    arena = make_arena(team_size=1 if "period" in words else 2)
    with pytest.raises(ParameterError, match=words):
        arena.track(system, days=days)


@pytest.mark.parametrize(("system", "name"), [("trueskill", "growth")])
def test_what_is_paid_by_the_period_needs_periods(system: str, name: str) -> None:
    arena, own = make_arena(), {name: 1.0}
    with pytest.raises(ParameterError, match="must be 0 without periods"):
        create_track(
            ladder=arena.ladder, system=system, parameters=own, period_days=None, shown=False
        )
    create_track(ladder=arena.ladder, system=system, parameters=own, period_days=30, shown=False)


def test_a_ladder_of_teams_is_offered_what_can_rate_it() -> None:
    assert set(fitting(make_arena().ladder)) == set(systems.names())
    of_teams = set(fitting(make_arena(slug="teams", team_size=3).ladder))
    assert of_teams == set(systems.names()) - {"frags"}


@pytest.mark.parametrize("system", systems.names())
def test_every_system_can_rate_a_ladder(system: str) -> None:
    arena = make_arena(6)
    track = arena.track(system, days=5)
    arena.play(*random_history(60, 6, days=20))
    Participant.objects.update(score=F("team") * 3 + 1, minutes=5)
    arena.rate(track)
    assert (track.rated_seq, track.periods.count()) == (60, 4)
    assert track.ratings.count() == 6
    assert {p.name for p in tunable(system)} <= current_version(track).parameters.keys()
    assert "c" not in {p.name for p in tunable(system)}


def test_no_change_leaves_no_version() -> None:
    track = make_arena().track()
    assert change_parameters(track=track, parameters={"k_new": 50}, actor=None, note="").number == 1
    assert track.versions.count() == 1
    assert not AuditEntry.objects.filter(action="track.parameters_changed").exists()


def test_a_rule_of_the_ladder_reaches_every_track_it_enters() -> None:
    arena = make_arena()
    glicko, elo = arena.track("glicko", days=30), arena.track()
    added = change_ladder_rules(
        ladder=arena.ladder, changes={"days_to_forget": 500}, actor=None, note="faster"
    )
    assert {version.track_id for version in added} == {glicko.pk, elo.pk}
    assert all(version.parameters["days_to_forget"] == 500 for version in added)
    entry = AuditEntry.objects.get(action="ladder.rules_changed")
    assert (entry.before, entry.after) == ({"days_to_forget": 10000.0}, {"days_to_forget": 500.0})


def test_a_rule_of_showing_leaves_the_tracks_alone() -> None:
    arena = make_arena()
    arena.track()
    changes = {"inactive_after_days": 10, "lists_provisional": True}
    assert change_ladder_rules(ladder=arena.ladder, changes=changes, actor=None, note="") == []
    arena.ladder.refresh_from_db()
    assert (arena.ladder.inactive_after_days, arena.ladder.lists_provisional) == (10, True)
    assert ParameterVersion.objects.count() == 1


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("days_to_forget", 0, "greater than or equal to 1"),
        ("established_after", "many", "must be an integer"),
        ("slug", "x", "unknown; known are days_to_forget"),
    ],
)
def test_refuses_rules_out_of_range(name: str, value: object, words: str) -> None:
    arena = make_arena()
    with pytest.raises(ParameterError) as caught:
        change_ladder_rules(ladder=arena.ladder, changes={name: value}, actor=None, note="")
    assert words in str(caught.value)
    assert str(caught.value).startswith(f"{name} = {value!r}")


def test_what_can_be_tuned_leaves_out_what_is_the_ladders() -> None:
    names = {parameter.name for parameter in tunable("glicko")}
    assert "deviation_min" in names
    assert not names & {"c", "established_after"}
