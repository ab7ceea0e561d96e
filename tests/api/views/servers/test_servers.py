"""Game servers are made known by themselves, with nothing but an address, a key and a short name."""

from functools import partial
from typing import Any

import pytest

from accounts.models import AuditEntry
from api.auth.scopes import Scope
from foundation import clock
from ratings.models import GameServer, Ladder, RatedBy
from tests.api.views.servers.game_server import Server, connect
from tests.at_once import at_once
from tests.ratings.logs.telling import event, frag

pytestmark = pytest.mark.django_db


def new(slug: str = "dm2") -> Server:
    """A server that the site does not know yet, of a game with one ladder rated by events."""
    server = connect()
    server.name = slug
    return server


def put(server: Server, body: Any) -> Any:
    return server.call("PUT", f"servers/{server.name}", body)


def add_ladder(server: Server, slug: str, rated_by: RatedBy = RatedBy.EVENTS) -> Ladder:
    return Ladder.objects.create(game=server.game, slug=slug, name=slug, rated_by=rated_by)


def test_an_address_a_key_and_a_short_name_are_enough() -> None:
    server = new()
    made = put(server, {})
    assert made.status_code == 201, made.content
    shown = made.json()
    created_at = shown.pop("created_at")
    assert created_at
    assert shown == {
        "slug": "dm2",
        "name": "dm2",
        "game": "arena",
        "ladder": "live",
        "playing": [],
        "last_event_at": None,
    }
    again = put(server, {})
    assert (again.status_code, again.json()["created_at"]) == (200, created_at)
    match = server.tell(frag(1, "ann", "ben"))["matches"]["m1"]["id"]
    now = server.get("servers/dm2")
    assert now["playing"] == [match]
    assert now["last_event_at"] is not None
    server.tell(event(2, "end"))
    assert server.get("servers/dm2")["playing"] == []
    assert [one["slug"] for one in server.get("servers")["results"]] == ["dm1", "dm2"]


def test_it_is_changed_by_what_is_given_and_the_log_says_by_which_key() -> None:
    server = new()
    other = add_ladder(server, "capture")
    assert put(server, {"ladder": "live", "name": "Second"}).status_code == 201
    started = server.tell(frag(1, "ann", "ben"))["matches"]["m1"]["id"]
    changed = put(server, {"ladder": "capture"}).json()
    assert (changed["ladder"], changed["name"], changed["playing"]) == (
        "capture",
        "Second",
        [started],
    )
    assert put(server, {}).json()["ladder"] == "capture"
    assert put(server, {"name": "Flags"}).json()["name"] == "Flags"
    assert server.get(f"matches/{started}")["ladder"] == "live"  # on which it began
    later = server.tell(frag(1, "ann", "ben", "m2"))["matches"]["m2"]["id"]
    assert server.get(f"matches/{later}")["ladder"] == other.slug
    entries = AuditEntry.objects.filter(target_type="ratings.gameserver").order_by("pk")
    made = entries.filter(target_id=str(GameServer.objects.get(slug="dm2").pk))
    actions = [entry.action for entry in made]
    assert actions == ["server.added", "server.changed", "server.changed"]
    assert all(entry.through.startswith("match host (em_srv_") for entry in made)


def test_which_ladder_is_asked_where_there_are_several_or_none() -> None:
    server = new()
    add_ladder(server, "capture")
    told = put(server, {}).json()
    assert (told["status"], told["errors"][0]["pointer"]) == (422, "#/ladder")
    assert told["errors"][0]["detail"].endswith("rated by events: capture, live.")
    Ladder.objects.update(archived_at=clock.now())
    told = put(server, {}).json()
    assert told["errors"][0]["detail"].startswith("No ladder of the game is rated by events")
    assert put(server, {"ladder": "live"}).json()["code"] == "archived"


@pytest.mark.parametrize(
    ("ladder", "status", "code"),
    [
        ("duels", 422, "not_rated_by_events"),
        ("nothing", 404, "unknown_ladder"),
        (7, 422, "invalid_body"),
    ],
)
def test_a_ladder_that_takes_no_events(ladder: Any, status: int, code: str) -> None:
    server = new()
    add_ladder(server, "duels", RatedBy.RESULTS)
    answer = put(server, {"ladder": ladder})
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert not GameServer.objects.filter(slug="dm2").exists()


@pytest.mark.parametrize("slug", ["DM2", "x" * 41])
def test_a_short_name_that_cannot_be(slug: str) -> None:
    told = put(new(slug), {}).json()
    assert (told["status"], told["code"]) == (400, "invalid_parameter")
    assert told["errors"][0]["parameter"] == "server"


def test_keys_that_only_read_make_none() -> None:
    server = connect()
    reader = Server(server.game, "dm2", Scope.READ, Scope.MATCHES_WRITE)
    assert put(reader, {}).json()["code"] == "missing_scope"
    assert reader.get("servers")["results"][0]["slug"] == "dm1"


@pytest.mark.django_db(transaction=True)
def test_two_that_make_it_at_once_make_one() -> None:
    server = new()
    answers = at_once([partial(put, server, {})] * 4)
    assert sorted(answer.status_code for answer in answers) == [200, 200, 200, 201]
    assert GameServer.objects.filter(slug="dm2").count() == 1
