"""Deadlines of offers, searches, matches and reports, when the clock jumps between their start and their end."""

from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress

from accounts.models import User
from accounts.tasks import forget_old
from foundation import clock, timekeeping
from matchmaking.conduct.absences import away, back
from matchmaking.conduct.leaving import judge, judge_absences
from matchmaking.conduct.refusals import TooLateBackError
from matchmaking.models import Absence, Offence, Offer, OfferState, Queue, Teller, Ticket
from matchmaking.offers import answer as offers
from matchmaking.sweep import run as sweep
from matchmaking.sweep.pairing_context import PairingContext
from matchmaking.sweep.read import read_waiting
from matchmaking.tickets import lifecycle
from ratings.matches import decide, report
from ratings.matches.deadlines import settle_due
from ratings.matches.result import Result
from ratings.matches.start import start_match
from ratings.models import Match, MatchState, Outcome, Report
from tests.foundation.moved_clock import jump, pass_time, pass_time_at_work
from tests.matchmaking.hall import Hall, make_hall
from tests.ratings.plain import NOON

pytestmark = pytest.mark.django_db
FAR = timedelta(days=400)


@pytest.fixture
def hall() -> Hall:
    """Players who can search in a queue by the real clock."""
    hall = make_hall(6, accept_seconds=30, heartbeat_seconds=60)
    hall.seconds = (clock.now() - NOON).total_seconds()
    assert timekeeping.is_steady()
    return hall


def pass_with_an_outage(span: timedelta) -> None:
    """Time passes; the site is at work for the end of it only, long enough for those who could not be heard."""
    at_work = timedelta(seconds=70)
    pass_time(span - at_work)
    timekeeping.is_steady()
    pass_time_at_work(at_work)


def search(hall: Hall, *numbers: int) -> list[Ticket]:
    found = [lifecycle.join(queue=hall.queue, player=hall.players[n]) for n in numbers]
    hall.tickets.update({n: ticket.pk for n, ticket in zip(numbers, found, strict=True)})
    return found


def offered(hall: Hall, *numbers: int) -> Offer:
    search(hall, *numbers)
    sweep.run_queue(hall.queue.pk)
    return Offer.objects.latest("pk")


def begun(hall: Hall, one: int = 0, other: int = 1) -> Match:
    return start_match(ladder=hall.ladder, teams=[[hall.players[one].pk], [hall.players[other].pk]])


def state_of(match: Match) -> str:
    match.refresh_from_db()
    return str(match.state)


def test_an_offer_has_the_time_it_had_left(hall: Hall) -> None:
    offer = offered(hall, 0, 1)
    pass_time(timedelta(seconds=20))
    jump(FAR)
    assert sweep.run_queue(hall.queue.pk).expired_offers == 0
    offers.accept(ticket_id=hall.tickets[0])
    offer.refresh_from_db()
    assert offer.state == OfferState.PENDING
    pass_time(timedelta(seconds=11))
    assert sweep.run_queue(hall.queue.pk).expired_offers == 1
    assert hall.states(0, 1) == ["waiting", "expired"]


def test_an_offer_after_the_jump_has_its_own_time(hall: Hall) -> None:
    jump(FAR)
    offer = offered(hall, 0, 1)
    pass_time(timedelta(seconds=29))
    assert sweep.run_queue(hall.queue.pk).expired_offers == 0
    pass_time(timedelta(seconds=2))
    assert sweep.run_queue(hall.queue.pk).expired_offers == 1
    offer.refresh_from_db()
    assert offer.state == OfferState.EXPIRED


def test_nobody_who_searches_falls_silent_by_it(hall: Hall) -> None:
    search(hall, 0)
    jump(FAR)
    assert sweep.run_queue(hall.queue.pk).expired_tickets == 0
    pass_time(timedelta(seconds=59))
    assert sweep.run_queue(hall.queue.pk).expired_tickets == 0
    pass_time(timedelta(seconds=2))
    assert sweep.run_queue(hall.queue.pk).expired_tickets == 1


def test_nobody_has_waited_for_a_year(hall: Hall) -> None:
    """Else who searches just then would be matched with anybody."""
    search(hall, 0)
    pass_time(timedelta(seconds=10))
    jump(FAR)
    lifecycle.beat(hall.tickets[0])
    queue = Queue.objects.select_related("ladder").get()
    tickets = read_waiting(PairingContext.of(queue), timekeeping.deadlines())
    assert tickets.waited.tolist() == [pytest.approx(10, abs=5)]


def test_matches_and_reports_keep_their_time(hall: Hall) -> None:
    reported, silent = begun(hall), begun(hall, 2, 3)
    report.report(match_id=reported.pk, player_id=hall.players[0].pk, outcome=Outcome.WON)
    jump(FAR)
    assert settle_due() == 0
    pass_with_an_outage(timedelta(minutes=hall.ladder.report_minutes, seconds=1))
    timekeeping.trust()  # that the time is right now takes nothing from anybody
    assert settle_due() == 1
    assert (state_of(reported), state_of(silent)) == (MatchState.CONFIRMED, MatchState.PLAYING)
    pass_with_an_outage(timedelta(minutes=hall.ladder.abandon_minutes))
    assert settle_due() == 1
    assert state_of(silent) == MatchState.ABANDONED


def test_a_match_after_the_jump_has_its_own_time(hall: Hall) -> None:
    jump(FAR)
    match = begun(hall)
    assert settle_due() == 0
    pass_with_an_outage(timedelta(minutes=hall.ladder.abandon_minutes, seconds=-5))
    assert settle_due() == 0
    pass_time(timedelta(seconds=10))
    assert settle_due() == 1
    assert state_of(match) == MatchState.ABANDONED


def test_what_began_ahead_of_time_begins_anew_when_the_clock_is_back(hall: Hall) -> None:
    """Else nobody would come free for a year."""
    jump(FAR)
    offered(hall, 0, 1)
    search(hall, 2)
    match = begun(hall, 4, 5)
    report.report(match_id=match.pk, player_id=hall.players[4].pk, outcome=Outcome.WON)
    jump(-FAR)
    assert timekeeping.is_steady()
    assert settle_due() == 0
    sweep.run_queue(hall.queue.pk)
    now = clock.now()
    match.refresh_from_db()
    assert match.due_at is not None
    assert now < match.due_at <= now + timedelta(minutes=hall.ladder.report_minutes)
    assert Offer.objects.get().expires_at <= now + timedelta(seconds=30)
    assert not Ticket.objects.filter(seen_at__gt=now + timedelta(minutes=1)).exists()
    pass_with_an_outage(timedelta(minutes=hall.ladder.report_minutes, seconds=1))
    assert settle_due() == 1
    assert state_of(match) == MatchState.CONFIRMED
    pass_time_at_work(timedelta(minutes=2))
    sweep.run_queue(hall.queue.pk)
    assert hall.states(0, 1, 2) == ["expired"] * 3


def test_a_report_from_ahead_of_time_stands_as_long_from_now_on(hall: Hall) -> None:
    """Of a match that had begun before: else it is decided after as long as the clock was ahead."""
    match = begun(hall)
    jump(FAR)
    report.report(match_id=match.pk, player_id=hall.players[0].pk, outcome=Outcome.WON)
    jump(-FAR)
    assert timekeeping.is_steady()
    assert settle_due() == 0
    match.refresh_from_db()
    now, minutes = clock.now(), timedelta(minutes=hall.ladder.report_minutes)
    assert match.due_at is not None
    assert now + minutes - timedelta(seconds=30) < match.due_at <= now + minutes
    assert match.ended_at is not None
    assert match.ended_at <= now
    assert Report.objects.get().at <= now
    pass_with_an_outage(minutes + timedelta(seconds=1))
    assert settle_due() == 1
    assert state_of(match) == MatchState.CONFIRMED


class TestBeingAway:
    """Player 1 has 180 seconds to come back."""

    @pytest.fixture
    def match(self, hall: Hall) -> Match:
        match = begun(hall)
        away(match_id=match.pk, player_id=hall.players[1].pk, by=Teller.SERVER)
        return match

    def come_back(self, match: Match, hall: Hall) -> Absence:
        return back(match_id=match.pk, player_id=hall.players[1].pk, by=Teller.SERVER)

    def end(self, match: Match) -> list[str]:
        """What is charged when the server says how it ended."""
        result = Result(ranks=(0, 1))
        decide.confirm_by_server(match_id=match.pk, result=result, server_key=None)
        judge([match.pk], clock.now())
        return list(Offence.objects.values_list("kind", flat=True))

    def test_a_jump_leaves_the_time_to_come_back(self, hall: Hall, match: Match) -> None:
        pass_time_at_work(timedelta(seconds=170))
        jump(FAR)
        assert judge_absences() == 0
        assert self.come_back(match, hall).back_at is not None
        assert self.end(match) == []

    def test_and_no_more_than_that(self, hall: Hall, match: Match) -> None:
        jump(FAR)
        pass_time_at_work(timedelta(seconds=181))
        with pytest.raises(TooLateBackError):
            self.come_back(match, hall)
        assert judge_absences() == 1
        assert list(Offence.objects.values_list("kind", flat=True)) == ["left"]

    def test_a_match_that_ends_meanwhile_charges_nobody(self, hall: Hall, match: Match) -> None:
        jump(FAR)
        assert self.end(match) == []

    def test_nor_one_that_was_begun_ahead_of_time(self, hall: Hall) -> None:
        jump(FAR)
        match = begun(hall)
        away(match_id=match.pk, player_id=hall.players[1].pk, by=Teller.SERVER)
        jump(-FAR)
        assert timekeeping.is_steady()
        settle_due()  # begins anew what was begun ahead
        assert self.end(match) == []


def test_a_dispute_from_ahead_of_time_can_be_decided(hall: Hall) -> None:
    jump(FAR)
    match = begun(hall)
    for player in hall.players[:2]:
        report.report(match_id=match.pk, player_id=player.pk, outcome=Outcome.WON)
    jump(-FAR)
    settle_due()
    match.refresh_from_db()
    assert (match.state, match.due_at) == (MatchState.DISPUTED, None)
    now = clock.now()
    assert match.played_at <= now
    assert match.ended_at is not None
    assert match.ended_at <= now


def test_a_clock_that_went_back_keeps_nobody(hall: Hall) -> None:
    """Nor does it end what is begun by it, once it is right again."""
    offered(hall, 0, 1)
    match = begun(hall, 4, 5)
    jump(-FAR)
    assert not timekeeping.is_steady()
    pass_time(timedelta(seconds=31))
    assert sweep.run_queue(hall.queue.pk).expired_offers == 1
    late = begun(hall, 2, 3)
    assert settle_due() == 0
    jump(FAR)
    assert timekeeping.is_steady()
    assert settle_due() == 0
    pass_with_an_outage(timedelta(minutes=hall.ladder.abandon_minutes, seconds=1))
    assert settle_due() == 2
    assert state_of(match) == state_of(late) == MatchState.ABANDONED


def test_deadlines_after_a_belief_that_was_wrong(hall: Hall) -> None:
    """The clock was ahead, was believed, and is set right: what begins now ends in its time."""
    jump(FAR)
    assert not timekeeping.is_steady()
    timekeeping.trust()
    jump(-FAR)
    assert not timekeeping.is_steady()
    timekeeping.trust()
    match = begun(hall)
    pass_with_an_outage(timedelta(minutes=hall.ladder.abandon_minutes, seconds=1))
    assert settle_due() == 1
    assert state_of(match) == MatchState.ABANDONED


def test_accounts_and_mails_stay_while_the_clock_is_not_believed() -> None:
    user = User.objects.create_user("ann", email="ann@example.org")
    EmailAddress.objects.create(user=user, email="ann@example.org", verified=False, primary=True)
    User.objects.update(date_joined=clock.now() - FAR)
    assert timekeeping.is_steady()
    jump(FAR)
    forget_old()
    assert User.objects.exists()
    timekeeping.trust()
    forget_old()
    assert not User.objects.exists()
