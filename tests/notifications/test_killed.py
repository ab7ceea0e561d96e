"""A sender that is really killed: nothing is lost, and only what it was at in that moment goes out twice."""

import os
import signal
from collections.abc import Iterator
from datetime import timedelta
from email import message_from_bytes
from pathlib import Path
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.conf import settings as django_settings
from django.db import transaction
from pytest_django.fixtures import Settings

from accounts.models import User
from foundation import clock
from notifications.mail import send as mails
from notifications.models import Choice, Delivery, Way
from notifications.push import call, send
from notifications.push.subscribe import subscribe
from notifications.tell import tell
from ratings.models import Player
from tests.notifications.receiver import Browser, Receiver, receiving
from tests.processes import running, wait_until
from tests.ratings.arena import Arena

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _nobody_sends_meanwhile(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tasks of the tests run in place: what is told would be sent before the process that is to be killed is there."""
    monkeypatch.setattr("notifications.tell.wake", lambda _name: None)


@pytest.fixture
def receiver(tmp_path: Path, settings: Settings) -> Iterator[Receiver]:
    with receiving(tmp_path) as found:
        settings.PUSH_TO_PRIVATE = True
        settings.PUSH_CERTIFICATES = str(found.certificate)
        call._trust.cache_clear()
        yield found
    call._trust.cache_clear()


def ada(number: int = 0) -> Player:
    arena = Arena(1)
    user = User.objects.create_user(f"Ada{number}", f"ada{number}@example.org")
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    player = arena.players[0]
    player.user = user
    player.save()
    return player


def tell_her(player: Player, about: str = "") -> None:
    with transaction.atomic():
        data = {"queue": "Blitz", "slug": "blitz"}
        assert tell("round.cancelled", [player.pk], about=about, data=data) == 1


def pushing(certificate: str) -> int:
    django_settings.PUSH_TO_PRIVATE = True
    django_settings.PUSH_CERTIFICATES = certificate
    return send.send_due()


def test_pushes_that_were_noted_are_not_sent_again_and_the_one_in_flight_is(
    receiver: Receiver,
) -> None:
    player = ada()
    for name in ("one", "two", "three", "slow"):
        assert player.user is not None
        subscribe(account=player.user, endpoint=receiver.address(name), **Browser().keys)
    receiver.drips.add("slow")
    tell_her(player)
    with running(pushing, str(receiver.certificate)) as sender:
        wait_until(lambda: Delivery.objects.count() == 1 and bool(receiver.bodies("slow")))
        sender.kill()
    receiver.drips.clear()
    assert send.send_due() == 0  # an attempt was counted before it was made: it waits
    with clock.at(clock.now() + timedelta(minutes=2)):
        assert send.send_due() == 1
        assert send.send_due() == 0
    sent = {name: len(receiver.bodies(name)) for name in ("one", "two", "three", "slow")}
    assert sent == {"one": 1, "two": 1, "three": 1, "slow": 2}
    assert not Delivery.objects.exists()


def mailing(folder: str) -> int:
    """Stop once the second mail has gone out, before that is noted."""
    use(folder)
    end, ended = mails.__dict__["_end"], []

    def stopping(mail: Any) -> None:
        ended.append(mail)
        if len(ended) == 2:
            os.kill(os.getpid(), signal.SIGSTOP)
        end(mail)

    mails.__dict__["_end"] = stopping
    return mails.send_due()


def use(folder: str) -> None:
    django_settings.MAIL_CONFIGURED = True
    django_settings.EMAIL_BACKEND = "django.core.mail.backends.filebased.EmailBackend"
    django_settings.EMAIL_FILE_PATH = folder


def numbers_in(folder: Path) -> list[str]:
    """The numbers of all mails that went out."""
    parts = [
        part for file in folder.iterdir() for part in file.read_bytes().split(b"\n" + b"-" * 79)
    ]
    found = [message_from_bytes(part.strip())["Message-ID"] for part in parts]
    return sorted(number for number in found if number)


def test_of_mails_none_is_lost_and_the_one_in_flight_has_the_same_number(
    tmp_path: Path, settings: Settings
) -> None:
    settings.MAIL_CONFIGURED = True
    player = ada()
    Choice.objects.create(player=player, group="play", way=Way.MAIL, wanted=True)
    for number in range(3):
        tell_her(player, f"round:{number}")
    assert Delivery.objects.count() == 3
    with running(mailing, str(tmp_path)) as sender:
        sender.wait_until_stopped()
        sender.kill()
    assert Delivery.objects.count() == 2
    settings.EMAIL_BACKEND = "django.core.mail.backends.filebased.EmailBackend"
    settings.EMAIL_FILE_PATH = str(tmp_path)
    with clock.at(clock.now() + timedelta(minutes=2)):
        assert mails.send_due() == 2
        assert mails.send_due() == 0
    found = numbers_in(tmp_path)
    assert len(found) == 4
    assert len(set(found)) == 3
