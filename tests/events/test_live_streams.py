"""Streams: who hears what, what happens to slow readers, and to all when Valkey goes away."""

import threading
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
import redis
from pytest_django import Settings

from config.embedded.processes import wait_until
from events.live import StreamLimitError, TooManyStreamsError, broadcast, broadcast_all
from events.live.hub import LINGER, Hub
from events.live.leases import Leases
from events.live.messages import LAST, NOTHING, OPENING, RESYNC, TICK, Message
from events.live.readers import Reader
from events.live.streams import LONGEST_QUEUE, Stream
from tests.events.listening import OwnValkey, StreamParser, wait_for_subscriptions

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def valkey(tmp_path: Path, settings: Settings) -> Iterator[OwnValkey]:
    """A server of the test's own, which nobody else listens to."""
    valkey = OwnValkey(tmp_path)
    valkey.server.start()
    settings.REDIS_URL = valkey.url
    yield valkey
    valkey.server.stop()


@pytest.fixture
def hub(valkey: OwnValkey) -> Iterator[Hub]:
    """A hub that listens, and has told those of before so; it ends with the test."""
    hub = Hub()
    first = hub.open(["nothing"])
    assert StreamParser(first).is_told_to_look_again()
    yield hub
    hub.end_all()
    first.close()


def test_each_hears_its_own_topics_and_learns_of_no_others(hub: Hub) -> None:
    alice, bob = hub.open(["player:1", "site"]), hub.open(["player:2"])
    broadcast(["player:1", "player:2", "player:3"], "match.started", match=7)
    broadcast(["site"], "board.changed")
    reader = StreamParser(alice)
    heard = reader.message()
    assert heard == {"kind": "match.started", "topics": ["player:1"], "ids": {"match": 7}}
    assert StreamParser(bob).message()["topics"] == ["player:2"]
    assert reader.message() == {"kind": "board.changed", "topics": ["site"], "ids": {}}
    alice.close()
    bob.close()


def test_all_streams_share_one_subscription(hub: Hub) -> None:
    streams = [hub.open([f"player:{pk}"]) for pk in range(50)]
    broadcast([f"player:{pk}" for pk in range(50)], "match.started")
    assert [StreamParser(stream).message()["topics"] for stream in streams] == [
        [f"player:{pk}"] for pk in range(50)
    ]
    wait_for_subscriptions(1)
    for stream in streams:
        stream.close()
    assert len(hub) == 1


def test_a_stream_is_forgotten_when_it_is_closed(hub: Hub) -> None:
    stream = hub.open(["site"])
    assert len(hub) == 2
    stream.close()
    stream.close()
    assert len(hub) == 1
    assert list(stream) == []


def test_no_more_than_allowed_are_opened(hub: Hub, settings: Settings) -> None:
    settings.LIVE_STREAMS = 1
    with pytest.raises(TooManyStreamsError, match="1 streams are open already"):
        hub.open(["site"])
    assert len(hub) == 1


VISITOR = Reader(address="192.0.2.1")


def can_open(hub: Hub, reader: Reader) -> bool:
    """Whether there is room for one more; it is closed at once."""
    try:
        hub.open(["site"], reader).close()
    except StreamLimitError:
        return False
    return True


def test_a_reader_is_counted_over_all_processes(hub: Hub, settings: Settings) -> None:
    settings.LIVE_STREAMS_PER_ADDRESS, settings.LIVE_STREAMS_PER_CALLER = 2, 1
    other = Hub()
    ann = Reader(address="192.0.2.2", principal="account:1")
    here, there = hub.open(["site"], VISITOR), other.open(["site"], VISITOR)
    own = other.open(["site"], ann)
    with pytest.raises(StreamLimitError, match=r"address:192\.0\.2\.1 has 2 streams"):
        hub.open(["site"], VISITOR)
    with pytest.raises(StreamLimitError, match="account:1 has 1 streams"):
        hub.open(["site"], Reader(address="192.0.2.3", principal="account:1"))
    assert can_open(hub, Reader(address="192.0.2.3"))
    there.close()
    assert can_open(hub, VISITOR)
    own.close()
    assert can_open(hub, ann)
    here.close()


def test_a_listener_that_ends_leaves_everything_to_its_successor(
    valkey: OwnValkey, monkeypatch: pytest.MonkeyPatch
) -> None:
    hub, may_end, subscribe = Hub(), threading.Event(), Hub._subscribe

    def end_late(hub: Hub) -> None:
        subscribe(hub)
        may_end.wait()

    with monkeypatch.context() as late:
        late.setattr(Hub, "_subscribe", end_late)
        assert wait_until(hub.hears, seconds=60)
        old = hub._listener
        assert old is not None
        hub._used_at = time.monotonic() - LINGER
        assert wait_until(lambda: hub._listener is None, seconds=60)
    stream = hub.open(["site"])
    assert StreamParser(stream).is_told_to_look_again()
    may_end.set()
    old.join(60)
    assert not old.is_alive()
    assert hub.hears()
    stream.close()


def test_a_stream_that_could_not_begin_is_not_counted(
    hub: Hub, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.LIVE_STREAMS_PER_CALLER = 1
    reader, before = Reader(principal="somebody"), len(hub)
    with monkeypatch.context() as without:
        no_thread = property(lambda _hub: (_ for _ in ()).throw(RuntimeError("no thread")))
        without.setattr(Hub, "_run", no_thread)
        without.setattr(hub, "_listener", None)
        with pytest.raises(RuntimeError):
            hub.open(["site"], reader)
    assert len(hub) == before
    hub.open(["site"], reader).close()


def test_a_stream_whose_lease_nobody_would_renew_is_not_counted(
    hub: Hub, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.LIVE_STREAMS_PER_ADDRESS, other = 1, Hub()
    with monkeypatch.context() as without:
        no_thread = property(lambda _leases: (_ for _ in ()).throw(RuntimeError("no thread")))
        without.setattr(Leases, "_run", no_thread)
        with pytest.raises(RuntimeError, match="no thread"):
            hub.open(["site"], VISITOR)
    assert len(hub) == 1
    assert can_open(other, VISITOR)
    assert can_open(hub, VISITOR)


def test_leases_end_unless_they_are_renewed(valkey: OwnValkey, settings: Settings) -> None:
    """What a killed process leaves behind."""
    settings.LIVE_STREAMS_PER_ADDRESS, most = 1, {"address:192.0.2.1": 1}
    killed, alive, other = Leases(), Leases(), Hub()
    settings.LIVE_LEASE = 0.2
    assert killed.take("a", most) is None
    killed._held.clear()
    assert wait_until(lambda: can_open(other, VISITOR), seconds=60)
    settings.LIVE_LEASE = 3600.0
    assert alive.take("b", most) is None
    assert not can_open(other, VISITOR)
    settings.LIVE_LEASE = 300.0  # as after a clock was put back by an hour
    assert can_open(other, VISITOR)
    alive.renew()
    assert not can_open(other, VISITOR)
    alive.give_back("b")
    assert can_open(other, VISITOR)


def test_while_valkey_is_away_each_process_counts_for_itself(
    hub: Hub, valkey: OwnValkey, settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    settings.LIVE_STREAMS_PER_ADDRESS, settings.LIVE_LEASE = 2, 3.0
    other = Hub()
    first = hub.open(["site"], VISITOR)
    valkey.server.stop()
    second = hub.open(["site"], VISITOR)
    assert not can_open(hub, VISITOR)
    there = [other.open(["site"], VISITOR) for _ in range(2)]
    assert not can_open(other, VISITOR)
    there.pop().close()
    assert "live.streams_counted_by_process" in caplog.text
    valkey.server.start()
    assert wait_until(lambda: not can_open(other, VISITOR), seconds=60)  # both are renewed
    for stream in (first, second, *there):
        stream.close()


def test_the_process_ends_them_all(hub: Hub) -> None:
    streams = [hub.open(["site"]) for _ in range(3)]
    hub.end_all()
    assert [list(stream) for stream in streams] == [[], [], []]


def test_a_slow_reader_is_told_to_look_again() -> None:
    stream = Stream(frozenset(["site"]), lambda _: None)
    assert next(stream) == OPENING
    for number in range(LONGEST_QUEUE + 5):
        stream.put(b"data: %d\n\n" % number)
    assert next(stream).startswith(RESYNC)
    stream.put(b"data: more\n\n")
    assert next(stream) == b"data: more\n\n"


def test_silence_is_filled_twice_to_find_pages_that_are_gone(settings: Settings) -> None:
    settings.LIVE_KEEPALIVE = 0.05
    stream = Stream(frozenset(["site"]), lambda _: None)
    assert [next(stream) for _ in range(5)] == [OPENING, TICK, NOTHING, TICK, NOTHING]


def test_it_ends_by_itself_so_that_rights_are_looked_at_anew(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("events.live.streams.LIFETIME", -1.0)
    forgotten: list[Stream] = []
    stream = Stream(frozenset(["site"]), forgotten.append)
    assert list(stream) == []
    assert forgotten == [stream]


def test_what_is_no_message_is_passed_over(hub: Hub, valkey: OwnValkey, settings: Settings) -> None:
    stream = hub.open(["site"])
    with redis.Redis.from_url(valkey.url) as client:
        for nonsense in (b"{", b"[]", b'{"topics": 1}', b"\xff"):
            client.publish(settings.LIVE_CHANNEL, nonsense)
    broadcast(["site"], "board.changed")
    assert StreamParser(stream).message()["kind"] == "board.changed"
    stream.close()


def test_of_many_messages_sent_together_each_reaches_its_stream(
    hub: Hub, valkey: OwnValkey, settings: Settings
) -> None:
    streams = [hub.open([f"player:{pk}"]) for pk in range(3)]
    broadcast(["player:0", "player:1", "player:2"], "ready")
    parsers = [StreamParser(stream) for stream in streams]
    for parser in parsers:
        assert parser.message()["kind"] == "ready"
    with redis.Redis.from_url(valkey.url) as client, client.pubsub() as channel:
        channel.subscribe(settings.LIVE_CHANNEL)
        assert channel.get_message(timeout=60)["type"] == "subscribe"
        broadcast_all(
            Message((f"player:{pk}",), "offer.made", {"offer": 7 + pk}, (pk,)) for pk in range(3)
        )
        assert channel.get_message(timeout=60)["data"].count(b"\n") == 2
    for pk, parser in enumerate(parsers):
        told = parser.message()
        assert (told["topics"], told["ids"]) == ([f"player:{pk}"], {"offer": 7 + pk})
    for stream in streams:
        stream.close()


def test_after_valkey_was_killed_everybody_looks_again_and_hears_again(
    hub: Hub, valkey: OwnValkey
) -> None:
    stream = hub.open(["site"])
    valkey.kill()
    valkey.server.start()
    assert StreamParser(stream).is_told_to_look_again()
    broadcast(["site"], "board.changed")
    assert StreamParser(stream).message()["kind"] == "board.changed"
    stream.close()


def test_after_valkey_hung_everybody_looks_again_and_hears_again(
    hub: Hub, valkey: OwnValkey, settings: Settings
) -> None:
    patience, settings.LIVE_SILENCE = settings.LIVE_SILENCE, 0.5
    stream = hub.open(["site"])
    with valkey.stopped():
        assert wait_until(lambda: hub.losses > 0, seconds=60)
        settings.LIVE_SILENCE = patience
    assert StreamParser(stream).is_told_to_look_again()
    broadcast(["site"], "board.changed")
    assert StreamParser(stream).message()["kind"] == "board.changed"
    stream.close()


def test_who_could_not_tell_makes_everybody_look_again(
    hub: Hub, valkey: OwnValkey, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("events.live.broadcaster.COOLDOWN", 0.0)
    settings.REDIS_PATIENCE, settings.LIVE_KEEPALIVE = 0.5, 0.05
    stream = hub.open(["player:1"])
    with valkey.stopped():
        broadcast(["player:1"], "lost")

    def is_told_to_look_again() -> bool:
        # A busy machine may hold it up for longer than it waits.
        broadcast(["site"], "board.changed")
        return RESYNC in next(stream)

    assert wait_until(is_told_to_look_again, seconds=60)
    stream.close()


def test_a_fault_in_looking_at_rights_does_not_end_the_watch(
    hub: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: list[set[str]] = []

    def lost_rights(rights: Iterable[str]) -> set[str]:
        looked.append(set(rights))
        if len(looked) == 1:
            raise ZeroDivisionError
        return set(rights)

    monkeypatch.setattr("events.live.hub.lost_rights", lost_rights)
    monkeypatch.setattr("events.live.hub.CHECK_EVERY", 0.05)
    stream = hub.open(["site"], Reader(rights=frozenset(["key:1"])))
    assert wait_until(lambda: len(looked) > 1, seconds=60)
    assert LAST in b"".join(stream)  # it has ended
    assert looked[:2] == [{"key:1"}] * 2
    stream.close()
