"""`manage.py annul`: what it says, what it refuses, and that it may be run again."""

import io
import re

import pytest
from django.core.management import CommandError, call_command

from accounts.models import AuditEntry
from ratings.models import Match, MatchState, RatingTrack, TrackState
from tests.ratings.arena import Arena, Played, make_arena, random_history
from tests.ratings.replays import clean_arena, live, rate_all, replays, story_of

pytestmark = pytest.mark.django_db
HISTORY = random_history(30, 6, days=10)
SECONDS = re.compile(r"^\d+\.\d seconds$")


@pytest.fixture
def arena() -> Arena:
    made = make_arena(6)
    made.track("elo", shown=True)
    made.track("glicko", days=5)
    made.play(*HISTORY)
    rate_all(day=20)
    return made


def run(*arguments: object) -> list[str]:
    """Run it and return the lines that it printed."""
    out = io.StringIO()
    call_command("annul", *(str(argument) for argument in arguments), stdout=out)
    return out.getvalue().splitlines()


def number_of(place: int) -> int:
    return Match.objects.get(ladder_seq=place).pk


def test_it_says_what_it_did_and_what_runs(arena: Arena) -> None:
    match = number_of(7)
    *told, seconds = run(match, "--note=cheated")
    assert told == [
        f"Match {match} is annulled.",
        "go: 2 tracks are being recalculated. Their ratings switch when each is done.",
    ]
    assert SECONDS.match(seconds)
    assert replays(arena) == 2
    entry = AuditEntry.objects.get(action="match.annulled")
    assert (entry.target_id, entry.note) == (str(match), "cheated")


def test_waiting_it_ends_when_the_new_ratings_are_shown(arena: Arena) -> None:
    first, second = number_of(7), number_of(20)
    *told, seconds = run(first, second, "--note=cheated", "--wait")
    assert told == [
        f"Match {first} is annulled.",
        f"Match {second} is annulled.",
        "go: the new ratings are shown.",
    ]
    assert SECONDS.match(seconds)
    assert replays(arena) == 0
    rate_all()
    clean = clean_arena(6, [one for n, one in enumerate(HISTORY, 1) if n not in {7, 20}])
    rate_all()
    assert story_of(arena, live(arena, "elo")) == story_of(clean, live(clean, "elo"))


def test_it_may_be_run_again(arena: Arena) -> None:
    match = number_of(7)
    run(match, "--note=cheated", "--wait")
    told = run(match, "--note=cheated", "--wait")
    assert told[:2] == [f"Match {match} was annulled before.", "go: the new ratings are shown."]
    assert RatingTrack.objects.filter(state=TrackState.LIVE, generation=2).count() == 2
    assert AuditEntry.objects.filter(action="match.annulled").count() == 1


def test_quietly_it_says_nothing(arena: Arena) -> None:
    assert run(number_of(7), "--note=cheated", "--wait", "--quiet") == []


def test_a_match_there_is_not_is_refused_before_any_is_annulled(arena: Arena) -> None:
    match = number_of(7)
    with pytest.raises(CommandError, match=r"There is no match 0\. Nothing was changed\."):
        run(match, 0, "--note=cheated")
    assert Match.objects.get(pk=match).state == MatchState.CONFIRMED


def test_a_match_that_is_not_confirmed_is_refused(arena: Arena) -> None:
    (match,) = arena.play(Played(30, 0, 1, 1.0))
    Match.objects.filter(pk=match.pk).update(state=MatchState.ABORTED)
    with pytest.raises(CommandError, match="is aborted: only a confirmed match is annulled"):
        run(number_of(7), match.pk, "--note=cheated")
    assert replays(arena) == 0


def test_it_wants_to_know_why(arena: Arena) -> None:
    with pytest.raises(CommandError, match="--note"):
        run(number_of(7))


@pytest.mark.parametrize("note", ["", "  ", "\n\t"])
def test_it_asks_why_as_the_admin_does(arena: Arena, note: str) -> None:
    with pytest.raises(CommandError, match="--note: Say why, so that others can understand it"):
        run(number_of(7), "--note", note)
    assert not Match.objects.filter(state=MatchState.ANNULLED).exists()
