"""Numbered streams: nothing is lost between two of them, nor where Valkey lost it."""

from collections.abc import Callable, Iterator
from pathlib import Path
from threading import current_thread

import pytest
from pytest_django import Settings

from events.live import broadcast, head, notices
from events.live.follower import Follower
from events.live.hub import Hub
from events.live.messages import Message, Offset
from events.live.streams import Stream

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def hub(tmp_path: Path, settings: Settings) -> Iterator[Hub]:
    """A hub that hears through nothing but what the test does, and looks when the test says so."""
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    hub = Hub()
    hub._listener = hub._guard = current_thread()  # so it starts none
    yield hub
    hub.end_all()


def kinds_of(stream: Stream) -> list[str]:
    """What it has to say just now: kinds, and its other events by name."""
    stream.put(b"event: enough\n\n")
    found: list[str] = []
    while True:
        for block in next(stream).decode().split("\n\n"):
            if block == "event: enough":
                return found
            if block.startswith("event:"):
                found.append(block.split()[1])
            elif block.startswith("data:"):
                found.append(block.split('"kind":"')[1].split('"')[0])


def last_id(text: str) -> Offset:
    return Offset.read(text.rpartition("id: ")[2].split("\n")[0])


def by_valkey(hub: Hub, kind: str, *topics: str) -> None:
    """Keep a message, and let the hub hear it at once."""
    (packed,) = notices.keep([Message(topics, kind, {})])
    hub._hand_on(packed.encode())


def test_the_next_one_begins_where_the_one_before_ended(hub: Hub) -> None:
    first = hub.follow(["game:1"], after=None)
    said = next(first).decode()
    assert "event: resync" in said  # what was before it does not know
    first.close()
    broadcast(["game:1"], "missed")
    broadcast(["game:2"], "of.others")
    second = hub.follow(["game:1"], after=last_id(said))
    by_valkey(hub, "heard", "game:1")
    assert kinds_of(second) == ["missed", "tick", "heard"]


def test_what_was_missed_names_none_but_the_topics_of_the_listener(hub: Hub) -> None:
    start = head()
    broadcast(["game:1", "player:7"], "missed")
    said = next(hub.follow(["game:1"], after=start)).decode()
    assert '"topics":["game:1"]' in said
    assert "player:7" not in said


def test_what_valkey_lost_comes_all_the_same_and_nothing_twice(hub: Hub) -> None:
    stream = hub.follow(["game:1"], after=head())
    assert kinds_of(stream) == ["tick"]
    by_valkey(hub, "heard", "game:1")
    broadcast(["game:1"], "lost")  # nobody listens to that Valkey
    hub._catch_up()
    assert kinds_of(stream) == ["heard", "lost", "tick"]
    (again,) = [one for _at, one in notices.read(stream._after or head(), None).messages][1:]
    hub._hand_on(again.packed().encode())  # late, but there
    hub._catch_up()
    assert kinds_of(stream) == []


def test_a_place_is_told_only_after_all_that_came_before(hub: Hub) -> None:
    stream = hub.follow(["game:1"], after=head())
    kinds_of(stream)
    for number in range(3):
        broadcast(["game:1"], f"kind.{number}")
    hub._catch_up()
    said = next(stream).decode()
    assert said.index("kind.2") < said.index("id: ")
    assert notices.read(last_id(said), ["game:1"]).messages == []


def test_what_is_seen_before_it_has_begun_is_said_once(
    hub: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    start, ask = head(), notices.read

    def meanwhile(*arguments: object) -> object:
        if not hub._asked:  # type: ignore[attr-defined]
            hub._asked = True  # type: ignore[attr-defined]
            by_valkey(hub, "before", "game:1")
            kept = ask(*arguments)  # type: ignore[arg-type]
            by_valkey(hub, "between", "game:1")
            return kept
        return ask(*arguments)  # type: ignore[arg-type]

    hub._asked = False  # type: ignore[attr-defined]
    monkeypatch.setattr("events.live.hub.read", meanwhile)
    stream = hub.follow(["game:1"], after=start)
    hub._catch_up()
    assert [kind for kind in kinds_of(stream) if kind != "tick"] == ["before", "between"]


def test_who_missed_too_much_asks_anew(hub: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("events.live.hub.MOST_MISSED", 2)
    start = head()
    for _ in range(3):
        broadcast(["game:1"], "kind")
    assert kinds_of(hub.follow(["game:1"], after=start)) == ["resync", "tick"]
    gone = start._replace(cluster=start.cluster + 1)
    assert kinds_of(hub.follow(["game:1"], after=gone)) == ["resync", "tick"]


def test_while_nobody_follows_nothing_is_noted(hub: Hub) -> None:
    page = hub.open(["game:1"])
    by_valkey(hub, "heard", "game:1")
    broadcast(["game:1"], "lost")
    hub._catch_up()
    assert kinds_of(page) == ["heard"]
    assert hub._follower._seen is None


def test_who_hears_and_who_begins_never_wait_for_each_other(
    hub: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The hub's own lock is free whenever the order is waited for."""
    taken = hub._lock
    begin, stop = hub._follower.begin, hub._follower.stop

    def with_the_lock_free(act: Callable[..., None]) -> Callable[..., None]:
        def checked(*arguments: object) -> None:
            assert not taken.locked()
            act(*arguments)

        return checked

    monkeypatch.setattr(hub._follower, "begin", with_the_lock_free(begin))
    monkeypatch.setattr(hub._follower, "stop", with_the_lock_free(stop))
    monkeypatch.setattr("events.live.hub.time.sleep", lambda _seconds: None)
    stream = hub.follow(["game:1"], after=None)
    stream.close()
    hub._look_again()  # ends, as nobody listens any more
    assert hub._follower._seen is None


def test_one_who_has_begun_meanwhile_goes_on_following() -> None:
    follower = Follower()
    begun = follower.begun
    follower.begin(head())
    follower.stop(begun)
    assert follower.look() is not None
    follower.stop(follower.begun)
    assert follower.look() is None


def test_who_begins_later_takes_nothing_from_who_follows() -> None:
    follower = Follower()
    follower.begin(head())
    broadcast(["game:1"], "told")
    follower.begin(head())
    kept = follower.look()
    assert kept is not None
    assert [message.kind for _at, message in kept.messages] == ["told"]
