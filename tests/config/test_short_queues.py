"""Wake-ups that nobody takes: there is an end to them."""

from uuid import uuid4

import pytest
from celery.exceptions import AlwaysEagerIgnored
from django.conf import settings
from redis import Redis

from config import celery


def test_without_workers_queues_stay_short(monkeypatch: pytest.MonkeyPatch) -> None:
    queue = f"ratings-{uuid4().hex}"  # whose wake-ups no other test looks at
    monkeypatch.setattr(celery, "QUEUES", (queue,))
    monkeypatch.setattr(celery, "LONGEST_QUEUE", 5)
    monkeypatch.setattr(celery, "TRIM_EVERY", 0.0)
    for number in range(12):
        with pytest.warns(AlwaysEagerIgnored):
            celery.app.send_task("config.heartbeat", args=[str(number)], queue=queue, expires=10)
    with Redis.from_url(settings.REDIS_URL) as client:
        waiting = client.lrange(queue, 0, -1)
        client.delete(queue)
    assert len(waiting) == 5
    assert [b"'11'" in waiting[0], b"'7'" in waiting[-1]] == [True, True]


def test_a_server_that_is_away_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "REDIS_URL", "redis://127.0.0.1:1/0")
    monkeypatch.setattr(celery, "TRIM_EVERY", 0.0)
    celery.keep_queues_short()
