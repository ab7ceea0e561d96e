"""The metrics page: what the processes counted, and what the database says now. Not public by default."""

import os
from collections.abc import Iterator
from pathlib import Path
from secrets import compare_digest
from typing import Any

from django.conf import settings
from django.db.models import Count, F, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from prometheus_client import (
    CONTENT_TYPE_LATEST,
    REGISTRY,
    CollectorRegistry,
    generate_latest,
    multiprocess,
)
from prometheus_client.metrics_core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from accounts.models import Mail
from challenges.models import Challenge
from config.backup.schedule import read_state
from config.monitoring.metric_files import reading
from config.tasks import workers_alive
from events.failures import parked
from foundation import timekeeping
from matchmaking.models import Queue
from matchmaking.models.tickets import LIVE
from moderation.desk.cases import counts
from notifications.models import Delivery, Way
from ratings.models import RatingTrack, TrackState
from rooms.models import Room


class DatabaseCollector(Collector):
    """Figures that belong to no process: read from the database at each scrape."""

    def collect(self) -> Iterator[Metric]:
        """Give the backlog of every track, the live tickets of every queue, and what waits for an operator."""
        backlogs = GaugeMetricFamily(
            "evenmatch_track_backlog",
            "Sequenced matches a track has not rated",
            labels=["ladder", "system", "track"],
        )
        rated = RatingTrack.objects.exclude(state=TrackState.RETIRED)
        tracks = rated.annotate(backlog=F("ladder__last_seq") - F("rated_seq"))
        for slug, system, pk, backlog in tracks.values_list(
            "ladder__slug", "system", "pk", "backlog"
        ):
            backlogs.add_metric([slug, system, str(pk)], backlog)
        yield backlogs
        tickets = GaugeMetricFamily(
            "evenmatch_live_tickets", "Tickets searching or offered", labels=["queue", "state"]
        )
        live = Queue.objects.filter(tickets__state__in=LIVE).annotate(number=Count("tickets"))
        for slug, state, number in live.values_list("slug", "tickets__state", "number"):
            tickets.add_metric([slug, state], number)
        yield tickets
        yield from self._matters_of_people()
        yield GaugeMetricFamily(
            "evenmatch_clock_paused",
            "1 while the clock is not believed and nothing ends by time",
            value=float(timekeeping.pause() is not None),
        )
        yield GaugeMetricFamily(
            "evenmatch_parked_subscribers",
            "Subscribers of events that wait for an operator",
            value=float(parked().count()),
        )

    def _matters_of_people(self) -> Iterator[Metric]:
        failing = GaugeMetricFamily(
            "evenmatch_failing_deliveries",
            "Mails and pushes that were tried at least twice, and are to be tried again",
            labels=["way"],
        )
        notices = Delivery.objects.filter(attempts__gte=2).order_by().values("way")
        found = dict.fromkeys((Way.MAIL.value, Way.PUSH.value), 0)
        found |= dict(notices.annotate(number=Count("pk")).values_list("way", "number"))
        mails = Mail.objects.filter(state=Mail.State.WAITING, attempts__gte=2)
        found[Way.MAIL.value] += mails.count()
        for way, number in found.items():
            failing.add_metric([way], number)
        yield failing
        waiting = GaugeMetricFamily(
            "evenmatch_waiting_cases", "Cases that wait at the moderation desk", labels=["list"]
        )
        for queue, number in counts().items():
            waiting.add_metric([queue.value], number)
        yield waiting
        rooms = GaugeMetricFamily("evenmatch_live_rooms", "Rooms that are open", labels=["game"])
        for slug, number in _by_game(Room.objects.filter(ended_at=None), "game__slug"):
            rooms.add_metric([slug], number)
        yield rooms
        challenges = GaugeMetricFamily(
            "evenmatch_live_challenges",
            "Challenges that wait for an answer, and such as were accepted",
            labels=["game"],
        )
        live = Challenge.objects.filter(ended_at=None)
        for slug, number in _by_game(live, "ladder__game__slug"):
            challenges.add_metric([slug], number)
        yield challenges


def _by_game(rows: QuerySet[Any], slug: str) -> list[tuple[str, int]]:
    numbers = rows.order_by().values(slug).annotate(number=Count("pk"))
    return list(numbers.values_list(slug, "number"))


class RoomCollector(Collector):
    """The room left in the folders that the site writes to."""

    def collect(self) -> Iterator[Metric]:
        """Give the free bytes of each folder, and how many must be free for the site to write."""
        free = GaugeMetricFamily("evenmatch_free_bytes", "Bytes free", labels=["folder"])
        for folder, number in settings.FREE_SPACE.free().items():
            free.add_metric([str(folder)], number)
        yield free
        yield GaugeMetricFamily(
            "evenmatch_free_bytes_needed",
            "Bytes that must be free for the site to take anything new",
            value=settings.FREE_SPACE.least,
        )


class SiteCollector(Collector):
    """Which release answers, whether its workers do, and how its backups stand."""

    def collect(self) -> Iterator[Metric]:
        """Give the version; of backups something only where they are written by themselves."""
        build = GaugeMetricFamily("evenmatch_build_info", "The release", labels=["version"])
        build.add_metric([settings.VERSION], 1.0)
        yield build
        workers = GaugeMetricFamily(
            "evenmatch_workers_alive",
            "1 where a worker has carried out a wake-up in the last 45 seconds",
            labels=["queue"],
        )
        for queue, is_alive in workers_alive().items():
            workers.add_metric([queue], float(is_alive))
        yield workers
        state = read_state()
        if state is None:
            return
        yield GaugeMetricFamily(
            "evenmatch_backup_newest_timestamp_seconds",
            "When the newest backup was written, seconds since 1970; 0 where there is none",
            value=state.newest or 0.0,
        )
        yield GaugeMetricFamily(
            "evenmatch_backup_failed",
            "1 while the last backup that was due could not be written",
            value=float(state.failed_at is not None),
        )


@never_cache
@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """Answer in Prometheus' text format to whoever has the token; for everyone else there is no such page."""
    wanted = f"Bearer {settings.METRICS_TOKEN}"
    given = request.headers.get("Authorization", "")
    if not settings.METRICS_TOKEN or not compare_digest(given.encode(), wanted.encode()):
        raise Http404
    asked = CollectorRegistry()
    asked.register(RoomCollector())
    asked.register(DatabaseCollector())
    asked.register(SiteCollector())
    # All processes' counters where they share a folder (as under bin/run), else this process's own.
    if folder := os.environ.get("PROMETHEUS_MULTIPROC_DIR"):
        registry = CollectorRegistry()
        multiprocess.MultiProcessCollector(registry, folder)  # type: ignore[no-untyped-call]
        with reading(Path(folder)):
            counted = generate_latest(registry)
    else:
        counted = generate_latest(REGISTRY)
    return HttpResponse(counted + generate_latest(asked), content_type=CONTENT_TYPE_LATEST)
