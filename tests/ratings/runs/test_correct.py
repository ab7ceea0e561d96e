"""Correcting a result equals a history in which it was so from the start."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from django.db import transaction
from hypothesis import given, settings
from hypothesis import strategies as st

from accounts.models import AuditEntry, User
from events.models import Event
from ratings.matches.decide import annul
from ratings.matches.refusals import WrongResultError
from ratings.matches.result import Result
from ratings.matches.revising.correct import (
    CorrectedMeanwhileError,
    DecidedByOperatorError,
    NotCorrectableError,
    correct,
)
from ratings.matches.revising.correction_preview import preview_correction
from ratings.models import Correction, EarlierResult, Match, Participant
from tests.forms import often
from tests.ratings.arena import Arena, Played, make_arena, random_history
from tests.ratings.replays import clean_arena, live, rate_all, rated_arena, replays, story_of
from tests.ratings.squads import Fought, SquadArena, make_squads, random_fights

pytestmark = pytest.mark.django_db

PLAYERS = 5
RANKS = {1.0: (0, 1), 0.5: (0, 0), 0.0: (1, 0)}
ROUNDS = st.lists(
    st.tuples(st.integers(0, 23), st.sampled_from([0.0, 0.5, 1.0]), st.booleans()),
    min_size=1,
    max_size=3,
)


def matches_of(arena: Arena) -> list[Match]:
    return list(Match.objects.filter(ladder=arena.ladder).order_by("pk"))


def values_after(arena: Arena, match: Match, result: Result) -> dict[int, float]:
    """What the preview says of those whose ratings move."""
    preview = preview_correction(match, result)
    assert preview.players == len(preview.moved)
    return {one.player.pk: one.after for one in preview.moved}


@pytest.mark.full
@settings(max_examples=often(10, 60))
@given(seed=st.integers(0, 1000), rounds=ROUNDS)
def test_it_equals_a_history_that_was_so(seed: int, rounds: list[tuple[int, float, bool]]) -> None:
    history = random_history(24, PLAYERS, days=30, seed=seed)
    with transaction.atomic():
        arena = rated_arena(PLAYERS, history)
        matches = matches_of(arena)
        for index, score, is_rated_between in rounds:
            history[index] = replace(history[index], score=score)
            result = Result(ranks=RANKS[score])
            foreseen = values_after(arena, matches[index], result) if is_rated_between else {}
            correct(match_id=matches[index].pk, result=result, reason="x")
            if is_rated_between:
                rate_all()
                assert replays(arena) == 0
                ratings = dict(live(arena, "elo").ratings.values_list("player_id", "value"))
                assert foreseen == {pk: ratings[pk] for pk in foreseen}
        rate_all()
        clean = clean_arena(PLAYERS, history)
        rate_all()
        for system in ("elo", "glicko"):
            assert story_of(arena, live(arena, system)) == story_of(clean, live(clean, system))
        transaction.set_rollback(True)


FIGHTS = st.tuples(
    st.integers(0, 39),
    st.permutations([0, 1, 2]) | st.sampled_from([(0, 0, 1), (1, 0, 1), (0, 0, 0)]),
    st.lists(st.integers(0, 30).map(float), min_size=3, max_size=3),
    st.lists(st.floats(1, 20), min_size=3, max_size=3),
)


def rated_squads(history: Sequence[Fought], slug: str) -> SquadArena:
    arena = make_squads(6, teams=3, size=1, pool_minimum=2, slug=slug)
    arena.track("zonestats", shown=True)
    arena.track("trueskill", days=2)
    arena.fight(*history)
    rate_all()
    return arena


@pytest.mark.full
@settings(max_examples=often(6, 40))
@given(seed=st.integers(0, 1000), fights=st.lists(FIGHTS, min_size=1, max_size=2))
def test_places_scores_and_minutes_of_many_are_corrected(seed: int, fights: list[Any]) -> None:
    history = random_fights(40, 6, days=8, teams=3, size=1, counted=True, seed=seed)
    with transaction.atomic():
        arena = rated_squads(history, "squads")
        matches = matches_of(arena)
        for index, ranks, scores, minutes in fights:
            members = [team[0] for team in history[index].teams]
            changed = {"ranks": tuple(ranks), "scores": tuple(scores), "minutes": tuple(minutes)}
            history[index] = replace(history[index], **changed)
            times = {arena.players[who].pk: it for who, it in zip(members, minutes, strict=True)}
            result = Result(ranks=tuple(ranks), scores=scores, minutes=times)
            correct(match_id=matches[index].pk, result=result, reason="x")
        rate_all()
        clean = rated_squads(history, "clean")
        for system in ("zonestats", "trueskill"):
            assert story_of(arena, live(arena, system)) == story_of(clean, live(clean, system))
        transaction.set_rollback(True)


def test_what_was_said_before_is_kept() -> None:
    arena = rated_arena(PLAYERS, [Played(0, 0, 1, 1.0), Played(1, 1, 2, 1.0)])
    match, later = matches_of(arena)
    operator = User.objects.create_user("olga", is_staff=True)
    before = list(live(arena, "elo").changes.order_by("pk").values())
    correct(match_id=match.pk, result=Result(ranks=(1, 0), scores=(3, 5)), reason="A", by=operator)
    correct(match_id=match.pk, result=Result(ranks=(0, 0)), reason="B", by=operator, seen=1)
    said = EarlierResult.objects.order_by("correction__number", "participant__team")
    assert list(said.values_list("correction__reason", "rank", "score")) == [
        ("A", 0, None),
        ("A", 1, None),
        ("B", 1, 3.0),
        ("B", 0, 5.0),
    ]
    match.refresh_from_db()
    assert match.corrected_at == Correction.objects.get(number=2).at
    first, second = AuditEntry.objects.filter(action="match.corrected").order_by("pk")
    assert (first.actor, first.note, second.note) == (operator, "A", "B")
    assert first.before is not None
    assert [one["rank"] for one in first.before["result"]] == [0, 1]
    assert Event.objects.filter(kind="match.corrected").count() == 2
    # Nothing of the ledger has changed, and the match waits for nothing but the replay.
    assert list(live(arena, "elo").changes.order_by("pk").values()) == before
    assert replays(arena) == 2
    # The same again changes nothing, whatever was seen; nor do ranks that say the same.
    for ranks in ((0, 0), (0, 0)):
        correct(match_id=match.pk, result=Result(ranks=ranks), reason="C", seen=0)
    correct(match_id=later.pk, result=Result(ranks=(0, 1)), reason="C")
    assert Correction.objects.count() == 2


def test_what_cannot_be_corrected_says_why() -> None:
    arena = rated_arena(PLAYERS, [Played(0, 0, 1, 1.0), Played(1, 1, 2, 1.0)])
    match, other = matches_of(arena)
    other_way = Result(ranks=(1, 0))
    stranger = Result(ranks=(1, 0), minutes={arena.players[4].pk: 3.0})
    for wrong in (Result(ranks=(0, 1, 2)), stranger, Result(ranks=(1, 0), scores=[1.0])):
        with pytest.raises(WrongResultError):
            correct(match_id=match.pk, result=wrong, reason="x")
    with pytest.raises(CorrectedMeanwhileError):
        correct(match_id=match.pk, result=other_way, reason="x", seen=1)
    annul(match_id=match.pk, by=None, note="x")
    with pytest.raises(NotCorrectableError, match="This match was annulled"):
        correct(match_id=match.pk, result=other_way, reason="x")
    correct(match_id=other.pk, result=other_way, reason="x", server_key=7)
    correct(match_id=other.pk, result=Result(ranks=(0, 0)), reason="x")
    with pytest.raises(DecidedByOperatorError):
        correct(match_id=other.pk, result=other_way, reason="x", server_key=7)
    assert Correction.objects.filter(match=match).count() == 0


def test_a_match_that_is_not_rated_yet_is_just_rated_as_corrected() -> None:
    arena = rated_arena(PLAYERS, [Played(0, 0, 1, 1.0)])
    (match,) = arena.play(Played(1, 1, 2, 1.0))
    preview = preview_correction(match, Result(ranks=(1, 0)))
    assert (preview.track, preview.replays.replayed, preview.moved) == (None, 0, [])
    correct(match_id=match.pk, result=Result(ranks=(1, 0)), reason="x")
    assert replays(arena) == 0
    rate_all()
    clean = clean_arena(PLAYERS, [Played(0, 0, 1, 1.0), Played(1, 1, 2, 0.0)])
    rate_all()
    assert arena.values(live(arena, "elo")) == clean.values(live(clean, "elo"))


def test_the_first_match_of_an_open_period_needs_no_replay() -> None:
    arena = make_arena(2)
    track = arena.track("glicko", days=5, shown=True)
    (match,) = arena.play(Played(0, 0, 1, 1.0))
    rate_all(day=1)
    assert preview_correction(match, Result(ranks=(1, 0))).replays.replayed == 0
    correct(match_id=match.pk, result=Result(ranks=(1, 0)), reason="x")
    rate_all()
    assert (replays(arena), live(arena, "glicko").pk) == (0, track.pk)
    values = arena.values(track)
    assert values[0] < values[1]


def test_the_preview_changes_nothing_and_names_those_who_move_most() -> None:
    arena = rated_arena(PLAYERS, [Played(0, 0, 1, 1.0), Played(1, 1, 2, 1.0), Played(2, 3, 4, 1.0)])
    match = matches_of(arena)[0]
    preview = preview_correction(match, Result(ranks=(1, 0)))
    assert preview.track == live(arena, "elo")
    assert [one.player.pk for one in preview.moved] == [
        arena.players[number].pk for number in (0, 1, 2)
    ]
    assert preview.moved[0].points < 0 < preview.moved[1].points
    assert preview.replays.later == 2
    match.refresh_from_db()
    assert list(Participant.objects.filter(match=match).values_list("rank", flat=True)) == [0, 1]
    assert replays(arena) == 0
