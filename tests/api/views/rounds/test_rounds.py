"""When to play, and rounds at set times, over the API."""

from datetime import timedelta
from typing import Any

import pytest

from foundation import clock
from matchmaking.models import Queue, Round, RoundEntry, RoundTime
from matchmaking.rounds import hold
from tests.api.world import World

pytestmark = pytest.mark.django_db
OWNER, SERVER = "player-play", "server-all"


def ask(world: World, method: str, path: str, caller: str, status: int, body: Any = None) -> Any:
    answer = world.call(method, path, caller, body=body)
    assert answer.status_code == status, answer.content
    return answer.json() if answer.content else {}


def a_round(world: World, queue: Queue) -> Round:
    now = world.site.now
    with clock.at(now):
        at = (now + timedelta(minutes=20)).time()
        RoundTime.objects.create(queue=queue, at=at, zone="UTC")
        hold.announce_rounds()
    found = Round.objects.order_by("starts_at").first()
    assert found is not None
    return found


def test_a_round_is_seen_joined_and_left(world: World) -> None:
    queue = Queue.objects.get(slug="search")
    found = a_round(world, queue)
    (row, *_more) = ask(world, "GET", "queues/search/rounds", "anonymous", 200)["results"]
    assert (row["id"], row["queue"], row["joined"]) == (found.pk, "search", 0)
    joined = ask(world, "POST", f"rounds/{found.pk}/join", OWNER, 200, {})
    assert (joined["round"], joined["player"], joined["is_there"]) == (
        found.pk, world.anna.pk, False,
    )  # fmt: skip
    assert joined["starts_at"] == row["starts_at"]
    ask(world, "POST", f"rounds/{found.pk}/join", SERVER, 200, {"player": world.anna.external_id})
    assert RoundEntry.objects.count() == 1
    assert (row["is_joined"], row["is_there"]) == (None, None)
    seen = ask(world, "GET", "queues/search/rounds", OWNER, 200)["results"][0]
    assert (seen["joined"], seen["is_joined"], seen["is_there"]) == (1, True, False)
    asked = f"queues/search/rounds?player={world.anna.external_id}"
    assert ask(world, "GET", asked, SERVER, 200)["results"][0] == seen
    ask(world, "GET", asked, "anonymous", 401)
    assert not ask(world, "GET", "queues/search/rounds", "other-player", 200)["results"][0][
        "is_joined"
    ]
    Round.objects.filter(pk=found.pk).update(starts_at=world.site.now + timedelta(minutes=5))
    assert ask(world, "POST", f"rounds/{found.pk}/join", OWNER, 200, {})["is_there"]
    assert ask(world, "GET", "queues/search/rounds", OWNER, 200)["results"][0]["is_there"]
    assert ask(world, "POST", f"rounds/{found.pk}/leave", OWNER, 200, {})["left"]
    assert not ask(world, "POST", f"rounds/{found.pk}/leave", OWNER, 200, {})["left"]
    assert not RoundEntry.objects.exists()


def test_a_round_that_is_over_and_one_of_another_game(world: World) -> None:
    found = a_round(world, Queue.objects.get(slug="search"))
    ask(world, "POST", f"rounds/{found.pk}/join", "foreign-player", 404, {})
    Round.objects.filter(pk=found.pk).update(starts_at=world.site.now)
    with clock.at(world.site.now):
        hold.hold_due_rounds()
    problem = ask(world, "POST", f"rounds/{found.pk}/join", OWNER, 409, {})
    assert (problem["code"], problem["state"]) == ("round_over", "held")


def test_hours_by_the_clocks_of_a_zone(world: World) -> None:
    hours = ask(world, "GET", "queues/search/hours?zone=Europe/Berlin", "anonymous", 200)
    assert hours == {
        "zone": "Europe/Berlin", "waiting": 1, "near": None, "today": None, "week": None, "known": 0,
    }  # fmt: skip
    assert ask(world, "GET", "queues/search/hours", OWNER, 200)["zone"] == "UTC"
    problem = ask(world, "GET", "queues/search/hours?zone=Europe/Atlantis", OWNER, 400)
    assert problem["errors"][0]["parameter"] == "zone"
    ask(world, "GET", "queues/search/hours?zone=../../etc/passwd", OWNER, 400)
    ask(world, "GET", "queues/nowhere/hours", OWNER, 404)
