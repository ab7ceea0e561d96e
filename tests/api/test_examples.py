"""The examples in the description: sound, of operations that exist, and one for each that a game begins with."""

from collections.abc import Iterator
from typing import Any

import pytest

from api.examples import EXAMPLES
from api.problems import PROBLEMS
from tests.api.test_description import check, generate

NOTHING = {"$ref": "#/components/schemas/NothingBody"}
Media = dict[str, Any]


@pytest.fixture(scope="module")
def schema() -> dict[str, Any]:
    return generate()


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
                check(schema, media["schema"], example["value"])
                checked += 1
    told = [*(it.requests for it in EXAMPLES.values())]
    told += [bodies for it in EXAMPLES.values() for bodies in it.by_status.values()]
    assert checked == sum(map(len, told))


def test_every_problem_has_an_example(schema: dict[str, Any]) -> None:
    shape = {"$ref": "#/components/schemas/ProblemBody"}
    told = schema["components"]["examples"]
    for code, example in told.items():
        check(schema, shape, example["value"])
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


def test_every_body_and_every_good_answer_has_an_example(schema: dict[str, Any]) -> None:
    bare = {
        operation["operationId"]
        for operation in operations(schema)
        for media in media_of(operation)
        if "examples" not in media and media["schema"] != NOTHING
    }
    assert bare == set()
