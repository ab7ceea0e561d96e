"""Players who are suspended from results hold nobody up: a match does not wait for words that cannot come."""

from collections.abc import Callable
from datetime import timedelta

import pytest

from accounts.models import User
from foundation import clock
from ratings.matches.deadlines import settle_due
from ratings.matches.decide import confirm_by_server, resolve_dispute
from ratings.matches.report import report
from ratings.matches.result import Result
from ratings.matches.silenced import silenced_until
from ratings.matches.start import start_match
from ratings.models import Match, MatchState, Outcome, Sanction, SanctionKind, SuspendedFrom
from ratings.runs.run import rate_track
from ratings.sanctions import impose, lift
from tests.ratings.arena import Arena
from tests.ratings.matches.reporting.facts import begin, playing, ranks

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("declared")]

WON, LOST = Outcome.WON, Outcome.LOST


def suspend(
    arena: Arena, *numbers: int, what: SuspendedFrom = SuspendedFrom.RESULTS
) -> list[Sanction]:
    return [
        impose(
            player=arena.players[number],
            kind=SanctionKind.SUSPENDED,
            suspended_from=what,
            reason="Cursed.",
            by=None,
        )
        for number in numbers
    ]


def settled_after(match: Match, minutes: float) -> str:
    with clock.at(match.played_at + timedelta(minutes=minutes)):
        settle_due()
    match.refresh_from_db()
    return match.state


@pytest.mark.parametrize("what", [SuspendedFrom.RESULTS, SuspendedFrom.ALL])
def test_a_report_counts_at_once_where_nobody_else_may(
    arena: Arena, match: Match, say: Callable[..., str], what: SuspendedFrom
) -> None:
    suspend(arena, 1, what=what)
    assert say(0, WON) == MatchState.CONFIRMED
    assert ranks(match) == [0, 1]
    assert playing(match) == 0


def test_so_does_one_made_before_the_suspension(
    arena: Arena, match: Match, say: Callable[..., str]
) -> None:
    suspend(arena, 1, what=SuspendedFrom.SEARCHING)
    assert say(0, Outcome.NOT_PLAYED) == MatchState.REPORTED
    assert settled_after(match, 1) == MatchState.REPORTED
    suspend(arena, 1)
    assert settled_after(match, 1) == MatchState.ABORTED
    assert playing(match) == 0


def test_whoever_else_may_report_is_waited_for() -> None:
    arena = Arena(4, team_size=2)
    teams = [[player.pk for player in arena.players[two : two + 2]] for two in (0, 2)]
    match = start_match(ladder=arena.ladder, teams=teams)
    suspend(arena, 3)
    report(match_id=match.pk, player_id=arena.players[0].pk, outcome=WON)
    assert settled_after(match, 1) == MatchState.REPORTED
    suspend(arena, 2)
    assert settled_after(match, 1) == MatchState.REPORTED  # player 1 may contradict
    report(match_id=match.pk, player_id=arena.players[1].pk, outcome=WON)
    assert settled_after(match, 1) == MatchState.CONFIRMED


def test_a_match_that_nobody_may_report_ends_with_the_time_for_a_report(
    arena: Arena, match: Match
) -> None:
    suspend(arena, 0, 1)
    assert silenced_until(match) == match.played_at + timedelta(minutes=15)
    assert settled_after(match, 14) == MatchState.PLAYING
    assert settled_after(match, 15) == MatchState.ABANDONED
    assert playing(match) == 0


def test_one_that_somebody_may_report_again_has_its_hours(arena: Arena, match: Match) -> None:
    sanction, _other = suspend(arena, 0, 1)
    lift(sanction_id=sanction.pk, by=None)
    assert silenced_until(match) is None
    assert settled_after(match, 179) == MatchState.PLAYING
    assert settled_after(match, 180) == MatchState.ABANDONED


def test_the_word_of_a_server_is_waited_for(arena: Arena) -> None:
    before = begin(arena, 0, 1)
    confirm_by_server(match_id=before.pk, result=Result(ranks=(0, 1)), server_key=7)
    rate_track(arena.track().pk)
    match, other = begin(arena, 0, 1), begin(arena, 2, 3)
    suspend(arena, 0, 1, 3)
    report(match_id=other.pk, player_id=arena.players[2].pk, outcome=WON)
    assert silenced_until(match) is None
    assert settled_after(other, 14) == MatchState.REPORTED
    assert settled_after(match, 16) == MatchState.PLAYING


def test_an_operators_decision_does_not_hide_that_servers_report(arena: Arena) -> None:
    for _ in range(3):
        before = begin(arena, 0, 1)
        confirm_by_server(match_id=before.pk, result=Result(ranks=(0, 1)), server_key=7)
    disputed = begin(arena, 2, 3)
    for number in (2, 3):
        report(match_id=disputed.pk, player_id=arena.players[number].pk, outcome=WON)
    resolve_dispute(
        match_id=disputed.pk,
        result=Result(ranks=(0, 1)),
        by=User.objects.create_superuser("olga"),
        note="x",
    )
    rate_track(arena.track().pk)
    suspend(arena, 1)
    match = begin(arena, 0, 1)
    report(match_id=match.pk, player_id=arena.players[0].pk, outcome=WON)
    match.refresh_from_db()
    assert match.state == MatchState.REPORTED


def test_whoever_may_report_again_in_time_is_waited_for(
    arena: Arena, match: Match, say: Callable[..., str]
) -> None:
    until = match.played_at + timedelta(minutes=16)
    for number in (0, 1):
        impose(
            player=arena.players[number],
            kind=SanctionKind.SUSPENDED,
            suspended_from=SuspendedFrom.RESULTS,
            until=until,
            reason="Cursed.",
            by=None,
        )
    assert silenced_until(match) is None
    assert settled_after(match, 15) == MatchState.PLAYING
    with clock.at(until):
        assert say(0, WON) == MatchState.REPORTED
        assert say(1, LOST) == MatchState.CONFIRMED


@pytest.mark.parametrize(("minutes", "state"), [(14, "reported"), (16, "confirmed")])
def test_a_word_waits_for_a_suspension_that_ends_before_its_time(
    arena: Arena, match: Match, say: Callable[..., str], minutes: int, state: str
) -> None:
    impose(
        player=arena.players[1],
        kind=SanctionKind.SUSPENDED,
        suspended_from=SuspendedFrom.RESULTS,
        until=clock.now() + timedelta(minutes=minutes),
        reason="Cursed.",
        by=None,
    )
    assert say(0, WON) == state
    assert settled_after(match, 1) == state
