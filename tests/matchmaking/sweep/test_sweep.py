"""Sweeps: who is offered a match, and what a lease is worth."""

from collections.abc import Callable
from datetime import timedelta
from uuid import uuid4

import pytest
from django.db import connection
from prometheus_client import REGISTRY
from pytest_django import DjangoCaptureOnCommitCallbacks

from foundation.timekeeping import Deadlines
from matchmaking import tasks
from matchmaking.models import Offer, Queue
from matchmaking.offers import answer as offers
from matchmaking.pairing.strategies.choose import find_matches
from matchmaking.sweep import lease
from matchmaking.sweep import run as sweep
from matchmaking.sweep.pairing_context import PairingContext
from matchmaking.sweep.proposals import Proposals
from matchmaking.sweep.read import read_waiting
from matchmaking.sweep.write import LostLeaseError, write_proposals
from matchmaking.tickets import expire
from ratings.models import Match, Mode, RatingTrack
from ratings.tracks.parameters import create_track
from tests.matchmaking.hall import Hall, make_hall

pytestmark = pytest.mark.django_db


def write_after(hall: Hall, happens: Callable[[], object]) -> int:
    """Sweep, and let something happen between pairing and writing."""
    with hall.at_now():
        token = lease.take_lease(hall.queue.pk)
        assert token is not None
        context = PairingContext.of(hall.queue)
        waiting = read_waiting(context, Deadlines(hall.now))
        found = find_matches(waiting, context.plan)
        happens()
        return write_proposals(hall.queue, token, Proposals.of(waiting, context.plan, found))


class TestOffers:
    def test_two_who_wait_are_offered_a_match(self) -> None:
        hall = make_hall(gap_start=100)
        hall.rate({0: 1500, 1: 1560})
        hall.join(0)
        hall.wait(2)
        hall.join(1)
        report = hall.sweep()
        assert (report.leased, report.waiting, report.offers, report.matches) == (True, 2, 1, 0)
        offer = Offer.objects.get()
        assert (offer.state, offer.gap, offer.match) == ("pending", 60.0, None)
        assert offer.expires_at == hall.now + timedelta(seconds=20)
        seats = offer.tickets.order_by("ticket").values_list("ticket", "live", "accepted_at")
        assert list(seats) == [(hall.tickets[0], True, None), (hall.tickets[1], True, None)]
        assert {*offer.tickets.values_list("team", flat=True)} == {0, 1}  # by lot
        assert hall.states(0, 1) == ["offered", "offered"]
        hall.check()

    def test_the_queue_is_free_again(self) -> None:
        hall = make_hall()
        hall.join(0, 1)
        hall.sweep()
        hall.queue.refresh_from_db()
        assert (hall.queue.sweep_token, hall.queue.sweep_until) == (None, None)
        assert hall.queue.swept_at == hall.now

    def test_one_alone_waits_on(self) -> None:
        hall = make_hall()
        hall.join(0)
        assert hall.sweep().offers == 0
        assert hall.states(0) == ["waiting"]

    def test_the_gap_widens_by_waiting(self) -> None:
        hall = make_hall(gap_start=100, gap_per_second=5)
        hall.rate({0: 1500, 1: 1650})
        hall.join(0, 1)
        hall.wait(9)
        assert hall.sweep().offers == 0
        hall.wait(1)
        assert hall.sweep().offers == 1

    def test_up_to_the_cap(self) -> None:
        hall = make_hall(gap_start=100, gap_per_second=5, gap_cap=140, heartbeat_seconds=3600)
        hall.rate({0: 1500, 1: 1650})
        hall.join(0, 1)
        hall.wait(3000)
        assert hall.sweep().offers == 0

    def test_nobody_stays_who_could_be_matched(self) -> None:
        hall = make_hall(9, gap_start=40, gap_per_second=0)
        hall.rate({number: 1500 + 30.0 * number for number in range(9)})
        hall.join(*range(9))
        assert hall.sweep().offers == 4

    def test_settings_of_another_version_stop_nobody(self) -> None:
        settings = {"gone": {"use": "must"}, "region": {"start": "near"}, "rematch": {"use": "off"}}
        hall = make_hall(settings=settings)
        hall.join(0, 1)
        assert hall.sweep().offers == 1

    def test_two_queues_do_not_meet(self) -> None:
        hall, other = make_hall(), make_hall()
        hall.join(0)
        other.join(0)
        assert [hall.sweep().offers, other.sweep().offers] == [0, 0]

    def test_a_closed_queue_goes_on_with_those_who_wait(self) -> None:
        hall = make_hall()
        hall.join(0, 1)
        Queue.objects.update(is_open=False)
        assert hall.sweep().offers == 1


class TestRatings:
    def test_new_players_have_what_everyone_begins_with(self) -> None:
        hall = make_hall(gap_start=10, gap_per_second=0)
        hall.rate({0: 1500, 1: 1700})
        hall.join(0, 1, 2)
        hall.sweep()
        assert hall.pairs() == {frozenset({0, 2})}

    def test_a_normal_ladder_uses_what_it_hides(self) -> None:
        hall = make_hall(mode=Mode.NORMAL, gap_start=10, gap_per_second=0)
        assert not hall.track.shown
        hall.rate({0: 1500, 1: 1700, 2: 1705})
        hall.join(0, 1, 2)
        hall.sweep()
        assert hall.pairs() == {frozenset({1, 2})}

    def test_a_shown_track_goes_before_a_shadow(self) -> None:
        hall = make_hall(gap_start=10, gap_per_second=0)
        RatingTrack.objects.update(shown=False)
        shown = create_track(
            ladder=hall.ladder, system="elo", parameters={}, period_days=None, shown=True
        )
        hall.rate({0: 1500, 1: 1900, 2: 1500})
        hall.rate({0: 1500, 1: 1500, 2: 1900}, track=shown)
        hall.join(0, 1, 2)
        hall.sweep()
        assert hall.pairs() == {frozenset({0, 1})}

    def test_without_a_track_all_are_equal(self) -> None:
        hall = make_hall(gap_start=0, gap_per_second=0)
        hall.track.delete()
        hall.join(0, 1)
        assert hall.sweep().offers == 1

    def test_deviations_have_grown_since_they_were_computed(self) -> None:
        hall = make_hall()
        RatingTrack.objects.update(shown=False)
        track = create_track(
            ladder=hall.ladder, system="glicko", parameters={}, period_days=1.0, shown=True
        )
        RatingTrack.objects.filter(pk=track.pk).update(starts_at=hall.now)
        hall.rate({0: 1500}, track=track, deviation=50.0)
        hall.join(0, 1)
        hall.wait(10)
        with hall.at_now():
            tickets = read_waiting(PairingContext.of(hall.queue), Deadlines(hall.now))
        by_player = dict(zip(tickets.player.tolist(), tickets.deviation.tolist(), strict=True))
        assert 50.0 < by_player[hall.players[0].pk] < 51.0
        assert by_player[hall.players[1].pk] > 300.0
        assert tickets.waited.tolist() == [10.0, 10.0]


class TestWhoIsLeftOut:
    def test_whoever_plays_already(self) -> None:
        hall = make_hall()
        hall.join(0, 1)
        match = hall.put_into_match(0, against=3)
        assert (hall.sweep().waiting, hall.states(0)) == (1, ["waiting"])
        match.participants.update(playing=False)
        assert hall.sweep().offers == 1

    def test_the_silent_and_they_expire(self) -> None:
        hall = make_hall(heartbeat_seconds=60)
        hall.join(0, 1)
        hall.wait(40)
        hall.beat(1)
        hall.queue.refresh_from_db()
        hall.rate({0: 1500, 1: 9000})
        hall.wait(20)
        assert hall.sweep().expired_tickets == 0
        hall.wait(0.001)
        report = hall.sweep()
        assert (report.expired_tickets, report.waiting) == (1, 1)
        assert (hall.states(0, 1), hall.ticket(0).ended_at) == (["expired", "waiting"], hall.now)
        hall.check()
        hall.join(0)

    def test_more_than_one_batch_ends_in_one_run(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(expire, "_BATCH", 2)
        monkeypatch.setattr(offers, "_BATCH", 1)
        hall = make_hall(9, gap_start=50, gap_per_second=0)
        hall.rate({0: 1500, 1: 1510, 2: 1900, 3: 1910, **{n: 10_000.0 * n for n in range(4, 9)}})
        hall.join(*range(9))
        hall.sweep()
        hall.wait(61)
        report = hall.sweep()
        assert (report.expired_offers, report.expired_tickets) == (2, 5)
        assert hall.states(*range(9)) == ["expired"] * 9
        hall.check()


class TestBetweenPairingAndWriting:
    def test_a_pair_that_one_has_left_is_left_out(self) -> None:
        hall = make_hall(4, gap_start=50, gap_per_second=0)
        hall.rate({0: 1500, 1: 1510, 2: 1900, 3: 1910})
        hall.join(0, 1, 2, 3)
        written = write_after(hall, lambda: hall.cancel(1))
        assert written == 1
        assert hall.states(0, 1, 2, 3) == ["waiting", "cancelled", "offered", "offered"]
        hall.check()

    def test_a_sign_of_life_changes_nothing(self) -> None:
        hall = make_hall(2)
        hall.join(0, 1)
        hall.wait(30)
        write_after(hall, lambda: hall.beat(0))
        assert hall.states(0, 1) == ["offered", "offered"]
        assert hall.ticket(0).seen_at == hall.now

    def test_another_sweep_that_took_over_is_left_alone(self) -> None:
        hall = make_hall(2)
        hall.join(0, 1)
        theirs = uuid4()
        with pytest.raises(LostLeaseError):
            write_after(hall, lambda: Queue.objects.update(sweep_token=theirs))
        hall.queue.refresh_from_db()
        assert hall.queue.sweep_token == theirs
        assert hall.states(0, 1) == ["waiting", "waiting"]

    def test_an_error_frees_the_lease(self) -> None:
        hall = make_hall(2)
        hall.join(0, 1)
        hall.rate({0: float("inf")})
        with pytest.raises(ValueError, match="rating is inf"):
            hall.sweep()
        hall.queue.refresh_from_db()
        assert hall.queue.sweep_token is None


class TestLeases:
    def test_one_at_a_time(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(lease, "SECONDS", 600.0)
        hall = make_hall()
        token = lease.take_lease(hall.queue.pk)
        assert token is not None
        assert lease.take_lease(hall.queue.pk) is None
        hall.join(0, 1)
        assert not hall.sweep().leased
        lease.LEASE.release(hall.queue.pk, token)
        assert hall.sweep().offers == 1

    def test_past_the_deadline_it_is_taken_over(self) -> None:
        hall = make_hall()
        first = lease.take_lease(hall.queue.pk)
        with connection.cursor() as cursor:
            cursor.execute(
                "UPDATE matchmaking_queue SET sweep_until = clock_timestamp() - interval '1 ms'"
            )
        second = lease.take_lease(hall.queue.pk)
        assert second not in (None, first)
        assert first is not None
        lease.extend_lease(hall.queue.pk, first, tickets=50_000)
        lease.LEASE.release(hall.queue.pk, first)
        hall.queue.refresh_from_db()
        assert hall.queue.sweep_token == second

    def test_it_lasts_longer_for_many_tickets(self) -> None:
        hall = make_hall()
        token = lease.take_lease(hall.queue.pk)
        assert token is not None
        hall.queue.refresh_from_db()
        before = hall.queue.sweep_until
        lease.extend_lease(hall.queue.pk, token, tickets=50_000)
        hall.queue.refresh_from_db()
        assert before is not None
        assert hall.queue.sweep_until is not None
        assert hall.queue.sweep_until >= before + timedelta(seconds=5)


class TestAcceptingByItself:
    def test_offers_become_matches_at_once(self) -> None:
        hall = make_hall(4, accepts_by_itself=True, gap_start=50, gap_per_second=0)
        hall.rate({0: 1500, 1: 1510, 2: 1900, 3: 1910})
        hall.join(0, 1, 2, 3)
        hall.wait(4)
        report = hall.sweep()
        assert (report.offers, report.matches) == (2, 2)
        assert hall.states(0, 1, 2, 3) == ["matched"] * 4
        offer = Offer.objects.order_by("pk")[0]
        seats = offer.tickets.values_list("accepted_at", flat=True)
        assert list(seats) == [hall.now, hall.now]
        hall.check()

    def test_whoever_plays_by_now_ends_and_the_other_waits_on(self) -> None:
        hall = make_hall(4, accepts_by_itself=True, gap_start=50, gap_per_second=0)
        hall.rate({0: 1500, 1: 1510, 2: 1900, 3: 1910})
        hall.join(0, 1, 2, 3)
        written = write_after(hall, lambda: hall.put_into_match(0, against=3))
        assert written == 0
        assert hall.states(0, 1, 2, 3) == ["cancelled", "waiting", "waiting", "cancelled"]
        assert Match.objects.count() == 1
        assert not Offer.objects.exists()
        hall.check()


class TestTasks:
    def test_they_run_the_queues_that_have_work(self) -> None:
        hall, idle = make_hall(), make_hall()
        hall.join(0, 1)
        with hall.at_now():
            assert sweep.queues_with_work() == [hall.queue.pk]
            tasks.run_queues()
        idle.queue.refresh_from_db()
        assert (hall.states(0, 1), idle.queue.swept_at) == (["offered", "offered"], None)

    def test_a_queue_with_offers_only_has_work(self) -> None:
        hall = make_hall()
        hall.join(0, 1)
        hall.sweep()
        assert sweep.queues_with_work() == [hall.queue.pk]


class TestFigures:
    def test_offers_waits_and_sweeps_are_counted(
        self, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
    ) -> None:
        hall = make_hall(4, gap_start=50, gap_per_second=0)
        Queue.objects.update(slug="counted")
        hall.rate({0: 1500, 1: 1510, 2: 1900, 3: 1910})
        with django_capture_on_commit_callbacks(execute=True):
            hall.join(0, 1, 2, 3)
            hall.wait(7)
            hall.sweep()
            hall.accept(0)
            hall.accept(1)
            hall.decline(2)
            hall.sweep()
        events = ("made", "accepted", "declined", "expired")
        assert [counted("offers_total", event=event) for event in events] == [2, 1, 1, None]
        assert (counted("wait_seconds_count"), counted("wait_seconds_sum")) == (2, 14)
        assert counted("sweep_seconds_count", strategy="filters") == 2


def counted(name: str, **labels: str) -> float | None:
    """A figure of the queue that is called so."""
    return REGISTRY.get_sample_value(f"evenmatch_{name}", {"queue": "counted", **labels})


def test_sweeps_are_timed_by_queue_and_strategy() -> None:
    hall = make_hall(2, strategy="fcfs")
    labels = {"queue": hall.queue.slug, "strategy": "fcfs"}
    before = REGISTRY.get_sample_value("evenmatch_sweep_seconds_count", labels) or 0.0
    hall.join(0, 1)
    hall.sweep()
    assert REGISTRY.get_sample_value("evenmatch_sweep_seconds_count", labels) == before + 1
