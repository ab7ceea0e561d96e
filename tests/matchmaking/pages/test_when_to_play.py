"""The page that says when to play: figures in words, rounds with their buttons, by the clocks of a zone."""

import html
from datetime import time, timedelta

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from foundation import clock
from foundation.templatetags.display import on_the_clock
from matchmaking.conduct import confirm_bad_manners
from matchmaking.models import Round, RoundEntry, RoundTime
from matchmaking.rounds import hold
from notifications.models import QuietHours
from tests.matchmaking.hall import Hall, make_hall

pytestmark = pytest.mark.django_db


def hall_with_a_round(minutes: float) -> tuple[Hall, Client, Round]:
    hall = make_hall(2)
    user = User.objects.create_user("anna")
    hall.players[0].user = user
    hall.players[0].save()
    client = Client()
    client.force_login(user)
    at = clock.now() + timedelta(minutes=minutes)
    RoundTime.objects.create(queue=hall.queue, at=at.time(), zone="UTC")
    hold.announce_rounds()
    found = Round.objects.order_by("starts_at").first()
    assert found is not None
    return hall, client, found


def page(client: Client, hall: Hall, zone: str = "") -> str:
    address = reverse("when-to-play", args=[hall.queue.slug])
    answer = client.get(address, {"zone": zone} if zone else {})
    assert answer.status_code == 200
    return answer.content.decode()


def test_a_round_is_joined_confirmed_and_left() -> None:
    hall, client, found = hall_with_a_round(40)
    assert "Join round" in page(client, hall)
    assert "Sign in and choose a name" in page(Client(), hall)
    client.post(reverse("enter-round", args=[found.pk]))
    assert "You have joined" in page(client, hall)
    Round.objects.filter(pk=found.pk).update(starts_at=clock.now() + timedelta(minutes=10))
    RoundEntry.objects.update(seen_at=clock.now() - timedelta(minutes=30))
    assert "I&#x27;m here" in page(client, hall) or "I'm here" in page(client, hall)
    client.post(reverse("enter-round", args=[found.pk]))
    assert "You are there" in page(client, hall)
    client.post(reverse("quit-round", args=[found.pk]))
    assert "Join round" in page(client, hall)


def test_where_nobody_searches_nothing_is_said_of_who_is_near() -> None:
    hall, client, _found = hall_with_a_round(40)
    hall.rate({0: 1500.0})
    shown = page(client, hall)
    assert "Nobody is searching here just now." in shown
    assert "is among them" not in shown


def test_a_refusal_is_a_message() -> None:
    _hall, client, found = hall_with_a_round(40)
    Round.objects.filter(pk=found.pk).update(starts_at=clock.now())
    answer = client.post(reverse("enter-round", args=[found.pk]), follow=True)
    assert "This round has begun or was cancelled" in answer.content.decode()
    assert not RoundEntry.objects.exists()


def test_who_cools_off_is_told_so_there() -> None:
    hall, client, found = hall_with_a_round(40)
    for _time in range(2):
        confirm_bad_manners(hall.players[0], None, None, "Insults.")
    refused = client.post(reverse("enter-round", args=[found.pk]), follow=True)
    shown = " ".join(refused.content.decode().split())
    assert "You are cooling off and can play again from" in shown
    assert "You are cooling off. You can't search" in html.unescape(shown)


def test_times_are_those_of_the_zone() -> None:
    hall, client, found = hall_with_a_round(40)
    there = found.starts_at + timedelta(hours=5, minutes=30)
    assert f"{there:%H:%M}" in page(client, hall, "Asia/Kolkata")
    wrong = client.get(reverse("when-to-play", args=[hall.queue.slug]), {"zone": "Europe/Atlantis"})
    assert wrong.status_code == 400
    assert 'aria-invalid="true"' in wrong.content.decode()
    assert f"{found.starts_at:%H:%M}" in wrong.content.decode()


def test_the_zone_of_quiet_hours_is_chosen() -> None:
    hall, client, found = hall_with_a_round(40)
    assert 'data-own-zone="ask"' in page(client, hall)
    quiet = {"begins": time(22), "ends": time(7), "zone": "Asia/Tokyo"}
    QuietHours.objects.create(player=hall.players[0], **quiet)
    shown = page(client, hall)
    assert 'value="Asia/Tokyo" selected' in shown
    assert 'data-own-zone="ask"' not in shown
    there = (found.starts_at + timedelta(hours=9)).replace(tzinfo=None)
    assert on_the_clock(there) in shown


def test_the_page_of_the_queue_leads_there() -> None:
    hall, client, _found = hall_with_a_round(40)
    page = client.get(reverse("queue", args=[hall.queue.slug])).content.decode()
    assert reverse("when-to-play", args=[hall.queue.slug]) in page
