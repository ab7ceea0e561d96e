"""Health: whether the process lives, and whether it can serve."""

from django.conf import settings
from django.db import DatabaseError, connection
from django.http import HttpRequest, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from redis import Redis
from redis.exceptions import RedisError

from config.tasks import workers_alive


@never_cache
@require_safe
def live(request: HttpRequest) -> JsonResponse:
    """Answer 200 while the process runs."""
    return JsonResponse({"status": "ok"})


@never_cache
@require_safe
def ready(request: HttpRequest) -> JsonResponse:
    """Answer 200 when pages can be served: PostgreSQL answers. Valkey is named but not required."""
    database = _database_answers()
    parts = {"database": database, "redis": _redis_answers()}
    return JsonResponse(
        {"status": "ok" if database else "unavailable", **parts}, status=200 if database else 503
    )


@never_cache
@require_safe
def workers(request: HttpRequest) -> JsonResponse:
    """Answer 200 when the workers of each queue have carried out one of beat's wake-ups in the last 45 seconds."""
    alive = workers_alive()
    well = all(alive.values())
    return JsonResponse(
        {"status": "ok" if well else "unavailable", **alive}, status=200 if well else 503
    )


def _database_answers() -> bool:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        return False
    return True


def _redis_answers() -> bool:
    """Ask the server itself: the cache does not tell when it is away."""
    try:
        with Redis.from_url(
            settings.REDIS_URL, socket_timeout=2 * settings.REDIS_PATIENCE
        ) as server:
            return bool(server.ping())
    except RedisError:
        return False
