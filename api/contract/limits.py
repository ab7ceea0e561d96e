"""Rate limits, exact: never more than so many requests of one caller in any stretch of so many seconds.

One script in Valkey decides and counts in one step, by Valkey's own clock, so that any number of web processes keep
one limit. While Valkey is away requests go through: play matters more than a limit.
"""

import math
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha1
from typing import Any

import structlog
from django.conf import settings
from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import NoScriptError, RedisError
from redis.retry import Retry

from foundation.cooldown import Cooldown
from foundation.metrics import UNLIMITED_REQUESTS

__all__ = ["Allowance", "Limit", "limit_named", "take"]

log = structlog.get_logger(__name__)

# A list of the moments of the requests let through, oldest first: as many as the limit at most.
# Moments are microseconds; Lua's own way of writing numbers would round them. What is more than a stretch ahead was
# counted by a clock that has been set back since.
_SCRIPT = """
local key, count, window = KEYS[1], tonumber(ARGV[1]), tonumber(ARGV[2])
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000000 + tonumber(time[2])
local last = redis.call('LINDEX', key, -1)
if last and tonumber(last) > now + window then
  redis.call('DEL', key)
  last = false
end
if last and tonumber(last) > now then now = tonumber(last) end
local oldest = redis.call('LINDEX', key, 0)
while oldest and tonumber(oldest) <= now - window do
  redis.call('LPOP', key)
  oldest = redis.call('LINDEX', key, 0)
end
local used, allowed = redis.call('LLEN', key), 0
if used < count then
  redis.call('RPUSH', key, string.format('%.0f', now))
  redis.call('PEXPIRE', key, math.ceil(window / 1000))
  used, allowed = used + 1, 1
end
return {allowed, count - used, (tonumber(oldest or now) + window) - now}
"""
_DIGEST = sha1(_SCRIPT.encode(), usedforsecurity=False).hexdigest()  # by which Valkey knows it
_cooldown = Cooldown(1.0)
_is_told = Cooldown(60.0)


@dataclass(frozen=True, slots=True)
class Limit:
    """`count` requests in any `seconds`."""

    name: str
    count: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Allowance:
    """Whether a request may go on, how many more may now, and in how many seconds there is room for one more."""

    limit: Limit
    allowed: bool
    remaining: int
    wait: float

    @property
    def headers(self) -> dict[str, str]:
        """The headers that tell the caller, `Retry-After` among them when it must wait."""
        seconds = str(max(1, math.ceil(self.wait)))
        told = {
            "RateLimit-Limit": str(self.limit.count),
            "RateLimit-Remaining": str(self.remaining),
            "RateLimit-Reset": seconds,
        }
        return told if self.allowed else {**told, "Retry-After": seconds}


def limit_named(name: str) -> Limit | None:
    """The limit of this name in the settings; None when there is none."""
    given = settings.API_LIMITS.get(name)
    return Limit(name, *given) if given else None


def take(limit: Limit, who: str) -> Allowance | None:
    """Count one request of `who`, unless it is one too many; None when Valkey does not answer."""
    if _cooldown.is_on:
        UNLIMITED_REQUESTS.inc()
        return None
    given = f"evenmatch:limit:{limit.name}:{who}", limit.count, round(limit.seconds * 1_000_000)
    try:
        said = _ask(_client(settings.REDIS_URL), *given)
    except RedisError as error:
        _cooldown.begin()
        UNLIMITED_REQUESTS.inc()
        if not _is_told.is_on:
            _is_told.begin()
            log.warning("limits.away", error=str(error))
        return None
    return Allowance(limit, bool(said[0]), said[1], said[2] / 1_000_000)


def _ask(client: Any, *given: str | int) -> Any:
    """Run the script. On the connection itself: what the client does beside that takes as long once more."""
    connection = client.connection_pool.get_connection()
    try:
        connection.send_command("EVALSHA", _DIGEST, 1, *given)
        try:
            return connection.read_response()
        except NoScriptError:  # it was restarted, or is new
            connection.send_command("EVAL", _SCRIPT, 1, *given)
            return connection.read_response()
    except BaseException:
        connection.disconnect()  # an answer that comes late is no answer to what is asked next
        raise
    finally:
        client.connection_pool.release(connection)


@lru_cache(maxsize=1)
def _client(url: str) -> Any:
    """A pool of connections of its own, which give up quickly and once."""
    patience = settings.REDIS_PATIENCE
    return Redis.from_url(
        url,
        socket_timeout=patience,
        socket_connect_timeout=patience,
        retry=Retry(NoBackoff(), 0),
    )
