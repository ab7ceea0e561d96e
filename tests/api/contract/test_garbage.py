"""Whatever is sent to an endpoint that writes, it answers: with a problem of its list, never with an error of ours.

Bodies are any JSON, bodies that are nearly right (made from the description of the API), and bytes that are no JSON.
The test client raises what a view does not foresee.
"""

import json
import os
from typing import Any

import pytest
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from api.contract.problems import PROBLEMS
from api.urls import urlpatterns
from tests.api.matrix import ROWS, Row
from tests.api.schema.test_description import described, described_path
from tests.api.world import World
from tests.forms import often

pytestmark = pytest.mark.django_db
EXAMPLES = int(os.environ.get("EVENMATCH_TEST_EXAMPLES") or often(10, 25))
WRITING = [row for row in ROWS if row.method != "GET" and row.body is not None]
CALLERS = ("server-all", "player-play", "other-server", "anonymous")
Schema = dict[str, Any]

# What is there in the world, what is allowed, and what databases, clocks and parsers stumble over.
WORDS = st.sampled_from(
    [
        *("go", "secret", "search", "p1", "won", "lost", "drawn", "not_played", "read", "play"),
        *("2026-03-01T20:15:00Z", "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00"),
        *(
            "",
            " ",
            "\0",
            "a\0b",
            "\ud800",
            "\udfff",
            "x" * 101,
            "٣",
            "1e400",
            "-0",
            "../..",
            "%00",
            "🙂",
        ),
    ]
)
NUMBERS = st.sampled_from([0, 1, -1, 2**31, 2**63, -(2**63) - 1, 10**400, 0.5, -0.0, 1e308, 5e-324])
SCALARS = st.none() | st.booleans() | NUMBERS | st.integers() | WORDS | st.text(max_size=20)
ANYTHING = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(WORDS | st.text(max_size=10), inner, max_size=4)
    ),
    max_leaves=12,
)
NO_JSON = st.binary(max_size=40) | st.sampled_from(
    [b"", b"{", b'{"a":1}{', b"NaN", b'{"x":NaN}', b"1e999", b"[" * 100_000, b"\xff\xfe{}", b'"\\ud800"']
)  # fmt: skip


def body_of(row: Row) -> Schema:
    """What the description says of the body; nothing where the endpoint is not described."""
    route = next(str(it.pattern) for it in urlpatterns if it.name == row.route)
    operation = described()["paths"].get(described_path(route), {}).get(row.method.lower(), {})
    content = operation.get("requestBody", {}).get("content", {})
    schema: Schema = content.get("application/json", {}).get("schema", {})
    return schema


def near(schema: Schema) -> st.SearchStrategy[Any]:
    """Values that are nearly, or really, what a schema describes."""
    if "$ref" in schema:
        return near(described()["components"]["schemas"][schema["$ref"].rpartition("/")[2]])
    kind = schema.get("type")
    if "enum" in schema:
        return st.sampled_from(schema["enum"]) | SCALARS
    if kind == "object":
        members = {name: near(inner) for name, inner in schema.get("properties", {}).items()}
        whole = st.fixed_dictionaries(members)
        return whole | st.fixed_dictionaries({"extra": ANYTHING}, optional=members) | ANYTHING
    if kind == "array":
        return st.lists(near(schema["items"]), max_size=3) | ANYTHING
    if kind in ("integer", "number"):
        return st.integers(0, 2) | NUMBERS | ANYTHING
    return WORDS | ANYTHING


def send(world: World, row: Row, caller: str, body: bytes) -> Any:
    """One request, of which nothing is left afterwards."""
    path = row.path(world)
    with transaction.atomic():
        answer = world.call(row.method, path, caller, body=body)
        transaction.set_rollback(True)
    return answer


def is_answered_well(answer: Any) -> None:
    assert answer.status_code < 500, answer.content
    if answer.status_code == 204:
        assert not answer.content
        return
    told = answer.json()
    if answer.status_code >= 400:
        assert answer["Content-Type"] == "application/problem+json"
        assert told["status"] == answer.status_code == PROBLEMS[told["code"]].status
        assert all({"code", "detail"} < set(error) for error in told.get("errors", ()))


def careful(examples: int) -> settings:
    return settings(
        max_examples=examples,
        suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
    )


@pytest.mark.full
@pytest.mark.parametrize("row", WRITING, ids=lambda row: f"{row.method}-{row.route}")
def test_any_json_is_answered(row: Row, world: World) -> None:
    bodies = near(body_of(row)).map(json.dumps).map(str.encode)

    @careful(EXAMPLES)
    @given(body=bodies, caller=st.sampled_from(CALLERS[:2]))
    def answered(body: bytes, caller: str) -> None:
        is_answered_well(send(world, row, caller, body))

    answered()


@careful(EXAMPLES * 2)
@given(body=NO_JSON, row=st.sampled_from(WRITING), caller=st.sampled_from(CALLERS))
def test_what_is_no_json_is_answered(world: World, body: bytes, row: Row, caller: str) -> None:
    is_answered_well(send(world, row, caller, body))


def test_some_of_the_bodies_are_good(world: World) -> None:
    """Else nothing behind the first check would be tried."""
    rows = {row.route: row for row in WRITING}
    good: dict[str, dict[str, Any]] = {
        "match-result": {"ranks": [0, 1]},
        "ticket-heartbeat": {},
        "served-player": {"name": "won"},
        "results": {"results": ["won"]},
    }
    for route, body in good.items():
        assert set(body) <= set(properties(body_of(rows[route])))
        answer = send(world, rows[route], "server-all", json.dumps(body).encode())
        assert answer.status_code in (200, 201), answer.content


def properties(schema: Schema) -> Schema:
    if "$ref" not in schema:
        return {}
    found: Schema = described()["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    return dict(found.get("properties", {}))  # a body of nothing has none


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (b'{"name": "\\ud800"}', "has half a character: \\ud800 stands without its other half."),
        (b'{"name": "\xff"}', "is not UTF-8: byte 11 cannot be read."),
        (b"[" * 15_000, "is nested too deeply."),
    ],
)
def test_a_body_that_cannot_be_read_is_refused_in_plain_words(
    world: World, body: bytes, words: str
) -> None:
    answer = world.call("PUT", "players/by-external-id/p1", "server-all", body=body)
    assert (answer.status_code, answer.json()["detail"]) == (400, f"The body {words}")


@pytest.mark.parametrize("half", ["\\ud800", "\\uDFFF", "a\\ud83d", "\\ude00\\ud83d"])
def test_half_a_character_is_refused(world: World, half: str) -> None:
    body = f'{{"name": "{half}"}}'.encode()
    answer = world.call("PUT", "players/by-external-id/p1", "server-all", body=body)
    assert (answer.status_code, answer.json()["code"]) == (400, "malformed_body")
    assert "half a character" in answer.json()["detail"]
    whole = world.call(
        "PUT", "players/by-external-id/p1", "server-all", body=b'{"name": "\\ud83d\\ude00"}'
    )
    assert whole.json()["name"] == "😀"
