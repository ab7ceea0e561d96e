"""The metrics page: what the processes counted, and what the database says now. Not public by default."""

import os
from collections.abc import Iterator
from pathlib import Path
from secrets import compare_digest

from django.conf import settings
from django.db.models import Count, F
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

from config.monitoring.metric_files import reading
from events.failures import parked
from foundation import timekeeping
from matchmaking.models import Queue
from matchmaking.models.tickets import LIVE
from ratings.models import RatingTrack, TrackState


class DatabaseCollector(Collector):
    """Figures that belong to no process: read from the database at each scrape."""

    def collect(self) -> Iterator[Metric]:
        """Give the backlog of every track, the live tickets of every queue, and what waits for an operator."""
        yield self._backlog()
        yield self._live_tickets()
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

    def _backlog(self) -> Metric:
        family = GaugeMetricFamily(
            "evenmatch_track_backlog",
            "Sequenced matches a track has not rated",
            labels=["ladder", "system", "track"],
        )
        rated = RatingTrack.objects.exclude(state=TrackState.RETIRED)
        tracks = rated.annotate(backlog=F("ladder__last_seq") - F("rated_seq"))
        for slug, system, pk, backlog in tracks.values_list(
            "ladder__slug", "system", "pk", "backlog"
        ):
            family.add_metric([slug, system, str(pk)], backlog)
        return family

    def _live_tickets(self) -> Metric:
        family = GaugeMetricFamily(
            "evenmatch_live_tickets", "Tickets searching or offered", labels=["queue", "state"]
        )
        live = Queue.objects.filter(tickets__state__in=LIVE).annotate(number=Count("tickets"))
        for slug, state, number in live.values_list("slug", "tickets__state", "number"):
            family.add_metric([slug, state], number)
        return family


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


def _counted() -> bytes:
    """All processes' counters when they share a folder (as under bin/run), else this process's own."""
    folder = os.environ.get("PROMETHEUS_MULTIPROC_DIR")
    if not folder:
        return generate_latest(REGISTRY)
    registry = CollectorRegistry()
    multiprocess.MultiProcessCollector(registry, folder)  # type: ignore[no-untyped-call]
    with reading(Path(folder)):
        return generate_latest(registry)


def _is_allowed(request: HttpRequest) -> bool:
    wanted = f"Bearer {settings.METRICS_TOKEN}"
    given = request.headers.get("Authorization", "")
    return bool(settings.METRICS_TOKEN) and compare_digest(given.encode(), wanted.encode())


@never_cache
@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """Answer in Prometheus' text format to whoever has the token; for everyone else there is no such page."""
    if not _is_allowed(request):
        raise Http404
    asked = CollectorRegistry()
    asked.register(RoomCollector())
    asked.register(DatabaseCollector())
    body = _counted() + generate_latest(asked)
    return HttpResponse(body, content_type=CONTENT_TYPE_LATEST)
