"""Friends, following, blocks and contact over the API: each for its owner, and servers that act for the owner."""

from typing import Any

import pytest

from people.befriend import befriend
from people.ties import friend_ids
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


def test_friends_are_asked_agree_and_part(world: World) -> None:
    anna, bjorn = world.site.arena.players[:2]
    asked = ask(world, "POST", "me/friends", OWNER, 200, {"friend": bjorn.pk})
    assert asked["state"] == "asked"
    assert asked["friends_since"] is None
    server = f"me/friends?player={bjorn.external_id}"
    (row,) = ask(world, "GET", server, SERVER, 200)["results"]
    assert (row["state"], row["player"]["id"]) == ("asks", anna.pk)
    body = {"player": bjorn.external_id, "friend": anna.pk}
    assert ask(world, "POST", "me/friends", SERVER, 200, body)["state"] == "friends"
    (row,) = ask(world, "GET", "me/friends", OWNER, 200)["results"]
    assert (row["state"], row["player"]["id"]) == ("friends", bjorn.pk)
    assert row["friends_since"]
    ask(world, "DELETE", f"me/friends/{bjorn.pk}", OWNER, 204)
    ask(world, "DELETE", f"me/friends/{bjorn.pk}", OWNER, 404)
    assert friend_ids(anna.pk) == set()


@pytest.mark.parametrize(("path", "verb"), [("following", "follow"), ("blocked", "block")])
def test_lists_are_made_read_and_shortened(world: World, path: str, verb: str) -> None:
    bjorn = world.site.arena.players[1]
    added = ask(world, "POST", f"me/{path}", OWNER, 201, {verb: bjorn.pk})
    assert added == ask(world, "POST", f"me/{path}", OWNER, 200, {verb: bjorn.pk})
    (row,) = ask(world, "GET", f"me/{path}", OWNER, 200)["results"]
    assert row == added
    assert ask(world, "GET", f"me/{path}", OTHER, 200)["results"] == []
    ask(world, "DELETE", f"me/{path}/{bjorn.pk}", OTHER, 404)
    ask(world, "DELETE", f"me/{path}/{bjorn.pk}", OWNER, 204)
    ask(world, "DELETE", f"me/{path}/{bjorn.pk}", OWNER, 404)


def test_who_is_blocked_hears_the_neutral_reason(world: World) -> None:
    anna, bjorn = world.site.arena.players[:2]
    ask(world, "POST", "me/blocked", OWNER, 201, {"block": bjorn.pk})
    for path, verb in (("friends", "friend"), ("following", "follow")):
        body = {"player": bjorn.external_id, verb: anna.pk}
        refused = ask(world, "POST", f"me/{path}", SERVER, 409, body)
        assert refused["code"] == "player_not_open"
        assert "block" not in str(refused).lower()


def test_contact_is_read_and_changed_in_part(world: World) -> None:
    at_first = {"write": "everyone", "challenge": "everyone", "see": "friends", "ask": "everyone"}
    assert ask(world, "GET", "me/contact", OWNER, 200) == at_first
    changed = ask(world, "PATCH", "me/contact", OWNER, 200, {"challenge": "nobody"})
    assert changed == {**at_first, "challenge": "nobody"}
    assert ask(world, "GET", "me/contact", OWNER, 200) == changed
    wrong = ask(world, "PATCH", "me/contact", OWNER, 422, {"ask": "friends"})
    assert wrong["errors"][0]["pointer"] == "#/ask"


def test_refusals_name_what_is_wrong(world: World) -> None:
    anna = world.anna
    refused = ask(world, "POST", "me/friends", OWNER, 422, {"friend": anna.pk})
    assert refused["code"] == "player_is_yourself"
    refused = ask(world, "POST", "me/friends", OWNER, 404, {"friend": 987654})
    assert refused["code"] == "unknown_player"


def test_a_profile_is_told_to_those_it_is_for(world: World) -> None:
    anna, bjorn = world.site.arena.players[:2]
    given = {"country": "DE", "country_told": "everyone", "age_group": "25-34"}
    own = ask(world, "PATCH", "me/profile", OWNER, 200, given)
    assert (own["country"], own["age_group_told"], own["tags"]) == ("DE", "friends", [])
    assert ask(world, "GET", "me/profile", OWNER, 200) == own
    address = f"players/{anna.pk}/profile"
    assert ask(world, "GET", address, SERVER, 200)["age_group"] == ""
    assert ask(world, "GET", address, OWNER, 200)["age_group"] == "25-34"
    assert ask(world, "GET", address, OWNER, 200)["country"] == "DE"
    ask(world, "PATCH", "me/profile", OWNER, 422, {"country": "Germany"})
    refused = ask(world, "PATCH", "me/profile", OWNER, 422, {"tags": ["unheard-of"]})
    assert refused["code"] == "unknown_tag"
    assert ask(world, "PATCH", "me/profile", OWNER, 200, {"country": ""})["country"] == ""
    assert bjorn.pk != anna.pk


def test_presence_is_told_over_the_api(world: World) -> None:
    anna, bjorn = world.site.arena.players[:2]
    befriend(player=anna, other=bjorn)
    befriend(player=bjorn, other=anna)
    (row,) = ask(world, "GET", "me/presence", OWNER, 200)["results"]
    assert (row["player"]["id"], row["friend"], row["doing"]) == (bjorn.pk, True, [])
