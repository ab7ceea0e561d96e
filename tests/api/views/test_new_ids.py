"""Ids that no address can name, or no eye tell apart: nobody new gets one; who has one from before goes on with it."""

from typing import Any
from urllib.parse import quote

import pytest
from django.test import Client

from foundation import clock
from ratings.models import Match, Player
from tests.api.contract.test_every_error import is_problem
from tests.api.world import World

pytestmark = pytest.mark.django_db
RESULT = {"ladder": "go", "ranks": [0, 1], "played_at": "2026-03-01T10:00:00Z"}
UNFIT = ["a\nb", "a\x1fb", "a\u2028b", " ", "\u3000", ".", "..", "clan/tokens"]
UNFIT[-1:-1] = ["a\u202eb", "\ufeffa", "a\u200b"]
FIT = ["clan/ann", "tokens", "a b", "ann.", "...", "a\u200db", "a\u200cb"]


def put(world: World, name: str) -> Any:
    path = f"players/by-external-id/{quote(name, safe='')}"
    return world.call("PUT", path, "server-all", body={})


def token(world: World, name: str) -> Any:
    path = f"players/by-external-id/{quote(name, safe='')}/tokens"
    return world.call("POST", path, "server-all", body={})


def results(world: World, *names: str, match: str = "new-{}") -> list[Any]:
    """What becomes of a match of each of these with Zed."""
    sent = [
        {**RESULT, "external_id": match.format(number), "teams": [[name], ["zed"]]}
        for number, name in enumerate(names)
    ]
    answer = world.call("POST", "results", "server-all", body={"results": sent})
    assert answer.status_code == 200
    told: list[Any] = answer.json()["results"]
    return told


def test_results_make_nobody_known_under_them(world: World) -> None:
    told = results(world, *UNFIT, *FIT)
    assert [one.get("code") for one in told] == ["wrong_players"] * len(UNFIT) + [None] * len(FIT)
    assert "“a\\nb” cannot be the id of a new player" in told[0]["detail"]
    assert "do not end in “/tokens”" in told[-len(FIT) - 1]["detail"]
    assert not Player.objects.filter(external_id__in=UNFIT).exists()
    assert Player.objects.filter(external_id__in=FIT).count() == len(FIT)


@pytest.mark.parametrize(
    "name", ["a\nb", "a\x1fb", "a\u2028b", "a\u202eb", "\ufeffa", " ", ".", ".."]
)
def test_a_server_makes_nobody_known_under_them(world: World, name: str) -> None:
    for answer in (put(world, name), token(world, name)):
        is_problem(answer, 400, "invalid_parameter")
        (error,) = answer.json()["errors"]
        assert error["parameter"] == "external_id"
        assert "no control characters and no line breaks" in error["detail"]
    assert not Player.objects.filter(external_id=name).exists()


def test_the_ending_is_refused_where_tokens_are_made(world: World) -> None:
    is_problem(token(world, "clan/tokens"), 400, "invalid_parameter")
    assert not Player.objects.filter(external_id="clan/tokens").exists()


@pytest.mark.parametrize("name", FIT)
def test_others_are_as_before(world: World, name: str) -> None:
    assert put(world, name).status_code == 201
    assert token(world, name).status_code == 201


@pytest.mark.parametrize("name", UNFIT)
def test_who_has_one_goes_on_with_it(world: World, name: str) -> None:
    there = Player.objects.create(game=world.game, external_id=name, name="Old", skeleton="old")
    (told,) = results(world, name)
    assert told["status"] == "created"
    assert token(world, name).status_code == 201
    sent = {"queue": "search", "player": name}
    assert world.call("POST", "tickets", "server-all", body=sent).status_code == 201
    if not name.endswith("/tokens"):
        assert put(world, name).json()["id"] == there.pk
        path = f"players/by-external-id/{quote(name, safe='')}"
        assert world.get(path, "server-all")["id"] == there.pk


def test_ids_of_matches_have_no_line_breaks(world: World) -> None:
    (told,) = results(world, "ann", match="a\nb")
    assert (told["status"], told["code"]) == ("refused", "wrong_result")
    first, second = (player.external_id for player in world.site.arena.players[2:4])
    body = {"ladder": "go", "teams": [[first], [second]], "external_id": "a\nb"}
    answer = world.call("POST", "matches", "server-all", body=body)
    is_problem(answer, 422, "invalid_body")
    (error,) = answer.json()["errors"]
    assert error["pointer"] == "#/external_id"
    assert not Match.objects.filter(external_id="a\nb").exists()


def test_a_match_that_has_one_is_known_again(world: World) -> None:
    (told,) = results(world, "ann", match="old")
    Match.objects.filter(pk=told["match"]).update(external_id="a\nb")
    (again,) = results(world, "ann", match="a\nb")
    assert (again["status"], again["match"]) == ("known", told["match"])


def test_an_address_that_is_no_utf_8_names_nobody(world: World) -> None:
    assert put(world, "M%FCller").status_code == 201  # whose id that is
    for method, end in (("PUT", ""), ("GET", ""), ("POST", "/tokens"), ("DELETE", "/tokens")):
        path = f"/api/v1/players/by-external-id/M%FCller{end}"
        own = {"Authorization": f"Bearer {world.secrets['server-all']}"}
        with clock.at(world.site.now):
            answer = Client().generic(
                method, path, "{}", "application/json", headers=own, RAW_URI=path
            )
        is_problem(answer, 400, "invalid_parameter")
        (error,) = answer.json()["errors"]
        assert (error["parameter"], "not UTF-8" in error["detail"]) == ("external_id", True)
    assert put(world, "Müller").json()["name"] == "Müller"
