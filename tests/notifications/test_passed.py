"""Notices that were of use for some minutes count as read by themselves."""

from datetime import timedelta

import pytest
from django.db import transaction

from foundation import clock
from notifications.models import Notice
from notifications.reading import mark_passed
from notifications.tell import tell
from tests.matchmaking.hall import make_hall

pytestmark = pytest.mark.django_db


def test_what_has_passed_counts_as_read_and_the_rest_does_not() -> None:
    player = make_hall(players=1).players[0]
    with transaction.atomic():
        tell(
            "room.started",
            [player.pk],
            about="room:1:started",
            data={"room": 1, "name": "x", "match": 1},
        )
        tell("room.removed", [player.pk], about="room:1:removed", data={"room": 1, "name": "x"})
    assert mark_passed() == 0
    with clock.at(clock.now() + timedelta(minutes=11)):
        assert mark_passed() == 1
        assert mark_passed() == 0
    assert Notice.objects.get(read_at=None).kind == "room.removed"
