"""The examples in the description: sound, of operations that exist, and one for each that a game begins with."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Any

import pytest

from api.contract.problems import PROBLEMS
from api.schema.examples import EXAMPLES, LINKS
from tests.api.schema.test_description import check, described

NOTHING = {"$ref": "#/components/schemas/NothingBody"}
Media = dict[str, Any]


@pytest.fixture(scope="module")
def schema() -> dict[str, Any]:
    return described()


def operations(schema: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for methods in schema["paths"].values():
        yield from methods.values()


def media_of(operation: dict[str, Any]) -> Iterator[Media]:
    """What an operation takes, and gives when all is well."""
    places = [operation.get("requestBody", {}), *operation["responses"].values()]
    for place in places:
        for kind, media in place.get("content", {}).items():
            if kind != "application/problem+json":
                yield media


def test_every_example_has_the_shape_that_is_described(schema: dict[str, Any]) -> None:
    checked = 0
    for operation in operations(schema):
        for media in media_of(operation):
            for example in media.get("examples", {}).values():
                check(media["schema"], example["value"])
                checked += 1
    told = [*(it.requests for it in EXAMPLES.values())]
    told += [bodies for it in EXAMPLES.values() for bodies in it.by_status.values()]
    assert checked == sum(map(len, told))


def test_every_problem_has_an_example(schema: dict[str, Any]) -> None:
    shape = {"$ref": "#/components/schemas/ProblemBody"}
    told = schema["components"]["examples"]
    for code, example in told.items():
        check(shape, example["value"])
        assert (code, example["value"]["status"]) == (
            example["value"]["code"],
            PROBLEMS[code].status,
        )
    for operation in operations(schema):
        refused = {status for status in operation["responses"] if int(status) >= 400}
        for status in refused:
            media = operation["responses"][status]["content"]["application/problem+json"]
            names = [one["$ref"].rpartition("/")[2] for one in media["examples"].values()]
            assert {told[name]["value"]["status"] for name in names} == {int(status)}


def test_what_a_problem_carries_is_described_and_shown(schema: dict[str, Any]) -> None:
    """Generated clients know no other members."""
    shape = schema["components"]["schemas"]["ProblemBody"]
    named = ("merged_into", "done", "party", "needed", "present", "after", "ticket", "until")
    for name in named:
        assert shape["properties"][name]["description"]
        assert name not in shape["required"]
    merged = schema["components"]["examples"]["player_merged"]["value"]
    assert merged["merged_into"]
    assert merged["instance"].startswith("/api/v1/players/")


def test_every_body_and_every_good_answer_has_an_example(schema: dict[str, Any]) -> None:
    bare = {
        operation["operationId"]
        for operation in operations(schema)
        for media in media_of(operation)
        if "examples" not in media and media["schema"] != NOTHING
    }
    assert bare == set()


def test_links_lead_from_the_examples_to_what_an_operation_takes(schema: dict[str, Any]) -> None:
    """Each expression finds a value in an example of the answer, and its place in the next request takes that."""
    by_id = {operation["operationId"]: operation for operation in operations(schema)}
    followed: set[str] = set()
    ids: defaultdict[str, set[Any]] = defaultdict(set)
    for name, status in [(name, status) for name, answers in LINKS.items() for status in answers]:
        response = by_id[name]["responses"][str(status)]
        (media,) = response["content"].values()
        shown = [one["value"] for one in media["examples"].values()]
        for link in response["links"].values():
            followed.add(link["operationId"])
            for place, shape, expression in places_of(schema, by_id[link["operationId"]], link):
                values = values_of(expression, shown)
                ids[_KINDS.get(place, place)].update(values)
                for value in values:
                    check(shape, value)
    assert len(followed) > 25
    # All ids have one shape, and the examples tell of one game: no number in it is a player's and a match's.
    whose = Counter(one for place in ids if place.endswith("_id") for one in ids[place])
    assert set(whose.values()) == {1}
    assert {"player_id", "match_id", "ticket_id", "party_id"} <= set(ids)


@pytest.mark.parametrize("operation", LINKS)
def test_a_link_leads_where_its_name_says(operation: str) -> None:
    for links in LINKS[operation].values():
        for name, link in links.items():
            said = name.rpartition("-")[2]
            assert link.operation.endswith(_ENDS.get(said, f"_{said}")), name


_ENDS: dict[str, str | tuple[str, ...]] = {
    "player": "get_players_by_player_id",
    "match": "get_matches_by_match_id",
    "ticket": "get_tickets_by_ticket_id",
    "party": ("get_parties_by_party_id", "post_parties"),
    "ladder": "get_ladders_by_slug",
    "queue": "get_queues_by_slug",
    "search": "post_tickets",
    "avoid": "post_me_avoided",
    "remove": (
        "parties_by_party_id_remove",
        "delete_me_avoided_by_player_id",
        "delete_me_muted_by_player_id",
    ),
    "report": "_reports",
    "token": "_tokens",
}
_KINDS = {"avoid": "player_id", "member": "player_id", "party": "party_id"}


def places_of(
    schema: dict[str, Any], target: dict[str, Any], link: dict[str, Any]
) -> Iterator[tuple[str, dict[str, Any], str]]:
    """Each place in the next request to which a link brings something, its shape, and from where."""
    taken = {one["name"]: one["schema"] for one in target.get("parameters", [])}
    for parameter, expression in link.get("parameters", {}).items():
        yield parameter, taken[parameter], expression
    if body := link.get("requestBody"):
        (media,) = target["requestBody"]["content"].values()
        shape = schema["components"]["schemas"][media["schema"]["$ref"].rpartition("/")[2]]
        for name, expression in body.items():
            yield name, shape["properties"][name], expression


def values_of(expression: str, answers: list[Any]) -> list[Any]:
    """What an expression finds in the answers that have it; one of them at least."""
    if expression.startswith("$request.path."):
        return ["ann-17"]
    pointer = expression.removeprefix("$response.body#/").split("/")
    found = []
    for answer in answers:
        value = answer
        for step in pointer:
            place = int(step) if isinstance(value, list) else step
            try:
                value = value[place]
            except (IndexError, TypeError):
                value = None  # a list may be empty, and what is null leads nowhere
        if value is not None:
            found.append(value)
    assert found, expression
    return found
