"""Matches that are not rated: played and confirmed as any other, and as if never played for every rating."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from django.db import IntegrityError, transaction
from hypothesis import given, settings
from hypothesis import strategies as st

from ratings.matches.counting import matches_that_count
from ratings.matches.decide import annul, confirm_by_server
from ratings.matches.result import Result
from ratings.matches.revising.correct import correct
from ratings.matches.start import start_match
from ratings.models import Match, MatchState, RatingChange
from ratings.runs.sequence import ladders_with_waiting_matches, sequence_confirmed
from tests.forms import often
from tests.ratings.arena import Arena, Played, make_arena, random_history
from tests.ratings.replays import clean_arena, live, rate_all, rated_arena, replays, story_of

pytestmark = pytest.mark.django_db

PLAYERS = 5
SYSTEMS = ["elo", "glicko"]


def play_unrated(arena: Arena, *history: Played) -> list[Match]:
    """Confirmed, and not rated."""
    matches = arena.play(*history)
    Match.objects.filter(pk__in=[match.pk for match in matches]).update(rated=False)
    return matches


def stories(arena: Arena) -> list[object]:
    return [story_of(arena, live(arena, system)) for system in SYSTEMS]


@pytest.mark.full
@settings(max_examples=often(8, 50))
@given(seed=st.integers(0, 1000), unrated=st.sets(st.integers(0, 19), min_size=1, max_size=12))
def test_ratings_are_as_if_they_were_never_played(seed: int, unrated: set[int]) -> None:
    history = random_history(20, PLAYERS, days=30, seed=seed)
    with transaction.atomic():
        arena = clean_arena(PLAYERS, [])
        for number, played in enumerate(history):
            (play_unrated if number in unrated else Arena.play)(arena, played)
        rate_all()
        rest = [played for number, played in enumerate(history) if number not in unrated]
        other = rated_arena(PLAYERS, rest)
        assert stories(arena) == stories(other)
        arena.ladder.refresh_from_db()
        assert arena.ladder.last_seq == len(rest)
        assert matches_that_count([arena.ladder]) == {arena.ladder.pk: len(rest)}
        assert ladders_with_waiting_matches() == []
        transaction.set_rollback(True)


def test_a_replay_passes_them_over() -> None:
    history = random_history(20, PLAYERS, days=30, seed=3)
    arena = clean_arena(PLAYERS, history[:10])
    play_unrated(arena, *random_history(6, PLAYERS, days=30, seed=4))
    arena.play(*history[10:])
    rate_all()
    wrong = Match.objects.get(ladder=arena.ladder, ladder_seq=4)
    annul(match_id=wrong.pk, by=None, note="A bot.")
    assert replays(arena) == 2
    rate_all()
    rest = sorted(history, key=lambda played: played.day)
    assert stories(arena) == stories(rated_arena(PLAYERS, [*rest[:3], *rest[4:]]))


def test_to_annul_or_correct_one_replays_nothing() -> None:
    arena = rated_arena(PLAYERS, random_history(8, PLAYERS, days=30))
    before = stories(arena)
    first, second = play_unrated(arena, Played(31, 0, 1, 1), Played(32, 1, 0, 1))
    correct(match_id=first.pk, result=Result(ranks=(1, 0)), reason="The wrong way round.")
    annul(match_id=second.pk, by=None, note="Not played.")
    rate_all()
    assert (replays(arena), stories(arena)) == (0, before)
    first.refresh_from_db()
    second.refresh_from_db()
    assert (first.state, second.state) == (MatchState.CONFIRMED, MatchState.ANNULLED)
    assert [one.rank for one in first.participants.order_by("team")] == [1, 0]


def test_one_is_started_and_decided_as_any_other() -> None:
    arena = make_arena()
    arena.track("elo", shown=True)
    teams: Sequence[Sequence[int]] = [[one.pk] for one in arena.players[:2]]
    match = start_match(ladder=arena.ladder, teams=teams, rated=False)
    assert not match.rated
    confirm_by_server(match_id=match.pk, result=Result(ranks=(0, 1)))
    assert sequence_confirmed(arena.ladder.pk) == 0
    rate_all()
    match.refresh_from_db()
    assert (match.state, match.ladder_seq) == (MatchState.CONFIRMED, None)
    assert not RatingChange.objects.filter(track__ladder=arena.ladder).exists()


def test_the_database_gives_them_no_number() -> None:
    arena = make_arena()
    (match,) = play_unrated(arena, replace(random_history(1, 2, days=1)[0]))
    unsequenced = Match.objects.filter(pk=match.pk)
    with pytest.raises(IntegrityError, match="match_only_rated_is_in_sequence"):
        unsequenced.update(ladder_seq=1, counts_at=match.confirmed_at)
