"""Health: whether the process lives, and whether it can serve."""

import os
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles.storage import staticfiles_storage
from django.db import DatabaseError, connection
from django.db.migrations.loader import MigrationLoader
from django.http import HttpRequest, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from redis import Redis
from redis.exceptions import RedisError

from config.backup.schedule import read_state
from config.tasks import workers_alive
from foundation import timekeeping
from foundation.requests.time_limits import takes

# Every page has it. Where static files were not collected, no page can be made.
_ON_EVERY_PAGE = "css/base.css"


@never_cache
@require_safe
def live(request: HttpRequest) -> JsonResponse:
    """Answer 200 while the process runs."""
    return JsonResponse({"status": "ok", "version": settings.VERSION})


@takes(5)
@never_cache
@require_safe
def ready(request: HttpRequest) -> JsonResponse:
    """Answer 200 when pages can be served. Valkey and a clock that jumped are named, but pages need neither."""
    database = _database_answers()
    given = os.environ.get("PROMETHEUS_MULTIPROC_DIR")
    metrics = Path(given) if given else None
    needed = {
        "database": database,
        "tables": database and _tables_are_up_to_date(),
        "static_files": _static_files_are_there(),
        "secret_key": _secret_key_is_kept(),
        "metrics": not metrics or (metrics.is_dir() and os.access(metrics, os.W_OK)),
    }
    is_well = all(needed.values())
    is_steady = needed["tables"] and timekeeping.pause() is None  # as the workers have found it
    parts = {
        "version": settings.VERSION,
        **needed,
        "redis": _redis_takes_values(),
        "clock": is_steady,
    }
    return _answer(is_well, parts)


@never_cache
@require_safe
def workers(request: HttpRequest) -> JsonResponse:
    """Answer 200 when the workers of each queue have carried out one of beat's wake-ups in the last 45 seconds."""
    alive = workers_alive()
    return _answer(all(alive.values()), alive)


@never_cache
@require_safe
def backups(request: HttpRequest) -> JsonResponse:
    """Answer 200 when the last backup that was due was written, or none are written by themselves."""
    state = read_state()
    if state is None:
        return JsonResponse({"status": "off"})
    newest = state.newest_at.isoformat() if state.newest_at else None
    return _answer(state.is_well, {"newest": newest, "failed": state.failed_at is not None})


def _answer(is_well: bool, parts: Mapping[str, object]) -> JsonResponse:
    status = "ok" if is_well else "unavailable"
    return JsonResponse({"status": status, **parts}, status=200 if is_well else 503)


def _database_answers() -> bool:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        return False
    return True


def _tables_are_up_to_date() -> bool:
    """Whether every migration of this release has been applied."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT app, name FROM django_migrations")
            applied = set(cursor.fetchall())
    except DatabaseError:
        return False
    return all(
        {name} <= applied or (replaced and replaced <= applied) for name, replaced in _migrations()
    )


@cache
def _migrations() -> tuple[tuple[tuple[str, str], frozenset[tuple[str, str]]], ...]:
    """Each migration there is, with those that it replaces: where all of these were applied, so was it."""
    there = MigrationLoader(None).disk_migrations
    return tuple((name, frozenset(migration.replaces)) for name, migration in there.items())


def _static_files_are_there() -> bool:
    try:
        staticfiles_storage.url(_ON_EVERY_PAGE)
    except ValueError:  # the list of collected files does not have it
        return False
    return True


def _secret_key_is_kept() -> bool:
    """Whether processes that start from now on will have our key: else people would be signed out."""
    file: Path | None = settings.SECRET_KEY_FILE
    try:
        return file is None or file.read_text(encoding="ascii").strip() == settings.SECRET_KEY
    except OSError:
        return False


def _redis_takes_values() -> bool:
    """Ask the server itself: the cache does not tell when it is away, or full."""
    try:
        with Redis.from_url(
            settings.REDIS_URL, socket_timeout=2 * settings.REDIS_PATIENCE
        ) as server:
            return bool(server.set("evenmatch:health", 1, px=1000))
    except RedisError:
        return False
