"""What players, servers, operators and deadlines make of a match."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from pytest_django import DjangoAssertNumQueries

from accounts.models import AuditEntry, User
from events.models import Event
from foundation import clock
from ratings.deadlines import settle_due
from ratings.deciding import abort, annul, confirm_by_server, resolve_dispute
from ratings.models import (
    OPEN,
    Match,
    MatchState,
    Outcome,
    Participant,
    RatingTrack,
    Report,
    TrackState,
)
from ratings.play_refusals import (
    AlreadyPlayingError,
    MatchDecidedError,
    MatchExistsError,
    NotConfirmedError,
    NotDisputedError,
    NotInMatchError,
    WrongPlayersError,
    WrongResultError,
)
from ratings.reporting import leave, report
from ratings.results import Result
from ratings.runs import rate_track
from ratings.sequencing import sequence_confirmed
from ratings.starting import start_match, start_matches
from tests.ratings.arena import Arena

pytestmark = pytest.mark.django_db

WON, DRAWN, LOST, NOT_PLAYED = Outcome.WON, Outcome.DRAWN, Outcome.LOST, Outcome.NOT_PLAYED
FIRST_WINS = Result(ranks=(0, 1))


@pytest.fixture
def arena() -> Arena:
    return Arena(4)


@pytest.fixture
def match(arena: Arena) -> Match:
    return begin(arena, 0, 1)


@pytest.fixture
def say(arena: Arena, match: Match) -> Callable[..., str]:
    """Let a player, by number, report the match; gives the state it is in then."""

    def say(number: int, outcome: Outcome, *, left: bool = False) -> str:
        player = arena.players[number].pk
        told = report(match_id=match.pk, player_id=player, outcome=outcome, left_early=left)
        assert told.state == Match.objects.get(pk=match.pk).state
        return told.state

    return say


def begin(arena: Arena, first: int, second: int, **more: Any) -> Match:
    teams = [[arena.players[first].pk], [arena.players[second].pk]]
    return start_match(ladder=arena.ladder, teams=teams, **more)


def ranks(match: Match) -> list[int | None]:
    seats = Participant.objects.filter(match=match).order_by("team")
    return list(seats.values_list("rank", flat=True))


def playing(match: Match) -> int:
    return Participant.objects.filter(match=match, playing=True).count()


def kinds() -> list[str]:
    return list(Event.objects.order_by("id").values_list("kind", flat=True))


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


def test_a_word_takes_few_statements(
    arena: Arena, match: Match, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    one, other = (player.pk for player in arena.players[:2])
    with django_assert_num_queries(5):  # with those that begin and end the transaction
        report(match_id=match.pk, player_id=one, outcome=WON)
    with django_assert_num_queries(6):
        report(match_id=match.pk, player_id=other, outcome=LOST)


def test_many_deadlines_take_as_many_statements_as_one(
    arena: Arena, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    begin(arena, 0, 1)
    begin(arena, 2, 3)
    with clock.at(clock.now() + timedelta(days=1)), django_assert_num_queries(11):
        assert settle_due() == 2


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
