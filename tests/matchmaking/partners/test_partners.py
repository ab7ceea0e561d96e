"""The game is asked for a partner when nobody comes; what it answers, and what comes of the search."""

from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction

from events.models import Notice
from matchmaking.models import PartnerRequest, PartnerState, Queue, Ticket
from matchmaking.partners import answer, ask
from matchmaking.partners.refusals import NoPartnerError, PartnerRequestOverError
from matchmaking.pool.activity import ENDED
from matchmaking.queues.wait_estimates import estimate
from matchmaking.sweep.run import queues_with_work
from matchmaking.tickets.status import beat_and_outline, seen
from ratings.matches import decide, report
from ratings.matches.deadlines import settle_due
from ratings.matches.refusals import MatchDecidedError, WrongResultError
from ratings.matches.result import Result
from ratings.matches.revising.correct import correct
from ratings.matches.summary import summary_of
from ratings.models import Match, Outcome, Participant, Player, Rating
from tests.matchmaking.hall import Hall, make_hall

pytestmark = pytest.mark.django_db
AFTER, ANSWER = 30, 15
# Whoever plays the hall's ladder finds nobody alone, and nothing ends silent searches meanwhile.
OPTIONS: dict[str, Any] = {
    "partner_seconds": AFTER,
    "partner_answer_seconds": ANSWER,
    "heartbeat_seconds": 3600,
}


def hall_that_supplies(players: int = 4, **options: Any) -> Hall:
    return make_hall(players, **{**OPTIONS, **options})


def asked(hall: Hall, number: int = 0) -> PartnerRequest:
    """The open request of a player's ticket."""
    return PartnerRequest.objects.get(ticket=hall.tickets[number], state=PartnerState.ASKED)


def after_waiting(hall: Hall) -> PartnerRequest:
    """Player 0 wants a partner, and has waited long enough: the game is asked."""
    hall.join(0, wants_partner=True)
    hall.wait(AFTER)
    hall.sweep()
    return asked(hall)


def want(hall: Hall, number: int, wants: bool = True) -> None:
    with hall.at_now():
        ask.want(ticket_id=hall.tickets[number], wants=wants)


def accept(hall: Hall, request: PartnerRequest, **said: str) -> Match:
    with hall.at_now():
        match = answer.accept(request_id=request.pk, **said).match
    assert match is not None
    return match


def kinds() -> list[str]:
    return list(Notice.objects.order_by("pk").values_list("kind", flat=True))


def test_the_game_is_asked_once_the_time_is_over_and_not_before() -> None:
    hall = hall_that_supplies()
    hall.join(0, wants_partner=True)
    hall.wait(AFTER - 1)
    hall.sweep()
    assert not PartnerRequest.objects.exists()
    hall.wait(1)
    hall.sweep()
    request = asked(hall)
    assert (request.expires_at - request.asked_at).total_seconds() == ANSWER
    told = Notice.objects.get(kind="partner.asked")
    assert told.ids == {
        "ticket": hall.tickets[0],
        "queue": hall.queue.pk,
        "request": request.pk,
    }
    assert f"searches:{hall.ladder.game_id}" in told.topics
    hall.sweep()
    assert PartnerRequest.objects.count() == 1
    assert hall.states(0) == ["waiting"]


def test_nobody_is_asked_for_who_does_not_want_it_or_where_the_queue_has_none() -> None:
    hall, other = hall_that_supplies(), make_hall(heartbeat_seconds=3600)
    hall.join(0)
    other.join(0, wants_partner=True)
    for one in (hall, other):
        one.wait(10 * AFTER)
        one.sweep()
    assert not PartnerRequest.objects.exists()


def test_who_wants_it_later_has_the_game_asked_at_once() -> None:
    hall = hall_that_supplies()
    hall.join(0)
    hall.wait(AFTER)
    want(hall, 0)
    assert asked(hall).asked_at == hall.now
    want(hall, 0)
    assert PartnerRequest.objects.count() == 1
    want(hall, 0, wants=False)
    assert PartnerRequest.objects.get().state == PartnerState.WITHDRAWN
    assert kinds()[-1] == "partner.withdrawn"
    hall.sweep()
    assert PartnerRequest.objects.count() == 1


def test_the_match_is_not_rated_and_has_the_partner_by_its_name() -> None:
    hall = hall_that_supplies()
    request = after_waiting(hall)
    match = accept(hall, request, name="Iron Guard", note="Plays like a beginner.")
    assert (match.partner, match.rated, match.state) == ("Iron Guard", False, "playing")
    assert match.extra == {"note": "Plays like a beginner."}
    assert list(match.participants.values_list("player", "team")) == [(hall.players[0].pk, 0)]
    ticket = hall.ticket(0)
    assert (ticket.state, ticket.supplied) == ("matched", True)
    assert Player.objects.count() == len(hall.players)
    told = Notice.objects.get(kind="partner.accepted")
    assert told.ids["match"] == match.pk
    assert Notice.objects.filter(kind="match.started", ids={"match": match.pk}).exists()
    search, _members = seen(ticket.pk)
    assert (search.match_id, search.offer) == (match.pk, None)
    (outline,) = beat_and_outline([ticket.pk], player_id=hall.players[0].pk, game_id=None)
    assert outline.match_id == match.pk
    hall.check()


def test_the_same_answer_again_gives_the_same() -> None:
    hall = hall_that_supplies()
    request = after_waiting(hall)
    match = accept(hall, request)
    assert match.partner == "Partner"
    hall.wait(1000)
    assert accept(hall, request, name="Another") == match
    with pytest.raises(PartnerRequestOverError, match="accepted already"):
        answer.decline(request_id=request.pk)


def test_declined_or_unanswered_the_search_goes_on_and_is_asked_for_again() -> None:
    hall = hall_that_supplies()
    request = after_waiting(hall)
    since = hall.ticket(0).waiting_since
    with hall.at_now():
        answer.decline(request_id=request.pk)
        assert answer.decline(request_id=request.pk).state == PartnerState.DECLINED
        with pytest.raises(PartnerRequestOverError, match="declined already"):
            answer.accept(request_id=request.pk)
    hall.wait(AFTER - 1)
    hall.sweep()
    assert PartnerRequest.objects.count() == 1
    hall.wait(1)
    hall.sweep()
    second = asked(hall)
    hall.wait(ANSWER)
    hall.sweep()
    second.refresh_from_db()
    assert second.state == PartnerState.EXPIRED
    assert kinds()[-1] == "partner.expired"
    with hall.at_now(), pytest.raises(PartnerRequestOverError, match="is over"):
        answer.accept(request_id=second.pk)
    ticket = hall.ticket(0)
    assert (ticket.state, ticket.waiting_since) == ("waiting", since)
    search, _members = seen(ticket.pk)
    assert search.partner is not None
    assert (search.partner.last, search.partner.is_wanted) == ("expired", True)


def test_an_answer_that_is_late_by_itself_closes_the_request() -> None:
    hall = hall_that_supplies()
    request = after_waiting(hall)
    hall.wait(ANSWER)
    with hall.at_now(), pytest.raises(PartnerRequestOverError, match="is over"):
        answer.accept(request_id=request.pk)
    request.refresh_from_db()
    assert request.state == PartnerState.EXPIRED
    assert not Match.objects.exists()


@pytest.mark.parametrize("by_itself", [False, True])
def test_a_match_among_players_wins(by_itself: bool) -> None:
    hall = hall_that_supplies(accepts_by_itself=by_itself)
    request = after_waiting(hall)
    hall.join(1)
    hall.sweep()
    state = "matched" if by_itself else "offered"
    assert hall.states(0, 1) == [state, state]
    request.refresh_from_db()
    assert request.state == PartnerState.WITHDRAWN
    assert "partner.withdrawn" in kinds()
    with hall.at_now(), pytest.raises(PartnerRequestOverError, match="withdrawn"):
        answer.accept(request_id=request.pk)
    assert not Match.objects.exclude(partner="").exists()
    hall.check()


def test_after_an_offer_that_fell_through_the_game_is_asked_again_at_once() -> None:
    hall = hall_that_supplies()
    after_waiting(hall)
    hall.join(1)
    hall.sweep()
    hall.decline(1)
    hall.sweep()
    assert hall.states(0) == ["waiting"]
    assert asked(hall).asked_at == hall.now


def test_a_search_that_ends_takes_the_request_with_it() -> None:
    hall = hall_that_supplies()
    request = after_waiting(hall)
    hall.cancel(0)
    request.refresh_from_db()
    assert request.state == PartnerState.WITHDRAWN
    hall.join(1, wants_partner=True)
    hall.wait(AFTER)
    hall.sweep()
    # However else it ends: a worker finds what is left of it, though nobody searches any more.
    Ticket.objects.filter(pk=hall.tickets[1]).update(state="cancelled", ended_at=hall.now)
    assert queues_with_work() == [hall.queue.pk]
    hall.sweep()
    assert not PartnerRequest.objects.filter(state=PartnerState.ASKED).exists()
    assert queues_with_work() == []


def test_an_operator_who_switches_it_off_withdraws_what_is_asked() -> None:
    hall = hall_that_supplies()
    request = after_waiting(hall)
    Queue.objects.update(partner_seconds=None)
    hall.sweep()
    request.refresh_from_db()
    assert request.state == PartnerState.WITHDRAWN
    with pytest.raises(NoPartnerError):
        want(hall, 0)


def test_whoever_is_away_or_plays_gets_none() -> None:
    hall = hall_that_supplies(idle_seconds=60)
    hall.join(0, by_page=True, wants_partner=True)
    hall.wait(60)
    hall.sweep()
    assert not PartnerRequest.objects.exists()
    hall.join(1, wants_partner=True)
    Ticket.objects.filter(pk=hall.tickets[1]).update(waiting_since=hall.now)
    hall.cancel(0)
    hall.wait(AFTER)
    hall.sweep()
    request = asked(hall, 1)
    hall.put_into_match(1, against=2)
    with hall.at_now(), pytest.raises(PartnerRequestOverError, match="withdrawn"):
        answer.accept(request_id=request.pk)
    assert Participant.objects.filter(player=hall.players[1], playing=True).count() == 1


def test_a_team_that_is_whole_gets_one_and_no_other() -> None:
    hall = hall_that_supplies(team_size=2)
    hall.join_together(0, 1, wants_partner=True)
    hall.join(2, wants_partner=True)
    hall.wait(AFTER)
    Queue.objects.update(is_open=False)  # nothing changes for whoever searches
    hall.sweep()
    assert PartnerRequest.objects.count() == 1
    with pytest.raises(NoPartnerError):
        want(hall, 2)
    match = accept(hall, asked(hall))
    assert set(match.participants.values_list("player", "team")) == {
        (hall.players[0].pk, 0),
        (hall.players[1].pk, 0),
    }
    assert seen(hall.tickets[2])[0].partner is None


def test_a_queue_of_more_than_two_teams_has_none() -> None:
    hall = make_hall(team_count=4)
    hall.queue.partner_seconds = AFTER
    with pytest.raises(ValidationError, match="have 4"):
        hall.queue.full_clean()
    hall.queue.partner_seconds = 9
    with pytest.raises(ValidationError):
        hall.queue.full_clean()


@pytest.mark.parametrize(
    ("said", "ranks", "own", "other"),
    [
        (Outcome.WON, (0, 1), "won", "lost"),
        (Outcome.DRAWN, (0, 0), "drawn", "drawn"),
        (Outcome.LOST, (1, 0), "lost", "won"),
    ],
)
def test_the_players_word_counts_at_once(
    said: Outcome, ranks: tuple[int, int], own: str, other: str
) -> None:
    hall = hall_that_supplies()
    match = accept(hall, after_waiting(hall), name="Iron Guard")
    with hall.at_now():
        report.report(match_id=match.pk, player_id=hall.players[0].pk, outcome=said)
        report.report(match_id=match.pk, player_id=hall.players[0].pk, outcome=said)
    match.refresh_from_db()
    assert (match.state, match.partner_rank, match.ladder_seq) == ("confirmed", ranks[1], None)
    teams = summary_of(match).teams
    assert [team.outcome for team in teams] == [own, other]
    assert [team.partner for team in teams] == ["", "Iron Guard"]
    assert not Rating.objects.exists()


def test_nobody_played_and_nobody_said_so() -> None:
    hall = hall_that_supplies()
    match = accept(hall, after_waiting(hall))
    with hall.at_now():
        report.report(match_id=match.pk, player_id=hall.players[0].pk, outcome=Outcome.NOT_PLAYED)
    match.refresh_from_db()
    assert (match.state, match.partner_rank) == ("aborted", None)
    again = accept(hall, after_waiting(hall))
    hall.wait(60 * hall.ladder.abandon_minutes)
    with hall.at_now():
        assert settle_due() == 1
    again.refresh_from_db()
    assert again.state == "abandoned"


def test_the_servers_result_counts_with_its_score() -> None:
    hall = hall_that_supplies()
    match = accept(hall, after_waiting(hall))
    result = Result(ranks=(1, 0), scores=[3.0, 5.0])
    with hall.at_now():
        decide.confirm_by_server(match_id=match.pk, result=result, server_key=7)
        decide.confirm_by_server(match_id=match.pk, result=result, server_key=7)
        with pytest.raises(MatchDecidedError):
            decide.confirm_by_server(
                match_id=match.pk, result=Result(ranks=(1, 0), scores=[3.0, 6.0])
            )
        with pytest.raises(WrongResultError, match="annul"):
            correct(match_id=match.pk, result=Result(ranks=(0, 1)), reason="no")
    match.refresh_from_db()
    assert (match.partner_rank, match.partner_score) == (0, 5.0)
    own, other = summary_of(match).teams
    assert (own.score, other.score, own.outcome) == (3.0, 5.0, Outcome.LOST)


def test_statistics_take_it_for_a_search_that_found_nobody() -> None:
    hall = hall_that_supplies()
    for _ in range(12):
        match = accept(hall, after_waiting(hall))
        with hall.at_now():
            decide.abort(match_id=match.pk)
    with hall.at_now():
        assert estimate(hall.queue.pk).searches == 0
    assert "supplied" in ENDED


def test_the_database_rates_no_match_with_a_partner_and_asks_once() -> None:
    hall = hall_that_supplies()
    request = after_waiting(hall)
    with pytest.raises(IntegrityError, match="partner_one_request"), transaction.atomic():
        PartnerRequest.objects.create(
            ticket_id=request.ticket_id, asked_at=hall.now, expires_at=hall.now
        )
    match = accept(hall, request)
    with pytest.raises(IntegrityError, match="not_rated"), transaction.atomic():
        Match.objects.filter(pk=match.pk).update(rated=True)
