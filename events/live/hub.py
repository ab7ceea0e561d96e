"""The hub of a process: one subscription to Valkey, handed on to all its open streams.

It runs in a thread, which is a greenlet where the web server has made threads so, and uses no database. A second thread
checks the rights that open streams depend on, and reads the kept messages for numbered streams.
"""

import random
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator
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

from events.live.follower import Follower
from events.live.leases import Leases
from events.live.messages import ENDED, EVERYBODY, RESYNC, Message, Offset
from events.live.notices import GoneError, head, read
from events.live.readers import CHECK_EVERY, NOBODY, Reader, lost_rights, note_ended
from events.live.streams import Stream
from foundation.metrics import OPEN_STREAMS
from foundation.requests.time_limits import limited

__all__ = [
    "Hub",
    "StreamLimitError",
    "TooManyStreamsError",
    "end_streams",
    "hears_of_ended",
    "numbered_stream",
    "open_streams",
    "stream",
]

log = structlog.get_logger(__name__)

LONGEST_PAUSE = 2.0  # seconds between two attempts to connect
LINGER = 30.0  # seconds for which the subscription outlives the last stream
MOST_MISSED = 500  # messages that a stream begins with; after more it asks its reader to look anew
_MOST_READINGS = 4
# Processes should not come at once, though they begin as copies of one.
_LUCK = random.SystemRandom()


class TooManyStreamsError(Exception):
    """This process holds as many streams as it may."""


class StreamLimitError(TooManyStreamsError):
    """One address, or one caller, holds as many streams of this site as it may."""


class Hub:
    """Keeps the subscription while there are streams."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._streams: set[Stream] = set()
        self._by_topic: defaultdict[str, set[Stream]] = defaultdict(set)
        self._by_reader: Counter[str] = Counter()
        self._leases = Leases()
        self._follower = Follower()
        self._listener: threading.Thread | None = None
        self._guard: threading.Thread | None = None
        self._used_at = 0.0
        self._is_hearing = False
        self._pause = 0.0  # seconds after the last attempt, kept for the next listener: each request may begin one
        self.losses = 0  # subscriptions that broke

    def __len__(self) -> int:
        return len(self._streams)

    def open(
        self, topics: Iterable[str], reader: Reader = NOBODY, *, is_numbered: bool = False
    ) -> Stream:
        """Open a stream; TooManyStreamsError above LIVE_STREAMS of them, StreamLimitError above those of one reader.

        A numbered one says nothing before it is told where it begins (`begin`).
        """
        stream = Stream(frozenset(topics), self._forget, reader, is_numbered=is_numbered)
        most = _counts(reader)
        if full := self._leases.take(stream.lease, most):
            raise StreamLimitError(f"{full} has {most[full]} streams open already")
        try:
            with self._lock:
                if len(self._streams) >= settings.LIVE_STREAMS:
                    raise TooManyStreamsError(f"{settings.LIVE_STREAMS} streams are open already")
                # Those of the whole site are not known while Valkey is away, those of this process are.
                for name, allowed in most.items():
                    if self._by_reader[name] >= allowed:
                        raise StreamLimitError(f"{name} has {allowed} streams open already")
                self._by_reader.update(most.keys())
                self._streams.add(stream)
                for topic in stream.topics:
                    self._by_topic[topic].add(stream)
                OPEN_STREAMS.set(len(self._streams))
                # A thread from before a fork is not alive here.
                if (reader.rights or is_numbered) and not (self._guard and self._guard.is_alive()):
                    self._guard = threading.Thread(
                        target=self._look_again, name="live-rights", daemon=True
                    )
                    self._guard.start()
                self._begin_to_listen()
        except BaseException:  # of whatever kind: nobody would ever give it back
            self._forget(stream)
            raise
        return stream

    def hears(self) -> bool:
        """Whether messages arrive. Whoever asks keeps the subscription for a while, or begins it."""
        self._used_at = time.monotonic()
        with self._lock:
            self._begin_to_listen()
            return self._is_hearing

    def _begin_to_listen(self) -> None:
        if not (self._listener and self._listener.is_alive()):
            self._is_hearing = False
            self._listener = threading.Thread(target=self._run, name="live", daemon=True)
            self._listener.start()

    def follow(
        self, topics: Iterable[str], reader: Reader = NOBODY, *, after: Offset | None
    ) -> Stream:
        """Open a numbered stream, which begins with what has happened since `after` (`_missed_since`)."""
        self._follower.begin()
        stream = self.open(topics, reader, is_numbered=True)
        try:
            first, offset = _missed_since(after, stream.topics)
            self._follower.begin(offset)
            stream.begin(first, offset)
        except BaseException:  # of whatever kind: nobody would ever close it
            stream.close()
            raise
        return stream

    def end_all(self) -> None:
        """End every stream: the process is about to stop."""
        for stream in list(self._streams):
            stream.end()

    def end_rights(self, rights: Iterable[str]) -> None:
        """End the streams that depend on one of them."""
        ended = frozenset(rights)
        with self._lock:
            streams = [one for one in self._streams if not ended.isdisjoint(one.reader.rights)]
        for stream in streams:
            stream.lose(ended)

    def _forget(self, stream: Stream) -> None:
        with self._lock:
            if stream in self._streams:
                self._by_reader.subtract(_counts(stream.reader).keys())
                self._by_reader = +self._by_reader  # without those who have none left
            self._streams.discard(stream)
            for topic in stream.topics:
                self._by_topic[topic].discard(stream)
                if not self._by_topic[topic]:
                    del self._by_topic[topic]
            OPEN_STREAMS.set(len(self._streams))
            self._used_at = time.monotonic()
        self._leases.give_back(stream.lease)

    def _look_again(self) -> None:
        """Check rights and read on every few seconds, while there are streams that depend on rights or are numbered."""
        while True:
            time.sleep(CHECK_EVERY * _LUCK.uniform(0.8, 1.2))
            begun = self._follower.begun
            with self._lock:
                rights = frozenset[str]().union(*(one.reader.rights for one in self._streams))
                numbered = any(one.is_numbered for one in self._streams)
                if not rights and not numbered:
                    self._guard = None
            if not numbered:
                self._follower.stop(begun)
                if not rights:
                    return
            try:
                with limited(settings.REQUEST_SECONDS):
                    lost = lost_rights(rights)
                self.end_rights(lost)
            except Exception:  # of whatever kind: it must not end the watch over other streams
                log.exception("live.rights_not_seen")
            try:
                self._catch_up()
            except Exception:
                log.exception("live.not_followed")

    def _catch_up(self) -> None:
        """Hand on what Valkey did not bring, and send numbered streams the offset up to which they are complete."""
        try:
            while True:
                with limited(settings.REQUEST_SECONDS):  # should PostgreSQL never answer
                    kept = self._follower.look()
                if kept is None:
                    return
                with self._follower.order:
                    for message in self._follower.take(kept):
                        self._put(message)
                    if self._follower.is_time_to_tick(kept):
                        self._put_to_numbered(kept.offset.tick())
                if not kept.is_more:
                    return
        except GoneError:
            self._put_to_numbered(RESYNC)
        except DatabaseError as error:
            log.warning("live.not_followed", error=str(error))
        finally:
            if not connection.in_atomic_block:
                connection.close()

    def _run(self) -> None:
        """Keep a subscription, whatever happens to the server, until nobody needs it."""
        linger = LINGER
        while self._is_needed(linger):
            started = time.monotonic()
            try:
                self._subscribe()
            except (RedisError, OSError) as error:
                self.losses += 1
                log.warning("live.subscription_lost", error=str(error), times=self.losses)
            finally:
                with self._lock:
                    if self._listener in (None, threading.current_thread()):  # no successor's
                        self._is_hearing = False
                note_ended(None)
            lasted = time.monotonic() - started > 2 * settings.LIVE_SILENCE
            self._pause = 0.1 if lasted else min(LONGEST_PAUSE, 2 * self._pause + 0.1)
            time.sleep(self._pause * _LUCK.uniform(0.8, 1.2))
            linger = 0.0  # a subscription that is lost is not renewed for nobody

    def _is_needed(self, linger: float = LINGER) -> bool:
        with self._lock:
            if self._listener is not threading.current_thread():
                return False  # has been given up, and perhaps has a successor: two would tell everything twice
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
                    note_ended(None)
                    self._is_hearing = True
                    self._resync_all()  # what happened until now may have been missed
                elif message["type"] == "message":
                    self._hand_on(message["data"])
                if not self._is_needed():
                    return

    def _hand_on(self, data: bytes) -> None:
        for line in data.splitlines():
            self._hand_on_one(line)

    def _hand_on_one(self, line: bytes) -> None:
        try:
            message = Message.unpacked(line)
        except ValueError as error:
            log.warning("live.not_understood", error=str(error))
            return
        if message.kind == ENDED:
            note_ended(message.topics)
            self.end_rights(message.topics)
            return
        if EVERYBODY in message.topics:  # after some that could not be sent
            note_ended(None)
            self._resync_all()
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
            stream.put(message.event(topics), message.offset)

    def _resync_all(self) -> None:
        """Ask all readers to look again. Numbered streams get what is missing by `_catch_up`."""
        with self._lock:
            streams = [one for one in self._streams if not one.is_numbered]
        for stream in streams:
            stream.put(RESYNC)

    def _put_to_numbered(self, event: bytes) -> None:
        with self._lock:
            streams = [one for one in self._streams if one.is_numbered]
        for stream in streams:
            stream.put(event)


def _missed_since(after: Offset | None, topics: Collection[str]) -> tuple[list[bytes], Offset]:
    """With which events a numbered stream begins, and the offset that is reached with them: all since `after`, or the
    request to look anew where that is not known, gone, or too much for a stream.
    """
    offset, events = after, list[bytes]()
    for _reading in range(_MOST_READINGS):
        if offset is None or len(events) >= MOST_MISSED:
            break
        try:
            kept = read(offset, topics, MOST_MISSED)
        except GoneError:
            break
        offset = kept.offset
        for _at, message in kept.messages:
            events.append(message.event(set(message.topics).intersection(topics)))
        if not kept.is_more:
            return [*events, offset.tick()], offset
    now = head()
    return [RESYNC, now.tick()], now


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


def _counts(reader: Reader) -> dict[str, int]:
    """Under which names a reader is counted, and how many streams each may have."""
    counted = {}
    if reader.address:
        counted[f"address:{reader.address}"] = settings.LIVE_STREAMS_PER_ADDRESS
    if reader.principal:
        counted[reader.principal] = settings.LIVE_STREAMS_PER_CALLER
    return counted


_hub = Hub()


def stream(topics: Iterable[str], reader: Reader = NOBODY) -> Iterator[bytes]:
    """Open a stream of server-sent events on these topics; close() it, as Django does with responses.

    The caller has made sure that the reader may know of them. TooManyStreamsError above LIVE_STREAMS a process,
    StreamLimitError (which is one too) above those that one address or principal may have.
    """
    return _hub.open(topics, reader)


def numbered_stream(topics: Iterable[str], reader: Reader, after: Offset | None) -> Iterator[bytes]:
    """Open a stream that begins with what has happened since an offset, and says up to where it is complete.

    As `stream` in all else. Needs the database to begin.
    """
    return _hub.follow(topics, reader, after=after)


def hears_of_ended() -> bool:
    """Whether this process is told at once which rights have ended (`tell_of_ended`); asked often, it will be."""
    return _hub.hears()


def open_streams() -> int:
    """How many streams this process holds."""
    return len(_hub)


def end_streams() -> None:
    """End all streams of this process, so that it can stop; their readers connect to another."""
    _hub.end_all()
