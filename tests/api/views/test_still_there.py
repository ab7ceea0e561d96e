"""“Still there?” over the API: who is asked, and what answers."""

from datetime import timedelta
from typing import Any

import pytest

from foundation import clock
from matchmaking.models import Queue, Ticket
from matchmaking.sweep.run import run_queue
from matchmaking.tickets import lifecycle
from ratings.players.enrol import enrol
from tests.api.world import World

pytestmark = pytest.mark.django_db


@pytest.fixture
def ticket(world: World) -> int:
    """One whose player's game says that nothing was done for long; another player has come."""
    Queue.objects.filter(pk=world.ticket.queue_id).update(idle_seconds=60, gap_start=5000)
    pk: int = world.ticket.pk
    assert (
        ask(world, "POST", f"tickets/{pk}/heartbeat", {"idle_seconds": 61})["still_there_by"]
        is None
    )
    other, _is_new = enrol(game=world.game, external_id="other-one", name="Other")
    with clock.at(world.site.now):
        lifecycle.join(queue=world.ticket.queue, player=other)
    sweep(world)
    assert Ticket.objects.get(pk=pk).asked_at is not None
    return pk


def sweep(world: World, seconds: float = 0) -> None:
    with clock.at(world.site.now + timedelta(seconds=seconds)):
        run_queue(world.ticket.queue_id)


def ask(world: World, method: str, path: str, body: Any = None, status: int = 200) -> Any:
    answer = world.call(method, path, "server-all", body=body)
    assert answer.status_code == status, answer.content
    return answer.json()


def test_a_ticket_says_that_its_players_are_asked(world: World, ticket: int) -> None:
    told = ask(world, "GET", f"tickets/{ticket}?idle_seconds=70")
    assert told["state"] == "waiting"
    assert told["still_there_by"] is not None
    assert 25 < told["still_there_left"] <= 30


def test_the_answer_keeps_the_time_waited(world: World, ticket: int) -> None:
    before = ask(world, "GET", f"tickets/{ticket}?idle_seconds=70")
    told = ask(world, "POST", f"tickets/{ticket}/still-there", {})
    assert (told["still_there_by"], told["still_there_left"]) == (None, None)
    assert told["waiting_since"] == before["waiting_since"]
    sweep(world)
    assert ask(world, "GET", f"tickets/{ticket}")["state"] == "offered"


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("POST", "/heartbeat", {}),
        ("POST", "/heartbeat", {"idle_seconds": 0}),
        ("GET", "", None),
        ("GET", "?idle_seconds=0", None),
    ],
)
def test_a_sign_of_life_answers_too(
    world: World, ticket: int, method: str, path: str, body: Any
) -> None:
    told = ask(world, method, f"tickets/{ticket}{path}", body)
    assert told["still_there_by"] is None


def test_who_does_not_answer_is_out_and_an_answer_then_changes_nothing(
    world: World, ticket: int
) -> None:
    sweep(world, 31)
    assert ask(world, "POST", f"tickets/{ticket}/still-there", {})["state"] == "expired"
    assert Ticket.objects.get(pk=ticket).asked_at is not None


@pytest.mark.parametrize("given", [-1, 86_401, "long", None, True])
def test_what_is_no_time_is_refused(world: World, given: Any) -> None:
    path = f"tickets/{world.ticket.pk}/heartbeat"
    told = ask(world, "POST", path, {"idle_seconds": given}, 422)
    assert told["errors"][0]["pointer"] == "#/idle_seconds"


def test_queues_say_whether_they_ask(world: World) -> None:
    slug = world.ticket.queue.slug
    told = ask(world, "GET", f"queues/{slug}")
    assert (told["idle_seconds"], told["still_there_seconds"]) == (None, 30)
