"""Results in batches: each stored once, each refused by itself."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from pytest_django import DjangoAssertNumQueries

from events.models import Event
from foundation import clock
from ratings.matches.played_match import PlayedMatch
from ratings.matches.record import record_results
from ratings.matches.start import start_match
from ratings.models import Match, MatchState, Participant, Player
from ratings.runs.run import rate_track
from ratings.runs.sequence import sequence_confirmed
from tests.ratings.arena import Arena

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("declared")]

EVENING = datetime(2026, 3, 1, 20, tzinfo=UTC)
PLAYED = PlayedMatch(
    ladder="go",
    external_id="one",
    teams=(("ann",), ("bo",)),
    ranks=(0, 1),
    played_at=EVENING,
    ended_at=EVENING + timedelta(minutes=9),
    scores=(7.5, 2.0),
    left=frozenset(["bo"]),
    map="Hill",
)


@pytest.fixture
def arena() -> Arena:
    return Arena(2)


def test_a_batch_is_stored_in_its_order(arena: Arena) -> None:
    batch = [replace(PLAYED, external_id=f"m{number}") for number in range(50)]
    answers = record_results(game=arena.game, results=batch)
    assert all(answer.is_new for answer in answers)
    assert sequence_confirmed(arena.ladder.pk) == 50
    places = Match.objects.filter(ladder_seq__gt=0).order_by("ladder_seq")
    assert list(places.values_list("external_id", flat=True)) == [it.external_id for it in batch]
    assert Player.objects.filter(external_id__in=["ann", "bo"]).count() == 2
    assert Event.objects.filter(kind="match.confirmed").count() == 50
    assert rate_track(arena.track(shown=True).pk).matches == 50


def test_what_is_stored(arena: Arena) -> None:
    record_results(game=arena.game, results=[PLAYED])
    match = Match.objects.get()
    assert (match.state, match.map, match.played_at) == (MatchState.CONFIRMED, "Hill", EVENING)
    seats = Participant.objects.order_by("team").values_list("rank", "score", "left_early")
    assert list(seats) == [(0, 7.5, False), (1, 2.0, True)]


def test_the_same_again_is_known(arena: Arena) -> None:
    first = record_results(game=arena.game, results=[PLAYED, PLAYED])
    again = record_results(game=arena.game, results=[PLAYED])
    assert {it.match for it in (*first, *again)} == {Match.objects.get().pk}
    assert [it.is_new for it in (*first, *again)] == [True, False, False]
    assert Event.objects.count() == 1


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"ladder": "chess"}, "unknown_ladder"),
        ({"teams": (("ann",),)}, "wrong_players"),
        ({"teams": (("ann",), ("ann",))}, "wrong_players"),
        ({"teams": (("",), ("bo",))}, "wrong_players"),
        ({"teams": (("x" * 101,), ("bo",))}, "wrong_players"),
        ({"teams": (("a\0b",), ("bo",))}, "wrong_players"),
        ({"left": frozenset(["eve"])}, "wrong_players"),
        ({"ranks": (0, 1, 2)}, "wrong_result"),
        ({"ranks": (1, 2)}, "wrong_result"),
        ({"scores": (1.0,)}, "wrong_result"),
        ({"scores": (1.0, float("nan"))}, "wrong_result"),
        ({"scores": (1.0, 10**400)}, "wrong_result"),
        ({"teams": (("\ud800",), ("bo",))}, "wrong_players"),
        ({"external_id": ""}, "wrong_result"),
        ({"external_id": "\udfff"}, "wrong_result"),
        ({"map": "x" * 101}, "wrong_result"),
        ({"map": "a\0b"}, "wrong_result"),
        ({"played_at": datetime(1, 1, 1, tzinfo=UTC)}, "wrong_result"),
        ({"played_at": EVENING.replace(tzinfo=None)}, "wrong_result"),
        ({"external_id": "known", "scores": (7.5, 3.0)}, "match_exists"),
        ({"external_id": "known", "left": frozenset()}, "match_exists"),
        ({"ended_at": EVENING - timedelta(1)}, "wrong_result"),
        ({"played_at": EVENING + timedelta(36500), "ended_at": None}, "wrong_result"),
        ({"external_id": "known", "ranks": (1, 0)}, "match_exists"),
        ({"external_id": "known", "map": "Moor"}, "match_exists"),
        (
            {"external_id": "known", "teams": (("ann",), ("cy",)), "left": frozenset()},
            "match_exists",
        ),
    ],
)
def test_one_wrong_match_spoils_no_other(
    arena: Arena, changes: dict[str, object], code: str
) -> None:
    record_results(game=arena.game, results=[replace(PLAYED, external_id="known")])
    wrong = replace(PLAYED, **{"external_id": "two", **changes})  # type: ignore[arg-type]
    answers = record_results(game=arena.game, results=[wrong, PLAYED])
    assert answers[0].error is not None
    assert answers[0].error.code == code
    assert answers[1].is_new
    assert Match.objects.count() == 2


def test_clocks_may_differ_a_little(arena: Arena) -> None:
    soon = replace(PLAYED, played_at=clock.now() + timedelta(minutes=1), ended_at=None)
    assert record_results(game=arena.game, results=[soon])[0].is_new
    assert Match.objects.get().ended_at is None


def test_the_first_year_that_is_taken_is_1970(arena: Arena) -> None:
    early = datetime(1970, 1, 1, tzinfo=UTC)
    results = [
        replace(PLAYED, external_id=str(at), played_at=at, ended_at=None)
        for at in (early, early - timedelta(seconds=1))
    ]
    first, before = record_results(game=arena.game, results=results)
    assert first.is_new
    assert "too far in the past" in str(before.error)


def test_of_two_with_one_id_the_first_counts(arena: Arena) -> None:
    other = replace(PLAYED, ranks=(1, 0))
    first, second = record_results(game=arena.game, results=[PLAYED, other])
    assert first.is_new
    assert second.error is not None
    assert second.error.extra == {"external_id": "one", "match": first.match}


def test_the_times_of_a_match_that_is_told_again_do_not_matter(arena: Arena) -> None:
    record_results(game=arena.game, results=[PLAYED])
    later = replace(PLAYED, played_at=EVENING + timedelta(minutes=1), ended_at=None, map="")
    (again,) = record_results(game=arena.game, results=[later])
    assert again.error is None
    assert Match.objects.get().map == "Hill"


def test_a_match_that_is_being_played_is_another(arena: Arena) -> None:
    for name in ("ann", "bo"):
        Player.objects.create(game=arena.game, external_id=name, name=name, skeleton=name)
    ids = Player.objects.filter(external_id__in=["ann", "bo"]).values_list("pk", flat=True)
    start_match(ladder=arena.ladder, teams=[[pk] for pk in ids], external_id="one")
    (answer,) = record_results(game=arena.game, results=[PLAYED])
    assert answer.error is not None
    assert answer.error.code == "match_exists"


def test_an_empty_batch(arena: Arena) -> None:
    assert record_results(game=arena.game, results=[]) == []


def test_a_batch_takes_as_many_statements_as_one_match(
    arena: Arena, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    record_results(game=arena.game, results=[PLAYED])
    batch = [replace(PLAYED, external_id=f"m{number}") for number in range(200)]
    with django_assert_num_queries(12):  # with those that begin and end the transaction
        record_results(game=arena.game, results=batch)
