"""Bodies and parameters are read strictly: types as JSON has them, no more than is described, and nothing breaks."""

import json
from typing import Any

import pytest

from tests.api.world import World

pytestmark = pytest.mark.django_db
HUGE = 10**400


def refused(answer: Any) -> Any:
    """The body of a refusal that names fields."""
    told = answer.json()
    assert (answer.status_code, told["code"]) == (422, "invalid_body"), told
    return told


def pointers(answer: Any) -> set[str]:
    return {error["pointer"] for error in refused(answer)["errors"]}


def on_match(world: World, verb: str) -> str:
    return f"matches/{world.hidden.pk}/{verb}"


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({"ranks": ["0", "1"]}, "#/ranks/0"),
        ({"ranks": [False, True]}, "#/ranks/0"),
        ({"ranks": [0, 1.5]}, "#/ranks/1"),
        ({"ranks": [0, HUGE]}, "#/ranks/1"),
        ({"ranks": [0, 1], "scores": ["1", 2]}, "#/scores/0"),
        ({"ranks": [0, 1], "scores": [True, 2]}, "#/scores/0"),
        ({"ranks": [0, 1], "scores": [HUGE, 2]}, "#/scores/0"),
        ({"ranks": [0, 1], "minutes": {"p1": "5"}}, "#/minutes/p1"),
        ({"ranks": [0, 1], "minutes": {"p1": HUGE}}, "#/minutes/p1"),
        ({"ranks": [0, 1], "player_scores": {"p1": -HUGE}}, "#/player_scores/p1"),
        ({"ranks": [0, 1], "characters": {"p1": 7}}, "#/characters/p1"),
        ({"ranks": [0, 1], "left": [1]}, "#/left/0"),
        ({"ranks": [0, 1], "left": ["a\0b"]}, "#/left/0"),
        ({"ranks": [0, 1], "neutral": "yes"}, "#/neutral"),
        ({"ranks": [0, 1], "neutral": 1}, "#/neutral"),
        ({"ranks": [0, 1], "map": 5}, "#/map"),
        ({"ranks": [0, 1], "map": "a\0b"}, "#/map"),
        ({"ranks": [0, 1], "ended_at": "2026-03-01T20:15:00"}, "#/ended_at"),
        ({"ranks": [0, 1], "ended_at": 5}, "#/ended_at"),
        ({"ranks": [0, 1], "ended_at": "0001-01-01T00:00:00Z"}, "#/ended_at"),
    ],
    ids=str,
)
def test_a_result_keeps_its_types(world: World, body: Any, pointer: str) -> None:
    assert pointer in pointers(world.call("POST", on_match(world, "result"), "server-all", body))


@pytest.mark.parametrize("name", [0, True, 1.5, ["Ann"], {"a": 1}, "a\0b"])
def test_a_name_is_a_text(world: World, name: Any) -> None:
    answer = world.call("PUT", "players/by-external-id/p1", "server-all", {"name": name})
    assert pointers(answer) == {"#/name"}


@pytest.mark.parametrize("queue", ["a\0b", "\0", 5, ["search"], "search\n\0"])
def test_a_queue_is_a_short_name(world: World, queue: Any) -> None:
    body = {"queue": queue, "player": "p2"}
    assert pointers(world.call("POST", "tickets", "server-all", body)) == {"#/queue"}


@pytest.mark.parametrize(
    "more",
    [
        {"regions": {"eu": HUGE}},
        {"regions": {"eu": -HUGE}},
        {"regions": {"eu\0": 5}},
        {"regions": ["a\0b"]},
        {"own": {"mood": HUGE}},
        {"own": {"mood": "3"}},
        {"party": "1"},
        {"party": HUGE},
        {"character": 5},
        {"roles": [5]},
        {"members": [{"member": HUGE}]},
        {"player": 5},
        {"player": "a\0b"},
    ],
    ids=lambda more: str(more)[:40],
)
def test_a_search_keeps_its_types(world: World, more: Any) -> None:
    body = {"queue": "search", "player": world.site.arena.players[3].external_id, **more}
    answer = world.call("POST", "tickets", "server-all", body)
    assert answer.status_code == 422
    assert answer.json()["code"] in {"invalid_body", "wrong_wishes"}, answer.json()


def test_a_whole_number_may_be_written_with_a_point(world: World) -> None:
    answer = world.call("POST", on_match(world, "result"), "server-all", b'{"ranks": [0.0, 1.0]}')
    assert answer.status_code == 200, answer.json()


def test_space_at_the_ends_counts_as_described(world: World) -> None:
    """The description gives lengths and patterns; what they rule out is not taken because space could be cut off."""
    told = refused(
        world.call("PUT", "players/by-external-id/p1", "server-all", {"name": " " * 101 + "Ann"})
    )
    assert [error["code"] for error in told["errors"]] == ["max_length"]
    anna = world.site.arena.players[3].external_id
    told = refused(
        world.call("POST", "tickets", "server-all", {"queue": " search", "player": anna})
    )
    assert [error["pointer"] for error in told["errors"]] == ["#/queue"]
    for query in ("ladders?game=%20go", "ladders?cursor=%20ZwAAAAAAAAAB"):
        assert world.call("GET", query).json()["code"] == "invalid_parameter", query


@pytest.mark.parametrize(
    ("query", "english", "german"),
    [
        ("ladders?limit=0", "greater than or equal to 1", "größer oder gleich 1"),
        ("ladders?limit=201", "less than or equal to 200", "kleiner oder gleich 200"),
    ],
)
def test_each_caller_is_told_in_its_own_language(
    world: World, query: str, english: str, german: str
) -> None:
    """Whatever languages others of the same process have been told in before."""
    for language, words in (("de", german), ("en", english), ("de", german)):
        answer = world.call("GET", query, **{"Accept-Language": language})
        assert words in answer.json()["errors"][0]["detail"], answer.json()


def test_of_many_unknown_fields_twenty_are_named(world: World) -> None:
    body = {f"x{number}": 0 for number in range(9_000)}
    told = refused(world.call("PUT", "players/by-external-id/p1", "server-all", body))
    assert len(told["errors"]) == 20
    assert {error["code"] for error in told["errors"]} == {"unknown_field"}
    assert "first 20" in told["detail"]
    assert len(json.dumps(told)) < 5000


def test_of_many_wrong_values_twenty_are_named(world: World) -> None:
    body = {"ranks": [0, 1], "left": [5] * 1000}
    told = refused(world.call("POST", on_match(world, "result"), "server-all", body))
    assert len(told["errors"]) == 20
    more = {"ranks": [0, 1], "minutes": {f"p{number}": "x" for number in range(9000)}}
    told = refused(world.call("POST", on_match(world, "result"), "server-all", more))
    assert len(told["errors"]) == 20


@pytest.mark.parametrize("text", ["a%00b", "x" * 5000, "9" * 400, "-1"])
@pytest.mark.parametrize("name", ["game", "limit", "cursor"])
def test_parameters_are_refused_by_name(world: World, name: str, text: str) -> None:
    answer = world.call("GET", f"queues?{name}={text}")
    told = answer.json()
    if (name, text) == ("game", "-1"):
        assert told["results"] == []
        return
    assert (answer.status_code, told["code"]) == (400, "invalid_parameter")
    assert [error["parameter"] for error in told["errors"]] == [name] * len(told["errors"])


@pytest.mark.parametrize(
    ("body", "name"),
    [
        ('{"queue": "search", "queue": "search"}', "queue"),
        ('{"queue": "search", "wishes": {"maps": {}, "maps": {}}}', "maps"),
        ('{"a": [{"b": 1}, {"\\u0062": 1, "b": 2}]}', "b"),
        ('{"\\ud800": 1, "\\ud800": 2}', "?"),
    ],
)
def test_a_name_stands_once_in_an_object(world: World, body: str, name: str) -> None:
    """Parsers take the first or the last: whoever sends both does not know which."""
    answer = world.call("POST", "tickets", "player-play", body=body.encode())
    assert (answer.status_code, answer.json()["code"]) == (400, "malformed_body")
    assert f"“{name}” twice" in answer.json()["detail"]
