"""Every refusal is a problem with a stable code, and every code has a page."""

import importlib
import pkgutil
import re
from typing import Any

import pytest
from django.db import InternalError, OperationalError
from django.test import Client
from psycopg.errors import DeadlockDetected, IdleInTransactionSessionTimeout
from pytest_django import Settings
from rest_framework.request import Request
from rest_framework.response import Response

import accounts
import events
import leaderboards
import matchmaking
import ratings
from api.auth.access import PUBLIC
from api.auth.issue import issue_key
from api.auth.scopes import SERVER_SCOPES
from api.contract.problems import PROBLEMS
from api.views.base import ApiView
from foundation.refusals import RefusedError
from ratings.models import Game

pytestmark = pytest.mark.django_db
PLAYER = "/api/v1/players/by-external-id/ann"


@pytest.fixture
def client() -> Client:
    game = Game.objects.create(slug="go", name="Go")
    secret = issue_key(game=game, name="test", scopes=SERVER_SCOPES)[1]
    return Client(headers={"Authorization": f"Bearer {secret}"})


def put(client: Client, body: Any, **options: Any) -> Any:
    return client.put(PLAYER, body, **{"content_type": "application/json", **options})


def problem(answer: Any, status: int, code: str) -> Any:
    """The members of a problem, which must be complete."""
    assert answer.status_code == status, answer.content
    assert answer["Content-Type"] == "application/problem+json"
    members = answer.json()
    assert (members["status"], members["code"]) == (status, code)
    assert members["type"] == f"/api/v1/problems/{code}"
    assert members["title"]
    assert members["detail"]
    assert members["instance"].startswith("/api/v1")
    return members


def test_an_address_that_is_none(client: Client) -> None:
    members = problem(client.get("/api/v1/nothing/here/?x=1"), 404, "not_found")
    assert members["instance"] == "/api/v1/nothing/here/?x=1"
    problem(client.get("/api/v1/players/999999999999999999999"), 404, "not_found")


def test_a_method_that_is_none(client: Client) -> None:
    answer = client.delete(PLAYER)
    problem(answer, 405, "method_not_allowed")
    assert answer["Allow"] == "GET, PUT, HEAD"
    problem(client.options(PLAYER), 405, "method_not_allowed")


@pytest.mark.parametrize(
    "body", ["{", '{"name": NaN}', '{"x": 1e999}', b'{"name": "\xff"}', "[" * 100_000, '{"a":}']
)
def test_a_body_that_is_not_json(client: Client, body: Any) -> None:
    problem(put(client, body), 400, "malformed_body")


def test_where_a_body_stops_being_json(client: Client) -> None:
    members = problem(put(client, '{\n "a":}'), 400, "malformed_body")
    assert members["detail"] == "The body is not JSON from line 2, column 6 on."


def test_a_body_of_another_kind(client: Client) -> None:
    answer = put(client, "name=x", content_type="application/x-www-form-urlencoded")
    problem(answer, 415, "unsupported_media_type")


def test_a_body_too_large(client: Client, settings: Settings) -> None:
    settings.API_MAX_BODY = 20
    assert put(client, {"name": "1234567"}).status_code == 201
    members = problem(put(client, {"name": "12345678901"}), 413, "body_too_large")
    assert members["limit"] == 20


def test_a_body_of_very_many_values(client: Client) -> None:
    text = "a, b: [" * 100
    assert put(client, {"name": "Ann", "x": text}).status_code == 422
    members = problem(put(client, {"name": ["x"] * 20_001}), 400, "malformed_body")
    assert members["detail"].startswith("The body holds more than 20000 values")


def test_a_body_of_unknown_length(client: Client) -> None:
    answer = client.generic("PUT", PLAYER, headers={"Transfer-Encoding": "chunked"})
    problem(answer, 411, "length_required")


def test_fields_are_named(client: Client) -> None:
    members = problem(put(client, {"nmae": "Ann", "a/b": 1}), 422, "invalid_body")
    pointers = {error["pointer"]: error["code"] for error in members["errors"]}
    assert pointers == {"#/nmae": "unknown_field", "#/a~1b": "unknown_field"}
    members = problem(put(client, {"name": "x" * 101}), 422, "invalid_body")
    assert members["errors"][0]["pointer"] == "#/name"
    assert members["errors"][0]["code"] == "max_length"
    assert members["errors"][0]["given"] == '"' + "x" * 58 + "…"
    members = problem(put(client, [1]), 422, "invalid_body")
    assert members["errors"][0]["pointer"] == "#"
    assert "given" not in members["errors"][0]
    tokens = {"scopes": ["read", "admin"], "seconds": "soon"}
    answer = client.post(f"{PLAYER}/tokens", tokens, content_type="application/json")
    scope, seconds = problem(answer, 422, "invalid_body")["errors"]
    assert (scope["pointer"], scope["given"]) == ("#/scopes/1", '"admin"')
    assert scope["detail"].endswith("is none of these: read, play.")
    assert (seconds["pointer"], seconds["given"]) == ("#/seconds", '"soon"')


@pytest.mark.parametrize("body", ['{"name": "a\\u0000b"}', '{"name": ""}'])
def test_names_that_cannot_be(client: Client, body: str) -> None:
    problem(put(client, body), 422, "invalid_body")


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("limit=0", "limit"),
        ("limit=201", "limit"),
        ("limit=x", "limit"),
        ("cursor=x", "cursor"),
        ("cursor=Zw", "cursor"),
        ("cursor=%00", "cursor"),
        ("lmit=3", "lmit"),
    ],
)
def test_parameters_are_named(client: Client, query: str, name: str) -> None:
    members = problem(client.get(f"/api/v1/games?{query}"), 400, "invalid_parameter")
    assert [error["parameter"] for error in members["errors"]] == [name]
    if name == "limit":
        assert members["errors"][0]["given"] == f'"{query.partition("=")[2]}"'


@pytest.mark.parametrize("ending", ["x" * 101, "a%00b"])
def test_ids_that_cannot_be(client: Client, ending: str) -> None:
    path = f"/api/v1/players/by-external-id/{ending}"
    problem(client.get(path), 404, "unknown_player")
    for answer in (
        client.put(path, {}, content_type="application/json"),
        client.post(f"{path}/tokens", {}, content_type="application/json"),
    ):
        (error,) = problem(answer, 400, "invalid_parameter")["errors"]
        assert error["parameter"] == "external_id"
        assert "1 to 100 characters" in error["detail"]


@pytest.mark.parametrize(
    ("header", "code"),
    [
        ("Basic eDp5", "invalid_token"),
        ("Bearer", "invalid_token"),
        ("Bearer em_srv_x_y", "invalid_token"),
    ],
)
def test_headers_that_are_none(header: str, code: str) -> None:
    answer = Client().get("/api/v1/", headers={"Authorization": header})
    problem(answer, 401, code)
    assert answer["WWW-Authenticate"] == 'Bearer realm="api"'


def answer_to(error: Exception, *, raises: bool = False) -> Any:
    """What an endpoint answers in which this goes wrong."""

    class Failing(ApiView):
        access = {"GET": PUBLIC}

        def get(self, request: Request) -> Response:
            raise error

    from django.test import RequestFactory

    return Failing.as_view()(RequestFactory().get("/api/v1/x")).render()


def test_our_own_faults_are_not_told() -> None:
    members = answer_to(ZeroDivisionError("secret"))
    assert (members.status_code, members.data["code"]) == (500, "internal_error")
    assert "secret" not in str(members.data)


def test_a_database_that_is_busy_or_away() -> None:
    busy = OperationalError("deadlock")
    busy.__cause__ = DeadlockDetected()
    ended = InternalError("terminating connection due to idle-in-transaction timeout")
    ended.__cause__ = IdleInTransactionSessionTimeout()
    gone = OperationalError("gone")
    for error, code in ((busy, "busy"), (gone, "unavailable"), (ended, "unavailable")):
        answer = answer_to(error)
        assert (answer.status_code, answer.data["code"]) == (503, code)
        assert int(answer["Retry-After"]) >= 1


def all_refusals(of: type[RefusedError] = RefusedError) -> set[type[RefusedError]]:
    found = set(of.__subclasses__())
    return found.union(*(all_refusals(one) for one in found))


def test_every_refusal_of_the_rules_is_listed_with_its_status() -> None:
    for package in (accounts, events, leaderboards, matchmaking, ratings):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if ".management.commands." not in module.name and ".migrations." not in module.name:
                importlib.import_module(module.name)
    # What only pages of the admin refuse never reaches the API.
    elsewhere = re.compile(
        r"tests\.|\w+\.admin\b|matchmaking\.preview\.jobs$|events\.failures$|accounts\.texts\.write$"
        r"|accounts\.last_admin$|ratings\.importing\.take_back$|ratings\.archiving\.archive$"
        r"|accounts\.own_matters$|ratings\.tracks\.board_order$"
    )
    ours = {refusal for refusal in all_refusals() if not elsewhere.match(refusal.__module__)}
    assert ours
    for refusal in ours:
        assert refusal.code in PROBLEMS, f"add {refusal.code} to api/contract/problems.py"
        assert PROBLEMS[refusal.code].status == refusal.status, refusal.code


def test_every_code_has_a_page(client: Client) -> None:
    listing = client.get("/api/v1/problems/").content.decode()
    for found in PROBLEMS.values():
        assert found.get_absolute_url() in listing
        page = client.get(found.get_absolute_url())
        assert page.status_code == 200
        assert found.code in page.content.decode()
