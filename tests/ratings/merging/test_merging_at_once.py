"""Merging by real processes that are killed, by two at once, and while results come in under the merged id."""

import signal
from functools import partial
from typing import Any

import pytest
from django.db import IntegrityError, connection
from django.test import Client
from django.urls import reverse

from accounts.models import User
from foundation.postgresql.locks import Lock, key_of
from foundation.refusals import RefusedError
from ratings.matches.played_match import PlayedMatch
from ratings.matches.record import record_results
from ratings.merging.merge import merge
from ratings.merging.refusals import GameBusyError
from ratings.merging.unmerge import unmerge
from ratings.models import (
    Match,
    Participant,
    Player,
    PlayerMerge,
    RatingTrack,
    Sanction,
    SanctionKind,
)
from ratings.sanctions import impose
from tests.at_once import at_once
from tests.countdown import kill_after, steps_to_kill_after
from tests.processes import running
from tests.ratings.arena import START, Played, random_history
from tests.ratings.replays import clean_arena, live, rate_all, story_of

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _wake_ups_are_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a worker would do at once is done when the test says so."""
    monkeypatch.setattr("ratings.runs.replay.wake", lambda _task: None)


def join(player: int, into: int) -> None:
    people = Player.objects.in_bulk([player, into])
    merge(player=people[player], into=people[into], by=None, note="x", annul_shared=True)


def part(player: int) -> None:
    unmerge(player=Player.objects.get(pk=player), by=None, note="x")


def picture() -> list[Any]:
    """All that merging writes but the ids of new rows."""
    return [
        list(Participant.objects.order_by("pk").values_list("pk", "player", "reported_as")),
        list(Match.objects.order_by("pk").values_list("state", "ladder_seq")),
        list(Player.objects.order_by("pk").values_list("pk", "merged_into")),
        PlayerMerge.objects.count(),
        PlayerMerge.objects.filter(undone_at=None).count(),
        list(Sanction.objects.filter(lifted_at=None).order_by("pk").values_list("player")),
        list(RatingTrack.objects.order_by("pk").values_list("state", "replaces")),
    ]


def killed(player: int, into: int) -> tuple[int, int]:
    """Killed later each time, nothing is done, or all; after how many statements each was killed last."""
    lasts = []
    for job, is_merged in ((partial(join, player, into), True), (partial(part, player), False)):
        before = picture()
        for steps in steps_to_kill_after():
            status = kill_after(steps, job)
            if picture() == before:
                assert status == -signal.SIGKILL, f"it ended with {status}"
                continue
            # Killed after the commit, or not at all.
            own = Participant.objects.filter(player=player).exclude(match__state="annulled")
            assert own.exists() != is_merged
            assert PlayerMerge.objects.filter(undone_at=None).exists() == is_merged
            assert Player.objects.filter(merged_into=into).exists() == is_merged
            assert Sanction.objects.filter(player=into, lifted_at=None).exists() == is_merged
            assert RatingTrack.objects.filter(state="replay").count() == 2
            break
        lasts.append(steps)
    return lasts[0], lasts[1]


@pytest.mark.full
def test_killed_between_any_two_statements_it_is_all_or_nothing() -> None:
    history = random_history(30, 4, days=20)
    arena = clean_arena(4, history)
    impose(player=arena.players[3], kind=SanctionKind.NOTE, reason="x", by=None)
    rate_all()
    before = story_of(arena, live(arena, "elo"))
    with running(killed, arena.players[3].pk, arena.players[1].pk) as killing:
        joined, parted = killing.hear()
    assert min(joined, parted) > 20
    assert PlayerMerge.objects.filter(undone_at=None).count() == 0
    rate_all()
    assert story_of(arena, live(arena, "elo")) == before


def attempt(player: int, into: int) -> bool:
    try:
        join(player, into)
    except (RefusedError, IntegrityError):
        return False
    return True


def test_two_at_once_leave_one_merge() -> None:
    arena = clean_arena(4, random_history(10, 4, days=5))
    one, two, three, _ = (player.pk for player in arena.players)
    assert sum(at_once([partial(attempt, one, two), partial(attempt, two, one)])) == 1
    made = PlayerMerge.objects.get()
    part(made.merged_id)
    done = at_once([partial(attempt, one, two), partial(attempt, two, three)])
    assert sum(done) == 1
    assert Player.objects.filter(merged_into__isnull=False).count() == 1


def test_a_busy_game_is_not_waited_for_and_what_was_typed_stays(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("ratings.merging.moving.PATIENCE", 0.2)
    arena = clean_arena(4, [Played(0, 0, 3, 1.0)])
    rate_all()
    client = Client()
    client.force_login(User.objects.create_superuser("olga"))
    page = reverse("admin:ratings_player_merge", args=[arena.players[3].pk])
    asked = f"{page}?into={arena.players[1].pk}&since="
    sent = {"note": "The same person.", "seen": 1}
    importing = connection.copy()
    with importing.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_lock(%s)", [key_of(Lock.LADDER, arena.ladder.pk)])
    try:
        text = client.post(asked, sent).content.decode()
    finally:
        with (
            importing.cursor() as cursor
        ):  # at once: what a session has goes a moment after it is closed
            cursor.execute("SELECT pg_advisory_unlock(%s)", [key_of(Lock.LADDER, arena.ladder.pk)])
        importing.close()
    assert "The game is busy right now" in text
    assert "The same person.</textarea>" in text
    assert not PlayerMerge.objects.exists()
    assert client.post(asked, sent).status_code == 302
    assert PlayerMerge.objects.exists()


def test_a_busy_game_says_what_ended_before_it_was_busy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ratings.merging.moving.PATIENCE", 0.2)
    arena = clean_arena(4, [Played(0, 0, 3, 1.0)])
    importing = connection.copy()

    def end(*_given: Any, **_more: Any) -> None:
        with importing.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_lock(%s)", [key_of(Lock.LADDER, arena.ladder.pk)])

    monkeypatch.setattr("ratings.merging.merge.end_running", end)
    one, other = arena.players[3], arena.players[1]
    try:
        with pytest.raises(GameBusyError, match="has ended, but the two are not merged"):
            merge(player=one, into=other, by=None, note="x", end_what_runs=True)
    finally:
        with importing.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_unlock(%s)", [key_of(Lock.LADDER, arena.ladder.pk)])
        importing.close()
    assert not PlayerMerge.objects.exists()


def record(arena: Any, name: str, *players: str) -> None:
    result = PlayedMatch(
        ladder=arena.ladder.slug,
        external_id=name,
        teams=tuple((player,) for player in players),
        ranks=(0, 1),
        played_at=START,
    )
    (answer,) = record_results(game=arena.game, results=[result])
    assert answer.error is None


def test_results_that_come_in_meanwhile_count_for_whom_they_mean() -> None:
    arena = clean_arena(4, random_history(10, 4, days=5))
    rate_all()
    two, three = arena.players[1], arena.players[3]
    work = [partial(join, three.pk, two.pk)]
    work += [
        partial(record, arena, f"late {number}", "player 3", "player 0") for number in range(6)
    ]
    at_once(work)
    rate_all()
    late = Participant.objects.filter(
        match__external_id__startswith="late", player__in=[two, three]
    )
    assert set(late.values_list("player", "reported_as")) == {(two.pk, three.pk)}
    assert late.count() == 6
    track = live(arena, "elo")
    assert not track.ratings.filter(player=three).exists()
    part(three.pk)
    rate_all()
    assert set(late.values_list("player", flat=True)) == {three.pk}


def test_one_written_before_and_committed_after_is_put_right_before_it_is_rated() -> None:
    arena = clean_arena(4, [Played(0, 0, 3, 1.0), Played(1, 0, 1, 1.0)])
    rate_all()
    join(arena.players[3].pk, arena.players[1].pk)
    (match,) = arena.play(Played(2, 0, 3, 1.0))  # as if it had begun before
    rate_all()
    told = match.participants.get(team=1)
    assert (told.player_id, told.reported_as_id) == (arena.players[1].pk, arena.players[3].pk)
    assert live(arena, "elo").ratings.get(player=arena.players[1]).games == 3
