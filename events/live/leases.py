"""How many streams a reader has open on the whole site, whichever process holds them.

Each stream is a lease in Valkey, renewed by its process and over by itself some seconds after that was killed. While
Valkey is away each process counts its own streams only (`Hub`), and says so; leases are made up for when it is back.
"""

import random
import threading
import time
from collections import defaultdict
from collections.abc import Mapping
from typing import Any

import structlog
from django.conf import settings
from redis.exceptions import RedisError

from events.live.valkey import valkey_client
from foundation.cooldown import Cooldown

__all__ = ["Leases"]

log = structlog.get_logger(__name__)

# A reader is a sorted set: its streams, each by the millisecond of Valkey's clock up to which it counts. What counts
# for longer than a lease is of a clock that has been put back.
_NOW = """
local time = redis.call('TIME')
local now, lasts = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000), tonumber(ARGV[1])
"""
# For each reader of KEYS how many streams it may have, after the length of a lease and the stream's own name.
_TAKE = f"""{_NOW}
for index, key in ipairs(KEYS) do
  redis.call('ZREMRANGEBYSCORE', key, '-inf', now)
  redis.call('ZREMRANGEBYSCORE', key, now + lasts + 1, '+inf')
  if redis.call('ZCARD', key) >= tonumber(ARGV[index + 2]) then return index end
end
for _, key in ipairs(KEYS) do
  redis.call('ZADD', key, now + lasts, ARGV[2])
  redis.call('PEXPIRE', key, lasts)
end
return 0
"""
_RENEW = f"""{_NOW}
for index = 2, #ARGV do redis.call('ZADD', KEYS[1], now + lasts, ARGV[index]) end
redis.call('PEXPIRE', KEYS[1], lasts)
"""
_DROP = "for _, key in ipairs(KEYS) do redis.call('ZREM', key, ARGV[1]) end"
_AT_ONCE = 500
_LUCK = random.SystemRandom()


class Leases:
    """The leases of a process."""

    def __init__(self) -> None:
        self._held: dict[str, tuple[str, ...]] = {}  # of which readers each stream is one
        self._keeper: threading.Thread | None = None
        self._lock = threading.Lock()
        self._cooldown = Cooldown(1.0)

    def take(self, lease: str, most: Mapping[str, int]) -> str | None:
        """Count a stream for each of these readers; the name of one who has as many as it may, and nothing is counted.

        Nobody has too many while Valkey does not answer.
        """
        names = tuple(most)
        if not names:
            return None
        arguments = [_milliseconds(), lease, *most.values()]
        full = self._ask(_TAKE, [_key(name) for name in names], arguments)
        if full:
            return names[full - 1]
        try:
            with self._lock:
                self._held[lease] = names
                # A thread of before a fork is not alive here.
                if self._keeper is None or not self._keeper.is_alive():
                    self._keeper = threading.Thread(
                        target=self._run, name="live-leases", daemon=True
                    )
                    self._keeper.start()
        except BaseException:  # of whatever kind: nobody would ever give it back
            self.give_back(lease)
            raise
        return None

    def give_back(self, lease: str) -> None:
        """Count the stream no longer. Not told to Valkey while that is away: the lease ends by itself."""
        self._drop({lease: self._held.pop(lease, ())})

    def renew(self) -> None:
        """Let all leases count for longer, those too that Valkey does not know."""
        renewed = dict(self._held)
        by_name: defaultdict[str, list[str]] = defaultdict(list)
        for lease, names in renewed.items():
            for name in names:
                by_name[name].append(lease)
        for name, leases in by_name.items():
            for start in range(0, len(leases), _AT_ONCE):
                some = leases[start : start + _AT_ONCE]
                self._ask(_RENEW, [_key(name)], [_milliseconds(), *some])
        # What was given back meanwhile may have been renewed after that.
        self._drop({lease: names for lease, names in renewed.items() if lease not in self._held})

    def _drop(self, leases: Mapping[str, tuple[str, ...]]) -> None:
        for lease, names in leases.items():
            if names:
                self._ask(_DROP, [_key(name) for name in names], [lease])

    def _run(self) -> None:
        """Renew three times a lease, while there are any."""
        while True:
            time.sleep(settings.LIVE_LEASE / 3 * _LUCK.uniform(0.8, 1.0))
            with self._lock:
                if not self._held:
                    self._keeper = None
                    return
            try:
                self.renew()
            except Exception:  # of whatever kind: the streams that are open must go on counting
                log.exception("live.leases_not_renewed")

    def _ask(self, script: str, keys: list[str], arguments: list[Any]) -> int:
        """What the script answers; 0 while Valkey does not."""
        if self._cooldown.is_on:
            return 0
        try:
            asked = valkey_client(settings.REDIS_URL).register_script(script)
            return int(asked(keys=keys, args=arguments) or 0)
        except RedisError as error:
            # Where it is on already, another stream that waited beside this one has said so.
            if not self._cooldown.is_on:
                log.warning("live.streams_counted_by_process", error=str(error))
            self._cooldown.begin()
            return 0


def _key(name: str) -> str:
    return f"{settings.LIVE_CHANNEL}:streams:{name}"


def _milliseconds() -> int:
    return round(settings.LIVE_LEASE * 1000)
