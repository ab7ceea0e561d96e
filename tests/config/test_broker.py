"""Wake-ups that nobody takes: there is an end to them."""

import json
from uuid import uuid4

import pytest
from django.conf import settings
from redis import Redis

from config import broker
from config.celery import app


def test_without_workers_queues_stay_short(monkeypatch: pytest.MonkeyPatch) -> None:
    queue = f"ratings-{uuid4().hex}"  # whose wake-ups no other test looks at
    monkeypatch.setattr(broker.ShortChannel, "bounded", frozenset({queue}))
    monkeypatch.setattr(app.conf, "task_always_eager", False)
    monkeypatch.setattr(broker, "LONGEST_QUEUE", 5)
    for number in range(12):
        app.send_task("config.heartbeat", args=[str(number)], queue=queue, expires=10)
    with Redis.from_url(settings.REDIS_URL) as client:
        waiting = [json.loads(message) for message in client.lrange(queue, 0, -1)]  # type: ignore[union-attr]
        client.delete(queue)
    assert [one["headers"]["argsrepr"] for one in waiting] == [
        f"['{n}']" for n in (11, 10, 9, 8, 7)
    ]
