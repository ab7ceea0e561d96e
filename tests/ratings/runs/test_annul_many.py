"""Annulling many matches at once equals a history in which none of them was ever played."""

from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import transaction
from django.test import Client
from django.urls import reverse
from hypothesis import given, settings
from hypothesis import strategies as st

from accounts.models import AuditEntry, User
from events.models import Event
from ratings.matches.revising.annul_many import Chosen, OtherMatchesError, annul_many, preview_many
from ratings.models import Match, MatchState
from tests.forms import often
from tests.ratings.arena import START, Played, make_arena, random_history
from tests.ratings.replays import clean_arena, live, rate_all, rated_arena, replays, story_of

pytestmark = pytest.mark.django_db

PLAYERS = 5
HISTORY = random_history(24, PLAYERS, days=30)


def left_over(history: list[Played], annulled: set[int]) -> list[Played]:
    """The history without the matches of these ids, in the order in which they were made."""
    ids = Match.objects.filter(ladder__slug="go").order_by("pk").values_list("pk", flat=True)
    return [played for played, pk in zip(history, ids, strict=True) if pk not in annulled]


@settings(max_examples=often(10, 60))
@given(
    seed=st.integers(0, 1000),
    who=st.integers(0, PLAYERS - 1),
    span=st.tuples(st.integers(0, 31), st.integers(0, 31)).map(sorted),
)
def test_it_equals_a_history_without_them(seed: int, who: int, span: list[int]) -> None:
    history = random_history(24, PLAYERS, days=30, seed=seed)
    with transaction.atomic():
        arena = rated_arena(PLAYERS, history)
        since, until = (START + timedelta(days=day) for day in span)
        chosen = Chosen(player=arena.players[who], since=since, until=until)
        ids = set(chosen.matches.values_list("pk", flat=True))
        assert preview_many(chosen).matches == len(ids)
        if ids:
            assert annul_many(chosen, by=None, note="x", seen=len(ids))[0] == len(ids)
            rate_all()
            assert replays(arena) == 0
            clean = clean_arena(PLAYERS, left_over(history, ids))
            rate_all()
            for system in ("elo", "glicko"):
                told = story_of(arena, live(arena, system))
                assert told == story_of(clean, live(clean, system))
        transaction.set_rollback(True)


def test_it_is_written_down_once_and_told_of_each() -> None:
    arena = rated_arena(PLAYERS, HISTORY)
    operator = User.objects.create_user("olga", is_staff=True)
    chosen = Chosen(player=arena.players[0])
    count, _ = annul_many(chosen, by=operator, note="Engine.")
    entry = AuditEntry.objects.get(action="matches.annulled")
    assert entry.after is not None
    assert (entry.after["count"], entry.note, entry.target_id) == (
        count,
        "Engine.",
        str(arena.players[0].pk),
    )
    assert Event.objects.filter(kind="match.annulled").count() == count
    assert not chosen.matches.exists()
    with pytest.raises(OtherMatchesError):
        annul_many(chosen, by=operator, note="Again.")


def test_others_than_were_shown_are_not_annulled() -> None:
    arena = rated_arena(PLAYERS, HISTORY)
    chosen = Chosen(player=arena.players[0])
    seen = preview_many(chosen).matches
    arena.play(Played(40, 0, 1, 1.0))
    with pytest.raises(OtherMatchesError, match=rf"There are {seen + 1} matches now"):
        annul_many(chosen, by=None, note="x", seen=seen)
    assert not Match.objects.filter(state=MatchState.ANNULLED).exists()


def test_the_preview_says_whom_they_have_moved() -> None:
    arena = make_arena(3)
    arena.track("elo", shown=True)
    arena.play(Played(0, 0, 1, 1.0), Played(1, 0, 2, 1.0), Played(2, 1, 2, 0.5))
    rate_all()
    preview = preview_many(Chosen(player=arena.players[0]))
    assert (preview.matches, preview.players, preview.changes) == (2, 3, 4)
    assert [one.later for one in preview.ladders] == [1]
    assert preview.moved[0].player == arena.players[0]
    assert preview.moved[0].points > 0


def test_the_page_chooses_shows_and_does_it() -> None:
    arena = rated_arena(PLAYERS, HISTORY)
    client = Client()
    client.force_login(User.objects.create_superuser("olga"))
    page = reverse("admin:ratings_player_annul", args=[arena.players[0].pk])
    assert (
        page
        in client.get(
            reverse("admin:ratings_player_change", args=[arena.players[0].pk])
        ).content.decode()
    )
    assert "Annul these matches" not in client.get(page).content.decode()
    asked = f"{page}?ladder=&since=2026-03-02&until=2026-03-20"
    answer = client.get(asked)
    count = answer.context["preview"].matches
    assert count > 0
    wrong = client.get(f"{page}?ladder=&since=2026-03-20&until=2026-03-02").content.decode()
    assert "The last day comes before the first." in wrong
    assert "9998-12-31" in client.get(f"{page}?ladder=&since=&until=9999-12-31").content.decode()
    client.post(asked, {"note": "", "seen": count})
    assert not Match.objects.filter(state=MatchState.ANNULLED).exists()
    client.post(asked, {"note": "Engine.", "seen": count + 1})
    assert not Match.objects.filter(state=MatchState.ANNULLED).exists()
    client.post(asked, {"note": "Engine.", "seen": count})
    assert Match.objects.filter(state=MatchState.ANNULLED).count() == count


def annul(*arguments: str, **options: Any) -> str:
    out = StringIO()
    call_command("annul", *arguments, "--note", "aimbot", stdout=out, **options)
    return out.getvalue()


def test_the_command_counts_first_and_then_does_it() -> None:
    arena = rated_arena(PLAYERS, HISTORY)
    number = str(arena.players[0].pk)
    told = annul("--player", number, "--since", "2026-03-02T00:00Z", "--dry-run")
    assert "to annul" in told
    assert not Match.objects.filter(state=MatchState.ANNULLED).exists()
    annul("--player", number, "--since", "2026-03-02T00:00Z", "--ladder", "go")
    assert Match.objects.filter(state=MatchState.ANNULLED).exists()


@pytest.mark.parametrize(
    "wrong",
    [
        [],
        ["--player", "99999999"],
        ["--import", "1"],
        ["1", "--player", "1"],
        ["--since", "2026"],
        ["FIRST", "--dry-run"],
        ["FIRST", "--ladder", "other"],
    ],
)
def test_the_command_refuses_what_it_cannot_choose(wrong: list[str]) -> None:
    rated_arena(PLAYERS, HISTORY)
    first = str(Match.objects.earliest("pk").pk)
    with pytest.raises(CommandError):
        annul(*(first if one == "FIRST" else one for one in wrong))
    assert not Match.objects.filter(state=MatchState.ANNULLED).exists()
