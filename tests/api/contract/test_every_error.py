"""Whatever is wrong with a request, and wherever it is noticed: the API answers with a problem."""

from typing import Any

import pytest
from django.test import Client

from api.contract.problems import PROBLEMS
from tests.api.world import World

pytestmark = pytest.mark.django_db


def is_problem(answer: Any, status: int, code: str) -> None:
    assert answer["Content-Type"] == "application/problem+json", answer.content
    told = answer.json()
    assert (answer.status_code, told["status"], told["code"]) == (status, status, code)
    assert PROBLEMS[code].status == status
    assert told["type"] == f"/api/v1/problems/{code}"
    assert told["instance"]


@pytest.mark.parametrize(
    "path", ["/api/v1/", "/api/v1/games", "/api/v1/nothing", "/api/v2/", "/api/"]
)
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_a_host_that_is_not_served(method: str, path: str) -> None:
    answer = Client().generic(method, path, headers={"Host": "evil.example"})
    is_problem(answer, 400, "bad_request")


@pytest.mark.parametrize(
    "path", ["/api", "/api/", "/api/v2/games", "/api/v1/problems/none", "/api/v1/x/y"]
)
def test_addresses_that_are_none(path: str) -> None:
    is_problem(Client().get(path), 404, "not_found")


@pytest.mark.parametrize("method", ["GET", "POST", "DELETE"])
def test_an_address_that_is_none_takes_no_method(method: str) -> None:
    answer = Client().generic(method, "/api/v1/x/y")
    is_problem(answer, 404, "not_found")
    assert "Allow" not in answer


def test_pages_keep_their_own_errors() -> None:
    assert Client().get("/nothing/").status_code == 404
    assert "html" in Client().get("/nothing/")["Content-Type"]
    assert "html" in Client().get("/", headers={"Host": "evil.example"})["Content-Type"]


@pytest.mark.parametrize("path", ["games", "schema", "docs/", "problems/", "problems/busy"])
@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"])
def test_methods_that_are_not_taken(path: str, method: str) -> None:
    answer = Client().generic(method, f"/api/v1/{path}")
    is_problem(answer, 405, "method_not_allowed")
    assert "GET" in answer["Allow"]


@pytest.mark.parametrize(
    ("accept", "is_taken"),
    [
        ("application/xml", False),
        ("text/html", False),
        ("application/json;q=0", False),
        ("application/json;q=0, */*", True),
        ("text/html, */*;q=0.1", True),
        ("application/*", True),
        ("application/json; charset=utf-8", True),
        ("application/problem+json", True),
        ("", True),
        ("nonsense;;,", False),
    ],
)
def test_what_is_accepted(accept: str, is_taken: bool) -> None:
    answer = Client().get("/api/v1/games", headers={"Accept": accept})
    if is_taken:
        assert answer.status_code == 200
    else:
        is_problem(answer, 406, "not_acceptable")


def test_a_failure_outside_every_view(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> None:
        raise RuntimeError("broken")

    monkeypatch.setattr("config.web.middleware.REQUEST_SECONDS.labels", fails)
    is_problem(Client(raise_request_exception=False).get("/api/v1/games"), 500, "internal_error")


def test_bodies_too_large_or_of_another_kind(world: World) -> None:
    path = "players/by-external-id/p1"
    long = b'{"name": "' + b"x" * 2**20 + b'"}'
    is_problem(world.call("PUT", path, "server-all", long), 413, "body_too_large")
    kind = Client().put(
        f"/api/v1/{path}",
        "name=Ann",
        content_type="application/x-www-form-urlencoded",
        headers={"Authorization": f"Bearer {world.secrets['server-all']}"},
    )
    is_problem(kind, 415, "unsupported_media_type")


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "me"),
        ("GET", "games"),
        ("GET", "ladders/go"),
        ("GET", "stream"),
        ("GET", ""),
        ("POST", "tickets"),
        ("POST", "results"),
        ("PUT", "players/by-external-id/p1"),
        ("DELETE", "me/avoided/1"),
    ],
)
def test_a_parameter_that_is_unknown_or_stands_there_twice(
    world: World, method: str, path: str
) -> None:
    body: Any = {} if method in ("POST", "PUT") else None
    unknown = world.call(method, f"{path}?nonsense=1", "server-all", body)
    is_problem(unknown, 400, "invalid_parameter")
    assert unknown.json()["errors"][0]["parameter"] == "nonsense"
    twice = world.call("GET", "games?limit=1&limit=2")
    is_problem(twice, 400, "invalid_parameter")
    assert twice.json()["errors"][0]["code"] == "repeated"
