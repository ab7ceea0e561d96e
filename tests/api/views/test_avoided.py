"""Avoid lists over the API: each for its owner, and for servers that act for the owner."""

from typing import Any

import pytest

from matchmaking import avoid_list
from matchmaking.models import Avoided
from ratings.models import Player
from tests.api.world import World

pytestmark = pytest.mark.django_db
OWNER, OTHER, SERVER = "player-play", "other-player", "server-all"


def ask(
    world: World, method: str, path: str, caller: str, status: int, body: Any = None
) -> dict[str, Any]:
    answer = world.call(method, path, caller, body=body)
    assert answer.status_code == status, answer.content
    found: dict[str, Any] = answer.json() if answer.content else {}
    return found


def listed(world: World, caller: str, query: str = "") -> list[int]:
    found = ask(world, "GET", f"me/avoided{query}", caller, 200)
    return [row["player"]["id"] for row in found["results"]]


def bjorn_of(world: World) -> Player:
    player: Player = world.site.arena.players[1]
    return player


def test_a_list_is_made_read_and_shortened(world: World) -> None:
    bjorn, carla = world.site.arena.players[1:3]
    added = ask(world, "POST", "me/avoided", OWNER, 201, {"avoid": bjorn.pk})
    assert added["player"]["name"] == bjorn.name
    assert added == ask(world, "POST", "me/avoided", OWNER, 200, {"avoid": bjorn.pk})
    ask(world, "POST", "me/avoided", OWNER, 201, {"avoid": carla.pk})
    assert listed(world, OWNER) == [carla.pk, bjorn.pk]
    first = ask(world, "GET", "me/avoided?limit=1", OWNER, 200)
    rest = world.get(first["next"].partition("/api/v1/")[2], OWNER)
    assert [row["player"]["id"] for row in rest["results"]] == [bjorn.pk]
    ask(world, "DELETE", f"me/avoided/{carla.pk}", OWNER, 204)
    ask(world, "DELETE", f"me/avoided/{carla.pk}", OWNER, 404)
    assert listed(world, OWNER) == [bjorn.pk]


def test_a_list_is_its_owners(world: World) -> None:
    bjorn = bjorn_of(world)
    ask(world, "POST", "me/avoided", OWNER, 201, {"avoid": bjorn.pk})
    assert listed(world, OTHER) == []
    ask(world, "DELETE", f"me/avoided/{bjorn.pk}", OTHER, 404)
    assert listed(world, OWNER) == [bjorn.pk]


def test_a_server_acts_for_its_players(world: World) -> None:
    bjorn, name = bjorn_of(world), world.anna.external_id
    body = {"player": name, "avoid": bjorn.pk}
    ask(world, "POST", "me/avoided", SERVER, 201, body)
    assert listed(world, SERVER, f"?player={name}") == listed(world, OWNER) == [bjorn.pk]
    assert listed(world, SERVER, f"?player={bjorn.external_id}") == []
    ask(world, "DELETE", f"me/avoided/{bjorn.pk}?player={name}", SERVER, 204)
    assert listed(world, OWNER) == []
    refused = ask(world, "GET", f"me/avoided?player={name}%20", SERVER, 404)
    assert refused["code"] == "unknown_player"
    refused = ask(world, "GET", "me/avoided", SERVER, 422)
    assert refused["code"] == "wrong_player_field"
    refused = ask(world, "GET", f"me/avoided?player={name}", OWNER, 422)
    assert refused["code"] == "wrong_player_field"


def test_whom_nobody_can_avoid(world: World) -> None:
    refused = ask(world, "POST", "me/avoided", OWNER, 422, {"avoid": world.anna.pk})
    assert refused["code"] == "avoids_itself"
    foreign = Player.objects.get(external_id="f1")
    for pk in (foreign.pk, 2**62):
        refused = ask(world, "POST", "me/avoided", OWNER, 404, {"avoid": pk})
        assert refused["code"] == "unknown_player"
    for pk in (0, -1, 10**30):  # nobody can have such an id
        refused = ask(world, "POST", "me/avoided", OWNER, 422, {"avoid": pk})
        assert refused["errors"][0]["pointer"] == "#/avoid"
    assert not Avoided.objects.exists()


def test_a_full_list(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(avoid_list, "MOST", 1)
    bjorn, carla = world.site.arena.players[1:3]
    ask(world, "POST", "me/avoided", OWNER, 201, {"avoid": bjorn.pk})
    refused = ask(world, "POST", "me/avoided", OWNER, 409, {"avoid": carla.pk})
    assert (refused["code"], refused["most"]) == ("avoids_too_many", 1)
