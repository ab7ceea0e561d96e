"""What waits to be sent when its player has changed their mind, or sleeps by now; and clocks that are set back."""

from datetime import UTC, datetime, time, timedelta

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.db import transaction
from django.test import Client
from pytest_django.fixtures import Settings

from accounts.models import User
from foundation import clock, timekeeping
from notifications.mail.links import unsubscribe_link
from notifications.mail.send import send_due
from notifications.models import Choice, Delivery, Notice, QuietHours, Way
from notifications.reading import mark_read
from notifications.tell import tell
from ratings.models import Player
from tests.foundation.moved_clock import jump
from tests.ratings.arena import START, Arena

pytestmark = pytest.mark.django_db


@pytest.fixture
def player(settings: Settings) -> Player:
    settings.MAIL_CONFIGURED = True
    found = Arena(1).players[0]
    found.user = User.objects.create_user("Ada", "ada@example.org")
    found.save()
    EmailAddress.objects.create(user=found.user, email="ada@example.org", verified=True)
    Choice.objects.create(player=found, group="play", way=Way.MAIL, wanted=True)
    return found


def tell_ada(player: Player) -> None:
    with transaction.atomic():
        data = {"queue": "Blitz", "slug": "blitz"}
        assert tell("round.cancelled", [player.pk], data=data) == 1


def test_after_unsubscribing_not_even_a_mail_that_was_waiting_comes(player: Player) -> None:
    with clock.at(START):
        tell_ada(player)
    with clock.at(START + timedelta(minutes=1)):
        link = unsubscribe_link(player.pk, "play")
        assert Client().post("/" + link.split("/", 3)[3]).status_code == 200
        assert send_due() == 0
    assert mail.outbox == []
    assert not Delivery.objects.exists()
    assert Notice.objects.count() == 1


def test_a_mail_that_is_tried_again_waits_for_the_end_of_quiet_hours(player: Player) -> None:
    with clock.at(START):
        tell_ada(player)
    begins = (START - timedelta(hours=1)).time()
    ends = (START + timedelta(hours=2)).time()
    assert begins != time(0) != ends
    QuietHours.objects.create(player=player, begins=begins, ends=ends, zone="UTC")
    with clock.at(START + timedelta(hours=1)):
        assert send_due() == 0
        assert Delivery.objects.get().attempts == 0
    with clock.at(START + timedelta(hours=2)):
        assert send_due() == 1
    assert len(mail.outbox) == 1


def test_in_the_night_that_has_an_hour_twice_a_mail_waits_once_and_holds_up_no_other(
    player: Player,
) -> None:
    """Clocks in Berlin show two o'clock at midnight by UTC, and again an hour later."""
    begin = datetime(2026, 10, 25, 0, 45, tzinfo=UTC)
    with clock.at(begin):  # a quarter to three
        tell_ada(player)
    QuietHours.objects.create(
        player=player, begins=time(22), ends=time(2, 30), zone="Europe/Berlin"
    )
    with clock.at(begin + timedelta(minutes=30)):  # a quarter past two, again
        assert send_due() == 0
        assert Delivery.objects.get().due_at == begin + timedelta(minutes=45)
        other = Arena(1, slug="chess").players[0]
        other.user = User.objects.create_user("Bob", "bob@example.org")
        other.save()
        EmailAddress.objects.create(user=other.user, email="bob@example.org", verified=True)
        Choice.objects.create(player=other, group="play", way=Way.MAIL, wanted=True)
        tell_ada(other)
        assert send_due() == 1
    with clock.at(begin + timedelta(minutes=45)):
        assert send_due() == 1


def test_a_clock_that_was_ahead_keeps_no_mail(player: Player) -> None:
    with clock.at(START + timedelta(days=400)):
        tell_ada(player)
    with clock.at(START):
        assert send_due() == 1
    assert len(mail.outbox) == 1


def test_a_clock_that_is_ahead_throws_no_mail_away(player: Player) -> None:
    assert timekeeping.is_steady()
    tell_ada(player)
    Delivery.objects.update(until=clock.now() + timedelta(minutes=5))
    jump(timedelta(days=400))
    assert send_due() == 0
    assert Delivery.objects.exists()
    jump(-timedelta(days=400))
    assert timekeeping.is_steady()
    assert send_due() == 1


def test_once_it_is_believed_what_is_of_no_use_goes(player: Player) -> None:
    assert timekeeping.is_steady()
    tell_ada(player)
    Delivery.objects.update(until=clock.now() + timedelta(minutes=5))
    jump(timedelta(days=400))
    assert not timekeeping.is_steady()
    timekeeping.trust()
    assert send_due() == 0
    assert not Delivery.objects.exists()


def test_the_end_of_quiet_hours_is_waited_for_however_far(player: Player) -> None:
    with clock.at(START):
        tell_ada(player)
        Delivery.objects.update(due_at=START + timedelta(hours=25))
        assert send_due() == 0
    assert Delivery.objects.get().attempts == 0


def test_a_clock_that_was_set_back_keeps_nobody_from_reading(player: Player) -> None:
    with clock.at(START):
        tell_ada(player)
    with clock.at(START - timedelta(minutes=5)):
        assert mark_read([player.pk]) == 1
    assert Notice.objects.get().read_at == START
