"""Subscribers that failed, in the admin: seen, tried again, or let go on behind an event."""

from collections.abc import Sequence
from datetime import timedelta

import pytest
from django.contrib.auth.models import Permission
from django.db import transaction
from django.test import Client

from accounts.models import AuditEntry, User
from events import failures, outbox
from events.models import Event, Subscription
from foundation import clock
from tests.ratings.admin_cast import operator

pytestmark = pytest.mark.django_db(transaction=True)
ADDRESS = "/admin/events/subscription/webhooks"


@pytest.fixture
def handed(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Numbers that a subscriber has taken, which is parked: it never takes 7."""
    handed: list[int] = []

    def take(events: Sequence[Event]) -> None:
        numbers = [event.payload["number"] for event in events]
        if 7 in numbers:
            raise ValueError("seven is too many")
        handed.extend(numbers)

    monkeypatch.setattr(outbox, "_subscribers", {})
    outbox.subscribe("webhooks", kinds=["thing.happened"], handler=take)
    with transaction.atomic():
        outbox.publish_many("thing.happened", [{"number": 7}, {"number": 8}])
    moment = clock.now() + timedelta(hours=1)  # it has failed once by now
    for number in range(failures.PARK_AFTER):
        with clock.at(moment + number * timedelta(hours=1)):
            outbox.deliver()
    return handed


def test_the_first_page_says_so_and_leads_there(handed: list[int]) -> None:
    client = operator()
    assert "1 subscriber is parked" in client.get("/admin/").content.decode()
    page = client.get(f"{ADDRESS}/change/").content.decode()
    assert "ValueError: seven is too many" in page
    assert "Skip the event" in page
    assert "parked" in client.get("/admin/events/subscription/").content.decode()


def test_it_is_tried_again(handed: list[int]) -> None:
    client = operator()
    assert "failed 12 times in a row" in client.get(f"{ADDRESS}/again/").content.decode()
    client.post(f"{ADDRESS}/again/", {"note": "the other side is back"})
    assert Subscription.objects.get().parked_at is None
    assert AuditEntry.objects.get(action="subscription.retried").note == "the other side is back"


def test_it_skips_the_event(handed: list[int]) -> None:
    client = operator()
    client.post(f"{ADDRESS}/skip/", {"note": "it never worked"})
    outbox.deliver()
    assert handed == [8]
    before = AuditEntry.objects.get(action="subscription.skipped").before
    assert before is not None
    assert before["error"] == "ValueError: seven is too many"
    page = client.get(f"{ADDRESS}/change/").content.decode()
    assert "Skip the event" not in page


@pytest.mark.parametrize("verb", ["again", "skip"])
def test_it_takes_the_permission(handed: list[int], verb: str) -> None:
    assert Client().post(f"{ADDRESS}/{verb}/", {"note": "x"}).status_code == 302
    looker = User.objects.create_user("looker", password="an old door", is_staff=True)
    looker.user_permissions.add(Permission.objects.get(codename="view_subscription"))
    client = Client()
    client.force_login(looker)
    assert client.get(f"{ADDRESS}/change/").status_code == 200
    assert client.post(f"{ADDRESS}/{verb}/", {"note": "x"}).status_code == 403
    assert Subscription.objects.get().parked_at is not None
