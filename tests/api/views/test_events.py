"""Events that a program reads after it was away: those that the stream would have told it, and no others."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from config.embedded.processes import wait_until
from events.live import Offset, broadcast, broadcast_all, notices
from events.live.messages import Message
from events.models import Notice
from foundation import clock
from matchmaking.models import Queue
from ratings.archiving import archive
from tests.api.world import World, make_world

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def world() -> World:
    return make_world()


def begin(world: World, caller: str) -> str:
    """Ask where to begin, once what the world's own making has told can be read (see `read`)."""
    told = latest()
    answers: list[dict[str, Any]] = []

    def is_behind_it() -> bool:
        answers.append(world.get("events", caller))
        return told is None or Offset.read(answers[-1]["after"]) >= told

    assert wait_until(is_behind_it, seconds=60)
    assert (answers[-1]["results"], answers[-1]["is_more"]) == ([], False)
    return str(answers[-1]["after"])


def latest() -> Offset | None:
    last = Notice.objects.order_by("transaction", "id").last()
    return Offset(last.cluster, last.transaction, last.pk) if last else None


def tell_of_everything(world: World) -> Offset:
    """Tell of five things, the last in another game. Returns where all of them have been told."""
    game, anna = world.game.pk, world.anna.pk
    mine = (f"player:{anna}", f"searches:{game}")
    broadcast_all([Message(mine, "offer.made", {"ticket": 5, "offer": 7, "queue": 1}, (anna,))])
    broadcast([f"player:{anna + 1}", f"searches:{game}"], "offer.answered", offer=7)
    broadcast([f"player:{anna}", *world.normal.topics], "match.started", match=9)
    broadcast([*world.ladder.topics], "standings.updated", ladder=world.ladder.pk)
    broadcast([f"game:{world.other_game.pk}"], "match.confirmed", match=10)
    told = latest()
    assert told is not None
    return told


def read(world: World, caller: str, parameters: str, told: Offset) -> dict[str, Any]:
    """Read what there is, once `told` can be read: a transaction that has just begun in another test's database may
    hold any reading up for a moment.
    """
    answers: list[dict[str, Any]] = []

    def is_complete() -> bool:
        answers.append(world.get(f"events?{parameters}", caller))
        return answers[-1]["is_more"] or Offset.read(answers[-1]["after"]) >= told

    assert wait_until(is_complete, seconds=60)
    return answers[-1]


HEARD = {
    "server-all": ["offer.made", "offer.answered", "match.started", "standings.updated"],
    "server-results:write": ["match.started", "standings.updated"],  # may not see tickets
    "player-read": ["offer.made", "match.started"],
    "other-server": ["match.confirmed"],
    "foreign-player": [],
}


def test_each_reads_what_its_stream_tells(world: World) -> None:
    begun = {caller: begin(world, caller) for caller in HEARD}
    told = tell_of_everything(world)
    for caller, after in begun.items():
        answer = read(world, caller, f"after={after}", told)
        assert [one["kind"] for one in answer["results"]] == HEARD[caller], caller
        assert not answer["is_more"]
        assert world.get(f"events?after={answer['after']}", caller)["results"] == []


def test_an_event_names_what_it_tells_of_and_by_what_it_was_heard(world: World) -> None:
    after = begin(world, "player-read")
    told = tell_of_everything(world)
    made = read(world, "player-read", f"after={after}", told)["results"][0]
    assert made["ids"] == {"ticket": 5, "offer": 7, "queue": 1}
    assert made["players"] == [world.anna.pk]
    assert made["topics"] == [f"player:{world.anna.pk}"]
    last = read(world, "server-all", f"after={made['cursor']}", told)["results"][-1]
    assert last["topics"] == sorted([f"game:{world.game.pk}", f"ladder:{world.ladder.pk}"])


def test_they_come_a_few_at_a_time_and_go_on_after_each(world: World) -> None:
    after = begin(world, "server-all")
    told = tell_of_everything(world)
    found: list[dict[str, Any]] = []
    while True:
        page = read(world, "server-all", f"limit=3&after={after}", told)
        assert len(page["results"]) <= 3
        found += page["results"]
        after = page["after"]
        if not page["is_more"]:
            break
    assert [one["kind"] for one in found] == HEARD["server-all"]
    rest = read(world, "server-all", f"after={found[1]['cursor']}", told)
    assert rest["results"] == found[2:]


def test_whoever_was_away_for_too_long_is_told(world: World) -> None:
    after = begin(world, "server-all")
    with clock.at(clock.now() - timedelta(days=8)):
        broadcast([f"game:{world.game.pk}"], "match.confirmed", match=9)
    notices.forget_notices(7)
    gone = world.call("GET", f"events?after={after}", "server-all")
    assert gone.status_code == 410
    assert gone.json()["code"] == "events_gone"
    assert world.get(f"events?after={gone.json()['after']}", "server-all")["results"] == []


def test_a_cursor_that_is_not_of_here_is_told_so(world: World) -> None:
    here = Offset.read(begin(world, "server-all"))
    tell_of_everything(world)
    of_another_cluster = here._replace(cluster=here.cluster + 1)
    ahead = here._replace(transaction=here.transaction + 10**6)
    for strange in (of_another_cluster, ahead):
        gone = world.call("GET", f"events?after={strange}", "server-all")
        assert (gone.status_code, gone.json()["code"]) == (410, "events_gone"), strange
        assert Offset.read(gone.json()["after"]).cluster == here.cluster


def test_what_is_no_cursor_is_refused(world: World) -> None:
    for after in ("", "nonsense", "1-2", "-1-1-1", "f" * 16 + "-1-1"):
        refused = world.call("GET", f"events?after={after}", "server-all")
        assert refused.status_code == 400, after
        assert refused.json()["errors"][0]["parameter"] == "after"


def first_of(world: World, **headers: str) -> str:
    headers["Authorization"] = f"Bearer {world.secrets['server-all']}"
    with clock.at(world.site.now):
        stream: Any = Client().get("/api/v1/stream", headers=headers)
    chunks = iter(stream)
    text = next(chunks).decode()
    stream.close()
    return str(text)


def test_a_stream_goes_on_where_the_last_one_ended(world: World) -> None:
    """Its ids are cursors of the list, too."""
    said = first_of(world)
    assert "event: resync" in said
    after = said.rpartition("id: ")[2].split("\n")[0]
    told = tell_of_everything(world)
    listed = read(world, "server-all", f"after={after}", told)["results"]
    assert [one["kind"] for one in listed] == HEARD["server-all"]
    texts: list[str] = []

    def has_gone_on() -> bool:
        texts.append(first_of(world, **{"Last-Event-ID": after}))
        return f'"{HEARD["server-all"][-1]}"' in texts[-1]

    assert wait_until(has_gone_on, seconds=60)
    again = texts[-1]
    assert "resync" not in again
    assert [kind for kind in HEARD["server-all"] if f'"{kind}"' in again] == HEARD["server-all"]
    assert '"match.confirmed"' not in again
    assert "event: resync" in first_of(world, **{"Last-Event-ID": "nonsense"})


def test_each_asks_whether_its_game_is_archived(world: World) -> None:
    assert world.get("me", "server-read")["archived_at"] is None
    with clock.at(world.site.now):
        archive(world.game, by=None)
    for caller in ("server-read", "server-admin", "player-read"):
        assert world.get("me", caller)["archived_at"] is not None, caller
    for caller in ("other-server", "site-admin"):
        assert world.get("me", caller)["archived_at"] is None, caller


def test_of_which_ladder_they_tell_is_known_from_its_queues(world: World) -> None:
    """Also of normal mode, which is in no list of ladders."""
    Queue.objects.create(ladder=world.normal, slug="casual", name="Casual")
    ladders = {one["ladder_id"]: one["ladder"] for one in world.get("queues")["results"]}
    assert ladders == {world.ladder.pk: world.ladder.slug, world.normal.pk: world.normal.slug}
    assert world.get("queues/casual")["ladder_id"] == world.normal.pk
    start = begin(world, "server-read")
    with clock.at(world.site.now):
        archive(world.normal, by=None)
    told = latest()
    assert told is not None
    (event,) = read(world, "server-read", f"after={start}", told)["results"]
    assert ladders[event["ids"]["ladder"]] == "secret"


def test_whoever_may_not_is_told_each_scope_once(world: World) -> None:
    needed = world.call("GET", "events", "server-admin").json()["needed"]
    assert needed.count("read") == 1
