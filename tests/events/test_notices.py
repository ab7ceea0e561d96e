"""What was told is kept: in the order in which it is complete, for whoever it was told, and until it is forgotten."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection, transaction
from django.db.models import F
from django.test.utils import CaptureQueriesContext

from events.live import GoneError, Offset, broadcast, broadcast_all, head, notices, read
from events.live.messages import Message
from events.models import Notice
from events.tasks import forget_old
from foundation import clock
from tests.events.test_outbox import second_connection

pytestmark = pytest.mark.django_db(transaction=True)

SLOWLY = """
INSERT INTO events_notice (kind, topics, ids, players) VALUES ('slow', '{game:1}', '{"match": 1}', '{}')
"""


def kinds(after: Offset, *topics: str) -> list[str]:
    """Everything there is after a place, read in small steps, each from where the one before ended."""
    found: list[str] = []
    while True:
        kept = read(after, topics or None, most=2)
        found += [message.kind for _at, message in kept.messages]
        after = kept.offset
        if not kept.is_more:
            assert read(after, topics or None).messages == []
            return found


def test_each_reads_what_it_would_have_heard_in_order() -> None:
    start = head()
    for number in range(5):
        broadcast(["game:1", f"ladder:{number}"], f"kind.{number}", match=number)
    with transaction.atomic():
        broadcast_all(Message(("player:7",), f"of.{pk}", {"ticket": pk}, (7,)) for pk in range(3))
    broadcast_all([])
    broadcast([], "nobody")
    assert kinds(start, "game:1") == [f"kind.{number}" for number in range(5)]
    assert kinds(start, "player:7") == ["of.0", "of.1", "of.2"]
    assert kinds(start, "ladder:3", "player:7") == ["kind.3", "of.0", "of.1", "of.2"]
    assert len(kinds(start)) == 8
    ((_at, message),) = read(start, ["ladder:4"]).messages
    assert message.topics == ("game:1", "ladder:4")
    assert message.ids == {"match": 4}
    assert kinds(head(), "game:1") == []


def test_what_is_rolled_back_was_never_told() -> None:
    start = head()
    with transaction.atomic():
        broadcast(["game:1"], "undone")
        transaction.set_rollback(True)
    assert kinds(start) == []


def test_what_is_told_is_what_is_kept() -> None:
    told = [
        Message(("player:1", "searches:3"), "offer.made", {"ticket": 5, "offer": 7}, (1, 12)),
        Message(("site",), "board.changed", {}),
        Message(("player:ä", "*"), "match.started", {"match": 1}),
    ]
    before = head()
    packed = [Message.unpacked(one) for one in notices.keep(told)]
    kept = [one for _at, one in read(before, None).messages]
    assert packed == kept
    assert [replace(one, offset=None) for one in kept] == told


@pytest.mark.parametrize("word", ['pla"yer', "a\\b", "a\nb"])
def test_what_would_have_to_be_quoted_is_refused(word: str) -> None:
    for message in (Message((word,), "ready", {}), Message(("site",), word, {})):
        with pytest.raises(ValueError, match="words without quotes"):
            notices.keep([message])


def test_what_commits_late_is_not_passed_over() -> None:
    start = head()
    with second_connection() as slow:
        slow.execute(SLOWLY)  # has its number, has not committed
        broadcast(["game:1"], "quick")
        waiting = read(start, ["game:1"])
        assert waiting.messages == []
        assert not waiting.is_more
        slow.commit()
    assert kinds(start, "game:1") == kinds(waiting.offset, "game:1") == ["slow", "quick"]


def test_a_reading_looks_at_so_many_rows_whoever_they_are_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(notices, "SCANNED", 3)
    start = head()
    for number in range(7):
        broadcast(["game:1" if number < 6 else "game:2"], "kind", match=number)
    first = read(start, ["game:2"])
    assert (first.messages, first.is_more) == ([], True)
    assert kinds(start, "game:2") == ["kind"]
    assert len(kinds(start, "game:1")) == 6
    assert read(start, ["game:1"], most=3).is_more  # all that was looked at was asked for


def test_what_is_for_others_does_not_leave_the_database() -> None:
    """A reader of little, far behind on a site with much going on, would keep a web process busy with each request."""
    start = head()
    for number in range(20):
        broadcast(["game:1" if number % 10 else "game:2"], "kind", match=number)
    fetched: list[int] = []

    def count(execute: Callable[..., Any], *given: Any) -> Any:
        answer = execute(*given)
        fetched.append(given[-1]["cursor"].rowcount)
        return answer

    with connection.execute_wrapper(count):
        assert len(read(start, ["game:2"]).messages) == 2
    assert max(fetched) == 3  # and the last that was looked at


def test_forgetting_is_told_to_those_who_missed_something_only() -> None:
    start = head()
    with clock.at(clock.now() - timedelta(days=8)):
        broadcast(["game:1"], "old", match=1)
        broadcast(["game:1"], "old", match=2)
    after_old = head()
    broadcast(["game:1"], "new")
    assert kinds(start) == ["old", "old", "new"]
    forget_old()
    with pytest.raises(GoneError):
        read(start, ["game:1"])
    assert kinds(after_old, "game:1") == ["new"]
    assert [row.topics for row in Notice.objects.all()] == [[], ["game:1"]]
    forget_old()
    assert kinds(after_old, "game:1") == ["new"]


def test_a_dated_row_takes_with_it_all_that_came_before() -> None:
    """So that what is kept has one beginning, whatever a clock said meanwhile."""
    start = head()
    broadcast(["game:1"], "before")
    with clock.at(clock.now() - timedelta(days=8)):
        broadcast(["game:1"], "old")
    end = head()
    forget_old()
    with pytest.raises(GoneError):
        read(start, ["game:1"])
    assert Notice.objects.exclude(topics=[]).count() == 0
    assert kinds(end) == []


def test_what_is_old_is_deleted_some_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notices, "BATCH", 3)
    with clock.at(clock.now() - timedelta(days=8)):
        broadcast_all(Message(("game:1",), "old", {"match": pk}) for pk in range(8))
    broadcast(["game:1"], "new")
    with CaptureQueriesContext(connection) as seen:
        notices.forget_notices(7)
    deleting = [query for query in seen if query["sql"].startswith("DELETE")]
    assert len(deleting) == 3  # 7 and the mark
    assert [row.kind for row in Notice.objects.all()] == ["begun", "new"]


def test_what_an_ended_forgetting_left_is_deleted_by_the_next() -> None:
    """The mark is there first: nobody reads on past what is half gone."""
    start = head()
    broadcast(["game:1"], "passed")
    notices.begin_anew()
    with pytest.raises(GoneError):
        read(start, ["game:1"])
    forget_old()
    assert [row.kind for row in Notice.objects.all()] == ["begun"]


def test_what_another_cluster_numbered_takes_nothing_with_it() -> None:
    """Its numbers may be higher than all of ours for years."""
    with clock.at(clock.now() - timedelta(days=8)):
        broadcast(["game:1"], "old")
    Notice.objects.update(cluster=4711, transaction=F("transaction") + 10**9)
    with clock.at(clock.now() - timedelta(days=6)):
        start = head()
        broadcast(["game:1"], "new")
    forget_old()
    assert kinds(start, "game:1") == ["new"]
    assert Notice.objects.count() == 1


def strange() -> Sequence[Offset]:
    here = head()
    return [
        here._replace(cluster=here.cluster + 1),
        here._replace(transaction=here.transaction + 1000),
        here._replace(transaction=2**63 - 1, notice=2**63 - 1),
    ]


def test_places_that_are_not_of_here_say_nothing() -> None:
    for offset in strange():
        with pytest.raises(GoneError):
            read(offset, None)
        assert Offset.read(str(offset)) == offset


def test_what_another_cluster_told_or_forgot_is_not_read() -> None:
    start = head()
    broadcast(["game:1"], "theirs")
    notices.begin_anew()
    Notice.objects.update(cluster=4711)
    broadcast(["game:1"], "ours")
    assert kinds(start, "game:1") == ["ours"]


def test_what_another_cluster_numbered_is_no_mark_of_ours() -> None:
    start = head()
    with clock.at(clock.now() - timedelta(days=8)):
        broadcast(["game:1"], "theirs")
        Notice.objects.update(cluster=4711, transaction=F("transaction") + 10**9)
        broadcast(["game:1"], "ours")
    forget_old()
    with pytest.raises(GoneError):
        read(start, ["game:1"])
    assert [row.kind for row in Notice.objects.all()] == ["begun"]


def test_no_place_is_taken_back() -> None:
    """As one that was reached is when an older transaction is found to run still."""
    ahead = head()._replace(notice=2**62)
    assert read(ahead, None).offset >= ahead


def test_a_restored_site_begins_anew() -> None:
    start = head()
    broadcast(["game:1"], "told")
    assert kinds(start) == ["told"]
    notices.begin_anew()
    with pytest.raises(GoneError):
        read(start, ["game:1"])
    now = head()
    broadcast(["game:1"], "later")
    assert kinds(now, "game:1") == ["later"]


@pytest.mark.parametrize("text", ["", "1-2", "1-2-3-4", "-1-2-3", "1-2-g", "8" + 15 * "0" + "-1-1"])
def test_what_is_no_place(text: str) -> None:
    with pytest.raises(ValueError, match="not an offset"):
        Offset.read(text)
