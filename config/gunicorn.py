"""Settings of the web server: few processes, each holding many open streams on gevent."""

import _thread
import multiprocessing
import os
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from config.embedded.commands import note_database
from config.embedded.paths import StartError, data_dir
from config.monitoring.metric_files import fold_ended
from config.settings.environment import check_settings
from config.settings.settings_file import take_settings_file

try:
    take_settings_file(os.environ)
    check_settings(os.environ)
except StartError as error:
    sys.exit(str(error))  # gunicorn would show where in the code it was raised

_host = os.environ.get("EVENMATCH_BIND") or "127.0.0.1"
_port = os.environ.get("EVENMATCH_PORT") or "8000"
bind = f"[{_host}]:{_port}" if ":" in _host else f"{_host}:{_port}"
worker_class = "config.web.worker.WebWorker"  # on gevent; cuts slow bodies
logger_class = "config.web.server_log.ServerLog"  # JSON where the site's own lines are
limit_request_line = 8190
workers = int(os.environ.get("EVENMATCH_WEB_PROCESSES") or min(4, multiprocessing.cpu_count()))
worker_connections = 1000  # open requests of one process; most are idle streams
timeout = 30  # seconds of its own without a sign of life before a process is replaced (config.web.heartbeat)
graceful_timeout = 20  # seconds for open requests when stopping
keepalive = 5
max_requests = 20_000  # a leak anywhere stays small
max_requests_jitter = 10_000  # they began together, and are not to end together
forwarded_allow_ips = os.environ.get("EVENMATCH_TRUSTED_PROXIES") or "127.0.0.1,::1"
forwarder_headers = (
    ""  # the path is what was asked for, whatever a header says: proxies pass on what visitors send
)
control_socket_disable = True
# Connections of one process to PostgreSQL, however many requests it answers at the same time. Set when the server
# begins, not here: whoever merely imports this file, and what it starts, needs no pool.
raw_env = [f"EVENMATCH_DATABASE_POOL={os.environ.get('EVENMATCH_DATABASE_POOL') or 20}"]

_LOADS_FOR = 60.0  # seconds of processors, since its fork, in which a process must have loaded
_sleep = time.sleep  # as it is before gevent replaces it


def post_fork(_server: object, worker: Any) -> None:
    """Give signs of life for a process that loads the site: on a busy machine that may take longer than `timeout`."""
    worker.is_loading = True
    # Not as a Thread: of one that began before gevent's threads take over, its end would be reported as an error.
    _thread.start_new_thread(_show_life_while_loading, (worker,))


def _show_life_while_loading(worker: Any) -> None:
    began = time.process_time()
    with suppress(OSError, ValueError):  # it has ended
        while worker.is_loading and time.process_time() - began < _LOADS_FOR:
            worker.tmp.notify()
            _sleep(1.0)


def on_starting(_server: object) -> None:
    """Let commands that are typed later know where the data is."""
    note_database(data_dir(), os.environ)
    if folder := os.environ.get("PROMETHEUS_MULTIPROC_DIR"):
        Path(folder).mkdir(parents=True, exist_ok=True)
        fold_ended(Path(folder))  # of an earlier start


def post_worker_init(worker: Any) -> None:
    """Read what is read once, and watch for the end of the process: it would wait for streams, which do not end."""
    from django.urls import reverse  # needs the settings, as does what follows

    from config.web.templates import load_templates

    load_templates()
    reverse(
        "home"
    )  # reads all addresses, and what answers at them: else the first visitors wait for that
    worker.is_loading = False
    threading.Thread(target=_end_streams_in_time, args=[worker], daemon=True).start()


def _end_streams_in_time(worker: Any) -> None:
    from events.live import end_streams

    while True:
        time.sleep(0.5)
        if not worker.alive:
            end_streams()


def child_exit(_server: object, _worker: object) -> None:
    """Keep what a process counted that is gone, and drop what it said of its present."""
    if folder := os.environ.get("PROMETHEUS_MULTIPROC_DIR"):
        fold_ended(Path(folder))
