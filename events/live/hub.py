"""The hub of a process: one subscription to Valkey, handed on to all its open streams.

It runs in a thread, which is a greenlet where the web server has made threads so. It touches no database. A second
thread looks, while somebody listens by right of a key or account, whether that is still good, and for numbered streams
into what is kept.
"""

import random
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from typing import Any

import structlog
from django.conf import settings
from django.db import DatabaseError, connection
from redis import Redis
from redis.backoff import NoBackoff
from redis.client import PubSub
from redis.exceptions import RedisError
from redis.exceptions import TimeoutError as SilentError
from redis.retry import Retry

from events.live.following import Follower
from events.live.guests import LOOK_EVERY, NOBODY, Guest, lost_of
from events.live.keeping import GoneError, Kept
from events.live.leases import Leases
from events.live.messages import ENDED, EVERYBODY, RESYNC, Message, Place
from events.live.missed import missed_since
from events.live.streams import Stream
from foundation.metrics import OPEN_STREAMS
from foundation.patience import limited

__all__ = [
    "Hub",
    "StreamLimitError",
    "TooManyStreamsError",
    "end_streams",
    "numbered_stream",
    "open_streams",
    "stream",
]

log = structlog.get_logger(__name__)

LONGEST_PAUSE = 2.0  # seconds between two attempts to connect
LINGER = 30.0  # seconds for which the subscription outlives the last stream
# Processes should not come at once, though they begin as copies of one.
_LUCK = random.SystemRandom()


class TooManyStreamsError(Exception):
    """This process holds as many streams as it may."""


class StreamLimitError(TooManyStreamsError):
    """One address, or one caller, holds as many streams of this site as it may."""


class Hub:
    """Listens while there are streams."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._streams: set[Stream] = set()
        self._by_topic: defaultdict[str, set[Stream]] = defaultdict(set)
        self._by_guest: Counter[str] = Counter()
        self._leases = Leases()
        self._follower = Follower()
        self._listener: threading.Thread | None = None
        self._guard: threading.Thread | None = None
        self._used_at = 0.0
        self.losses = 0  # subscriptions that broke

    def __len__(self) -> int:
        return len(self._streams)

    def open(
        self, topics: Iterable[str], guest: Guest = NOBODY, *, is_numbered: bool = False
    ) -> Stream:
        """Open a stream; TooManyStreamsError above LIVE_STREAMS of them, StreamLimitError above those of one guest.

        A numbered one says nothing before it is told where it begins (`begin`).
        """
        stream = Stream(frozenset(topics), self._forget, guest, is_numbered=is_numbered)
        most = _counts(guest)
        if full := self._leases.take(stream.lease, most):
            raise StreamLimitError(f"{full} has {most[full]} streams open already")
        try:
            self._admit(stream, most)
        except BaseException:  # of whatever kind: nobody would ever give it back
            self._forget(stream)
            raise
        return stream

    def follow(
        self, topics: Iterable[str], guest: Guest = NOBODY, *, after: Place | None
    ) -> Stream:
        """Open a numbered stream. It says what has happened since `after`, or to look anew where that is not known."""
        self._follower.begin()
        stream = self.open(topics, guest, is_numbered=True)
        try:
            first, place = missed_since(after, stream.topics)
            self._follower.begin(place)
            stream.begin(first, place)
        except BaseException:  # of whatever kind: nobody would ever close it
            stream.close()
            raise
        return stream

    def _admit(self, stream: Stream, counts: dict[str, int]) -> None:
        """Hold the stream, unless this process has too many, of all or of the guest. While Valkey is away the site's
        are not known.
        """
        with self._lock:
            if len(self._streams) >= settings.LIVE_STREAMS:
                raise TooManyStreamsError(f"{settings.LIVE_STREAMS} streams are open already")
            for name, most in counts.items():
                if self._by_guest[name] >= most:
                    raise StreamLimitError(f"{name} has {most} streams open already")
            self._by_guest.update(counts.keys())
            self._streams.add(stream)
            if stream.guest.rights or stream.is_numbered:
                self._watch()
            for topic in stream.topics:
                self._by_topic[topic].add(stream)
            OPEN_STREAMS.set(len(self._streams))
            self._listen()

    def end_all(self) -> None:
        """End every stream: the process is about to stop."""
        for stream in list(self._streams):
            stream.end()

    def end_rights(self, rights: Iterable[str]) -> None:
        """End the streams that hang on one of them."""
        ended = frozenset(rights)
        with self._lock:
            streams = [one for one in self._streams if not ended.isdisjoint(one.guest.rights)]
        for stream in streams:
            stream.expel()

    def _forget(self, stream: Stream) -> None:
        with self._lock:
            if stream in self._streams:
                self._by_guest.subtract(_counts(stream.guest).keys())
                self._by_guest = +self._by_guest  # without those who have none left
            self._streams.discard(stream)
            for topic in stream.topics:
                self._by_topic[topic].discard(stream)
                if not self._by_topic[topic]:
                    del self._by_topic[topic]
            OPEN_STREAMS.set(len(self._streams))
            self._used_at = time.monotonic()
        self._leases.give_back(stream.lease)

    def _listen(self) -> None:
        """Have a listener. One of before a fork is not alive here."""
        if self._listener is None or not self._listener.is_alive():
            self._listener = threading.Thread(target=self._run, name="live", daemon=True)
            self._listener.start()

    def _watch(self) -> None:
        """Have somebody who looks whether rights are still good. One of before a fork is not alive here."""
        if self._guard is None or not self._guard.is_alive():
            self._guard = threading.Thread(target=self._look_again, name="live-rights", daemon=True)
            self._guard.start()

    def _look_again(self) -> None:
        """Look every few seconds, while there are streams that hang on rights."""
        while True:
            time.sleep(LOOK_EVERY * _LUCK.uniform(0.8, 1.2))
            begun = self._follower.begun
            with self._lock:
                rights = frozenset[str]().union(*(one.guest.rights for one in self._streams))
                numbered = any(one.is_numbered for one in self._streams)
                if not rights and not numbered:
                    self._guard = None
            if not numbered:
                self._follower.stop(begun)
                if not rights:
                    return
            try:
                with limited(settings.REQUEST_SECONDS):
                    lost = lost_of(rights)
                self.end_rights(lost)
            except Exception:  # of whatever kind: it must not end the watch over other streams
                log.exception("live.rights_not_seen")
            try:
                self._catch_up()
            except Exception:
                log.exception("live.not_followed")

    def _catch_up(self) -> None:
        """Hand on what Valkey did not bring, and tell numbered streams how far they have come."""
        try:
            while kept := self._look_on():
                with self._follower.order:
                    for message in self._follower.take(kept):
                        self._put(message)
                    if self._follower.is_time_to_tick(kept):
                        self._tell_numbered(kept.place.tick())
                if not kept.is_more:
                    return
        except GoneError:
            self._tell_numbered(RESYNC)
        except DatabaseError as error:
            log.warning("live.not_followed", error=str(error))
        finally:
            if not connection.in_atomic_block:
                connection.close()

    def _look_on(self) -> Kept | None:
        """Read on. Nobody else would look again, should PostgreSQL never answer."""
        with limited(settings.REQUEST_SECONDS):
            return self._follower.look()

    def _run(self) -> None:
        """Keep a subscription, whatever happens to the server, until nobody needs it."""
        pause, linger = 0.0, LINGER
        while self._is_needed(linger):
            started = time.monotonic()
            try:
                self._subscribe()
            except (RedisError, OSError) as error:
                self.losses += 1
                log.warning("live.subscription_lost", error=str(error), times=self.losses)
            lasted = time.monotonic() - started > 2 * settings.LIVE_SILENCE
            pause = 0.1 if lasted else min(LONGEST_PAUSE, 2 * pause + 0.1)
            time.sleep(pause * _LUCK.uniform(0.8, 1.2))
            linger = 0.0  # a subscription that is lost is not renewed for nobody

    def _is_needed(self, linger: float = LINGER) -> bool:
        with self._lock:
            needed = bool(self._streams) or time.monotonic() < self._used_at + linger
            if not needed:
                self._listener = None
            return needed

    def _subscribe(self) -> None:
        """Read one subscription until it breaks (RedisError) or nobody needs it."""
        never = Retry(NoBackoff(), 0)
        with (
            Redis.from_url(
                settings.REDIS_URL,
                socket_timeout=settings.LIVE_SILENCE,
                socket_connect_timeout=2,
                retry=never,
            ) as client,
            client.pubsub() as subscription,
        ):
            subscription.subscribe(settings.LIVE_CHANNEL)
            for message in _messages(subscription):
                if message["type"] == "subscribe":
                    self._tell_all()  # what happened until now may have been missed
                elif message["type"] == "message":
                    self._hand_on(message["data"])
                if not self._is_needed():
                    return

    def _hand_on(self, data: bytes) -> None:
        try:
            message = Message.unpacked(data)
        except ValueError as error:
            log.warning("live.not_understood", error=str(error))
            return
        if message.kind == ENDED:
            self.end_rights(message.topics)
            return
        if EVERYBODY in message.topics:
            self._tell_all()
            return
        with self._follower.order:
            if self._follower.is_new(message):
                self._put(message)

    def _put(self, message: Message) -> None:
        with self._lock:
            wanted: defaultdict[Stream, list[str]] = defaultdict(list)
            for topic in message.topics:
                for stream in self._by_topic.get(topic, ()):
                    wanted[stream].append(topic)
        for stream, topics in wanted.items():
            stream.put(message.event(topics), message.place)

    def _tell_all(self) -> None:
        """Let all look again. To numbered streams what is missing comes by itself."""
        with self._lock:
            streams = [one for one in self._streams if not one.is_numbered]
        for stream in streams:
            stream.put(RESYNC)

    def _tell_numbered(self, event: bytes) -> None:
        with self._lock:
            streams = [one for one in self._streams if one.is_numbered]
        for stream in streams:
            stream.put(event)


def _messages(subscription: PubSub) -> Iterator[dict[str, Any]]:
    """Give messages and, about once a second, an empty one; SilentError when not even a ping is answered.

    After each pause of this process, however long, it looks once more before it counts the connection as dead.
    """
    heard, asked = time.monotonic(), 0.0
    while True:
        began, patience = time.monotonic(), settings.LIVE_SILENCE / 2
        if not asked and began - heard > patience:
            asked = began
            subscription.ping()
        message = subscription.get_message(timeout=1.0)
        if message:
            heard, asked = time.monotonic(), 0.0
        elif asked and began - asked > patience:
            raise SilentError(f"Valkey has been silent for {began - heard:.0f} s")
        yield message or {"type": "nothing"}


def _counts(guest: Guest) -> dict[str, int]:
    """As whom a guest is counted, and how many streams each may have."""
    counted = {}
    if guest.address:
        counted[f"address:{guest.address}"] = settings.LIVE_STREAMS_PER_ADDRESS
    if guest.principal:
        counted[guest.principal] = settings.LIVE_STREAMS_PER_CALLER
    return counted


_hub = Hub()


def stream(topics: Iterable[str], guest: Guest = NOBODY) -> Iterator[bytes]:
    """Open a stream of server-sent events on these topics; close() it, as Django does with responses.

    Whoever calls has made sure that the guest may know of them. TooManyStreamsError above LIVE_STREAMS a process,
    StreamLimitError (which is one too) above those that one address or principal may have.
    """
    return _hub.open(topics, guest)


def numbered_stream(topics: Iterable[str], guest: Guest, after: Place | None) -> Iterator[bytes]:
    """Open one that says first what has happened since a place, and then how far it has come. As `stream` in all else.

    Needs the database to begin.
    """
    return _hub.follow(topics, guest, after=after)


def open_streams() -> int:
    """How many streams this process holds."""
    return len(_hub)


def end_streams() -> None:
    """End all streams of this process, so that it can stop; the pages then find another."""
    _hub.end_all()
