"""Games in browsers: the sites that an operator lists may call the API with tokens of players; nobody else may."""

from collections.abc import Mapping
from typing import Any

import pytest
from django.test import Client
from pytest_django import Settings

from api.models import ServerKey
from api.urls import urlpatterns
from tests.api.world import World

pytestmark = pytest.mark.django_db
GAME, OTHER = "https://play.example.org", "https://elsewhere.example.org"
PERMISSION = "Access-Control-Allow-Origin"


@pytest.fixture
def listed(settings: Settings) -> None:
    settings.CORS_ALLOWED_ORIGINS = [GAME]


def asked_first(origin: str, path: str = "/api/v1/tickets") -> Any:
    """What a browser asks before a page may send a search."""
    headers = {
        "Origin": origin,
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "authorization,content-type,idempotency-key,if-none-match",
    }
    return Client().options(path, headers=headers)


def words(headers: Mapping[str, str], name: str) -> set[str]:
    return set(headers[name].lower().split(", "))


def test_a_listed_site_may_call(world: World, listed: None) -> None:
    first = asked_first(GAME)
    assert (first.status_code, first.content) == (200, b"")
    assert first[PERMISSION] == GAME
    sent = words(first, "Access-Control-Allow-Headers")
    assert sent == {"authorization", "content-type", "idempotency-key", "if-none-match"}
    methods = {method for one in urlpatterns for method in _methods(one)}
    assert methods <= {*words(first, "Access-Control-Allow-Methods"), "head"}
    answer = world.call("GET", "me", "player-play", Origin=GAME)
    assert (answer.status_code, answer[PERMISSION]) == (200, GAME)
    assert "ratelimit-remaining" in words(answer, "Access-Control-Expose-Headers")
    assert "origin" in words(answer.headers, "Vary")
    assert "Access-Control-Allow-Credentials" not in answer


def _methods(pattern: Any) -> set[str]:
    view = getattr(pattern.callback, "cls", None)
    if pattern.name == "unknown":
        return set()
    return {method.lower() for method in getattr(view, "access", ())}


@pytest.mark.parametrize(
    ("path", "caller", "status"), [("tickets", "anonymous", 401), ("nothing", "player-play", 404)]
)
def test_a_page_can_read_why_it_was_refused(
    world: World, listed: None, path: str, caller: str, status: int
) -> None:
    answer = world.call("GET", path, caller, Origin=GAME)
    assert (answer.status_code, answer[PERMISSION]) == (status, GAME)


def test_other_sites_may_not(world: World, listed: None) -> None:
    for origin in (OTHER, f"{GAME}.evil.org", "http://play.example.org", "null", ""):
        for answer in (
            asked_first(origin),
            world.call("GET", "me", "player-play", Origin=origin),
        ):
            assert not [name for name in answer.headers if name.startswith("Access-Control")]
            assert "origin" in words(answer.headers, "Vary")


def test_by_default_no_site_may(world: World) -> None:
    assert PERMISSION not in asked_first(GAME)
    assert PERMISSION not in world.call("GET", "me", "player-play", Origin=GAME)


def test_pages_stay_closed(listed: None) -> None:
    for path in ("/health/", "/accounts/login/"):
        assert PERMISSION not in asked_first(GAME, path)


def test_the_key_of_a_server_is_refused_in_a_browser(world: World, listed: None) -> None:
    ServerKey.objects.update(last_used_at=None)
    path = "players/by-external-id/somebody"
    refused = world.call("PUT", path, "server-all", {}, Origin=GAME)
    assert (refused.status_code, refused.json()["code"]) == (403, "key_in_browser")
    assert refused[PERMISSION] == GAME
    assert not ServerKey.objects.filter(last_used_at__isnull=False).exists()
    assert world.call("GET", path, "server-all").status_code == 404
    own = world.call("GET", "me", "server-all", Origin="http://testserver")
    assert own.status_code == 200  # the page with the description, at our own address
