"""The OpenAPI description: valid, without warnings, complete, and true of what is answered."""

import json
import re
from functools import cache
from typing import Any

import pytest
from django.test import Client
from django.utils.translation import override
from drf_spectacular.drainage import GENERATOR_STATS
from drf_spectacular.generators import SchemaGenerator
from jsonschema import Draft202012Validator, FormatChecker

from api.contract.problems import PROBLEMS
from api.urls import urlpatterns
from api.views.base import ApiView
from tests.api.matrix import Row
from tests.api.world import World

NOT_DESCRIBED = {"unknown", "schema"}


@pytest.fixture(scope="module")
def schema() -> dict[str, Any]:
    return described()


@cache
def described() -> dict[str, Any]:
    """The description, made once for all files that read it; and without warnings."""
    GENERATOR_STATS.reset()
    generator = SchemaGenerator()  # type: ignore[no-untyped-call]
    with override("en"), GENERATOR_STATS.silence():
        found: dict[str, Any] = generator.get_schema(public=True)  # type: ignore[no-untyped-call]
    assert not GENERATOR_STATS, GENERATOR_STATS._warn_cache | GENERATOR_STATS._error_cache
    return found


def described_path(route: str) -> str:
    """`players/<id:player_id>` as the description has it."""
    return "/" + re.sub(r"<\w+:(\w+)>", r"{\1}", route)


def test_it_has_no_warnings_and_names_its_version(schema: dict[str, Any]) -> None:
    """That it is valid is seen where it is served."""
    assert schema["openapi"] == "3.1.0"
    assert set(schema["components"]["securitySchemes"]) == {"serverKey", "playerToken"}


def test_it_covers_every_endpoint_and_method(schema: dict[str, Any]) -> None:
    wanted = set()
    for pattern in urlpatterns:
        view: Any = getattr(pattern.callback, "cls", object)
        if issubclass(view, ApiView) and pattern.name not in NOT_DESCRIBED:
            path = described_path(str(pattern.pattern))
            wanted |= {(path, method.lower()) for method in view.access}
    assert {(path, method) for path, found in schema["paths"].items() for method in found} == wanted


def test_every_operation_is_told_in_full(schema: dict[str, Any]) -> None:
    names = set()
    for path, methods in schema["paths"].items():
        for method, operation in methods.items():
            where = f"{method} {path}"
            assert operation["summary"], where
            assert operation["description"], where
            assert all(operation["tags"]), where
            assert "429" in operation["responses"], where
            headers = {
                one["name"] for one in operation.get("parameters", ()) if one["in"] == "header"
            }
            wanted = {"Idempotency-Key"} if method == "post" else set()
            wanted |= {"If-None-Match"} if "304" in operation["responses"] else set()
            assert headers == ({"Last-Event-ID"} if path.endswith("/stream") else wanted), where
            names.add(operation["operationId"])
    assert len(names) == sum(map(len, schema["paths"].values()))


def is_as_described(row: Row, answer: Any) -> None:
    """Hold an answer against the description: its status and kind are named, and its body has the shape."""
    path = next(p for p in urlpatterns if p.name == row.route).pattern
    operation = described()["paths"][described_path(str(path))][row.method.lower()]
    response = operation["responses"][str(answer.status_code)]
    if answer.status_code == 204:
        assert ("content" in response, answer.content) == (False, b"")
        return
    content = response["content"]
    kind = answer["Content-Type"]
    if kind != "text/event-stream":  # has no end; its form is tested where streams are
        check(content[kind]["schema"], answer.json())


def check(shape: dict[str, Any], said: Any) -> None:
    """Hold what was said against its shape: every member is described, none is missing."""
    validator_of(json.dumps(shape)).validate(said)


@cache
def validator_of(shape: str) -> Draft202012Validator:
    """Made once for a shape: it has to read all components."""
    whole = {**json.loads(shape), "components": closed_components()}
    return Draft202012Validator(whole, format_checker=FormatChecker())


@cache
def closed_components() -> Any:
    """The components, a copy in which objects have no members but those that are described."""
    closed = json.loads(json.dumps(described()["components"]))
    for found in closed["schemas"].values():
        if found.get("type") == "object":
            found.setdefault("additionalProperties", False)
    return closed


def test_bodies_are_closed_and_answers_are_open(schema: dict[str, Any]) -> None:
    shapes = schema["components"]["schemas"]
    bodies = {name for name, shape in shapes.items() if shape.get("additionalProperties") is False}
    assert {"ArrangeBody", "TicketBody", "ResultsShape", "PlayedShape", "NothingBody"} <= bodies
    for methods in schema["paths"].values():
        for operation in methods.values():
            for media in operation.get("requestBody", {}).get("content", {}).values():
                assert media["schema"]["$ref"].rpartition("/")[2] in bodies
            for response in operation["responses"].values():
                for media in response.get("content", {}).values():
                    assert media["schema"].get("$ref", "").rpartition("/")[2] not in bodies


def test_whatever_takes_a_body_says_how_one_is_refused(schema: dict[str, Any]) -> None:
    told = {
        (method, path): set(operation["responses"])
        for path, methods in schema["paths"].items()
        for method, operation in methods.items()
        if "requestBody" in operation
    }
    assert {method for method, _path in told} == {"patch", "post", "put"}
    for where, statuses in told.items():
        assert {"400", "408", "411", "413", "415", "422", "503"} <= statuses, where


@pytest.mark.django_db
def test_what_may_be_left_out_of_a_match_has_no_default_that_is_refused(
    schema: dict[str, Any], world: World
) -> None:
    """Generated clients send defaults."""
    shapes = schema["components"]["schemas"]
    for shape in ("ArrangeBody", "ResultBody", "PlayedShape"):
        for name in ("map", "external_id"):
            assert "default" not in shapes[shape]["properties"].get(name, {})
    names = [player.external_id for player in world.site.arena.players[2:4]]
    body: dict[str, Any] = {
        "ladder": "go",
        "teams": [[name] for name in names],
        "map": "",
        "external_id": "",
    }
    assert world.call("POST", "matches", "server-all", body).status_code == 201
    played = {
        "ladder": "go",
        "external_id": "m",
        "teams": body["teams"],
        "ranks": [0, 1],
        "played_at": "2026-03-01T20:15:00Z",
        "map": "",
    }
    answer = world.call("POST", "results", "server-all", {"results": [played]})
    assert answer.json()["results"][0].get("code") != "invalid_body"


@pytest.mark.parametrize(
    ("shape", "member", "right", "wrong"),
    [
        ("ArrangeBody", "map", ["", "Moor"], ["a\0b", "a" * 101]),
        ("ArrangeBody", "external_id", ["", "evening-3"], ["a\nb", "a\u2028b", "a" * 101]),
        ("RecordedShape", "until", [None, "2026-12-01T18:00:00Z"], [7]),
        ("TicketBody", "character", ["", "Mage"], ["a\nb", "a" * 61]),
        ("TicketBody", "languages", [[], ["de", "pt-BR"]], [["german!"], ["de"] * 21]),
        ("TicketBody", "own", [{"mood": 3}], [{"mood": 2e9}, {"": 3}, {"a" * 41: 3}]),
        ("TicketBody", "regions", [["eu"], {"eu": None}], [{"eu": -1}, {"eu": 5001}, [""]]),
        ("TicketBody", "roles", [["tank"]], [["a" * 41], [""], ["tank"] * 21]),
        ("ResultBody", "minutes", [{"ann": 0}], [{"ann": -1}, {"": 1}, {"a" * 101: 1}]),
        ("ResultBody", "characters", [{"ann": ""}], [{"ann": "a\tb"}]),
        ("ResultBody", "ended_at", ["9000-12-31T23:59:59Z"], ["1969-12-31T23:59:59Z"]),
    ],
)
def test_bodies_say_what_is_taken(
    shape: str, member: str, right: list[Any], wrong: list[Any], schema: dict[str, Any]
) -> None:
    described = schema["components"]["schemas"][shape]["properties"][member]
    validator = Draft202012Validator({**described, "components": schema["components"]})
    assert [one for one in right if not validator.is_valid(one)] == []
    assert [one for one in wrong if validator.is_valid(one)] == []


def test_keys_and_cursors_say_of_what_they_consist(schema: dict[str, Any]) -> None:
    def asked(method: str, path: str, name: str) -> Draft202012Validator:
        parameters = schema["paths"][path][method]["parameters"]
        return Draft202012Validator(
            next(one["schema"] for one in parameters if one["name"] == name)
        )

    key = asked("post", "/tickets", "Idempotency-Key")
    assert key.is_valid("match 881")
    assert not any(key.is_valid(one) for one in ("", "  ", "ä", "a\tb", "a" * 256))
    cursor = asked("get", "/games", "cursor")
    assert cursor.is_valid("ZwAAAAAAAAAB")
    assert not any(cursor.is_valid(one) for one in ("", "a b", "ä"))


def test_lists_say_how_short_and_how_long_they_may_be(schema: dict[str, Any]) -> None:
    shapes = schema["components"]["schemas"]
    closed = {name: it for name, it in shapes.items() if it.get("additionalProperties") is False}
    for name, shape in closed.items():
        for member, described in shape.get("properties", {}).items():
            if described.get("type") == "array":
                assert "maxItems" in described, f"{name}.{member}"
    # With guests one team of players may be left.
    for name, fewest in (("ArrangeBody", 2), ("PlayedShape", 1)):
        assert shapes[name]["properties"]["teams"]["minItems"] == fewest
        assert shapes[name]["properties"]["teams"]["items"]["minItems"] == 1
    assert shapes["ResultBody"]["properties"]["ranks"]["minItems"] == 2


def test_codes_tags_and_headers_are_declared(schema: dict[str, Any]) -> None:
    assert sorted(schema["components"]["schemas"]["ProblemCode"]["enum"]) == sorted(PROBLEMS)
    declared = {tag["name"] for tag in schema["tags"]}
    used = set()
    for methods in schema["paths"].values():
        for method, operation in methods.items():
            used |= set(operation["tags"])
            for status, response in operation["responses"].items():
                headers = response.get("headers", {})
                assert "RateLimit-Remaining" in headers
                assert ("Retry-After" in headers) >= (status in ("429", "503"))
                assert ("WWW-Authenticate" in headers) == (status == "401")
                is_tagged = "304" in operation["responses"] and status in ("200", "304")
                assert ("ETag" in headers) == is_tagged
                is_made = method == "post" and status == "201"
                assert ("Location" in headers) <= is_made
                for header in headers.values():
                    assert header["$ref"].rpartition("/")[2] in schema["components"]["headers"]
    assert used == declared


def test_an_outcome_is_told_in_the_words_of_those_who_report(schema: dict[str, Any]) -> None:
    shapes = schema["components"]["schemas"]
    told = shapes["TeamShapeOutcomeEnum"]["enum"]
    assert set(told) < set(shapes["ReportBodyOutcomeEnum"]["enum"])


@pytest.mark.full
@pytest.mark.usefixtures("no_session")
def test_it_is_served_as_yaml_and_json() -> None:
    yaml = Client().get("/api/v1/schema")
    assert yaml.content.startswith(b"openapi: 3.1.0")
    assert Client().get("/api/v1/schema?format=json").json()["info"]["title"] == "Evenmatch API"


@pytest.mark.usefixtures("no_session")
def test_the_page_has_only_own_files_and_no_inline_script() -> None:
    page = Client().get("/api/v1/docs/")
    text = page.content.decode()
    assert page.status_code == 200
    assert "http:" not in text
    assert "https:" not in text
    assert re.findall(r"<script(?![^>]*\bsrc=)|<style|style=", text) == []
    other = Client().get("/api/v1/problems/")
    assert sorted(page["Content-Security-Policy"].split("; ")) == sorted(
        other["Content-Security-Policy"].split("; ")
    )
    assert "unsafe" not in page["Content-Security-Policy"]
    script = Client().get("/api/v1/docs/?script=")
    assert script["Content-Type"].startswith("application/javascript")


@pytest.mark.usefixtures("no_session")
def test_the_page_lists_every_endpoint_before_its_script_draws_them(schema: dict[str, Any]) -> None:
    text = Client().get("/api/v1/docs/").content.decode()
    listed = re.findall(r"<li><code><b>(\w+)</b> (\S+)</code> [A-Z].+</li>", text)
    wanted = {
        (method.upper(), path.removeprefix("/api/v1"))
        for path, methods in schema["paths"].items()
        for method in methods
    }
    assert set(listed) == wanted
    assert len(listed) == len(wanted)
    # What is long comes after it.
    assert text.index("</ul>") < text.index("swagger-ui.css") < text.index("<script")
