"""The description is built once, packed, named by an ETag and counted as any other request."""

import gzip
import json
import uuid
from functools import partial
from typing import Any

import pytest
from django.test import Client
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.validation import validate_schema
from pytest_django import Settings

from api.schema import published as publishing
from tests.api.schema.test_description import described
from tests.at_once import at_once

pytestmark = pytest.mark.usefixtures("no_session")
ADDRESS = "/api/v1/schema"


def ask(query: str = "", **headers: str) -> Any:
    return Client().get(ADDRESS + query, headers=headers)


def test_it_is_built_once_however_many_ask_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    publishing._build.cache_clear()
    built: list[None] = []
    build: Any = SchemaGenerator.get_schema

    def counted(*arguments: Any, **named: Any) -> Any:
        built.append(None)
        return build(*arguments, **named)

    monkeypatch.setattr(SchemaGenerator, "get_schema", counted)
    answers = at_once([partial(ask, "?format=json")] * 8)
    assert {answer.status_code for answer in answers} == {200}
    assert len({answer.content for answer in answers}) == len(built) == 1


def test_it_is_packed_for_whoever_takes_that() -> None:
    plain = ask("?format=json")
    packed = ask("?format=json", accept_encoding="br, gzip")
    assert "Content-Encoding" not in plain
    assert packed["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed.content) == plain.content
    assert len(packed.content) * 5 < len(plain.content)
    assert packed["ETag"] != plain["ETag"]
    assert "Accept-Encoding" in packed["Vary"]


def test_whoever_refuses_it_gets_it_plain() -> None:
    plain = ask("?format=json", accept_encoding="br, gzip;q=0")
    assert "Content-Encoding" not in plain
    assert (plain.content, plain["ETag"]) == (
        ask("?format=json").content,
        ask("?format=json")["ETag"],
    )


def test_whoever_has_it_is_told_so() -> None:
    first = ask("?format=json")
    again = ask("?format=json", if_none_match=f'"other", W/{first["ETag"]}')
    assert (again.status_code, again.content) == (304, b"")
    assert again["ETag"] == first["ETag"]
    assert ask("?format=yaml", if_none_match=first["ETag"]).status_code == 200


def test_it_is_the_same_in_every_language() -> None:
    told = []
    for language in ("de", "en"):
        publishing._build.cache_clear()  # else whoever asked first has chosen
        told.append(ask("?format=json", accept_language=language).content)
    assert told[0] == told[1]


@pytest.mark.full
def test_its_form_follows_the_parameter_or_what_is_accepted() -> None:
    assert ask().content.startswith(b"openapi: 3.1.0")
    assert json.loads(ask("?format=json").content)["openapi"] == "3.1.0"
    assert json.loads(ask(accept="application/json").content)["openapi"] == "3.1.0"
    assert ask("?format=xml").json()["errors"][0]["parameter"] == "format"
    assert ask("?lang=de").json()["code"] == "invalid_parameter"


def test_it_counts_as_a_request(settings: Settings) -> None:
    settings.API_LIMITS = {"anonymous": (2, 60.0)}
    number = uuid.uuid4().int
    where = f"10.{number % 256}.{number // 256 % 256}.9"
    answers = [Client().get(ADDRESS, REMOTE_ADDR=where) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200, 200, 429]
    assert answers[2].json()["code"] == "rate_limited"


def test_it_is_valid_and_what_stands_there_twice_is_referred_to_and_says_the_same() -> None:
    served = ask("?format=json").json()
    validate_schema(served)  # type: ignore[no-untyped-call]
    whole = json.loads(json.dumps(described(), default=str))
    told: dict[str, Any] = served["components"]

    def unfolded(part: dict[str, Any]) -> dict[str, Any]:
        if "$ref" not in part:
            return part
        kind, name = part["$ref"].split("/")[2:]
        shared.add(part["$ref"])
        found: dict[str, Any] = told[kind][name]
        return found

    def with_parts(place: dict[str, Any]) -> dict[str, Any]:
        for media in place.get("content", {}).values():
            if "examples" in media:
                media["examples"] = {name: unfolded(it) for name, it in media["examples"].items()}
        if "links" in place:
            place["links"] = {name: unfolded(it) for name, it in place["links"].items()}
        return place

    shared: set[str] = set()
    for path, methods in whole["paths"].items():
        for method, operation in methods.items():
            seen = served["paths"][path][method]
            for status, response in operation["responses"].items():
                found = unfolded(seen["responses"][status])
                assert (with_parts(found) if int(status) < 300 else found) == response
            body = seen.get("requestBody", {})
            assert with_parts(body) == operation.get("requestBody", {})
            asked = [unfolded(one) for one in seen.get("parameters", [])]
            assert asked == operation.get("parameters", [])
    given = {f"#/components/{k}/{n}" for k in ("responses", "parameters", "links") for n in told[k]}
    given |= {f"#/components/examples/{n}" for n in told["examples"] if n.startswith("Example")}
    assert shared == given


def test_it_is_no_longer_than_it_must_be() -> None:
    """Pages that draw it stay blank until it is there and read. It may grow with the API, not beyond it."""
    answer = ask("?format=json")
    paths = json.loads(answer.content)["paths"].values()
    operations = sum(
        method in path for path in paths for method in ("get", "post", "put", "patch", "delete")
    )
    assert (
        len(answer.content) < 4_400 * operations
    )  # half of what it would be with every refusal in place
    assert b"\n" not in answer.content
    assert len(ask("?format=json", accept_encoding="gzip").content) < 550 * operations
    assert b"\n" not in answer.content
