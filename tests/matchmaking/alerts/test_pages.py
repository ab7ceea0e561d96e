"""Switching alerts on and off on the page that says when to play."""

import re
from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from foundation import clock
from matchmaking.alerts.wish import end_of_night
from matchmaking.models import AlertWish, Queue
from notifications.models import QuietHours
from ratings.models import Mode
from tests.matchmaking.hall import Hall, make_hall

pytestmark = pytest.mark.django_db


def signed_in(mode: str = Mode.RANKED) -> tuple[Hall, Client]:
    hall = make_hall(2, mode=mode)
    hall.players[0].user = User.objects.create_user("anna")
    hall.players[0].save()
    client = Client()
    client.force_login(hall.players[0].user)
    return hall, client


def page(client: Client, hall: Hall) -> str:
    return client.get(reverse("when-to-play", args=[hall.queue.slug])).content.decode()


def post(client: Client, hall: Hall, name: str = "alert-me", **body: str) -> str:
    address = reverse(name, args=[hall.queue.slug])
    answer = client.post(address, body, follow=True)
    assert answer.status_code == 200
    return answer.content.decode()


def test_on_and_off() -> None:
    hall, client = signed_in()
    before = page(client, hall)
    assert "close to mine" in before
    assert "Switch alerts off" not in before
    on = post(client, hall, near="close", until="3")
    assert "You will be told when somebody searches here." in on
    assert "Their strength: close to mine." in on
    assert "When somebody near your strength searches" in on
    wish = AlertWish.objects.get()
    assert wish.until is not None
    assert abs(wish.until - clock.now() - timedelta(hours=3)) < timedelta(minutes=5)
    assert "told of searches here no more" in post(client, hall, "end-alerts")
    assert not AlertWish.objects.exists()
    assert "close to mine" in page(client, hall)
    assert "near your strength" not in post(client, hall, near="anybody", until="3")


def test_where_ratings_are_hidden_there_is_nothing_to_choose() -> None:
    hall, client = signed_in(Mode.NORMAL)
    assert "close to mine" not in page(client, hall)
    refused = post(client, hall, near="close", until="always")
    assert "Ratings are hidden here" in refused
    assert not AlertWish.objects.exists()
    on = post(client, hall, near="anybody", until="always")
    assert "Switch alerts off" in on
    assert "Their strength" not in on


@pytest.mark.parametrize(
    "body", [{}, {"near": "1500", "until": "3"}, {"near": "close", "until": "4"}]
)
def test_what_no_form_sends(body: dict[str, str]) -> None:
    hall, client = signed_in()
    assert "Choose how near, and until when." in post(client, hall, **body)
    assert not AlertWish.objects.exists()


def test_who_is_not_signed_in_or_has_no_name_here() -> None:
    hall, client = signed_in()
    assert "Sign in and choose a name in this queue to be told" in page(Client(), hall)
    answer = Client().post(reverse("alert-me", args=[hall.queue.slug]))
    assert answer.status_code == 302
    other = make_hall(1)
    assert client.post(reverse("alert-me", args=[other.queue.slug])).status_code == 404


@pytest.mark.parametrize(("kept", "by"), [("Asia/Tokyo", "Asia/Tokyo"), ("Atlantis/City", "UTC")])
def test_the_night_is_that_of_the_zone_that_the_page_is_in(kept: str, by: str) -> None:
    hall, client = signed_in()
    quiet = {"begins": time(1), "ends": time(2), "zone": kept}
    QuietHours.objects.create(player=hall.players[0], **quiet)
    shown = page(client, hall)
    assert f'name="zone" value="{by}" data-own-zone' in shown
    post(client, hall, near="close", until="tonight", zone=by)
    until = AlertWish.objects.get().until
    assert until is not None
    assert until.astimezone(ZoneInfo(by)).time() == time(4)
    assert re.search(r"Until [^<.]*\b0?4:00", page(client, hall))


def test_other_queues_and_those_without_alerts() -> None:
    hall, client = signed_in()
    other = Queue.objects.create(ladder=hall.ladder, slug="late", name="Late")
    client.post(reverse("alert-me", args=["late"]), {"near": "anybody", "until": "always"})
    assert "Also on in:" in page(client, hall)
    Queue.objects.filter(pk=hall.queue.pk).update(settings={"alerts": {"at_most": 0}})
    assert "Nobody is told of searches in this queue." in page(client, hall)
    refused = post(client, hall, near="anybody", until="always")
    assert "Nobody is told of searches in this queue." in refused
    assert AlertWish.objects.get().queue == other


@pytest.mark.parametrize(
    ("now", "ends"),
    [
        ("2026-03-01 21:00", "2026-03-02 03:00"),
        ("2026-03-02 00:30", "2026-03-02 03:00"),
        ("2026-03-28 21:00", "2026-03-29 02:00"),  # clocks are put forward that night
    ],
)
def test_the_night_ends_at_four(now: str, ends: str) -> None:
    moments = [datetime.fromisoformat(text).replace(tzinfo=UTC) for text in (now, ends)]
    assert end_of_night(ZoneInfo("Europe/Berlin"), moments[0]) == moments[1]
