"""Merges beside others, and beside what else is done to the same matches meanwhile."""

from datetime import timedelta
from io import BytesIO

import pytest

from foundation import clock
from ratings.importing import foresee
from ratings.importing.import_file import import_matches
from ratings.importing.problems import FileRejectedError
from ratings.importing.take_back import take_back
from ratings.matches.decide import confirm_by_server
from ratings.matches.refusals import WrongResultError
from ratings.matches.result import Result
from ratings.merging.merge import merge
from ratings.merging.refusals import CannotMergeError
from ratings.merging.unmerge import unmerge
from ratings.models import (
    ImportedFile,
    Ladder,
    MapGames,
    Match,
    MatchState,
    Participant,
    Player,
    PlayerMerge,
)
from ratings.players.map_games import count_maps
from tests.ratings.arena import Arena, Played, make_arena

pytestmark = pytest.mark.django_db

A, B, C = 1, 2, 3


def join(arena: Arena, player: int, into: int = A, **more: bool | int) -> PlayerMerge:
    one, other = (Player.objects.get(pk=arena.players[it].pk) for it in (player, into))
    return merge(player=one, into=other, by=None, note="x", **more)  # type: ignore[arg-type]


def part(arena: Arena, player: int) -> None:
    unmerge(player=Player.objects.get(pk=arena.players[player].pk), by=None, note="x")


def file_with(*rows: str) -> BytesIO:
    return BytesIO("\n".join(["date,player_a,player_b,score_a", *rows]).encode())


def state_of(match: Match) -> str:
    match.refresh_from_db()
    return match.state


def test_a_match_that_a_later_merge_annulled_counts_again_without_either() -> None:
    """B met C, who was merged after B into the same player."""
    arena = make_arena(4)
    (match,) = arena.play(Played(0, B, C, 1.0))
    join(arena, B)
    assert join(arena, C, annul_shared=True).annulled == [match.pk]
    part(arena, B)
    assert state_of(match) == MatchState.CONFIRMED
    part(arena, C)
    assert state_of(match) == MatchState.CONFIRMED
    players = match.participants.order_by("team").values_list("player", flat=True)
    assert list(players) == [arena.players[B].pk, arena.players[C].pk]


def test_nobody_meets_oneself_because_another_merge_ends() -> None:
    arena = make_arena(4)
    (match,) = arena.play(Played(0, A, B, 1.0))
    Participant.objects.create(match=match, player=arena.players[C], team=1, rank=1)
    assert join(arena, B, annul_shared=True).annulled == [match.pk]
    assert join(arena, C).annulled == []  # it counts no longer by then
    part(arena, B)
    assert state_of(match) == MatchState.ANNULLED
    part(arena, C)
    assert state_of(match) == MatchState.CONFIRMED


def test_files_are_taken_in_again_and_back_while_two_are_one() -> None:
    arena = make_arena(4)
    rows = ["2026-03-20,player 1,player 2,1", "2026-03-21,player 1,player 0,1"]
    import_matches(file_with(*rows), name="f.csv", ladder="go")
    match = Match.objects.get(ladder_seq=1)
    assert join(arena, B, annul_shared=True).annulled == [match.pk]
    # An export that grows has the match still; one in which they meet anew is refused, and so said beforehand.
    assert foresee(file_with(*rows, "2026-03-22,player 2,player 0,1"), ladder="go").new_matches == 1
    more = import_matches(
        file_with(*rows, "2026-03-22,player 2,player 0,1"), name="g.csv", ladder="go"
    )
    assert more.new_matches == 1
    with pytest.raises(FileRejectedError, match="player 1, player 2 are one person"):
        foresee(file_with(*rows, "2026-03-23,player 2,player 1,1"), ladder="go")
    take_back(file_id=ImportedFile.objects.earliest("pk").pk, by=None, note="x")
    part(arena, B)
    assert state_of(match) == MatchState.ANNULLED


def test_nothing_is_ended_for_a_merge_that_is_refused() -> None:
    arena = make_arena(4)
    (match,) = arena.play(Played(0, 0, B, 1.0))
    Match.objects.filter(pk=match.pk).update(
        state=MatchState.PLAYING, confirmed_at=None, due_at=clock.now() + timedelta(hours=1)
    )
    Participant.objects.filter(match=match).update(rank=None, playing=True)
    with pytest.raises(CannotMergeError, match="There are 1 matches now"):
        join(arena, B, end_what_runs=True, seen=7)
    assert state_of(match) == MatchState.PLAYING
    join(arena, B, end_what_runs=True, seen=1)
    assert state_of(match) == MatchState.ABORTED


def test_a_server_that_comes_late_does_not_let_one_meet_oneself() -> None:
    arena = make_arena(4)
    (match,) = arena.play(Played(0, A, B, 1.0))
    Match.objects.filter(pk=match.pk).update(state=MatchState.ABANDONED, confirmed_at=None)
    Participant.objects.filter(match=match).update(rank=None)
    join(arena, B)
    with pytest.raises(WrongResultError, match="“player 2” and “player 1” are one person"):
        confirm_by_server(match_id=match.pk, result=Result(ranks=(0, 1)))
    part(arena, B)
    assert confirm_by_server(match_id=match.pk, result=Result(ranks=(0, 1))).state == "confirmed"


def test_maps_of_a_match_that_was_annulled_before_it_was_counted_count_again() -> None:
    arena = make_arena(4)
    arena.play(Played(0, A, B, 1.0))
    Match.objects.update(map="oasis")
    join(arena, B, annul_shared=True)
    count_maps(arena.ladder.pk)
    assert not MapGames.objects.exists()
    part(arena, B)
    assert sorted(MapGames.objects.values_list("player", "games")) == [
        (arena.players[A].pk, 1),
        (arena.players[B].pk, 1),
    ]
    assert Ladder.objects.get().maps_counted_seq == 1
