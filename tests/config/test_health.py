"""Health addresses tell what lives, from the real servers."""

import pytest
from django.core.cache import cache
from django.test import Client
from pytest_django import Settings

from config.tasks import BEAT_KEY, heartbeat


def test_live_needs_no_database(client: Client) -> None:
    assert client.get("/health/live").json() == {"status": "ok"}


@pytest.mark.django_db
def test_ready_names_both_servers(client: Client) -> None:
    response = client.get("/health/ready")
    assert response.status_code == 200
    assert response.json() == {"status": "ok", "database": True, "redis": True}


@pytest.mark.django_db
def test_ready_stays_ready_without_redis(client: Client, settings: Settings) -> None:
    settings.CACHES = {
        "default": {
            "BACKEND": "django.core.cache.backends.redis.RedisCache",
            "LOCATION": "redis://127.0.0.1:1/0",
        }
    }
    assert client.get("/health/ready").json() == {"status": "ok", "database": True, "redis": False}
    assert client.get("/health/workers").status_code == 503


def test_workers_follow_the_heartbeat(client: Client) -> None:
    cache.delete(BEAT_KEY)
    assert client.get("/health/workers").status_code == 503
    heartbeat.delay()
    assert client.get("/health/workers").status_code == 200
