"""The cache: in Valkey, and missed rather than mourned while Valkey is away."""

from collections.abc import Callable
from typing import Any

import structlog
from django.core.cache.backends.redis import RedisCache
from redis.exceptions import RedisError

from foundation.cooldown import Cooldown

__all__ = ["ForgivingRedisCache"]

log = structlog.get_logger(__name__)
_is_told = Cooldown(
    60.0
)  # a server that is away, or full, is told of once a minute in each process


def _tell(operation: str, error: RedisError) -> None:
    if not _is_told.is_on:
        _is_told.begin()
        log.warning("cache.away", operation=operation, error=str(error))


def _forgiving(name: str, otherwise: Any) -> Callable[..., Any]:
    """Make the method `name` answer `otherwise` when the server cannot be asked."""

    def method(self: RedisCache, *arguments: Any, **named: Any) -> Any:
        try:
            return getattr(super(ForgivingRedisCache, self), name)(*arguments, **named)
        except RedisError as error:
            _tell(name, error)
            return otherwise() if callable(otherwise) else otherwise

    method.__name__ = name
    return method


class ForgivingRedisCache(RedisCache):
    """Django's cache in Redis or Valkey, for what may be lost at any moment.

    While the server is away nothing is found and nothing kept: pages and sign-in work, limits that are counted here do
    not hold. Whoever must know whether it answers asks the server itself (`config.monitoring.health`).
    """

    add = _forgiving("add", otherwise=True)
    set = _forgiving("set", otherwise=None)
    touch = _forgiving("touch", otherwise=False)
    delete = _forgiving("delete", otherwise=False)
    get_many = _forgiving("get_many", otherwise=dict)
    set_many = _forgiving("set_many", otherwise=list)
    delete_many = _forgiving("delete_many", otherwise=None)
    has_key = _forgiving("has_key", otherwise=False)
    clear = _forgiving("clear", otherwise=False)

    def get(self, key: Any, default: Any = None, version: int | None = None) -> Any:
        """Return the value, or `default` where there is none or the server is away."""
        try:
            return super().get(key, default, version)
        except RedisError as error:
            _tell("get", error)
            return default
