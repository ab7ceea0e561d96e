"""Who is kept out of ranked queues, and who never is, however many lie about the matches with him."""

import random
from datetime import timedelta

import pytest

from foundation import clock
from foundation.refusals import RefusedError
from matchmaking.tickets import lifecycle
from ratings import disputes
from ratings.matches import report as reporting
from ratings.matches.start import start_match
from ratings.models import Game, Ladder, Match, MatchState, Mode, Outcome, Report
from tests.matchmaking.hall import Hall, make_hall
from tests.matchmaking.limited.quarrels import decide, quarrel, say, withdraw

pytestmark = pytest.mark.django_db


@pytest.fixture
def hall() -> Hall:
    return make_hall(12)


def kept_out(hall: Hall, *numbers: int) -> list[int]:
    """Which of these, by number."""
    ids = [hall.players[number].pk for number in numbers or range(len(hall.players))]
    found = disputes.kept_out(Game.objects.get(pk=hall.ladder.game_id), ids)
    return [number for number, player in enumerate(hall.players) if player.pk in found]


def refusal(hall: Hall, number: int) -> RefusedError:
    with pytest.raises(RefusedError) as refused:
        lifecycle.join(queue=hall.queue, player=hall.players[number])
    return refused.value


def test_who_disputes_every_match_is_kept_out_and_the_others_are_not(hall: Hall) -> None:
    matches = [quarrel(hall, 0, other).pk for other in (1, 2, 3)]
    assert kept_out(hall) == [0]
    refused = refusal(hall, 0)
    assert (refused.code, refused.status) == ("too_many_disputes", 409)
    assert refused.extra == {"matches": matches, "limit": 3}
    assert all(str(match) in str(refused) for match in matches)
    for other in (1, 2, 3):
        lifecycle.join(queue=hall.queue, player=hall.players[other])


def test_two_disputes_keep_nobody_out(hall: Hall) -> None:
    quarrel(hall, 0, 1)
    quarrel(hall, 0, 2)
    lifecycle.join(queue=hall.queue, player=hall.players[0])


def test_one_decided_or_withdrawn_dispute_less_is_enough(hall: Hall) -> None:
    matches = [quarrel(hall, 0, other) for other in (1, 2, 3)]
    decide(matches[1], winner=0)
    assert kept_out(hall) == []
    quarrel(hall, 0, 4)
    assert kept_out(hall) == [0]
    withdraw(matches[0], hall, 0)
    lifecycle.join(queue=hall.queue, player=hall.players[0])


def test_a_dispute_stops_counting_after_two_weeks(hall: Hall) -> None:
    for other in (1, 2, 3):
        quarrel(hall, 0, other)
    with clock.at(clock.now() + timedelta(days=13)):
        assert kept_out(hall) == [0]
    with clock.at(clock.now() + timedelta(days=15)):
        assert kept_out(hall) == []


def test_the_limit_is_the_games_own_and_none_lets_everybody_in(hall: Hall) -> None:
    for other in (1, 2, 3):
        quarrel(hall, 0, other)
    for limit, found in ((2, [0]), (4, []), (1, [0]), (0, [])):
        Game.objects.update(disputes_at_most=limit)
        assert kept_out(hall) == found
    lifecycle.join(queue=hall.queue, player=hall.players[0])


def test_normal_queues_stay_open_and_their_disputes_do_not_count(hall: Hall) -> None:
    matches = [quarrel(hall, 0, other) for other in (1, 2, 3)]
    normal = Ladder.objects.create(
        game=hall.ladder.game, slug="quiet", name="Quiet", mode=Mode.NORMAL
    )
    Match.objects.filter(pk=matches[0].pk).update(ladder=normal)
    assert kept_out(hall) == []
    quarrel(hall, 0, 4)
    assert kept_out(hall) == [0]
    hall.queue.ladder = normal
    hall.queue.save()
    lifecycle.join(queue=hall.queue, player=hall.players[0])


def test_one_opponent_counts_once(hall: Hall) -> None:
    """Nobody is kept out by one other alone."""
    for _again in range(4):
        quarrel(hall, 0, 1)
    assert kept_out(hall) == []


def test_who_meets_every_liar_is_not_kept_out(hall: Hall) -> None:
    """Each of the liars has disputes with more opponents."""
    for liar in (1, 2, 3, 4):
        for victim in (0, 5, 6, 7, 8):
            quarrel(hall, victim, liar)
    assert kept_out(hall) == [1, 2, 3, 4]


def test_against_whom_disputes_were_decided_counts_for_nothing(hall: Hall) -> None:
    """Accounts made to keep one player out are spent once an operator has decided against them."""
    for liar in (1, 2, 3):
        quarrel(hall, 0, liar)
    assert kept_out(hall) == [0]  # as yet nobody can know better
    decide(Match.objects.earliest("pk"), winner=0)
    quarrel(hall, 0, 1)
    assert kept_out(hall) == []
    assert Report.objects.get(overruled=True).player == hall.players[1]


def test_who_was_decided_against_answers_for_disputes_with_who_has_more(hall: Hall) -> None:
    decide(quarrel(hall, 0, 1), winner=1)
    for other in (2, 3, 4):
        for another in (5, 6, 7, 8):
            quarrel(hall, other, another)
    assert kept_out(hall, 0) == []
    for other in (2, 3, 4):
        quarrel(hall, 0, other)
    assert kept_out(hall, 0) == [0]


def test_a_decision_against_somebody_is_forgotten_after_ninety_days(hall: Hall) -> None:
    with clock.at(clock.now() - timedelta(days=91)):
        decide(quarrel(hall, 0, 1), winner=1)
    for other in (2, 3):
        quarrel(hall, 0, other)
        quarrel(hall, other, 4)
        quarrel(hall, other, 5)
    Game.objects.update(disputes_at_most=2)
    assert 0 not in kept_out(hall)


def test_an_annulled_decision_and_a_claim_of_less_are_held_against_nobody(hall: Hall) -> None:
    match = quarrel(hall, 0, 1)
    say(match, hall, 1, Outcome.DRAWN)
    decide(match, winner=0)
    assert [report.player for report in Report.objects.filter(overruled=True)] == [hall.players[1]]
    other = quarrel(hall, 2, 3)
    say(other, hall, 2, Outcome.DRAWN)
    decide(other, winner=0)
    assert not Report.objects.filter(overruled=True, player=hall.players[2]).exists()


def test_of_many_sides_only_who_claims_the_same_place_disputes() -> None:
    hall = make_hall(16, team_count=4)
    Game.objects.update(disputes_at_most=2)
    ids = [player.pk for player in hall.players]
    for first in (1, 5):
        match = start_match(
            ladder=hall.ladder,
            teams=[[ids[0]], [ids[first]], [ids[first + 1]], [ids[first + 2]]],
        )
        for number, place in zip((0, first, first + 1, first + 2), (1, 1, 2, 3), strict=True):
            Report.objects.create(
                match=match,
                player=hall.players[number],
                outcome=Outcome.WON if place == 1 else Outcome.LOST,
                place=place,
            )
        Match.objects.filter(pk=match.pk).update(state=MatchState.DISPUTED, due_at=None)
        match.participants.update(playing=False)
    game = Game.objects.get(pk=hall.ladder.game_id)
    assert set(disputes.kept_out(game, ids)) == {ids[0]}
    game.disputes_at_most = 1
    assert set(disputes.kept_out(game, ids)) == {ids[0]}


@pytest.mark.parametrize(
    ("liars", "words"),
    [
        # The others tell the truth: who comes n-th says so.
        ([3], [1, 2, 3, "4 shared"]),  # with nobody
        ([2], [1, 2, "3 shared", 4]),
        ([2, 3], [1, 2, "4 shared", "4 shared"]),  # of four there is one fourth at most
        ([3], ["1 shared", "1 shared", 3, 2]),  # nobody is second where two are first
    ],
)
def test_of_many_sides_who_claims_what_cannot_be_disputes_too(
    liars: list[int], words: list[int | str]
) -> None:
    """Else a dispute after every lost match would cost nothing."""
    hall = make_hall(12, team_count=4)
    ids = [player.pk for player in hall.players]
    honest = iter(range(4, 12))
    for _match in range(2):
        seats = [number if number in liars else next(honest) for number in range(4)]
        match = start_match(ladder=hall.ladder, teams=[[ids[seat]] for seat in seats])
        for seat, word in zip(seats, words, strict=True):
            place, _space, shared = str(word).partition(" ")
            match = reporting.report(
                match_id=match.pk,
                player_id=ids[seat],
                outcome=Outcome.DRAWN if shared else None,
                place=int(place),
            )
        assert match.state == MatchState.DISPUTED
    Game.objects.update(disputes_at_most=2)
    assert kept_out(hall) == liars


def test_who_stays_silent_in_a_team_is_in_no_dispute() -> None:
    hall = make_hall(16, team_size=2)
    ids = [player.pk for player in hall.players]
    for number in (2, 6, 10):
        match = start_match(ladder=hall.ladder, teams=[ids[:2], ids[number : number + 2]])
        say(match, hall, 0, Outcome.WON)
        say(match, hall, number, Outcome.WON)
    assert kept_out(hall) == [0]


def test_in_a_crowd_liars_are_kept_out_and_honest_players_are_not() -> None:
    """Two of sixteen lie about every match they lose; chance decides whom they meet, each other too."""
    hall, luck = make_hall(16), random.Random(5)
    liars = [0, 1]
    for _match in range(40):
        if not liars:
            break
        liar = luck.choice(liars)
        quarrel(hall, luck.choice([n for n in range(16) if n != liar]), liar)
        out = kept_out(hall)
        assert set(out) <= {0, 1}
        liars = [n for n in (0, 1) if n not in out]
    assert liars == []
