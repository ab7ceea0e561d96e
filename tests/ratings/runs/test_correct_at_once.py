"""Corrections by real processes and sessions: killed at every statement, and two at once."""

from functools import partial

import pytest

from events.models import Event
from foundation.refusals import RefusedError
from ratings.matches.result import Result
from ratings.matches.revising.correct import CorrectedMeanwhileError, correct
from ratings.models import Correction, EarlierResult, Match, Participant, RatingTrack
from tests.at_once import at_once
from tests.countdown import kill_after_each
from tests.processes import running
from tests.ratings.arena import Arena, random_history
from tests.ratings.replays import clean_arena, rate_all, replays

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _wake_ups_are_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a worker would do at once is done when the test says so."""
    monkeypatch.setattr("ratings.runs.replay.wake", lambda _task: None)


def corrected_arena() -> tuple[Arena, Match]:
    arena = clean_arena(4, random_history(20, 4, days=20))
    rate_all()
    return arena, Match.objects.get(ladder=arena.ladder, ladder_seq=5)


def ranks_of(match: Match) -> list[int | None]:
    return list(
        Participant.objects.filter(match=match).order_by("team").values_list("rank", flat=True)
    )


def other_ranks(match: Match) -> tuple[int, int]:
    return (1, 0) if ranks_of(match) == [0, 1] else (0, 1)


def correct_one(match: int, ranks: tuple[int, int]) -> None:
    """Nothing half done is left: else the number of the correction, or the replays, would say so."""
    found = Match.objects.get(pk=match)
    counts = Correction.objects.count(), EarlierResult.objects.count() // 2
    is_corrected = ranks_of(found) == list(ranks)
    assert counts == (int(is_corrected),) * 2
    replaying = RatingTrack.objects.filter(state="replay").count()
    assert (found.corrected_at is not None, replaying) == (is_corrected, 2 * is_corrected)
    assert Event.objects.filter(kind="match.corrected").count() == int(is_corrected)
    correct(match_id=match, result=Result(ranks=ranks), reason="x", seen=0)


def killed_correcting(match: int, ranks: tuple[int, int]) -> int:
    return kill_after_each(partial(correct_one, match, ranks))


def test_killed_between_any_two_statements_it_is_all_or_nothing() -> None:
    arena, match = corrected_arena()
    ranks = other_ranks(match)
    with running(killed_correcting, match.pk, ranks) as killing:
        assert killing.hear() > 15
    assert ranks_of(match) == list(ranks)
    assert (Correction.objects.count(), replays(arena)) == (1, 2)


def test_of_two_moderators_the_second_is_told() -> None:
    arena, match = corrected_arena()

    def attempt(ranks: tuple[int, int]) -> str:
        try:
            correct(match_id=match.pk, result=Result(ranks=ranks), reason="x", seen=0)
        except RefusedError as error:
            return error.code
        return "done"

    wanted = [ranks for ranks in ((0, 1), (1, 0), (0, 0)) if list(ranks) != ranks_of(match)]
    told = at_once([partial(attempt, ranks) for ranks in wanted])
    assert sorted(told) == sorted(["done", CorrectedMeanwhileError.code])
    assert ranks_of(match) == list(wanted[told.index("done")])
    assert (Correction.objects.count(), replays(arena)) == (1, 2)
