"""Prometheus metrics that processes count, named in one place. What the database knows is read on scrape."""

from prometheus_client import Counter, Gauge, Histogram

from foundation.metric_storage import share_counts

__all__ = [
    "DROPPED_SENDINGS",
    "LIMITED_REQUESTS",
    "MATCHES_RATED",
    "OFFERS",
    "OPEN_STREAMS",
    "RECEIVED_LINES",
    "REFUSED_REQUESTS",
    "REQUESTS",
    "REQUEST_SECONDS",
    "RUN_SECONDS",
    "SWEEP_SECONDS",
    "UNLIMITED_REQUESTS",
    "WAIT_SECONDS",
]

share_counts()

REQUESTS = Counter("evenmatch_requests_total", "HTTP requests", ["method", "route", "status"])
REQUEST_SECONDS = Histogram(
    "evenmatch_request_seconds", "Duration of HTTP requests", ["method", "route"]
)
REFUSED_REQUESTS = Counter(
    "evenmatch_refused_requests_total",
    "Requests for which there was no turn: a web process had too many at once",
)
MATCHES_RATED = Counter("evenmatch_matches_rated_total", "Matches rated", ["system"])
RUN_SECONDS = Histogram("evenmatch_rating_run_seconds", "Duration of rating runs", ["system"])
OPEN_STREAMS = Gauge(
    "evenmatch_open_streams",
    "Streams of server-sent events that are open",
    multiprocess_mode="livesum",
)
LIMITED_REQUESTS = Counter(
    "evenmatch_limited_requests_total", "API requests refused by a rate limit", ["limit"]
)
UNLIMITED_REQUESTS = Counter(
    "evenmatch_unlimited_requests_total", "API requests let through while Valkey was away"
)
SWEEP_SECONDS = Histogram(
    "evenmatch_sweep_seconds",
    "Duration of sweeps",
    ["queue", "strategy"],
    buckets=(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 1.5, 2.5, 5.0),
)
OFFERS = Counter("evenmatch_offers_total", "Offers, by what became of them", ["queue", "event"])
WAIT_SECONDS = Histogram(
    "evenmatch_wait_seconds",
    "Time from joining a queue to the match",
    ["queue"],
    buckets=(1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1800),
)
DROPPED_SENDINGS = Counter(
    "evenmatch_dropped_sendings_total",
    "Log lines and messages that pretended to come from a game server, by what was wrong",
    ["why"],
)
RECEIVED_LINES = Counter(
    "evenmatch_received_lines_total", "Log lines and messages that came from game servers"
)
