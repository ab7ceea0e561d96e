"""The Celery application: workers do what the database says is due, beat wakes them."""

import os
import sys
import time
from contextlib import suppress
from functools import cached_property
from typing import Any

import structlog
from celery import Celery, Task
from celery.app.amqp import AMQP
from celery.signals import (
    after_task_publish,
    beat_init,
    setup_logging,
    task_postrun,
    worker_init,
    worker_ready,
)
from django.conf import settings
from kombu import Connection
from kombu.exceptions import OperationalError

from config.embedded.paths import PROJECT
from config.workers.task_queues import QUEUES

LONGEST_QUEUE = 1000  # wake-ups that wait
TRIM_EVERY = 5.0  # seconds
_trimmed_at = 0.0

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.production")

log = structlog.get_logger(__name__)
HEARTBEAT = "config.heartbeat"


class PatientConnection(Connection):
    """A connection to the broker that is tried again every second: it comes back soon after the broker does.

    Kombu waits 2 s longer each time, up to 30 s, and players wait with it.
    """

    def ensure_connection(self, *args: Any, **options: Any) -> Any:
        """Connect, or try until it works or the retries are used up."""
        options |= {"interval_start": 1, "interval_step": 0, "interval_max": 1}
        return super().ensure_connection(*args, **options)


class PatientAMQP(AMQP):
    """Celery's, with connections that are patient."""

    Connection = PatientConnection


class RestingTask(Task[..., Any]):
    """A task that does nothing while the disk is nearly full: the next wake-up finds what is due all the same."""

    def __call__(self, *args: Any, **options: Any) -> Any:
        """Do the work, unless there is no room for it. Heartbeats write to Valkey only."""
        from django.conf import settings  # not before the application is set up

        shortage = None if self.name == HEARTBEAT else settings.FREE_SPACE.shortage()
        if shortage:
            log.warning("task.no_room", task=self.name, folder=str(shortage.folder))
            return None
        return super().__call__(*args, **options)


class Evenmatch(Celery):
    """Celery's application, with a beat that starts soon."""

    @cached_property
    def Beat(self) -> Any:  # noqa: N802 - Celery's name
        """What `celery beat` runs; named, for no other process needs it."""
        named: Any = "config.workers.processes:LightBeat"
        return self.subclass_with_self(named)


_path = list(sys.path)
app = Evenmatch("evenmatch", amqp=PatientAMQP, task_cls=RestingTask)
# Celery puts the folder that we are called from first, where another release may lie.
sys.path[:] = [str(PROJECT), *_path]
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@setup_logging.connect
def keep_our_logging(**_: object) -> None:
    """Keep Celery from replacing the logging that the settings configured."""


@worker_init.connect
def load_before_work(**_: object) -> None:
    """Load what tasks need before there are any: the processes of the pool, forked later, have it at once."""
    from kombu.transport.redis import Channel  # not above, see `keep_queues_short`

    from config.workers.processes import load_all
    from config.workers.silence import end_silent_waits

    # Wake-ups that a worker had when it ended need not go back: beat sends the next. Where Valkey was away they would
    # be written to a file in /tmp that nobody ever reads.
    Channel.do_restore = False
    end_silent_waits(settings.DATABASE_SILENCE)
    load_all()


@worker_ready.connect
def wake_in_place_of_beat(sender: Any, **_: object) -> None:
    """Let a worker of matchmaking see to it that queues are swept while beat is away."""
    from config.workers.processes import STANDS_IN_EVERY, wake_queues_if_nobody_does

    if "matchmaking" in sender.app.amqp.queues.consume_from:
        sender.timer.call_repeatedly(STANDS_IN_EVERY, wake_queues_if_nobody_does)


@task_postrun.connect
def show_that_work_is_done(sender: Any, **_: object) -> None:
    """Leave a sign of life of the worker that did a task: the watchdog of `bin/run` looks for it."""
    from config.workers.processes import note_work

    note_work(sender.request.hostname)


@beat_init.connect
def announce_beat(sender: Any, **_: object) -> None:
    """Send the first heartbeats at once: whoever waits for beat need not wait for its schedule."""
    from config.workers.processes import note_what_is_sent

    note_what_is_sent()
    with suppress(
        OperationalError
    ):  # a broker that is away, or full: the schedule sends the next ones
        for queue in QUEUES:
            sender.app.send_task(HEARTBEAT, args=[queue], queue=queue, expires=10)


@after_task_publish.connect
def keep_queues_short(**_: object) -> None:
    """Let the oldest wake-ups go where no worker takes them: they expired long ago, and would fill Valkey's memory.

    Whoever sends does this now and then, beat for one. A server that is away has no queues to be cut.
    """
    global _trimmed_at  # noqa: PLW0603 - of this process
    now = time.monotonic()
    if now < _trimmed_at + TRIM_EVERY:
        return
    _trimmed_at = now
    # Not above: the web server loads this file too, before gevent replaces what redis takes its TLS from.
    from redis import Redis
    from redis.exceptions import RedisError

    patience = settings.REDIS_PATIENCE
    with (
        suppress(RedisError),
        Redis.from_url(
            settings.REDIS_URL, socket_timeout=patience, socket_connect_timeout=patience
        ) as client,
        client.pipeline(transaction=False) as all_at_once,
    ):
        for queue in QUEUES:
            all_at_once.ltrim(queue, 0, LONGEST_QUEUE - 1)  # the newest are at the left
        all_at_once.execute()
