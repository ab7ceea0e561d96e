"""Prometheus metrics, named in one place."""

from prometheus_client import Counter, Gauge, Histogram

__all__ = ["MATCHES_RATED", "REQUESTS", "REQUEST_SECONDS", "RUN_SECONDS", "TRACK_BACKLOG"]

REQUESTS = Counter("evenmatch_requests_total", "HTTP requests", ["method", "route", "status"])
REQUEST_SECONDS = Histogram(
    "evenmatch_request_seconds", "Duration of HTTP requests", ["method", "route"]
)
MATCHES_RATED = Counter("evenmatch_matches_rated_total", "Matches rated", ["system"])
RUN_SECONDS = Histogram("evenmatch_rating_run_seconds", "Duration of rating runs", ["system"])
TRACK_BACKLOG = Gauge(
    "evenmatch_track_backlog", "Confirmed matches a track has not rated", ["track"]
)
