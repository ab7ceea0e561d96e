"""Rounds: announced, joined beforehand, and begun once by all who are there; whoever cannot is told."""

from datetime import datetime, time, timedelta

import pytest
from django.db import IntegrityError, connection, transaction

from foundation import clock
from matchmaking.conduct.refusals import CoolingOffError
from matchmaking.models import (
    ConductStanding,
    EntryState,
    Round,
    RoundEntry,
    RoundState,
    RoundTime,
    Ticket,
)
from matchmaking.refusals import QueueClosedError, WrongGameError
from matchmaking.rounds import hold
from matchmaking.rounds.join import join_round, leave_round
from matchmaking.rounds.refusals import RoundOverError
from matchmaking.rounds.to_come import coming_rounds
from matchmaking.tasks import hold_rounds
from notifications.models import Notice
from ratings.archiving import archive
from ratings.models import Sanction, SanctionKind, SuspendedFrom
from ratings.sanctions import SuspendedError
from rooms.lifecycle import open_room
from tests.at_once import at_once
from tests.matchmaking.hall import NOON, Hall, make_hall

pytestmark = pytest.mark.django_db

HOUR = 3600.0


def hall_with_rounds(players: int = 4) -> Hall:
    """A queue with a round an hour from now, and every day at that time."""
    hall = make_hall(players, gap_start=5000, gap_per_second=0)
    at = (NOON + timedelta(hours=1)).time()
    RoundTime.objects.create(queue=hall.queue, at=at, zone="UTC")
    with hall.at_now():
        hold_rounds()
    return hall


def first(hall: Hall) -> Round:
    found = Round.objects.filter(queue=hall.queue).order_by("starts_at").first()
    assert found is not None
    return found


def join(hall: Hall, *numbers: int) -> None:
    with hall.at_now():
        for number in numbers:
            join_round(round_id=first(hall).pk, player=hall.players[number])


def work(hall: Hall) -> None:
    with hall.at_now():
        hold_rounds()


def states(hall: Hall) -> dict[int, str]:
    numbers = {player.pk: number for number, player in enumerate(hall.players)}
    rows = RoundEntry.objects.filter(round=first(hall)).values_list("player", "state")
    return {numbers[player]: state for player, state in rows}


def told(hall: Hall, number: int) -> list[str]:
    notices = Notice.objects.filter(player=hall.players[number], kind__startswith="round.")
    return list(notices.order_by("pk").values_list("kind", flat=True))


def test_rounds_of_a_week_are_announced_once() -> None:
    hall = hall_with_rounds()
    assert Round.objects.count() == 7
    work(hall)
    assert Round.objects.count() == 7
    assert first(hall).starts_at == NOON + timedelta(hours=1)
    hall.wait(24 * HOUR)
    work(hall)
    assert Round.objects.filter(state=RoundState.ANNOUNCED).count() == 7


def test_all_who_are_there_begin_at_once_and_are_paired() -> None:
    hall = hall_with_rounds(4)
    join(hall, 0, 1, 2)
    hall.wait(HOUR - 600)
    work(hall)
    assert told(hall, 0) == ["round.soon"]
    join(hall, 0, 1)
    hall.wait(599)
    work(hall)
    assert not Ticket.objects.exists()
    hall.wait(1)
    work(hall)
    assert states(hall) == {0: "searched", 1: "searched", 2: "absent"}
    assert told(hall, 0) == ["round.soon", "round.began"]
    assert told(hall, 2) == ["round.soon", "round.absent"]
    assert told(hall, 3) == []
    tickets = Ticket.objects.order_by("pk")
    assert {one.waiting_since for one in tickets} == {hall.now}
    assert hall.sweep().offers == 1
    hall.check()


def test_twice_or_by_two_at_once_it_begins_once() -> None:
    hall = hall_with_rounds(2)
    hall.wait(HOUR)
    with hall.at_now():
        RoundEntry.objects.bulk_create(
            RoundEntry(round=first(hall), player=player, seen_at=hall.now)
            for player in hall.players
        )
        hold.hold_due_rounds()
        hold.hold_due_rounds()
    assert Ticket.objects.count() == 2
    assert first(hall).state == RoundState.HELD


def test_nobody_is_in_two_places() -> None:
    hall = hall_with_rounds(5)
    hall.wait(HOUR - 60)
    join(hall, 0, 1, 2, 3, 4)
    hall.join(0)
    hall.put_into_match(1, against=2)
    with hall.at_now():
        open_room(player=hall.players[4], ladder=hall.ladder, settings={"name": "Room"})
    hall.wait(60)
    work(hall)
    assert states(hall) == {
        **dict.fromkeys((0, 1, 2, 4), "elsewhere"),
        3: "searched",
    }
    assert told(hall, 1)[-1] == told(hall, 4)[-1] == "round.elsewhere"
    assert Ticket.objects.filter(members__player=hall.players[0]).count() == 1
    hall.check()


def test_whoever_is_suspended_is_refused_before_and_then() -> None:
    hall = hall_with_rounds(2)
    hall.wait(HOUR - 60)
    join(hall, 0)
    for player in hall.players:
        Sanction.objects.create(
            player=player,
            kind=SanctionKind.SUSPENDED,
            suspended_from=SuspendedFrom.SEARCHING,
            reason="x",
            imposed_at=hall.now,
        )
    with pytest.raises(SuspendedError):
        join(hall, 1)
    hall.wait(60)
    work(hall)
    assert states(hall) == {0: "refused"}
    assert told(hall, 0)[-1] == "round.refused"
    assert not Ticket.objects.exists()


def test_joined_once_and_left_again() -> None:
    hall = hall_with_rounds(2)
    join(hall, 0, 0)
    assert RoundEntry.objects.count() == 1
    with hall.at_now():
        (coming, *_) = coming_rounds(hall.queue.pk, hall.players[0].pk, hall.now)
        assert (coming.joined, coming.is_in, coming.is_there, coming.asks_now) == (
            1, True, False, False,
        )  # fmt: skip
        assert leave_round(round_id=first(hall).pk, player=hall.players[0])
        assert not leave_round(round_id=first(hall).pk, player=hall.players[0])
    assert not RoundEntry.objects.exists()
    with pytest.raises(IntegrityError), transaction.atomic():
        RoundEntry.objects.bulk_create(
            RoundEntry(round=first(hall), player=hall.players[1]) for _ in range(2)
        )


def test_what_has_begun_is_neither_joined_nor_left() -> None:
    hall = hall_with_rounds(2)
    hall.wait(HOUR - 60)
    join(hall, 0)
    hall.wait(60)
    with pytest.raises(RoundOverError):
        join(hall, 1)
    work(hall)
    with pytest.raises(RoundOverError), hall.at_now():
        leave_round(round_id=first(hall).pk, player=hall.players[0])


def test_others_games_and_closed_queues_are_refused() -> None:
    hall, other = hall_with_rounds(1), make_hall(1)
    with pytest.raises(WrongGameError), hall.at_now():
        join_round(round_id=first(hall).pk, player=other.players[0])
    hall.queue.is_open = False
    hall.queue.save()
    with pytest.raises(QueueClosedError):
        join(hall, 0)


@pytest.mark.parametrize("how", ["switched off", "archived", "closed", "late"])
def test_what_cannot_be_held_is_cancelled_and_told(how: str) -> None:
    hall = hall_with_rounds(1)
    hall.wait(HOUR - 60)
    join(hall, 0)
    hall.wait(60)
    with hall.at_now():
        if how == "switched off":
            RoundTime.objects.update(is_on=False)
        elif how == "archived":
            archive(hall.queue, by=None)
        elif how == "closed":
            hall.queue.is_open = False
            hall.queue.save()
    hall.wait(hold.LATE.total_seconds() + 1 if how == "late" else 0)
    work(hall)
    assert first(hall).state == RoundState.CANCELLED
    assert told(hall, 0)[-1] == "round.cancelled"
    assert not Ticket.objects.exists()


def test_the_database_holds_what_must_be() -> None:
    hall = hall_with_rounds(1)
    found = first(hall)
    for wrong in (
        {"state": "held"},
        {"ended_at": NOON},
    ):
        with pytest.raises(IntegrityError), transaction.atomic():
            Round.objects.filter(pk=found.pk).update(**wrong)
    with pytest.raises(IntegrityError), transaction.atomic():
        Round.objects.create(queue=hall.queue, time=found.time, starts_at=found.starts_at)
    for days, zone in ((0, "UTC"), (128, "UTC"), (1, "")):
        with pytest.raises(IntegrityError), transaction.atomic():
            RoundTime.objects.create(queue=hall.queue, weekdays=days, at=time(20), zone=zone)


def test_a_zone_that_nobody_knows_announces_nothing() -> None:
    hall = make_hall(1)
    RoundTime.objects.create(queue=hall.queue, at=time(20), zone="Europe/Atlantis")
    work(hall)
    assert not Round.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_workers_at_once_begin_it_once() -> None:
    hall = hall_with_rounds(6)
    now: datetime = hall.now + timedelta(hours=1)
    hall.wait(HOUR - 60)
    join(hall, *range(6))

    def begin() -> int:
        with clock.at(now):
            return hold.hold_due_rounds()

    assert sum(at_once([begin] * 4)) == 6
    assert Ticket.objects.count() == 6
    assert set(states(hall).values()) == {EntryState.SEARCHED}
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM matchmaking_ticketmember WHERE live")
        assert cursor.fetchone() == (6,)


def test_who_cools_off_joins_only_rounds_that_begin_afterwards() -> None:
    hall = hall_with_rounds()
    starts_at = first(hall).starts_at
    standing = ConductStanding.objects.create(
        player=hall.players[0], as_of=hall.now, cooling_until=starts_at + timedelta(seconds=1)
    )
    with pytest.raises(CoolingOffError):
        join(hall, 0)
    assert not RoundEntry.objects.exists()
    standing.cooling_until = starts_at
    standing.save()
    join(hall, 0)
    assert RoundEntry.objects.count() == 1
