"""Notices over the API: read, marked as read, deleted; for players and for servers that act for them."""

from collections.abc import Callable
from typing import Any

import pytest

from notifications.models import Notice
from notifications.tell import tell
from tests.api.world import World

pytestmark = pytest.mark.django_db
OWNER, OTHER, SERVER = "player-play", "other-player", "server-all"
Ask = Callable[..., Any]


@pytest.fixture
def ask(world: World) -> Ask:
    """Sends a request that must be answered with this status, and has what was answered."""

    def send(method: str, path: str, caller: str, status: int, body: Any = None) -> Any:
        answer = world.call(method, path, caller, body=body)
        assert answer.status_code == status, answer.content
        return answer.json() if answer.content else {}

    return send


@pytest.fixture
def told(world: World) -> list[int]:
    """What Anna was told, the first first."""
    for offence in (1, 2, 3):
        tell("conduct.note", [world.anna.pk], about=f"o:{offence}", data={"offence": offence})
    return list(Notice.objects.order_by("pk").values_list("pk", flat=True))


def ids(page: Any) -> list[int]:
    return [row["id"] for row in page["results"]]


def test_the_latest_comes_first_a_page_at_a_time(world: World, ask: Ask, told: list[int]) -> None:
    first = ask("GET", "me/notices?limit=2", OWNER, 200)
    assert ids(first) == told[:0:-1]
    row = first["results"][0]
    assert (row["kind"], row["group"], row["facts"]) == (
        "conduct.note",
        "decisions",
        {"offence": 3},
    )
    assert row["text"]
    assert row["url"].startswith("http://testserver/")
    assert ids(world.get(first["next"].partition("/api/v1/")[2], OWNER)) == told[:1]
    assert ids(ask("GET", f"me/notices?player={world.anna.external_id}", SERVER, 200)) == told[::-1]
    assert ids(ask("GET", "me/notices", OTHER, 200)) == []


def test_some_are_marked_as_read_then_all(ask: Ask, told: list[int]) -> None:
    mark = "me/notices/read"
    assert ask("POST", mark, OTHER, 200, {"ids": told})["changed"] == 0
    assert ask("POST", mark, OWNER, 200, {"ids": told[:1]}) == {"changed": 1, "unread": 2}
    assert ids(ask("GET", "me/notices?unread=true", OWNER, 200)) == told[:0:-1]
    assert ask("POST", mark, OWNER, 200, {}) == {"changed": 2, "unread": 0}
    assert ask("POST", mark, OWNER, 200, {}) == {"changed": 0, "unread": 0}
    assert all(row["read_at"] for row in ask("GET", "me/notices", OWNER, 200)["results"])


def test_a_server_marks_for_the_player_it_names(world: World, ask: Ask, told: list[int]) -> None:
    body = {"player": world.anna.external_id, "ids": told}
    assert ask("POST", "me/notices/read", SERVER, 200, body) == {"changed": 3, "unread": 0}
    assert (
        ask("POST", "me/notices/read", SERVER, 422, {"ids": told})["code"] == "wrong_player_field"
    )


@pytest.mark.parametrize("ids", [[0], ["1"], list(range(1, 202)), 1])
def test_what_are_no_ids(ask: Ask, told: list[int], ids: Any) -> None:
    problem = ask("POST", "me/notices/read", OWNER, 422, {"ids": ids})
    assert problem["errors"][0]["pointer"].startswith("#/ids")
    assert not Notice.objects.exclude(read_at=None).exists()


def test_one_is_deleted_by_whom_it_was_told(ask: Ask, told: list[int]) -> None:
    ask("DELETE", f"me/notices/{told[0]}", OTHER, 404)
    ask("DELETE", f"me/notices/{told[0]}", OWNER, 204)
    ask("DELETE", f"me/notices/{told[0]}", OWNER, 404)
    assert ids(ask("GET", "me/notices", OWNER, 200)) == told[:0:-1]
