"""The page of notices, choices, and mails with a link that ends them."""

import pytest
from allauth.account.models import EmailAddress
from django.core import mail as django_mail
from django.db import transaction
from django.test import Client
from pytest_django.fixtures import Settings

from accounts.models import User
from notifications.kinds import Group, nowhere, register
from notifications.mail.send import send_due
from notifications.models import Delivery, Notice, QuietHours, Way
from notifications.preferences import choices_of
from notifications.tell import tell
from ratings.models import Player
from tests.ratings.arena import Arena

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("declared")]


@pytest.fixture(autouse=True)
def _kinds(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("notifications.kinds._kinds", {})
    settings.MAIL_CONFIGURED = True
    register("test.mail", Group.PLAY, "Come & play.", leads_to=nowhere, ways=[Way.SITE, Way.MAIL])


@pytest.fixture
def player() -> Player:
    user = User.objects.create_user("Ada", "ada@example.org")
    EmailAddress.objects.create(user=user, email="ada@example.org", verified=True, primary=True)
    player: Player = Arena(2).players[0]
    Player.objects.filter(pk=player.pk).update(user=user)
    player.refresh_from_db()
    with transaction.atomic():
        tell("test.mail", [player.pk])
    return player


def signed_in(player: Player) -> Client:
    client = Client()
    assert player.user is not None
    client.force_login(player.user)
    return client


def test_it_is_read_and_deleted_without_a_script(player: Player) -> None:
    client = signed_in(player)
    page = client.get("/notifications/").content.decode()
    assert "Come &amp; play." in page
    assert 'class="bell-number"' in page
    notice = Notice.objects.get()
    client.post("/notifications/delete/")  # what is unread stays
    assert client.post(f"/notifications/{notice.pk}/open/").headers["Location"] == "/notifications/"
    assert 'class="bell-number"' not in client.get("/notifications/").content.decode()
    client.post("/notifications/delete/")
    assert not Notice.objects.exists()
    assert client.get("/notifications/").status_code == 200
    assert client.get("/play/ongoing/", headers={"HX-Request": "true"}).status_code == 200


def test_another_account_reads_and_changes_nothing(player: Player) -> None:
    client = Client()
    client.force_login(User.objects.create_user("Eve"))
    notice = Notice.objects.get()
    assert "Come" not in client.get("/notifications/").content.decode()
    assert client.post(f"/notifications/{notice.pk}/open/").status_code == 404
    client.post("/notifications/read/", {"notice": notice.pk})
    client.post("/notifications/delete/", {"notice": notice.pk})
    assert Notice.objects.get().read_at is None
    assert client.get(f"/notifications/choices/?player={player.pk}").status_code == 404


def test_ways_and_quiet_hours_are_chosen(player: Player) -> None:
    client = signed_in(player)
    assert client.get("/notifications/choices/").status_code == 200
    given = {"player": player.pk, "play-push": "on", "begins": "22:00", "ends": "07:00"}
    answer = client.post("/notifications/choices/", {**given, "zone": "Europe/Berlin"})
    assert answer.status_code == 302
    (group,) = choices_of(player.pk)
    assert [way.value for way, is_wanted in group.ways.items() if is_wanted] == ["push"]
    assert QuietHours.objects.get().zone == "Europe/Berlin"
    wrong = client.post("/notifications/choices/", {**given, "ends": "22:00", "zone": "UTC"})
    assert "have no end" in wrong.content.decode()


def test_one_press_ends_mails_of_a_group_and_looking_does_not(player: Player) -> None:
    assert send_due() == 1
    assert not Delivery.objects.exists()
    (message,) = django_mail.outbox
    assert message.subject == "Come & play."
    assert message.extra_headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    link = message.extra_headers["List-Unsubscribe"].strip("<>")
    assert link in message.body
    path = "/notifications/unsubscribe/" + link.partition("/notifications/unsubscribe/")[2]
    stranger = Client(enforce_csrf_checks=True)
    assert stranger.get(path).status_code == 200
    with transaction.atomic():
        tell("test.mail", [player.pk])
    assert Delivery.objects.count() == 1
    assert stranger.post(path, {"List-Unsubscribe": "One-Click"}).status_code == 200
    assert not Delivery.objects.exists()  # what was waiting is not sent either
    with transaction.atomic():
        tell("test.mail", [player.pk])
    assert not Delivery.objects.exists()
    assert stranger.get("/notifications/unsubscribe/nothing/").status_code == 404


def test_what_was_read_meanwhile_is_not_mailed(player: Player) -> None:
    signed_in(player).post("/notifications/read/")
    assert send_due() == 0
    assert django_mail.outbox == []
    assert not Delivery.objects.exists()
