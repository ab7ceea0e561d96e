"""What players and deadlines make of a match."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from pytest_django import DjangoAssertNumQueries

from foundation import clock
from ratings.matches.deadlines import settle_due
from ratings.matches.refusals import (
    AlreadyPlayingError,
    MatchDecidedError,
    MatchExistsError,
    NotInMatchError,
    WrongPlayersError,
)
from ratings.matches.report import leave, report
from ratings.matches.start import start_match, start_matches
from ratings.models import OPEN, Match, MatchState, Outcome, Report
from tests.ratings.arena import Arena
from tests.ratings.matches.reporting.facts import (
    DRAWN,
    LOST,
    NOT_PLAYED,
    WON,
    begin,
    kinds,
    playing,
    ranks,
)

pytestmark = pytest.mark.django_db


def test_a_match_begins_with_a_deadline(arena: Arena, match: Match) -> None:
    assert match.state == MatchState.PLAYING
    assert match.due_at == match.played_at + timedelta(minutes=arena.ladder.abandon_minutes)
    assert match.external_id.startswith("m-")
    assert playing(match) == 2
    assert kinds() == ["match.started"]


def test_nobody_plays_two_matches(arena: Arena, match: Match) -> None:
    with pytest.raises(AlreadyPlayingError) as refused:
        begin(arena, 2, 1)
    assert refused.value.extra == {"player": arena.players[1].pk, "match": match.pk}
    assert Match.objects.count() == 1


def test_an_id_is_used_once(arena: Arena) -> None:
    begin(arena, 0, 1, external_id="final")
    with pytest.raises(MatchExistsError):
        begin(arena, 2, 3, external_id="final")


@pytest.mark.parametrize("numbers", [[[0]], [[0], [0]], [[0, 2], [1]], [[0], [1], [2]], [[], []]])
def test_wrong_line_ups_are_refused(arena: Arena, numbers: list[list[int]]) -> None:
    teams = [[arena.players[number].pk for number in team] for team in numbers]
    with pytest.raises(WrongPlayersError):
        start_match(ladder=arena.ladder, teams=teams)


def test_strangers_are_refused(arena: Arena) -> None:
    with pytest.raises(WrongPlayersError):
        start_match(ladder=arena.ladder, teams=[[arena.players[0].pk], [10**9]])


def test_many_begin_at_once(arena: Arena, match: Match) -> None:
    ids = [player.pk for player in arena.players]
    line_ups = [[[ids[0]], [ids[2]]], [[ids[2]], [ids[3]]], [[ids[3]], [ids[1]]]]
    begun = start_matches(ladder=arena.ladder, line_ups=line_ups)
    assert [bool(pk) for pk in begun] == [False, True, False]
    assert playing(Match.objects.get(pk=begun[1])) == 2
    assert kinds() == ["match.started"] * 2


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [(WON, LOST, [0, 1]), (LOST, WON, [1, 0]), (DRAWN, DRAWN, [0, 0])],
)
def test_agreement_confirms(
    match: Match, say: Callable[..., str], first: Outcome, second: Outcome, expected: list[int]
) -> None:
    assert say(0, first) == (MatchState.CONFIRMED if first == LOST else MatchState.REPORTED)
    assert say(1, second) == MatchState.CONFIRMED
    assert ranks(match) == expected
    assert playing(match) == 0
    reported = [] if first == LOST else ["match.reported"]
    assert kinds() == ["match.started", *reported, "match.confirmed"]


def test_who_has_lost_and_says_so_is_believed_at_once(
    match: Match, say: Callable[..., str]
) -> None:
    assert say(1, LOST) == MatchState.CONFIRMED
    assert ranks(match) == [0, 1]
    assert playing(match) == 0
    assert say(0, WON) == MatchState.CONFIRMED
    with pytest.raises(MatchDecidedError):
        say(1, WON)


def test_agreement_that_it_was_not_played_aborts(match: Match, say: Callable[..., str]) -> None:
    say(0, NOT_PLAYED)
    assert say(1, NOT_PLAYED) == MatchState.ABORTED
    assert ranks(match) == [None, None]
    assert playing(match) == 0


@pytest.mark.parametrize("second", [WON, DRAWN, NOT_PLAYED])
def test_disagreement_disputes(match: Match, say: Callable[..., str], second: Outcome) -> None:
    say(0, WON)
    assert say(1, second) == MatchState.DISPUTED
    assert playing(match) == 0
    assert ranks(match) == [None, None]
    assert say(1, second) == MatchState.DISPUTED  # the same word again
    assert kinds() == ["match.started", "match.reported", "match.disputed"]


@pytest.mark.parametrize(
    ("number", "word", "state", "expected"),
    [
        (0, LOST, MatchState.CONFIRMED, [1, 0]),
        (1, LOST, MatchState.CONFIRMED, [0, 1]),
        (1, DRAWN, MatchState.DISPUTED, [None, None]),
    ],
)
def test_in_a_dispute_everyone_may_think_again(
    match: Match,
    say: Callable[..., str],
    number: int,
    word: Outcome,
    state: MatchState,
    expected: list[int | None],
) -> None:
    say(0, WON)
    say(1, WON)
    assert say(number, word) == state
    assert ranks(match) == expected
    assert Report.objects.filter(match=match, outcome=word).exists()
    assert kinds().count("match.disputed") == 1
    if state == MatchState.CONFIRMED:
        with pytest.raises(MatchDecidedError):
            say(0, DRAWN)


def test_a_dispute_is_no_open_match_again() -> None:
    """Of a team that contradicts itself one gives in; the other team, which has said nothing, is still asked."""
    squads = Arena(4, team_size=2)
    teams = [[player.pk for player in squads.players[half : half + 2]] for half in (0, 2)]
    match = start_match(ladder=squads.ladder, teams=teams)
    for player, word in ((teams[0][0], WON), (teams[0][1], LOST), (teams[0][1], WON)):
        told = report(match_id=match.pk, player_id=player, outcome=word)
    assert (told.state, told.due_at) == (MatchState.DISPUTED, None)
    assert report(match_id=match.pk, player_id=teams[1][0], outcome=LOST).state == "confirmed"


def test_who_reports_is_free(arena: Arena, match: Match, say: Callable[..., str]) -> None:
    say(0, WON)
    assert playing(match) == 1
    begin(arena, 0, 2)


def test_a_correction_gives_the_other_time_to_answer_again(
    match: Match, say: Callable[..., str]
) -> None:
    now = clock.now()
    with clock.at(now):
        say(0, DRAWN)
    with clock.at(now + timedelta(minutes=14)):
        say(0, WON)
    match.refresh_from_db()
    assert match.due_at == now + timedelta(minutes=14 + 15)
    assert say(1, LOST) == MatchState.CONFIRMED
    assert ranks(match) == [0, 1]
    assert Report.objects.count() == 2
    assert kinds() == ["match.started", "match.reported", "match.confirmed"]


def test_corrections_do_not_keep_a_match_open_for_ever(
    match: Match, say: Callable[..., str]
) -> None:
    words = [WON, DRAWN]
    for minutes in range(0, 300, 10):
        with clock.at(match.played_at + timedelta(minutes=minutes)):
            settle_due()
            if Match.objects.get(pk=match.pk).state not in OPEN:
                break
            say(0, words[minutes // 10 % 2])
    assert minutes == 180 + 2 * 15
    assert ranks(match) == [0, 1]


def test_the_same_word_again_changes_nothing(say: Callable[..., str]) -> None:
    say(0, WON)
    say(0, WON)
    assert say(1, LOST) == say(1, LOST) == say(0, WON) == MatchState.CONFIRMED
    assert kinds().count("match.reported") == kinds().count("match.confirmed") == 1
    with pytest.raises(MatchDecidedError):
        say(0, DRAWN)


def test_strangers_have_no_word(say: Callable[..., str]) -> None:
    with pytest.raises(NotInMatchError):
        say(2, WON)


def test_leaving_is_a_loss(arena: Arena, match: Match, say: Callable[..., str]) -> None:
    leave(match_id=match.pk, player_id=arena.players[0].pk)
    assert say(1, WON) == MatchState.CONFIRMED
    assert ranks(match) == [1, 0]
    left = match.participants.filter(left_early=True)
    assert [seat.player_id for seat in left] == [arena.players[0].pk]


def test_who_has_left_may_take_it_back_until_the_match_is_decided(
    match: Match, say: Callable[..., str]
) -> None:
    left = match.participants.order_by("team").values_list("left_early", flat=True)
    say(0, WON, left=True)
    assert say(1, WON, left=True) == MatchState.DISPUTED
    assert list(left.all()) == [True, True]
    assert say(1, LOST) == MatchState.CONFIRMED
    assert list(left.all()) == [True, False]


@pytest.mark.parametrize(
    ("words", "minutes", "state"),
    [
        ([], 179, MatchState.PLAYING),
        ([], 181, MatchState.ABANDONED),
        ([WON], 14, MatchState.REPORTED),
        ([WON], 16, MatchState.CONFIRMED),
        ([NOT_PLAYED], 16, MatchState.ABORTED),
    ],
)
def test_deadlines_decide(
    match: Match, say: Callable[..., str], words: list[Outcome], minutes: int, state: MatchState
) -> None:
    for number, word in enumerate(words):
        say(number, word)
    with clock.at(clock.now() + timedelta(minutes=minutes)):
        settle_due()
        assert settle_due() == 0
    match.refresh_from_db()
    assert match.state == state
    if state not in {MatchState.PLAYING, MatchState.REPORTED}:
        assert playing(match) == 0


def test_a_word_takes_few_statements(
    arena: Arena, match: Match, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    one, other = (player.pk for player in arena.players[:2])
    with django_assert_num_queries(5):  # with those that begin and end the transaction
        report(match_id=match.pk, player_id=one, outcome=WON)
    with django_assert_num_queries(5):
        report(match_id=match.pk, player_id=other, outcome=LOST)


def test_many_deadlines_take_as_many_statements_as_one(
    arena: Arena, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    begin(arena, 0, 1)
    begin(arena, 2, 3)
    with clock.at(clock.now() + timedelta(days=1)), django_assert_num_queries(13):
        assert settle_due() == 2
