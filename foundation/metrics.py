"""Prometheus metrics that processes count, named in one place. What the database knows is read on scrape."""

from prometheus_client import Counter, Gauge, Histogram

__all__ = ["MATCHES_RATED", "OPEN_STREAMS", "REQUESTS", "REQUEST_SECONDS", "RUN_SECONDS"]

REQUESTS = Counter("evenmatch_requests_total", "HTTP requests", ["method", "route", "status"])
REQUEST_SECONDS = Histogram(
    "evenmatch_request_seconds", "Duration of HTTP requests", ["method", "route"]
)
MATCHES_RATED = Counter("evenmatch_matches_rated_total", "Matches rated", ["system"])
RUN_SECONDS = Histogram("evenmatch_rating_run_seconds", "Duration of rating runs", ["system"])
OPEN_STREAMS = Gauge(
    "evenmatch_open_streams",
    "Streams of server-sent events that are open",
    multiprocess_mode="livesum",
)
