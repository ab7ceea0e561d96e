"""Words, results and deadlines at the same moment, each in a session of its own."""

import time
from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from functools import partial

import pytest
from django.db import connection, transaction

from events.models import Event
from foundation import clock
from foundation.refusals import RefusedError
from ratings.matches.deadlines import settle_due
from ratings.matches.decide import abort, confirm_by_server
from ratings.matches.end import hold_match
from ratings.matches.played_match import PlayedMatch
from ratings.matches.record import record_results
from ratings.matches.report import report
from ratings.matches.result import Result
from ratings.matches.start import start_match, start_matches
from ratings.models import OPEN, Match, MatchState, Outcome, Participant, Player
from tests.at_once import at_once
from tests.lasting import lift_limits
from tests.processes import PATIENCE, running, say
from tests.ratings.arena import Arena

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("declared")]

MANY = 20
ROUNDS = 12


def hold(match: int) -> None:
    with transaction.atomic(), connection.execute_wrapper(lift_limits):
        hold_match(match)
        say("held")
        time.sleep(PATIENCE)


@pytest.fixture
def arena() -> Arena:
    return Arena(6)


def begin(arena: Arena, first: int = 0, second: int = 1) -> Match:
    ids = [player.pk for player in arena.players]
    return start_match(ladder=arena.ladder, teams=[[ids[first]], [ids[second]]])


def is_due(match: Match) -> None:
    """Let the deadline of a match that is open be over."""
    still_open = Match.objects.filter(pk=match.pk, state__in=OPEN)
    still_open.update(due_at=clock.now() - timedelta(seconds=1))


def word(arena: Arena, match: Match, number: int, outcome: Outcome) -> Callable[[], str]:
    """A report whose answer is the state, or the code of the refusal."""
    player = arena.players[number].pk
    return tells(partial(report, match_id=match.pk, player_id=player, outcome=outcome))


def tells(act: Callable[[], Match]) -> Callable[[], str]:
    def tell() -> str:
        try:
            return act().state
        except RefusedError as refusal:
            return refusal.code

    return tell


def facts(match: Match) -> list[str]:
    events = Event.objects.filter(payload__match=match.pk).order_by("id")
    return [kind.removeprefix("match.") for kind in events.values_list("kind", flat=True)]


def is_sound(match: Match) -> bool:
    """One ending, told once, and everybody free."""
    match.refresh_from_db()
    seats = Participant.objects.filter(match=match)
    return facts(match).count(match.state) == 1 and not seats.filter(playing=True).exists()


def test_many_identical_words_have_one_effect(arena: Arena) -> None:
    match = begin(arena)
    assert set(at_once([word(arena, match, 0, Outcome.WON)] * MANY)) == {"reported"}
    assert set(at_once([word(arena, match, 1, Outcome.LOST)] * MANY)) == {"confirmed"}
    assert match.reports.count() == 2
    assert facts(match) == ["started", "reported", "confirmed"]


def test_many_identical_results_of_a_server_have_one_effect(arena: Arena) -> None:
    match = begin(arena)
    confirm = partial(confirm_by_server, match_id=match.pk, result=Result(ranks=(0, 1)))
    assert set(at_once([tells(confirm)] * MANY)) == {"confirmed"}
    assert facts(match) == ["started", "confirmed"]


def test_many_identical_batches_have_one_effect(arena: Arena) -> None:
    batch = [
        PlayedMatch(
            ladder="go",
            external_id=f"m{number}",
            teams=((f"new {number}",), ("ann",)),
            ranks=(0, 1),
            played_at=clock.now(),
        )
        for number in range(5)
    ]
    turned = batch[::-1]  # the same matches and players in another order
    record = partial(record_results, game=arena.game)
    answers = at_once([partial(record, results=it) for it in (batch, turned) * (MANY // 2)])
    assert all(it.error is None for answer in answers for it in answer)
    assert sum(it.is_new for answer in answers for it in answer) == len(batch)
    assert Match.objects.count() == len(batch)
    assert Player.objects.count() == 6 + len(batch) + 1
    assert Participant.objects.count() == 2 * len(batch)
    assert Event.objects.filter(kind="match.confirmed").count() == len(batch)


def test_both_words_at_once_decide_once(arena: Arena) -> None:
    for _ in range(ROUNDS):
        match = begin(arena)
        says = [word(arena, match, 0, Outcome.WON), word(arena, match, 1, Outcome.LOST)]
        # The winner first, who waits for the other, or the loser, who is believed at once.
        assert sorted(at_once(says)) in (["confirmed", "reported"], ["confirmed", "confirmed"])
        assert is_sound(match)
        match.refresh_from_db()
        assert match.state == MatchState.CONFIRMED


def test_contradicting_words_at_once_dispute_once(arena: Arena) -> None:
    for _ in range(ROUNDS):
        match = begin(arena)
        says = [word(arena, match, number, Outcome.WON) for number in (0, 1)]
        assert sorted(at_once(says)) == ["disputed", "reported"]
        assert is_sound(match)
        assert match.state == MatchState.DISPUTED


def test_a_first_word_at_the_deadline_counts_or_is_refused(arena: Arena) -> None:
    for _ in range(ROUNDS):
        match = begin(arena)
        is_due(match)
        said, _settled, _again = at_once(
            [word(arena, match, 0, Outcome.WON), settled, settled],
        )
        match.refresh_from_db()
        assert (said, match.state) in {("reported", "reported"), ("match_decided", "abandoned")}
        is_due(match)
        settle_due()
        assert is_sound(match)


def test_an_answer_at_the_deadline_counts_or_is_refused(arena: Arena) -> None:
    for _ in range(ROUNDS):
        match = begin(arena)
        report(match_id=match.pk, player_id=arena.players[0].pk, outcome=Outcome.WON)
        is_due(match)
        said, _settled, _again = at_once(
            [word(arena, match, 1, Outcome.WON), settled, settled],
        )
        assert is_sound(match)
        assert (said, match.state) in {("disputed", "disputed"), ("match_decided", "confirmed")}


def settled() -> str:
    return str(settle_due())


def test_the_server_and_a_player_at_once(arena: Arena) -> None:
    for _ in range(ROUNDS):
        match = begin(arena)
        server = tells(partial(confirm_by_server, match_id=match.pk, result=Result(ranks=(1, 0))))
        ends = tells(partial(abort, match_id=match.pk))
        answers = at_once([server, ends, word(arena, match, 0, Outcome.WON)])
        assert is_sound(match)
        assert set(answers[:2]) == {match.state, "match_decided"}
        assert answers[2] in {"reported", "match_decided"}


def test_matches_at_once_with_one_player_in_common(arena: Arena) -> None:
    ids = [player.pk for player in arena.players]
    for _ in range(ROUNDS):
        line_ups = [[[ids[0]], [other]] for other in ids[1:]]
        calls = [partial(start_match, ladder=arena.ladder, teams=teams) for teams in line_ups]
        states = at_once([tells(call) for call in calls])
        assert Counter(states) == {"playing": 1, "already_playing": 4}
        abort(match_id=Match.objects.get(state=MatchState.PLAYING).pk)


def test_many_matches_at_once_with_the_same_players(arena: Arena) -> None:
    ids = [player.pk for player in arena.players]
    ways = [[0, 1, 2, 3, 4, 5], [5, 4, 3, 2, 1, 0], [1, 2, 3, 4, 5, 0], [2, 5, 0, 3, 1, 4]]
    for _ in range(ROUNDS):
        calls = []
        for way in ways:
            line_ups = [[[ids[a]], [ids[b]]] for a, b in zip(way[::2], way[1::2], strict=True)]
            calls.append(partial(start_matches, ladder=arena.ladder, line_ups=line_ups))
        begun = [pk for answer in at_once(calls) for pk in answer if pk]
        assert sorted(begun) == sorted(
            Match.objects.filter(state=MatchState.PLAYING).values_list("pk", flat=True)
        )
        assert begun
        assert Participant.objects.filter(match__in=begun, playing=True).count() == 2 * len(begun)
        for pk in begun:
            abort(match_id=pk)


def test_the_deadline_passes_over_a_match_that_somebody_is_at(arena: Arena) -> None:
    held, other = begin(arena, 0, 1), begin(arena, 2, 3)
    for match in (held, other):
        is_due(match)
    with running(hold, held.pk) as holder:
        assert holder.hear() == "held"
        assert settle_due() == 1
    other.refresh_from_db()
    assert other.state == MatchState.ABANDONED
    with transaction.atomic(), connection.cursor() as cursor:  # wait until its session has ended
        cursor.execute("SELECT FROM ratings_match WHERE id = %s FOR UPDATE", [held.pk])
    assert settle_due() == 1


def test_a_killed_reporter_leaves_nothing_half(arena: Arena) -> None:
    match = begin(arena)
    with running(hold, match.pk) as holder:
        assert holder.hear() == "held"
        holder.kill()
        assert word(arena, match, 0, Outcome.WON)() == "reported"
    assert facts(match) == ["started", "reported"]
