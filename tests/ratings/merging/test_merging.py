"""Merging equals a history in which it was one player from the start, and unmerging one in which it never was."""

from dataclasses import replace
from datetime import timedelta
from io import BytesIO
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from hypothesis import given, settings
from hypothesis import strategies as st

from accounts.models import AuditEntry, User
from events.models import Event
from foundation import clock
from ratings.importing.import_file import import_matches
from ratings.importing.problems import FileRejectedError
from ratings.matches.revising.annul_many import Chosen, annul_many
from ratings.merging.merge import merge
from ratings.merging.preview import preview_merge
from ratings.merging.refusals import CannotMergeError, RunningError, SharedMatchesError
from ratings.merging.unmerge import unmerge
from ratings.models import (
    Ladder,
    MapGames,
    Match,
    MatchState,
    Participant,
    Player,
    PlayerMerge,
    Report,
    Sanction,
    SanctionKind,
)
from ratings.players.claim import HasPlayerError, make_player
from ratings.players.map_games import count_maps
from ratings.sanctions import WrongSanctionError, impose, in_force
from tests.forms import often
from tests.ratings.arena import START, Arena, Played, make_arena, random_history
from tests.ratings.replays import clean_arena, live, rate_all, replays, story_of
from tests.ratings.squads import Fought, make_squads

pytestmark = pytest.mark.django_db

PLAYERS = 5
A, B, C = 1, 3, 2
SYSTEMS = ("elo", "glicko")


def rated_arena(history: list[Played]) -> Arena:
    arena = make_arena(PLAYERS)
    arena.track("elo", shown=True)
    arena.track("glicko", days=5)
    arena.play(*history)
    rate_all()
    return arena


def stories(arena: Arena) -> list[dict[str, Any]]:
    assert replays(arena) == 0
    return [story_of(arena, live(arena, system)) for system in SYSTEMS]


def as_one(history: list[Played], since: float) -> list[Played]:
    """What was played had B been A from a day on: without what they played against each other."""

    def name(played: Played, who: int) -> int:
        return A if who == B and played.day >= since else who

    told = [replace(it, first=name(it, it.first), second=name(it, it.second)) for it in history]
    return [it for it in told if it.first != it.second]


def rows(arena: Arena) -> list[Any]:
    """Who takes part in which match, and what became of it."""
    participants = Participant.objects.filter(match__ladder=arena.ladder).order_by("pk")
    return list(
        participants.values_list("pk", "player", "reported_as", "match__state", "match__ladder_seq")
    )


def joined(arena: Arena, **more: Any) -> PlayerMerge:
    player, into = (Player.objects.get(pk=arena.players[number].pk) for number in (B, A))
    return merge(player=player, into=into, by=None, note="x", **more)


def parted(arena: Arena) -> PlayerMerge:
    return unmerge(player=Player.objects.get(pk=arena.players[B].pk), by=None, note="x")


@pytest.mark.full
@settings(max_examples=often(8, 60))
@given(seed=st.integers(0, 1000), since=st.none() | st.integers(0, 31), more=st.integers(0, 6))
def test_it_equals_a_history_in_which_it_was_so_from_the_start(
    seed: int, since: int | None, more: int
) -> None:
    history = random_history(24, PLAYERS, days=30, seed=seed)
    later = random_history(more, PLAYERS, days=5, seed=seed + 1)
    later = [replace(it, day=31 + it.day) for it in later if {it.first, it.second} != {A, B}]
    with transaction.atomic():
        arena = rated_arena(history)
        before, untouched = stories(arena), rows(arena)
        moment = None if since is None else START + since * timedelta(days=1)
        preview = preview_merge(arena.players[B], arena.players[A], moment)
        made = joined(arena, since=moment, annul_shared=True, seen=preview.matches)
        assert set(made.annulled) == {one.match.pk for one in preview.shared}
        rate_all()
        clean = clean_arena(PLAYERS, as_one(history, -1 if since is None else since))
        rate_all()
        assert stories(arena) == stories(clean)
        foreseen = {one.player.pk: one.after for one in preview.moved}
        known = dict(live(arena, "elo").ratings.values_list("player", "value"))
        assert all(known.get(pk) == after for pk, after in foreseen.items())
        # And back, bit for bit; then with what was played since.
        parted(arena)
        rate_all()
        assert stories(arena) == before
        assert rows(arena) == untouched
        calendar = live(arena, "glicko").starts_at
        joined(arena, since=moment, annul_shared=True)
        rate_all()
        if live(arena, "glicko").starts_at != calendar:
            later = []  # the first match is annulled: what comes late counts from another day on, and goes on to
        arena.play(*later)
        rate_all()  # while they are one; B's came under its own name
        parted(arena)
        rate_all()
        whole = clean_arena(PLAYERS, history, slug="whole")
        rate_all()
        whole.play(*later)
        rate_all()
        assert stories(arena) == stories(whole)
        transaction.set_rollback(True)


def test_matches_reported_meanwhile_go_to_whom_they_were_reported_for() -> None:
    arena = rated_arena([Played(0, 0, A, 1.0), Played(1, 0, B, 0.0)])
    joined(arena)
    (own,), (other,) = (
        arena.play(Played(2, 2, A, 1.0)),
        arena.play(Played(3, 2, B, 1.0)),
    )
    rate_all()
    one, two = arena.players[A], arena.players[B]
    assert set(Participant.objects.filter(player=one).values_list("match", flat=True)) >= {
        own.pk,
        other.pk,
    }
    assert not Participant.objects.filter(player=two).exists()
    assert not live(arena, "elo").ratings.filter(player=two).exists()
    assert live(arena, "elo").ratings.get(player=one).games == 4
    parted(arena)
    rate_all()
    played = Participant.objects.filter(player=two).order_by("match_id")
    assert [it.match_id for it in played][1:] == [other.pk]
    assert live(arena, "elo").ratings.get(player=two).games == 2


def test_a_match_rated_while_the_replay_runs_counts_rightly() -> None:
    arena = rated_arena(random_history(12, PLAYERS, days=10))
    joined(arena, annul_shared=True)
    arena.play(Played(20, 0, B, 1.0), Played(21, A, 0, 1.0))
    live_track = live(arena, "elo")
    arena.rate(live_track, day=30)  # what players still see goes on without waiting
    assert (
        live_track.changes.filter(
            player=arena.players[A], at__gte=START + timedelta(days=20)
        ).count()
        == 2
    )
    rate_all()
    clean = clean_arena(PLAYERS, as_one(random_history(12, PLAYERS, days=10), -1))
    rate_all()
    clean.play(Played(20, 0, A, 1.0), Played(21, A, 0, 1.0))
    rate_all()
    assert stories(arena) == stories(clean)


def test_what_they_shared_is_refused_or_annulled_and_counts_again() -> None:
    arena = rated_arena([Played(0, A, B, 1.0), Played(1, 0, B, 0.0), Played(9, 0, A, 1.0)])
    shared = Match.objects.get(ladder_seq=1)
    with pytest.raises(SharedMatchesError, match=str(shared.pk)):
        joined(arena)
    assert joined(arena, since=START + timedelta(days=1)).annulled == []
    parted(arena)
    made = joined(arena, annul_shared=True)
    assert made.annulled == [shared.pk]
    shared.refresh_from_db()
    assert shared.state == MatchState.ANNULLED
    assert set(shared.participants.values_list("player", flat=True)) == {
        arena.players[A].pk,
        arena.players[B].pk,
    }
    parted(arena)
    shared.refresh_from_db()
    assert shared.state == MatchState.CONFIRMED
    kinds = Event.objects.filter(payload__match=shared.pk).values_list("kind", flat=True)
    assert list(kinds) == ["match.annulled", "match.confirmed"]


def test_merges_into_one_player_are_taken_back_in_any_order() -> None:
    """B and C became A. What they played against each other could not count, and does as soon as one is itself."""
    history = [Played(0, 0, B, 1.0), Played(1, B, C, 1.0), Played(2, C, 0, 1.0), Played(3, A, 0, 1)]
    arena = rated_arena(history)
    joined(arena)
    into, other = arena.players[A], arena.players[C]
    (made,) = merge(player=other, into=into, by=None, note="x", annul_shared=True).annulled
    parted(arena)
    rate_all()
    of_two = [replace(it, first=A if it.first == C else it.first) for it in history]
    of_two[1] = replace(of_two[1], second=A)
    clean = clean_arena(PLAYERS, of_two)
    rate_all()
    assert stories(arena) == stories(clean)
    assert Match.objects.get(pk=made).state == MatchState.CONFIRMED
    unmerge(player=Player.objects.get(pk=other.pk), by=None, note="x")
    rate_all()
    whole = clean_arena(PLAYERS, history, slug="whole")
    rate_all()
    assert stories(arena) == stories(whole)


def test_what_two_merges_have_annulled_comes_back_with_the_last() -> None:
    arena = make_squads(4, teams=3, size=1)
    arena.track("trueskill", shown=True)
    (match,) = arena.fight(Fought(0, ((0,), (1,), (2,)), (0, 1, 2)))
    rate_all()
    into, one, other = arena.players[:3]
    for player in (one, other):
        merge(player=player, into=into, by=None, note="x", annul_shared=True)
    for player, state in ((one, MatchState.ANNULLED), (other, MatchState.CONFIRMED)):
        unmerge(player=Player.objects.get(pk=player.pk), by=None, note="x")
        match.refresh_from_db()
        assert match.state == state
    rate_all()
    assert live(arena, "trueskill").ratings.count() == 3


def test_disputed_ones_move_with_what_was_said_of_them() -> None:
    arena = rated_arena([Played(0, 0, B, 1.0)])
    (match,) = arena.play(Played(1, 0, B, 1.0))
    Match.objects.filter(pk=match.pk).update(state=MatchState.DISPUTED, confirmed_at=None)
    report = Report.objects.create(match=match, player=arena.players[B], outcome="won")
    joined(arena)
    report.refresh_from_db()
    assert report.player == arena.players[A]
    parted(arena)
    report.refresh_from_db()
    assert report.player == arena.players[B]


def test_what_runs_is_refused_or_ended() -> None:
    arena = rated_arena([Played(0, 0, B, 1.0)])
    (match,) = arena.play(Played(1, A, B, 1.0))
    Match.objects.filter(pk=match.pk).update(
        state=MatchState.PLAYING, confirmed_at=None, due_at=clock.now() + timedelta(hours=1)
    )
    Participant.objects.filter(match=match).update(rank=None, playing=True)
    with pytest.raises(RunningError, match=f"match {match.pk}"):
        joined(arena)
    joined(arena, end_what_runs=True)
    match.refresh_from_db()
    assert match.state == MatchState.ABORTED


def test_maps_known_move_and_come_back() -> None:
    arena = rated_arena([Played(0, 0, B, 1.0), Played(1, 0, A, 1.0), Played(2, A, B, 1.0)])
    Match.objects.update(map="oasis")
    Ladder.objects.update(maps_counted_seq=0)
    count_maps(arena.ladder.pk)

    def known() -> dict[int, int]:
        games = dict(MapGames.objects.values_list("player", "games"))
        return {number: games.get(arena.players[number].pk, 0) for number in (0, A, B)}

    assert known() == {0: 2, A: 2, B: 2}
    joined(arena, annul_shared=True)
    assert known() == {0: 2, A: 2, B: 0}
    parted(arena)
    assert known() == {0: 2, A: 2, B: 2}


def test_sanctions_go_on_and_come_back() -> None:
    arena = rated_arena([Played(0, 0, B, 1.0)])
    one, two = arena.players[A], arena.players[B]
    own = impose(player=two, kind=SanctionKind.HIDDEN, reason="Engine.", by=None)
    joined(arena)
    (carried,) = in_force().filter(player=one)
    assert (carried.kind, carried.reason, carried.carried_from) == ("hidden", "Engine.", own)
    with pytest.raises(WrongSanctionError, match="merged into"):
        impose(player=Player.objects.get(pk=two.pk), kind=SanctionKind.NOTE, reason="x", by=None)
    parted(arena)
    assert not in_force().filter(player=one).exists()
    own.refresh_from_db()
    assert own.lifted_at is None
    assert Sanction.objects.filter(player=two).count() == 1


def owners(arena: Arena) -> list[str | None]:
    """The accounts of the two."""
    ids = [arena.players[number].pk for number in (A, B)]
    rows = dict(Player.objects.filter(pk__in=ids).values_list("pk", "user__username"))
    return [rows[pk] for pk in ids]


def test_an_account_comes_along_or_waits() -> None:
    arena = rated_arena([Played(0, 0, B, 1.0)])
    user, other = (User.objects.create_user(name) for name in ("bea", "ann"))
    Player.objects.filter(pk=arena.players[B].pk).update(user=user)
    assert joined(arena).account_came_along
    assert owners(arena) == ["bea", None]
    parted(arena)
    assert owners(arena) == [None, "bea"]
    Player.objects.filter(pk=arena.players[A].pk).update(user=other)
    assert not joined(arena).account_came_along
    assert owners(arena) == ["ann", None]
    with pytest.raises(HasPlayerError, match="was merged into"):
        make_player(game=arena.game, user=user, name="Bea")
    parted(arena)
    assert owners(arena) == ["ann", "bea"]


def test_only_two_players_of_a_game_become_one() -> None:
    arena, foreign = rated_arena([Played(0, 0, B, 1.0)]), make_arena(2, slug="other")
    three = arena.players[:3]
    for player, into in [(three[0], three[0]), (three[0], foreign.players[0])]:
        with pytest.raises(CannotMergeError):
            merge(player=player, into=into, by=None, note="x")
    with pytest.raises(CannotMergeError, match="to come"):
        merge(
            player=three[0],
            into=three[1],
            by=None,
            note="x",
            since=clock.now() + timedelta(days=1),
        )
    merge(player=three[0], into=three[1], by=None, note="x")
    again = [Player.objects.get(pk=it.pk) for it in three]
    for player, into in [(again[0], again[2]), (again[2], again[0]), (again[1], again[2])]:
        with pytest.raises(CannotMergeError, match="nmerge them first"):
            merge(player=player, into=into, by=None, note="x")
    for player, into in [
        (three[2], three[0]),
        (three[1], three[2]),
        (three[2], foreign.players[0]),
    ]:
        with pytest.raises(IntegrityError, match="part of another merge"), transaction.atomic():
            Player.objects.filter(pk=player.pk).update(merged_into=into)


def test_it_is_written_down_with_one_replay_a_track() -> None:
    arena = rated_arena(random_history(12, PLAYERS, days=10))
    operator = User.objects.create_user("olga", is_staff=True)
    made = merge(
        player=arena.players[B],
        into=arena.players[A],
        by=operator,
        note="Same person.",
        annul_shared=True,
    )
    entry = AuditEntry.objects.get(action="player.merged")
    assert entry.after is not None
    assert (entry.actor, entry.note, entry.after["into"]) == (
        operator,
        "Same person.",
        arena.players[A].pk,
    )
    assert len(entry.after["replays"]) == replays(arena) == 2
    assert entry.after["annulled"] == made.annulled
    parted(arena)
    with pytest.raises(CannotMergeError, match=r"There are \d+ matches now"):
        joined(arena, annul_shared=True, seen=1000)
    assert PlayerMerge.objects.get().undone_at is not None
    # The ledger is as it was: who annuls what is left of a player finds nothing more.
    assert annul_many(Chosen(player=arena.players[0]), by=None, note="x")[0] > 0


def test_files_name_either_and_never_both() -> None:
    arena = rated_arena([Played(0, 0, B, 1.0)])
    joined(arena)

    def take_in(*rows: str) -> None:
        text = "\n".join(["date,player_a,player_b,score_a", *rows])
        import_matches(BytesIO(text.encode()), name="f.csv", ladder=arena.ladder.slug)

    take_in("2026-03-20,player 3,player 0,1")
    told = Participant.objects.get(match__source__isnull=False, team=0)
    assert (told.player, told.reported_as) == (arena.players[A], arena.players[B])
    take_in(
        "2026-03-20,player 3,player 0,1", "2026-03-21,player 1,player 0,1"
    )  # the first is known
    assert Match.objects.filter(source__isnull=False).count() == 2
    with pytest.raises(
        FileRejectedError, match=r"player 1, player 3 are one person.* unmerge them first"
    ):
        take_in("2026-03-22,player 3,player 1,1")
