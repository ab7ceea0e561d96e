"""While nothing could be written nobody could be heard: nothing of that time is held against anybody."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from pytest_django import Settings

from challenges import answer, make, meeting
from challenges.make import Wanted
from challenges.models import ChallengeState
from challenges.settle import settle
from config.monitoring.free_space import FreeSpace
from foundation import clock, timekeeping
from foundation.models import Heartbeat
from foundation.timekeeping import clock_jumps
from matchmaking.conduct.absences import away, back
from matchmaking.conduct.leaving import judge, judge_absences
from matchmaking.conduct.refusals import TooLateBackError
from matchmaking.models import Absence, ConductRules, Offence, Offer, Teller
from matchmaking.offers import answer as offers
from matchmaking.refusals import OfferOverError
from matchmaking.sweep import run as sweep
from matchmaking.tickets import lifecycle
from ratings.matches import report
from ratings.matches.deadlines import settle_due
from ratings.matches.start import start_match
from ratings.models import Match, MatchState, Outcome
from rooms import tend
from rooms.models import RoomMember
from tests.foundation.moved_clock import jump, pass_time, pass_time_at_work
from tests.matchmaking.hall import Hall, make_hall
from tests.ratings.plain import NOON
from tests.rooms.lounge import Lounge

pytestmark = pytest.mark.django_db
SECOND = timedelta(seconds=1)


@pytest.fixture
def hall(monkeypatch: pytest.MonkeyPatch) -> Hall:
    """Offers are open for 30 seconds, searches and seats kept for 60 and 120. What the test itself takes is no time."""
    at, uptime, look = clock.now(), clock_jumps.uptime(), clock_jumps.look
    monkeypatch.setattr(clock_jumps, "_read", lambda: (at, uptime))
    monkeypatch.setattr(clock_jumps, "look", lambda: replace(look(), at=at, uptime=uptime))
    hall = make_hall(6, accept_seconds=30, heartbeat_seconds=60)
    hall.seconds = (clock.now() - NOON).total_seconds()
    assert timekeeping.is_steady()
    return hall


def outage() -> timedelta | None:
    """How long the last one was, in whole seconds."""
    found = timekeeping.deadlines().outage
    if found is None:
        return None
    return timedelta(seconds=round((found.until - found.since).total_seconds()))


def offered(hall: Hall) -> Offer:
    for number in (0, 1):
        ticket = lifecycle.join(queue=hall.queue, player=hall.players[number])
        hall.tickets[number] = ticket.pk
    sweep.run_queue(hall.queue.pk)
    return Offer.objects.latest("pk")


def dropped(hall: Hall) -> Match:
    """A match from which player 1 is away, who may come back for 180 seconds."""
    match = start_match(ladder=hall.ladder, teams=[[hall.players[0].pk], [hall.players[1].pk]])
    away(match_id=match.pk, player_id=hall.players[1].pk, by=Teller.SERVER)
    return match


def come_back(match: Match, hall: Hall) -> Absence:
    return back(match_id=match.pk, player_id=hall.players[1].pk, by=Teller.SERVER)


def charged() -> list[str]:
    return list(Offence.objects.filter(taken_back_at=None).values_list("kind", flat=True))


class TestSeen:
    def test_none_while_somebody_looks(self, hall: Hall) -> None:
        pass_time_at_work(timedelta(minutes=2))
        assert outage() is None

    def test_from_the_last_heartbeat_to_the_next(self, hall: Hall) -> None:
        pass_time(25 * SECOND)
        assert outage() == 25 * SECOND
        pass_time_at_work(timedelta(minutes=2))
        assert outage() == 25 * SECOND
        pass_time(40 * SECOND)
        assert outage() == 40 * SECOND

    def test_before_it_is_noted(self, hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
        """Else whoever sweeps while another process notes it would charge players for it."""
        pass_time(25 * SECOND)
        with monkeypatch.context() as patched:
            patched.setattr(clock_jumps, "try_hold", lambda *_: False)
            assert outage() == 25 * SECOND
        assert not Heartbeat.objects.filter(outage_since__isnull=False).exists()

    @pytest.mark.parametrize("by", [-100.0, 400.0, -400.0])
    def test_a_clock_that_is_set_makes_none(self, hall: Hall, by: float) -> None:
        Heartbeat.objects.update(at=clock.now() - timedelta(seconds=by))
        assert outage() is None
        assert not Heartbeat.objects.filter(outage_since__isnull=False).exists()

    @pytest.mark.parametrize("is_noted", [True, False])
    def test_a_machine_that_was_halted_from_outside(
        self, hall: Hall, monkeypatch: pytest.MonkeyPatch, is_noted: bool
    ) -> None:
        """While it moves to another host its own clock stands still; then the other one is set right."""
        jump(100 * SECOND)
        if not is_noted:
            monkeypatch.setattr(clock_jumps, "try_hold", lambda *_: False)
        assert outage() == 100 * SECOND
        assert Heartbeat.objects.filter(outage_since__isnull=False).exists() == is_noted

    def test_a_machine_that_was_off(self, hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
        pass_time(timedelta(days=2))
        monkeypatch.setattr(clock_jumps, "machine", lambda: "booted again")
        assert outage() == timedelta(days=2)

    def test_another_machine_was_at_work(self, hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
        """One on which nobody looks for long, as there is no worker, knows of no outage by that."""
        with monkeypatch.context() as other:
            other.setattr(clock_jumps, "machine", lambda: "another")
            assert timekeeping.is_steady()
        pass_time(25 * SECOND)
        Heartbeat.objects.filter(machine="another").update(at=clock.now() - 3 * SECOND)
        assert outage() is None
        pass_time(25 * SECOND)
        assert outage() == 25 * SECOND
        monkeypatch.setattr(clock_jumps, "machine", lambda: "another")
        assert outage() == 25 * SECOND

    def test_no_heartbeat_while_the_disk_is_full(
        self, hall: Hall, settings: Settings, tmp_path: Path
    ) -> None:
        """Pages are shown then, and look at the clock; whatever else anybody wants is refused."""
        before, settings.FREE_SPACE = settings.FREE_SPACE, FreeSpace((tmp_path,), 2**62)
        for _ in range(3):
            pass_time_at_work(10 * SECOND)
        settings.FREE_SPACE = before
        assert outage() == 30 * SECOND

    def test_a_time_that_is_given_knows_of_none(self, hall: Hall) -> None:
        pass_time(25 * SECOND)
        with clock.at(clock.now()):
            assert outage() is None


class TestOffers:
    @pytest.mark.parametrize("close", ["sweep", "answer"])
    def test_silence_is_held_against_nobody(self, hall: Hall, close: str) -> None:
        offered(hall)
        pass_time(31 * SECOND)
        if close == "answer":
            with pytest.raises(OfferOverError):
                offers.accept(ticket_id=hall.tickets[0])
        sweep.run_queue(hall.queue.pk)
        assert hall.states(0, 1) == ["expired", "expired"]
        assert charged() == []

    def test_nor_where_only_its_beginning_was_in_one(self, hall: Hall) -> None:
        offered(hall)
        pass_time(20 * SECOND)
        pass_time_at_work(11 * SECOND)
        sweep.run_queue(hall.queue.pk)
        assert (hall.states(0, 1), charged()) == (["expired", "expired"], [])

    def test_one_after_it_counts(self, hall: Hall) -> None:
        pass_time(25 * SECOND)
        assert outage()
        offered(hall)
        pass_time_at_work(31 * SECOND)
        sweep.run_queue(hall.queue.pk)
        assert charged() == ["silent", "silent"]


class TestAbsences:
    def test_there_is_a_minute_left_after_it(self, hall: Hall) -> None:
        match = dropped(hall)
        pass_time(181 * SECOND)
        for _ in range(2):
            assert judge_absences() == 0
        pass_time_at_work(59 * SECOND)
        assert judge_absences() == 0
        assert come_back(match, hall).back_at is not None
        assert charged() == []

    def test_also_before_anybody_has_looked(self, hall: Hall) -> None:
        match = dropped(hall)
        pass_time(200 * SECOND)
        assert come_back(match, hall).back_at is not None

    def test_nor_has_anybody_left_a_match_that_ends_right_after_it(self, hall: Hall) -> None:
        match = dropped(hall)
        pass_time(181 * SECOND)
        judge([match.pk], clock.now())
        assert charged() == []

    @pytest.mark.parametrize("judged_at_once", [True, False])
    def test_who_stays_away_has_left(self, hall: Hall, judged_at_once: bool) -> None:
        match = dropped(hall)
        pass_time(181 * SECOND)
        assert outage()
        if judged_at_once:
            judge_absences()
        pass_time_at_work(61 * SECOND)
        assert judge_absences() == 1
        with pytest.raises(TooLateBackError):
            come_back(match, hall)
        assert charged() == ["left"]
        judge([match.pk], clock.now())
        assert charged() == ["left"]

    def test_whose_time_was_over_before_has_left(self, hall: Hall) -> None:
        dropped(hall)
        pass_time_at_work(181 * SECOND)
        pass_time(25 * SECOND)
        assert judge_absences() == 1
        assert charged() == ["left"]

    def test_more_time_is_left_as_it_is(self, hall: Hall) -> None:
        dropped(hall)
        pass_time(25 * SECOND)
        until = Absence.objects.get().until
        judge_absences()
        assert Absence.objects.get().until == until


class TestReports:
    def test_whoever_could_not_contradict_has_a_minute_for_it(self, hall: Hall) -> None:
        match = start_match(ladder=hall.ladder, teams=[[hall.players[0].pk], [hall.players[1].pk]])
        report.report(match_id=match.pk, player_id=hall.players[0].pk, outcome=Outcome.WON)
        pass_time(timedelta(minutes=hall.ladder.report_minutes, seconds=5))
        assert settle_due() == 0
        pass_time_at_work(55 * SECOND)
        report.report(match_id=match.pk, player_id=hall.players[1].pk, outcome=Outcome.WON)
        match.refresh_from_db()
        assert match.state == MatchState.DISPUTED

    def test_and_no_more_than_that(self, hall: Hall) -> None:
        match = start_match(ladder=hall.ladder, teams=[[hall.players[0].pk], [hall.players[1].pk]])
        report.report(match_id=match.pk, player_id=hall.players[0].pk, outcome=Outcome.WON)
        pass_time(timedelta(minutes=hall.ladder.report_minutes, seconds=5))
        assert settle_due() == 0
        pass_time_at_work(61 * SECOND)
        assert settle_due() == 1
        match.refresh_from_db()
        assert match.state == MatchState.CONFIRMED


class TestSilence:
    def test_a_clock_that_went_back_keeps_no_seats(self, hall: Hall) -> None:
        lounge = Lounge(hall)
        lounge.join(lounge.open(0), 1)
        jump(-timedelta(hours=1))
        tend.tend_rooms()
        assert RoomMember.objects.filter(live=True).count() == 2
        pass_time_at_work(121 * SECOND)
        tend.tend_rooms()
        assert not RoomMember.objects.filter(live=True).exists()

    def test_seats_are_kept(self, hall: Hall) -> None:
        lounge = Lounge(hall)
        room = lounge.join(lounge.open(0), 1)
        pass_time(timedelta(minutes=40))
        tend.tend_rooms()
        pass_time_at_work(119 * SECOND)
        tend.beat(hall.players[1].pk)
        tend.tend_rooms()
        assert lounge.seats(room) == {0: 0, 1: 1}
        pass_time_at_work(2 * SECOND)
        tend.tend_rooms()
        assert lounge.seats(room) == {1: 1}

    @pytest.mark.parametrize("asked", [True, False])
    def test_searches_go_on(self, hall: Hall, asked: bool) -> None:
        ticket = lifecycle.join(queue=hall.queue, player=hall.players[0])
        if asked:
            type(ticket).objects.update(asked_at=clock.now())
        limit = hall.queue.still_there_seconds if asked else hall.queue.heartbeat_seconds
        pass_time(timedelta(minutes=10))
        assert sweep.run_queue(hall.queue.pk).expired_tickets == 0
        pass_time_at_work((limit - 1) * SECOND)
        if asked:
            lifecycle.beat(ticket.pk)
        assert sweep.run_queue(hall.queue.pk).expired_tickets == 0
        pass_time_at_work(2 * SECOND)
        assert sweep.run_queue(hall.queue.pk).expired_tickets == 1


@pytest.mark.parametrize(
    ("wait", "missed"), [(pass_time, []), (pass_time_at_work, ["missed"])], ids=["out", "at work"]
)
def test_nobody_has_missed_an_appointment(
    hall: Hall, wait: Callable[[timedelta], None], missed: list[str]
) -> None:
    ConductRules.objects.create(game=hall.ladder.game, missed=0.5)
    wanted = Wanted(ladder=hall.ladder, at=clock.now() + timedelta(hours=1))
    made = make.challenge(player=hall.players[0], other=hall.players[1], wanted=wanted)
    answer.accept(challenge_id=made.pk, player=hall.players[1])
    pass_time(timedelta(minutes=55))
    timekeeping.is_steady()
    pass_time_at_work(20 * SECOND)
    meeting.say_here(challenge_id=made.pk, player=hall.players[0])
    wait(timedelta(minutes=15))
    settle()
    made.refresh_from_db()
    assert made.state == ChallengeState.MISSED
    assert charged() == missed
