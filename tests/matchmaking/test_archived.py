"""Archived queues: no search begins, those that run end at once, and matches go on."""

import pytest

from foundation.archiving import Archivable
from matchmaking.archived import follow, searches_of
from matchmaking.models import OfferState, Queue, TicketState
from matchmaking.pages.lobby import open_queues
from ratings.archiving import ArchivedError, archive, restore
from tests.matchmaking.hall import Hall, make_hall

pytestmark = pytest.mark.django_db


def things_of(hall: Hall) -> dict[str, Archivable]:
    return {"queue": hall.queue, "ladder": hall.ladder, "game": hall.ladder.game}


@pytest.mark.parametrize("kind", ["queue", "ladder", "game"])
def test_searches_end_and_none_begins_until_it_is_restored(kind: str) -> None:
    hall = make_hall(3)
    hall.join(0, 1)
    thing = things_of(hall)[kind]
    assert searches_of(thing).count() == 2
    with hall.at_now():
        archive(thing, by=None)
        follow(thing)  # nothing follows by itself: the test's transaction commits never
    assert hall.states(0, 1) == [TicketState.CANCELLED] * 2
    with pytest.raises(ArchivedError, match="has been archived") as refused:
        hall.join(2)
    assert refused.value.extra == {"queue": hall.queue.slug}
    assert open_queues() == []
    with hall.at_now():
        restore(thing, by=None)
        follow(thing)
    assert [queue.pk for queue in open_queues()] == [hall.queue.pk]
    hall.join(0, 1, 2)
    assert hall.sweep().offers == 1


def test_the_sweep_ends_what_began_at_the_same_moment() -> None:
    hall = make_hall(4, gap_start=400.0)
    hall.join(0, 1)
    assert hall.sweep().offers == 1
    hall.join(2, 3)
    Queue.objects.filter(pk=hall.queue.pk).update(archived_at=hall.now)
    report = hall.sweep()
    assert (report.offers, report.waiting) == (0, 0)
    assert set(hall.states(0, 1, 2, 3)) <= {TicketState.CANCELLED, TicketState.EXPIRED}
    assert not hall.queue.offers.filter(state=OfferState.PENDING).exists()


def test_other_queues_are_left_alone() -> None:
    hall = make_hall(2)
    other = Queue.objects.create(ladder=hall.ladder, slug="other", name="Other")
    hall.join(0, 1)
    with hall.at_now():
        archive(other, by=None)
        follow(other)
    assert hall.states(0, 1) == [TicketState.WAITING] * 2
