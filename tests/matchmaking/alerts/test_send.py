"""Alerts: who is told of a search, when, how often, and by whom nobody is told."""

from datetime import time, timedelta
from typing import Any

import pytest
from django.db import OperationalError, connection

from matchmaking.alerts import send
from matchmaking.alerts.over import mark_alerts_over
from matchmaking.alerts.send import tell_of_searches
from matchmaking.alerts.wish import switch_on
from matchmaking.avoid_list import avoid
from matchmaking.models import AlertWish, ConductStanding, Queue, SearchTold, Ticket
from matchmaking.pairing.nearness import Nearness, widths
from matchmaking.pairing.plan import Rules
from matchmaking.tickets.lifecycle import answer_still_there
from notifications.models import Delivery, Notice, QuietHours
from people.blocks import block
from people.models import ContactWishes, Whom
from ratings.merging import merge
from ratings.models import Mode, Sanction, SanctionKind, SuspendedFrom
from tests.at_once import at_once
from tests.matchmaking.hall import NOON, Hall, make_hall

pytestmark = pytest.mark.django_db

CLOSE, RATHER, ANYBODY = Nearness.CLOSE, Nearness.RATHER_CLOSE, Nearness.ANYBODY
AFTER, AGAIN, PAUSE = 15, 120, 15 * 60  # by default


def want(hall: Hall, near: str = ANYBODY, *numbers: int, until: float | None = None) -> None:
    """Let these players, or all but the first, be told."""
    ends = None if until is None else hall.now + timedelta(seconds=until)
    with hall.at_now():
        for number in numbers or range(1, len(hall.players)):
            switch_on(player=hall.players[number], queue=hall.queue, near=near, until=ends)


def work(hall: Hall) -> int:
    with hall.at_now():
        return tell_of_searches()


def told(hall: Hall) -> dict[int, str]:
    """The kind of the alert that each has, by number."""
    numbers = {player.pk: number for number, player in enumerate(hall.players)}
    rows = Notice.objects.filter(kind__startswith="alert.").values_list("player", "kind")
    return {numbers[player]: kind for player, kind in rows}


def searching(players: int = 3, near: str = ANYBODY, **more: Any) -> Hall:
    """All but the first want alerts, and the first has searched for as long as it takes."""
    hall = make_hall(players, gap_start=100, gap_per_second=5, **more)
    want(hall, near)
    hall.join(0)
    hall.wait(AFTER)
    return hall


def test_a_search_that_has_waited_alone_is_told_of_once() -> None:
    hall = make_hall(3)
    want(hall)
    hall.join(0)
    hall.wait(AFTER - 1)
    assert work(hall) == 0
    hall.wait(1)
    assert work(hall) == 2
    assert told(hall) == {1: "alert.anybody", 2: "alert.anybody"}
    notice = Notice.objects.first()
    assert notice is not None
    assert notice.data == {"queue": "Go", "slug": hall.queue.slug}  # no name, no id of who searches
    assert work(hall) == 0
    assert Notice.objects.count() == 2


def test_who_was_matched_meanwhile_is_not_told_of() -> None:
    hall = make_hall(3, gap_start=5000)
    want(hall, ANYBODY, 2)
    hall.join(0, 1)
    assert hall.sweep().offers == 1
    hall.wait(AFTER)
    assert work(hall) == 0


def test_near_by_the_words() -> None:
    hall = make_hall(7, gap_start=100, gap_per_second=5)
    hall.rate({0: 1500, 1: 1700, 2: 1701, 3: 1900, 4: 1901, 5: 3000})
    want(hall, CLOSE, 1, 2, 6)
    want(hall, RATHER, 3, 4)
    want(hall, ANYBODY, 5)
    hall.join(0)
    hall.wait(AFTER)
    assert work(hall) == 4
    assert told(hall) == {
        1: "alert.near", 3: "alert.near", 5: "alert.anybody", 6: "alert.near",  # 6 begins at 1500
    }  # fmt: skip


def test_of_several_searches_one_above_or_below_is_near_enough() -> None:
    hall = make_hall(9, gap_start=100, gap_per_second=5)
    hall.rate({0: 1500, 1: 2500, 2: 1300, 3: 1299, 4: 1700, 5: 1701, 6: 2300, 7: 2700, 8: 2701})
    want(hall, CLOSE, *range(2, 9))
    hall.join(0, 1)
    hall.wait(AFTER)
    assert work(hall) == 4
    assert set(told(hall)) == {2, 4, 6, 7}


def test_the_widths_follow_the_queue() -> None:
    found = widths(Rules(gap_start=100, gap_per_second=5, gap_cap=300))
    assert found == {CLOSE: 200, RATHER: 300, ANYBODY: float("inf")}


def test_where_ratings_are_hidden_none_is_looked_at() -> None:
    hall = make_hall(3, mode=Mode.NORMAL, gap_start=100, gap_per_second=0)
    hall.rate({0: 1500, 1: 1510, 2: 2900})
    want(hall)
    AlertWish.objects.update(near=CLOSE)  # from a time when the ladder showed them
    hall.join(0)
    hall.wait(AFTER)
    assert work(hall) == 2
    assert set(told(hall).values()) == {"alert.anybody"}


def test_at_most_once_in_the_pause_and_one_notice_of_a_queue() -> None:
    hall = searching(2)
    assert work(hall) == 1
    before = Notice.objects.get()
    hall.wait(PAUSE - 1)
    hall.beat(0)
    assert work(hall) == 0
    hall.wait(AGAIN)
    hall.beat(0)
    assert work(hall) == 1
    assert Notice.objects.get().pk != before.pk  # the last takes the place of the one before


def test_the_longest_untold_come_first_and_the_others_later() -> None:
    hall = make_hall(6, settings={"alerts": {"at_most": 2, "again": 60}})
    want(hall)
    hall.join(0)
    hall.wait(AFTER)
    assert work(hall) == 2
    assert set(told(hall)) == {1, 2}
    hall.wait(59)
    assert work(hall) == 0
    hall.wait(1)
    hall.beat(0)
    assert work(hall) == 2
    assert set(told(hall)) == {1, 2, 3, 4}
    hall.wait(PAUSE)
    hall.beat(0)
    assert work(hall) == 2
    hall.cancel(0)
    latest = Notice.objects.order_by("-created_at", "player")[:2]
    assert {hall.players.index(one.player) for one in latest} == {5, 1}


def test_once_only_where_others_are_not_told_later() -> None:
    hall = make_hall(4, settings={"alerts": {"at_most": 2, "again": 0}})
    want(hall)
    hall.join(0)
    hall.wait(AFTER)
    assert work(hall) == 2
    hall.wait(3600)
    hall.beat(0)
    assert work(hall) == 0


def test_what_an_operator_or_the_time_has_ended() -> None:
    hall = make_hall(3, settings={"alerts": {"at_most": 0}})
    AlertWish.objects.create(player=hall.players[1], queue=hall.queue, near=ANYBODY)
    hall.join(0)
    hall.wait(AFTER)
    assert work(hall) == 0
    Queue.objects.update(settings={})
    AlertWish.objects.update(until=hall.now)
    assert work(hall) == 0
    AlertWish.objects.update(until=hall.now + timedelta(seconds=1))
    Queue.objects.update(is_open=False)
    assert work(hall) == 0
    Queue.objects.update(is_open=True)
    assert work(hall) == 1


def test_archived_queues_tell_nobody() -> None:
    hall = searching(2)
    with hall.at_now():
        Queue.objects.filter(pk=hall.queue.pk).update(archived_at=hall.now)
    assert work(hall) == 0


def test_nobody_is_told_of_who_does_not_want_to_meet_them() -> None:
    hall = searching(6)
    anna, *others = hall.players
    block(player=anna, other=others[0])
    block(player=others[1], other=anna)
    avoid(player=anna, other=others[2])
    avoid(player=others[3], other=anna)
    assert work(hall) == 1
    assert set(told(hall)) == {5}


def test_nobody_is_told_of_who_shows_nobody_what_they_are_at() -> None:
    hall = searching(2)
    wishes = ContactWishes.objects.create(player=hall.players[0], see=Whom.NOBODY)
    assert work(hall) == 0
    assert not SearchTold.objects.exists()
    wishes.see = Whom.FRIENDS
    wishes.save()
    assert work(hall) == 1


def test_whoever_cannot_or_need_not_come_is_not_told() -> None:
    hall = searching(9)
    suspend(hall, 1, SuspendedFrom.SEARCHING)
    suspend(hall, 2, SuspendedFrom.ALL)
    suspend(hall, 3, SuspendedFrom.PARTIES)
    ConductStanding.objects.create(
        player=hall.players[4],
        score=9,
        as_of=hall.now,
        cooling_until=hall.now + timedelta(minutes=5),
    )
    hall.put_into_match(5, against=6)
    hall.join(7)
    assert work(hall) == 2
    assert set(told(hall)) == {3, 8}


def suspend(hall: Hall, number: int, what: str) -> None:
    Sanction.objects.create(
        player=hall.players[number],
        kind=SanctionKind.SUSPENDED,
        suspended_from=what,
        reason="x",
        imposed_at=hall.now,
    )


def test_a_search_of_a_suspended_or_hidden_player_is_not_told_of() -> None:
    hall = searching(2)
    suspend(hall, 0, SuspendedFrom.SEARCHING)
    assert work(hall) == 0
    Sanction.objects.update(kind=SanctionKind.HIDDEN, suspended_from="")
    assert work(hall) == 0
    Sanction.objects.update(lifted_at=hall.now)
    assert work(hall) == 1


def test_a_queue_that_is_held_keeps_no_other_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = searching(2), searching(2)
    due = send.__dict__["_due"]

    def held(queue: Queue, *given: Any) -> list[int]:
        if queue == first.queue:
            raise OperationalError("canceling statement due to lock timeout")
        return list(due(queue, *given))

    with monkeypatch.context() as broken:
        broken.setattr(send, "_due", held)
        assert work(first) == 1
    assert set(told(second)) == {1}
    assert work(first) == 1


def test_a_search_that_has_gone_silent_is_not_told_of() -> None:
    hall = make_hall(2)
    want(hall)
    hall.join(0)
    hall.wait(hall.queue.heartbeat_seconds + 1)
    assert work(hall) == 0


def test_a_search_of_whom_it_is_asked_whether_it_is_there_waits_with_that() -> None:
    hall = searching(2, idle_seconds=60, still_there_seconds=30)
    Ticket.objects.update(asked_at=hall.now)
    assert work(hall) == 0
    with hall.at_now():
        answer_still_there(hall.tickets[0])
    assert work(hall) == 1


def test_one_of_a_party_is_not_told_of_it() -> None:
    hall = make_hall(4, team_size=2)
    want(hall, ANYBODY, 1, 2)
    hall.join_together(0, 1)
    hall.wait(AFTER)
    assert work(hall) == 1
    assert set(told(hall)) == {2}


@pytest.mark.parametrize(
    ("zone", "begins", "ends", "is_quiet"),
    [
        ("UTC", time(11), time(13), True),
        ("UTC", time(13), time(11), False),
        ("UTC", time(23), time(12, 1), True),
        ("Asia/Tokyo", time(11), time(13), False),  # 21:00 there
        ("Asia/Tokyo", time(20), time(22), True),
        ("Atlantis/City", time(11), time(13), True),  # counts as UTC
    ],
)
def test_nothing_at_all_in_quiet_hours(zone: str, begins: time, ends: time, is_quiet: bool) -> None:
    hall = searching(2)
    QuietHours.objects.create(player=hall.players[1], begins=begins, ends=ends, zone=zone)
    assert hall.now.hour == NOON.hour
    assert work(hall) == (0 if is_quiet else 1)
    assert not Delivery.objects.exists()


def test_whoever_is_merged_is_not_told_twice() -> None:
    hall = searching(3)
    with hall.at_now():
        merge.merge(player=hall.players[1], into=hall.players[2], by=None, note="the same")
    work(hall)
    assert set(told(hall)) == {2}


@pytest.mark.django_db(transaction=True)
def test_two_workers_at_once_tell_once() -> None:
    hall = searching(30)
    at_once([lambda: work(hall)] * 4)
    assert Notice.objects.filter(kind="alert.anybody").count() == 29
    assert SearchTold.objects.count() == 1


def test_a_worker_that_is_interrupted_has_told_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    hall = searching(3)

    def fail(*_given: object, **_more: object) -> int:
        raise RuntimeError

    with monkeypatch.context() as broken:
        broken.setattr("matchmaking.alerts.send.tell", fail)
        with pytest.raises(RuntimeError):
            work(hall)
    assert not SearchTold.objects.exists()
    assert not AlertWish.objects.exclude(told_at=None).exists()
    assert work(hall) == 2


def test_the_turn_is_read_from_an_index() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT indexdef FROM pg_indexes WHERE indexname = 'alert_wish_turn'")
        (definition,) = cursor.fetchone()
    assert "(queue_id, told_at NULLS FIRST, id)" in definition


def test_an_alert_counts_as_read_once_nobody_searches_any_more() -> None:
    hall = searching(3)
    assert work(hall) == 2

    def over() -> int:
        with hall.at_now():
            return mark_alerts_over()

    assert over() == 0
    hall.cancel(0)
    assert over() == 2
    assert not Notice.objects.filter(read_at=None).exists()
    assert over() == 0
