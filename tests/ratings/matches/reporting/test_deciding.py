"""What servers and operators make of a match."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from accounts.models import AuditEntry, User
from foundation import clock
from ratings.matches.deadlines import settle_due
from ratings.matches.decide import abort, annul, confirm_by_server, resolve_dispute
from ratings.matches.refusals import (
    MatchDecidedError,
    NotConfirmedError,
    NotDisputedError,
    NotInMatchError,
    WrongResultError,
)
from ratings.matches.report import leave, report
from ratings.matches.result import Result
from ratings.models import Match, MatchState, Participant, RatingTrack, TrackState
from ratings.runs.run import rate_track
from ratings.runs.sequence import sequence_confirmed
from tests.ratings.arena import Arena
from tests.ratings.matches.reporting.facts import DRAWN, FIRST_WINS, LOST, WON, kinds

pytestmark = pytest.mark.django_db


def test_a_server_confirms_at_once(arena: Arena, match: Match, say: Callable[..., str]) -> None:
    say(0, DRAWN)
    result = Result(ranks=(0, 1), scores=(3.0, 1.0), left=frozenset([arena.players[1].pk]))
    for _ in range(2):
        assert confirm_by_server(match_id=match.pk, result=result).state == MatchState.CONFIRMED
    seats = Participant.objects.filter(match=match).order_by("team")
    assert list(seats.values_list("rank", "score", "left_early")) == [
        (0, 3.0, False),
        (1, 1.0, True),
    ]
    assert kinds().count("match.confirmed") == 1
    with pytest.raises(MatchDecidedError):
        confirm_by_server(match_id=match.pk, result=Result(ranks=(1, 0)))


def test_a_late_server_decides_disputes(match: Match, say: Callable[..., str]) -> None:
    say(0, WON)
    say(1, WON)
    assert confirm_by_server(match_id=match.pk, result=FIRST_WINS).state == MatchState.CONFIRMED


@pytest.mark.parametrize(
    "result",
    [
        Result(ranks=(0,)),
        Result(ranks=(0, 2)),
        Result(ranks=(1, 1)),
        Result(ranks=(0, 1), scores=(1.0,)),
        Result(ranks=(0, 1), scores=(1.0, float("inf"))),
        Result(ranks=(0, 1), map="x" * 101),
        Result(ranks=(0, 1), ended_at=datetime(2020, 1, 1, tzinfo=UTC)),
        Result(ranks=(0, 1), ended_at=datetime(2200, 1, 1, tzinfo=UTC)),
    ],
)
def test_results_that_do_not_fit(match: Match, result: Result) -> None:
    with pytest.raises(WrongResultError):
        confirm_by_server(match_id=match.pk, result=result)
    with pytest.raises(NotInMatchError):
        confirm_by_server(match_id=match.pk, result=Result(ranks=(0, 1), left=frozenset([0])))


def test_abort(match: Match) -> None:
    for _ in range(2):
        assert abort(match_id=match.pk).state == MatchState.ABORTED
    with pytest.raises(MatchDecidedError):
        confirm_by_server(match_id=match.pk, result=FIRST_WINS)


@pytest.mark.parametrize(
    ("result", "state"), [(FIRST_WINS, MatchState.CONFIRMED), (None, MatchState.ABORTED)]
)
def test_disputes_are_resolved(
    match: Match, say: Callable[..., str], result: Result | None, state: MatchState
) -> None:
    operator = User.objects.create(username="olga")
    with pytest.raises(NotDisputedError):
        resolve_dispute(match_id=match.pk, result=result, by=operator, note="")
    say(0, WON)
    say(1, DRAWN)
    decided = resolve_dispute(match_id=match.pk, result=result, by=operator, note="saw it")
    assert decided.state == state
    entry = AuditEntry.objects.get()
    assert (entry.actor, entry.action, entry.note) == (operator, "match.dispute_resolved", "saw it")


def test_only_who_took_part_left(match: Match, say: Callable[..., str]) -> None:
    say(0, WON)
    say(1, WON)
    olga = User.objects.create(username="olga")
    strange = Result(ranks=(0, 1), left=frozenset([0]))
    with pytest.raises(NotInMatchError):
        resolve_dispute(match_id=match.pk, result=strange, by=olga, note="")
    assert not AuditEntry.objects.exists()


def test_a_server_that_was_away_decides_an_abandoned_match(match: Match) -> None:
    with clock.at(clock.now() + timedelta(days=1)):
        settle_due()
        assert confirm_by_server(match_id=match.pk, result=FIRST_WINS).state == MatchState.CONFIRMED


def test_an_operator_aborts(match: Match) -> None:
    olga = User.objects.create(username="olga")
    abort(match_id=match.pk, by=olga, note="stuck")
    abort(match_id=match.pk, by=olga, note="stuck")
    entry = AuditEntry.objects.get()
    assert (entry.action, entry.note) == ("match.aborted", "stuck")
    assert (entry.before, entry.after) == ({"state": "playing"}, {"state": "aborted"})


def test_where_and_when_it_was_played(match: Match) -> None:
    end = match.played_at + timedelta(seconds=1)
    told = confirm_by_server(
        match_id=match.pk, result=Result(ranks=(0, 0), map="Hill", ended_at=end)
    )
    match.refresh_from_db()
    assert (match.map, match.ended_at) == (told.map, told.ended_at) == ("Hill", end)


def test_matches_that_nobody_knows() -> None:
    acts: list[Callable[[], object]] = [
        lambda: report(match_id=0, player_id=0, outcome=WON),
        lambda: confirm_by_server(match_id=0, result=FIRST_WINS),
        lambda: abort(match_id=0),
        lambda: annul(match_id=0, by=None, note=""),
    ]
    for act in acts:
        with pytest.raises(Match.DoesNotExist):
            act()


def test_annulling_a_match_that_was_rated_begins_replays(arena: Arena, match: Match) -> None:
    track = arena.track()
    confirm_by_server(match_id=match.pk, result=FIRST_WINS)
    sequence_confirmed(arena.ladder.pk)
    rate_track(track.pk)
    annul(match_id=match.pk, by=None, note="cheat")
    replay = RatingTrack.objects.get(replaces=track)
    entry = AuditEntry.objects.get(action="match.annulled")
    assert entry.after == {"state": "annulled", "replays": [replay.pk]}
    rate_track(replay.pk)
    replay.refresh_from_db()
    assert (replay.state, replay.ratings.count()) == (TrackState.LIVE, 0)


def test_annulling(match: Match) -> None:
    with pytest.raises(NotConfirmedError):
        annul(match_id=match.pk, by=None, note="")
    confirm_by_server(match_id=match.pk, result=FIRST_WINS)
    for _ in range(2):
        assert annul(match_id=match.pk, by=None, note="cheat").state == MatchState.ANNULLED
    assert kinds().count("match.annulled") == 1
    assert AuditEntry.objects.get().note == "cheat"


@pytest.mark.parametrize("name", ["scores", "player_scores", "minutes", "characters", "left"])
def test_a_correction_comes_too_late_and_is_told_so(arena: Arena, match: Match, name: str) -> None:
    one, other = (player.pk for player in arena.players[:2])
    told: dict[str, Any] = {
        "scores": (3.0, 1.0),
        "minutes": {one: 20.0, other: 9.5},
        "characters": {one: "Mage"},
        "left": frozenset([other]),
    }
    other_words: dict[str, Any] = {
        "scores": (4.0, 1.0),
        "player_scores": {one: 7.0},
        "minutes": {one: 21.0},
        "characters": {other: "Monk"},
        "left": frozenset([one]),
    }
    confirm_by_server(match_id=match.pk, result=Result(ranks=(0, 1), **told))
    for known in (told, {}, {"minutes": {other: 9.5}}):
        again = confirm_by_server(match_id=match.pk, result=Result(ranks=(0, 1), **known))
        assert again.state == MatchState.CONFIRMED
    with pytest.raises(MatchDecidedError) as caught:
        confirm_by_server(
            match_id=match.pk, result=Result(ranks=(0, 1), **{name: other_words[name]})
        )
    assert caught.value.extra["differs"] == [name]
    assert name in str(caught.value)


@pytest.mark.parametrize("name", ["map", "neutral"])
def test_another_place_comes_too_late(match: Match, name: str) -> None:
    told: dict[str, Any] = {"map": "Hill", "neutral": True}
    other: dict[str, Any] = {"map": "Moor", "neutral": False}
    for known in (told, told, {}):
        confirm_by_server(match_id=match.pk, result=Result(ranks=(0, 1), **known))
    with pytest.raises(MatchDecidedError) as caught:
        confirm_by_server(match_id=match.pk, result=Result(ranks=(0, 1), **{name: other[name]}))
    assert caught.value.extra["differs"] == [name]


def test_leaving_a_decided_match_comes_too_late(arena: Arena, match: Match) -> None:
    one, other = (player.pk for player in arena.players[:2])
    confirm_by_server(match_id=match.pk, result=Result(ranks=(1, 0), left=frozenset([other])))
    with pytest.raises(MatchDecidedError):
        leave(match_id=match.pk, player_id=one)
    assert report(match_id=match.pk, player_id=one, outcome=LOST).state == MatchState.CONFIRMED
