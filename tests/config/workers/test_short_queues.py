"""Wake-ups that nobody takes: there is an end to them."""

import tempfile
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from celery.exceptions import AlwaysEagerIgnored
from django.conf import settings
from kombu.transport.redis import Channel
from redis import Redis

from config import celery
from config.workers import processes


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


class Lost:
    """A wake-up that cannot be sent back."""

    def serializable(self) -> dict[str, str]:
        """As kombu's messages."""
        return {"body": "wake up"}


def test_a_worker_that_ends_writes_its_wake_ups_nowhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_message: object) -> None:
        raise OSError("Valkey is away")

    monkeypatch.setattr(Channel, "do_restore", True)
    monkeypatch.setattr(processes, "load_all", lambda: None)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    celery.load_before_work()
    with celery.app.connection_for_read() as broker:
        channel: Any = broker.channel()
        channel.qos.append(Lost(), "tag")
        monkeypatch.setattr(channel, "_restore", fail)
        channel.close()
    assert list(tmp_path.iterdir()) == []
