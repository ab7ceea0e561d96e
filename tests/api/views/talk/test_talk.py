"""Lines and muted players over the API, for players and for servers that act for them."""

from typing import Any

import pytest

from matchmaking.models import PartyMember
from talk.models import TalkRules
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


@pytest.fixture
def place(world: World) -> str:
    """The talk of the party that Anna leads."""
    TalkRules.objects.create(game=world.game)
    assert world.party.leader_id == world.anna.pk
    PartyMember.objects.update(joined_at=world.site.now)
    return f"talk/party/{world.party.pk}"


def test_what_is_said_is_read_the_latest_first(world: World, place: str) -> None:
    said = ask(world, "POST", place, OWNER, 201, {"text": " Hello <b> "})
    assert said["text"] == "Hello <b>"
    name = world.anna.external_id
    ask(world, "POST", place, SERVER, 201, {"player": name, "text": "by its server"})
    found = ask(world, "GET", place, OWNER, 200)
    assert [line["text"] for line in found["results"]] == ["by its server", "Hello <b>"]
    assert found["results"][1] == said
    assert (
        ask(world, "GET", f"{place}?player={name}", SERVER, 200)["results"][1]["id"] == said["id"]
    )
    first = ask(world, "GET", f"{place}?limit=1", OWNER, 200)
    rest = world.get(first["next"].partition("/api/v1/")[2], OWNER)
    assert [line["id"] for line in rest["results"]] == [said["id"]]


def test_strangers_are_told_that_there_is_nothing(world: World, place: str) -> None:
    for path in (place, "talk/party/999999", f"talk/cellar/{world.party.pk}"):
        assert ask(world, "GET", path, OTHER, 404)["code"] == "no_such_talk"
        assert ask(world, "POST", path, OTHER, 404, {"text": "x"})["code"] == "no_such_talk"


@pytest.mark.parametrize(
    ("text", "code"), [("\u200b", "empty_line"), ("", "invalid_body"), ("x" * 301, "invalid_body")]
)
def test_lines_that_are_none(world: World, place: str, text: str, code: str) -> None:
    assert ask(world, "POST", place, OWNER, 422, {"text": text})["code"] == code


def test_too_fast_says_when(world: World, place: str) -> None:
    TalkRules.objects.update(lines_a_minute=1)
    ask(world, "POST", place, OWNER, 201, {"text": "one"})
    answer = world.call("POST", place, OWNER, body={"text": "two"})
    refused = answer.json()
    assert (answer.status_code, refused["code"]) == (429, "talks_too_fast")
    assert 1 <= refused["retry_after"] <= 60
    assert answer["Retry-After"] == str(refused["retry_after"])


def test_muted_players_are_listed_for_their_owner(world: World, place: str) -> None:
    bjorn = world.site.arena.players[1]
    added = ask(world, "POST", "me/muted", OWNER, 201, {"mute": bjorn.pk})
    assert added["player"]["name"] == bjorn.name
    assert added == ask(world, "POST", "me/muted", OWNER, 200, {"mute": bjorn.pk})
    assert [
        row["player"]["id"] for row in ask(world, "GET", "me/muted", OWNER, 200)["results"]
    ] == [bjorn.pk]
    assert ask(world, "GET", "me/muted", OTHER, 200)["results"] == []
    assert (
        ask(world, "POST", "me/muted", OWNER, 422, {"mute": world.anna.pk})["code"]
        == "mutes_itself"
    )
    ask(world, "DELETE", f"me/muted/{bjorn.pk}", OWNER, 204)
    ask(world, "DELETE", f"me/muted/{bjorn.pk}", OWNER, 404)
