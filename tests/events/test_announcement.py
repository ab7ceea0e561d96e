"""An event and the message about it, written by one statement."""

import pytest
from django.db import transaction
from pytest_django import DjangoAssertNumQueries, DjangoCaptureOnCommitCallbacks

from events.announcement import Announcement
from events.kinds import Kind
from events.models import Event, Notice

pytestmark = pytest.mark.django_db
CONFIRMED = Announcement(
    Kind.MATCH_CONFIRMED,
    [{"match": 5, "ladder": 3}, {"match": 6, "ladder": 3}],
    ["player:1", "ladder:3", "player:1"],
    {"match": 5},
)


def test_events_and_message_are_one_statement(
    django_assert_num_queries: DjangoAssertNumQueries,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    with django_capture_on_commit_callbacks() as calls, django_assert_num_queries(1):
        CONFIRMED.write()
    events, (notice,) = Event.objects.order_by("pk"), Notice.objects.all()
    assert [it.payload for it in events] == [{"match": 5, "ladder": 3}, {"match": 6, "ladder": 3}]
    assert {(it.kind, it.cluster, it.transaction) for it in events} == {
        ("match.confirmed", notice.cluster, notice.transaction)
    }
    assert (notice.kind, notice.topics) == ("match.confirmed", ["player:1", "ladder:3"])
    assert (notice.ids, notice.players) == ({"match": 5}, [])
    assert len(calls) == 2  # the deliverer is woken, and streams are told


def test_what_is_broadcast_only_leaves_no_event(
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    with django_capture_on_commit_callbacks() as calls:
        Announcement(Kind.OFFER_ANSWERED, [], ["player:1"], {"offer": 2}).write()
    assert (Event.objects.count(), Notice.objects.count(), len(calls)) == (0, 1, 1)


def test_what_is_told_to_nobody_is_refused() -> None:
    told_to_nobody = Announcement(Kind.MATCH_ABORTED, [{"match": 5, "ladder": 3}], [], {"match": 5})
    with pytest.raises(ValueError, match=r"match\.aborted announced to nobody"):
        told_to_nobody.write()
    assert (Event.objects.count(), Notice.objects.count()) == (0, 0)


def test_it_falls_with_the_transaction() -> None:
    with transaction.atomic():
        CONFIRMED.write()
        transaction.set_rollback(True)
    assert (Event.objects.count(), Notice.objects.count()) == (0, 0)


@pytest.mark.django_db(transaction=True)
def test_outside_a_transaction_nothing_is_announced() -> None:
    with pytest.raises(transaction.TransactionManagementError, match=r"match\.confirmed"):
        CONFIRMED.write()
