"""Events that a program reads after it was away: those that the stream would have told it, and no others."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from events.live import Place, broadcast, broadcast_all, notices
from events.live.messages import Message
from foundation import clock
from tests.api.world import World, make_world

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def world() -> World:
    return make_world()


def begin(world: World, caller: str) -> str:
    answer = world.get("events", caller)
    assert (answer["results"], answer["is_more"]) == ([], False)
    return str(answer["after"])


def tell_of_everything(world: World) -> None:
    game, anna = world.game.pk, world.anna.pk
    mine = (f"player:{anna}", f"searches:{game}")
    broadcast_all([Message(mine, "offer.made", {"ticket": 5, "offer": 7, "queue": 1}, (anna,))])
    broadcast([f"player:{anna + 1}", f"searches:{game}"], "offer.answered", offer=7)
    broadcast([f"player:{anna}", *world.normal.topics], "match.started", match=9)
    broadcast([*world.ladder.topics], "standings.updated", ladder=world.ladder.pk)
    broadcast([f"game:{world.other_game.pk}"], "match.confirmed", match=10)


HEARD = {
    "server-all": ["offer.made", "offer.answered", "match.started", "standings.updated"],
    "server-results:write": ["match.started", "standings.updated"],  # may not see tickets
    "player-read": ["offer.made", "match.started"],
    "other-server": ["match.confirmed"],
    "foreign-player": [],
}


@pytest.mark.parametrize("caller", HEARD)
def test_each_reads_what_its_stream_tells(world: World, caller: str) -> None:
    after = begin(world, caller)
    tell_of_everything(world)
    answer = world.get(f"events?after={after}", caller)
    assert [one["kind"] for one in answer["results"]] == HEARD[caller]
    assert not answer["is_more"]
    assert world.get(f"events?after={answer['after']}", caller)["results"] == []


def test_an_event_names_what_it_tells_of_and_by_what_it_was_heard(world: World) -> None:
    after = begin(world, "player-read")
    tell_of_everything(world)
    made = world.get(f"events?after={after}", "player-read")["results"][0]
    assert made["ids"] == {"ticket": 5, "offer": 7, "queue": 1}
    assert made["players"] == [world.anna.pk]
    assert made["topics"] == [f"player:{world.anna.pk}"]
    told = world.get(f"events?after={after}", "server-all")["results"][-1]
    assert told["topics"] == sorted([f"game:{world.game.pk}", f"ladder:{world.ladder.pk}"])


def test_they_come_a_few_at_a_time_and_go_on_after_each(world: World) -> None:
    after = begin(world, "server-all")
    tell_of_everything(world)
    found: list[dict[str, Any]] = []
    while True:
        page = world.get(f"events?limit=3&after={after}", "server-all")
        assert len(page["results"]) <= 3
        found += page["results"]
        after = page["after"]
        if not page["is_more"]:
            break
    assert [one["kind"] for one in found] == HEARD["server-all"]
    rest = world.get(f"events?after={found[1]['cursor']}", "server-all")
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


@pytest.mark.parametrize("where", ["of another cluster", "ahead"])
def test_a_cursor_that_is_not_of_here_is_told_so(world: World, where: str) -> None:
    here = Place.read(begin(world, "server-all"))
    cluster, ahead = (1, 0) if where == "of another cluster" else (0, 10**6)
    strange = here._replace(cluster=here.cluster + cluster, transaction=here.transaction + ahead)
    tell_of_everything(world)
    gone = world.call("GET", f"events?after={strange}", "server-all")
    assert (gone.status_code, gone.json()["code"]) == (410, "events_gone")
    assert Place.read(gone.json()["after"]).cluster == here.cluster


@pytest.mark.parametrize("after", ["", "nonsense", "1-2", "-1-1-1", "f" * 16 + "-1-1"])
def test_what_is_no_cursor_is_refused(world: World, after: str) -> None:
    refused = world.call("GET", f"events?after={after}", "server-all")
    assert refused.status_code == 400
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
    tell_of_everything(world)
    again = first_of(world, **{"Last-Event-ID": after})
    assert "resync" not in again
    assert [kind for kind in HEARD["server-all"] if f'"{kind}"' in again] == HEARD["server-all"]
    assert '"match.confirmed"' not in again
    listed = world.get(f"events?after={after}", "server-all")["results"]
    assert [one["kind"] for one in listed] == HEARD["server-all"]
    assert "event: resync" in first_of(world, **{"Last-Event-ID": "nonsense"})
