"""Connections to Valkey for what must not wait: few, that give up quickly."""

from functools import cache
from typing import Any

from django.conf import settings
from redis import BlockingConnectionPool, Redis
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError as NoConnectionError
from redis.retry import Retry

__all__ = ["valkey_client"]


@cache
def valkey_client(url: str) -> Any:
    """The client of a server, one a process; connections are not shared with forked children."""
    # A connection that the server has closed meanwhile is worth a second try, one that hangs is not.
    retry = Retry(NoBackoff(), 1, supported_errors=(NoConnectionError,))
    patience = settings.REDIS_PATIENCE
    pool = BlockingConnectionPool.from_url(
        url,
        max_connections=8,
        timeout=patience,
        socket_timeout=patience,
        socket_connect_timeout=patience,
        retry=retry,
    )
    return Redis(connection_pool=pool)
