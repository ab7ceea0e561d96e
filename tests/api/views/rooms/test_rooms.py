"""Rooms over the API: for players and for the game's servers, from the form to the match."""

from typing import Any

import pytest
from jsonschema import Draft202012Validator

from api.auth.issue import issue_token
from api.auth.scopes import PLAYER_SCOPES
from matchmaking.models import Ticket, TicketMember
from ratings.models import Ladder, Mode, Participant
from rooms.models import Room
from tests.api.schema.test_description import described
from tests.api.world import World

pytestmark = pytest.mark.django_db
SERVER = "server-tickets:write"


@pytest.fixture(autouse=True)
def squads(world: World) -> Ladder:
    """A ladder of teams of two; Anna neither searches nor has a room."""
    TicketMember.objects.update(live=False)
    Ticket.objects.update(state="cancelled", ended_at=world.site.now)
    Room.objects.all().delete()
    return Ladder.objects.create(game=world.game, slug="squads", name="Squads", team_size=2)


@pytest.fixture
def tokens(world: World) -> list[str]:
    """What the first four players send, by number; the world knows them as `squad-0` and so on."""
    for number, player in enumerate(world.site.arena.players[:4]):
        secret = issue_token(player=player, name="test", scopes=PLAYER_SCOPES)[1]
        world.secrets[f"squad-{number}"] = secret
    return [f"squad-{number}" for number in range(4)]


def ask(world: World, method: str, path: str, caller: str, status: int, body: Any = None) -> Any:
    given = {} if body is None and method == "POST" else body
    answer = world.call(method, path, caller, body=given)
    assert answer.status_code == status, answer.content
    return answer.json()


def test_players_go_from_the_form_to_the_match(world: World, tokens: list[str]) -> None:
    choices = ask(world, "GET", "rooms/choices?ladder=squads", tokens[0], 200)
    assert (choices["team_count"], choices["team_size"]) == (2, 2)
    assert "rating" in choices["filters"]
    asked = {"ladder": "squads", "name": "Evening", "start_rule": "ready", "rated": False}
    room = ask(world, "POST", "rooms", tokens[0], 201, asked)
    assert room["members"][0]["seat"] == 0
    assert room["code"]
    path = f"rooms/{room['id']}"
    (listed,) = ask(world, "GET", "rooms", tokens[1], 200)["results"]
    assert (listed["name"], listed["seated"], listed["reason"]) == ("Evening", 1, None)
    assert ask(world, "GET", path, tokens[1], 200)["code"] is None
    for number in (1, 2):
        ask(world, "POST", f"{path}/join", tokens[number], 200)
    assert world.get("me", tokens[2])["room"] == room["id"]
    assert world.get("me", tokens[3])["room"] is None
    ask(world, "POST", "rooms/join", tokens[3], 200, {"code": room["code"].lower()})
    for number in range(4):
        seen = ask(world, "POST", f"{path}/ready", tokens[number], 200, {"ready": True})
    assert seen["state"] == "started"
    assert Participant.objects.filter(match=seen["match"], match__rated=False).count() == 4


def test_a_server_speaks_for_its_players(world: World) -> None:
    names = [player.external_id for player in world.site.arena.players[:2]]
    asked = {"player": names[0], "ladder": "squads", "name": "Evening", "access": "code"}
    room = ask(world, "POST", "rooms", SERVER, 201, asked)
    path = f"rooms/{room['id']}"
    refused = ask(world, "POST", f"{path}/join", SERVER, 403, {"player": names[1]})
    assert (refused["code"], refused["reason"]) == ("room_refuses", "code")
    (seen,) = ask(world, "GET", f"rooms?list=all&player={names[1]}", SERVER, 200)["results"]
    assert seen["reason"] == "code"
    (seen,) = ask(world, "GET", "rooms", SERVER, 200)["results"]
    assert seen["reason"] is None
    joined = ask(
        world, "POST", f"{path}/join", SERVER, 200, {"player": names[1], "code": room["code"]}
    )
    assert [one["player"]["external_id"] for one in joined["members"]] == names
    ask(world, "POST", f"{path}/heartbeat", SERVER, 200, {"player": names[1]})
    busy = ask(world, "POST", "tickets", SERVER, 409, {"player": names[1], "queue": "search"})
    assert (busy["code"], busy["room"]) == ("in_room", room["id"])


def test_what_is_wrong_is_named_by_a_pointer(world: World, tokens: list[str]) -> None:
    asked = {"ladder": "squads", "name": "Evening", "filters": {"luck": 1}, "map_choice": "veto"}
    refused = ask(world, "POST", "rooms", tokens[0], 422, asked)
    assert refused["code"] == "wrong_room"
    assert {one["pointer"] for one in refused["errors"]} == {"#/filters/luck", "#/map_choice"}


def test_on_a_normal_ladder_no_filter_goes_by_ratings(world: World, tokens: list[str]) -> None:
    Ladder.objects.filter(slug="squads").update(mode=Mode.NORMAL)
    choices = ask(world, "GET", "rooms/choices?ladder=squads", tokens[0], 200)
    assert not {"rating", "chance", "established"} & set(choices["filters"])
    asked = {"ladder": "squads", "name": "Evening", "filters": {"rating": {"low": 1}}}
    ask(world, "POST", "rooms", tokens[0], 422, asked)


def test_lists_come_a_page_at_a_time(world: World, tokens: list[str]) -> None:
    for number in range(3):
        ask(
            world, "POST", "rooms", tokens[number], 201, {"ladder": "squads", "name": f"R {number}"}
        )
    first = ask(world, "GET", "rooms?list=all&limit=2", tokens[3], 200)
    assert [one["name"] for one in first["results"]] == ["R 2", "R 1"]
    cursor = first["next"].partition("cursor=")[2].partition("&")[0]
    second = ask(world, "GET", f"rooms?list=all&limit=2&cursor={cursor}", tokens[3], 200)
    assert [one["name"] for one in second["results"]] == ["R 0"]
    assert second["next"] is None


@pytest.mark.parametrize(
    "wrong",
    [
        {"name": "X"},
        {"name": ""},
        {"access": "everyone"},
        {"team_choice": ""},
        {"map_choice": 1},
        {"start_rule": "soon"},
    ],
)
def test_what_the_description_does_not_allow_is_no_body(
    world: World, tokens: list[str], wrong: dict[str, Any]
) -> None:
    body = {"ladder": "squads", "name": "Evening", **wrong}
    problem = ask(world, "POST", "rooms", tokens[0], 422, body)
    (error,) = problem["errors"]
    (name,) = wrong
    assert (problem["code"], error["pointer"]) == ("invalid_body", f"#/{name}")
    shape = described()["components"]["schemas"]["RoomOpenBody"]
    validator = Draft202012Validator({**shape, "components": described()["components"]})
    assert not validator.is_valid(body)
    assert validator.is_valid({"ladder": "squads", "name": "Evening"})
    assert not validator.is_valid({"ladder": "squads"})


def test_what_a_room_cannot_be_like_is_told_with_what_was_given(
    world: World, tokens: list[str]
) -> None:
    body = {"ladder": "squads", "name": "Evening", "category": "weird", "filters": {"moon": True}}
    problem = ask(world, "POST", "rooms", tokens[0], 422, body)
    assert problem["code"] == "wrong_room"
    told = {error["pointer"]: error.get("given") for error in problem["errors"]}
    assert told == {"#/category": '"weird"', "#/filters/moon": "true"}
    room = ask(world, "POST", "rooms", tokens[0], 201, {"ladder": "squads", "name": " Go "})
    assert room["name"] == "Go"
    changed = {"map_choice": "host", "map": "Mars"}
    problem = ask(world, "POST", f"rooms/{room['id']}/settings", tokens[0], 422, changed)
    assert [error["given"] for error in problem["errors"]] == ['"Mars"']
