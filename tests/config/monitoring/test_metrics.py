"""The metrics page is there for whoever has the token, and for nobody else."""

import pytest
from django.conf import settings as django_settings
from django.test import Client
from pytest_django import Settings

from ratings.models import Game, Ladder, RatingTrack

pytestmark = pytest.mark.django_db


def scrape(client: Client, token: str) -> tuple[int, str]:
    response = client.get("/metrics", headers={"Authorization": f"Bearer {token}"})
    return response.status_code, response.content.decode()


def test_it_tells_the_backlog_of_every_track(client: Client) -> None:
    game = Game.objects.create(slug="chess", name="Chess")
    ladder = Ladder.objects.create(game=game, slug="blitz", name="Blitz", last_seq=12)
    track = RatingTrack.objects.create(ladder=ladder, system="elo", rated_seq=5)

    status, text = scrape(client, django_settings.METRICS_TOKEN)

    assert status == 200
    assert f'evenmatch_track_backlog{{ladder="blitz",system="elo",track="{track.pk}"}} 7.0' in text
    assert "evenmatch_requests_total" in text
    assert "evenmatch_clock_paused 0.0" in text
    assert "evenmatch_parked_subscribers 0.0" in text
    assert 'evenmatch_failing_deliveries{way="mail"} 0.0' in text
    assert 'evenmatch_waiting_cases{list="report"} 0.0' in text


def test_methods_that_nobody_knows_are_counted_as_one(client: Client) -> None:
    for method in ("GET", "BREW", "WHEN"):
        client.generic(method, "/health/live")
    text = scrape(client, django_settings.METRICS_TOKEN)[1]
    assert 'method="GET",route="health/live"' in text
    assert 'method="other",route="health/live"' in text
    assert "BREW" not in text
    assert "WHEN" not in text


def test_it_is_hidden_without_the_right_token(client: Client) -> None:
    assert client.get("/metrics").status_code == 404
    assert scrape(client, "wrong")[0] == 404


def test_it_is_hidden_while_no_token_is_set(client: Client, settings: Settings) -> None:
    settings.METRICS_TOKEN = ""
    assert scrape(client, "")[0] == 404
