"""Archived queues: no search begins, those that run end at once, and matches go on."""

import pytest

from foundation.archiving import Archivable
from matchmaking import tasks
from matchmaking.archived import follow, searches_of
from matchmaking.models import OfferState, Queue, TicketState
from matchmaking.pages.queue_cards import open_queues
from matchmaking.parties.lifecycle import open_party
from matchmaking.refusals import NoTeamsError
from ratings.archiving import ArchivedError, archive, restore
from tests.matchmaking.hall import Hall, make_hall
from tests.matchmaking.squads import (
    check_parties,
    gather,
    make_team_hall,
    members,
    search_together,
)

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


@pytest.mark.parametrize("is_followed", [True, False])
def test_parties_end_with_their_game(is_followed: bool) -> None:
    hall = make_team_hall(6)
    party, alone = gather(hall, 0, 1), gather(hall, 2)
    other = make_team_hall(2)
    elsewhere = gather(other, 0)
    with hall.at_now():
        ticket = search_together(hall, party)
        archive(hall.ladder, by=None)
        follow(hall.ladder)
    assert members(hall, party) == [0, 1]  # another ladder may be for it
    with hall.at_now():
        archive(hall.ladder.game, by=None)
        if is_followed:
            follow(hall.ladder.game)
        else:  # the process ended before, or the party began at the same moment
            tasks.run_queues()
    for one in (party, alone, elsewhere):
        one.refresh_from_db()
    ticket.refresh_from_db()
    assert (ticket.state, elsewhere.ended_at) == (TicketState.CANCELLED, None)
    assert party.ended_at == alone.ended_at == hall.now
    assert (members(hall, party), members(hall, alone), members(other, elsewhere)) == ([], [], [0])
    with hall.at_now(), pytest.raises(NoTeamsError):
        open_party(player=hall.players[0])
    check_parties()
