"""Partners over the API: the wish of a player, and what the game's server is asked and answers."""

from datetime import timedelta
from typing import Any

import pytest

from foundation import clock
from matchmaking.models import PartnerRequest, Queue, Ticket
from matchmaking.sweep.run import run_queue
from ratings.models import Ladder, Rating
from tests.api.world import World

pytestmark = pytest.mark.django_db


@pytest.fixture
def pk(world: World) -> int:
    """Anna's ticket, which has waited for a minute in a queue whose game supplies partners."""
    Queue.objects.filter(pk=world.ticket.queue_id).update(partner_seconds=60)
    since = world.site.now - timedelta(seconds=60)
    Ticket.objects.filter(pk=world.ticket.pk).update(waiting_since=since)
    return int(world.ticket.pk)


def ask(
    world: World,
    path: str,
    body: Any = None,
    status: int = 200,
    caller: str = "server-matches:write",
) -> Any:
    method = "GET" if body is None else "POST"
    answer = world.call(method, path, caller, body=body)
    assert answer.status_code == status, answer.content
    return answer.json()


def want(world: World, pk: int, wanted: bool = True) -> Any:
    return ask(world, f"tickets/{pk}/partner", {"wanted": wanted}, caller="player-play")


def test_from_the_wish_to_the_result(world: World, pk: int) -> None:
    before = ask(world, f"tickets/{pk}", caller="player-play")["partner"]
    assert (before["wanted"], before["request"], before["last"]) == (False, None, "")
    number = want(world, pk)["partner"]["request"]
    told = ask(world, f"partner-requests/{number}")
    assert (told["state"], told["ticket"], told["queue"]) == ("asked", pk, "search")
    assert told["seconds_left"] == 15
    assert [one["external_id"] for one in told["players"]] == [world.anna.external_id]
    assert ask(world, "partner-requests")["results"] == [told]
    accept = f"partner-requests/{number}/accept"
    said = ask(world, accept, {"name": "Iron Guard", "note": "A beginner."})
    assert ask(world, accept, {"name": "Iron Guard", "note": "A beginner."}) == said
    assert (said["state"], said["seconds_left"]) == ("accepted", 0.0)
    assert (said["name"], said["note"]) == ("Iron Guard", "A beginner.")
    assert ask(world, accept, {"name": "Another"}) == said  # the first answer holds
    assert ask(world, "partner-requests")["results"] == []
    ticket = ask(world, f"tickets/{pk}", caller="player-play")
    assert (ticket["state"], ticket["match"]) == ("matched", said["match"])
    match = world.get(f"matches/{said['match']}")
    assert match["rated"] is False
    own, other = match["teams"]
    assert (own["partner"], [one["player"]["id"] for one in own["members"]]) == (
        "",
        [world.anna.pk],
    )
    assert (other["partner"], other["members"], other["outcome"]) == ("Iron Guard", [], None)
    before_it = list(Rating.objects.order_by("pk").values_list("pk", "value"))
    ask(world, f"matches/{said['match']}/result", {"ranks": [1, 0], "scores": [2, 4]})
    own, other = world.get(f"matches/{said['match']}")["teams"]
    assert (own["outcome"], other["outcome"]) == ("lost", "won")
    assert (own["score"], other["score"]) == (2.0, 4.0)
    assert list(Rating.objects.order_by("pk").values_list("pk", "value")) == before_it


def test_what_a_partner_is_called_turns_nothing_around(world: World, pk: int) -> None:
    number = want(world, pk)["partner"]["request"]
    body = {"name": "Iron\u202e Guard", "note": "Slow\u202e and\u200b kind."}
    said = ask(world, f"partner-requests/{number}/accept", body)
    assert (said["name"], said["note"]) == ("Iron Guard", "Slow and kind.")


def test_declined(world: World, pk: int) -> None:
    number = want(world, pk)["partner"]["request"]
    decline = f"partner-requests/{number}/decline"
    assert ask(world, decline, {})["state"] == "declined"
    assert ask(world, decline, {})["state"] == "declined"
    refused = ask(world, f"partner-requests/{number}/accept", {}, 409)
    assert (refused["code"], refused["state"]) == ("partner_request_over", "declined")
    partner = ask(world, f"tickets/{pk}", caller="player-play")["partner"]
    assert (partner["wanted"], partner["last"], partner["request"]) == (True, "declined", None)


def test_withdrawn_by_the_player(world: World, pk: int) -> None:
    number = want(world, pk)["partner"]["request"]
    assert want(world, pk, wanted=False)["partner"]["request"] is None
    refused = ask(world, f"partner-requests/{number}/accept", {}, 409)
    assert refused["state"] == "withdrawn"


def test_wished_for_when_the_search_begins(world: World, pk: int) -> None:
    ask(world, f"tickets/{pk}/cancel", {}, caller="player-play")
    body = {"queue": "search", "partner": True}
    ticket = ask(world, "tickets", body, 201, caller="player-play")
    assert ticket["partner"]["wanted"] is True
    with clock.at(world.site.now + timedelta(seconds=59)):
        run_queue(world.ticket.queue_id)
        assert not PartnerRequest.objects.exists()
    with clock.at(world.site.now + timedelta(seconds=60)):
        run_queue(world.ticket.queue_id)
    assert PartnerRequest.objects.get().ticket_id == ticket["id"]


def test_of_other_games_nothing_is_seen_or_answered(world: World, pk: int) -> None:
    number = want(world, pk)["partner"]["request"]
    assert ask(world, "partner-requests", caller="other-server")["results"] == []
    ask(world, f"partner-requests/{number}", status=404, caller="other-server")
    for verb in ("accept", "decline"):
        ask(world, f"partner-requests/{number}/{verb}", {}, 404, caller="other-server")
    assert PartnerRequest.objects.get().state == "asked"


@pytest.mark.parametrize(
    ("path", "body", "pointer"),
    [
        ("accept", {"name": "x" * 61}, "#/name"),
        ("accept", {"name": "a\nb"}, "#/name"),
        ("accept", {"note": 7}, "#/note"),
        ("accept", {"level": 3}, "#/level"),
        ("decline", {"name": "x"}, "#/name"),
    ],
)
def test_what_is_wrong_is_told_where(
    world: World, pk: int, path: str, body: Any, pointer: str
) -> None:
    number = want(world, pk)["partner"]["request"]
    told = ask(world, f"partner-requests/{number}/{path}", body, 422)
    assert told["errors"][0]["pointer"] == pointer
    assert PartnerRequest.objects.get().state == "asked"


def test_a_queue_tells_and_one_without_refuses(world: World, pk: int) -> None:
    told = world.get("queues/search")
    assert (told["partner_seconds"], told["partner_answer_seconds"]) == (60, 15)
    Queue.objects.update(partner_seconds=None)
    assert ask(world, f"tickets/{pk}", caller="player-play")["partner"] is None
    refused = ask(world, f"tickets/{pk}/partner", {"wanted": True}, 409, caller="player-play")
    assert (refused["code"], refused["queue"]) == ("no_partner", "search")


@pytest.mark.parametrize("given", [9, 3601, "60"])
def test_a_deployment_sets_it_within_limits(world: World, given: Any) -> None:
    body = {"partner_seconds": given}
    answer = world.call("PUT", "admin/queues/search", "server-admin", body=body)
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["pointer"] == "#/partner_seconds"
    body = {"partner_seconds": 90, "partner_answer_seconds": 5}
    answer = world.call("PUT", "admin/queues/search", "server-admin", body=body)
    assert answer.status_code == 200, answer.content
    queue = Queue.objects.get(slug="search")
    assert (queue.partner_seconds, queue.partner_answer_seconds) == (90, 5)


def test_a_deployment_cannot_set_it_where_more_than_two_teams_meet(world: World) -> None:
    Ladder.objects.filter(pk=world.ladder.pk).update(team_count=4)
    body = {"partner_seconds": 90}
    answer = world.call("PUT", "admin/queues/search", "server-admin", body=body)
    assert answer.status_code == 422
    assert "have 4" in answer.json()["errors"][0]["detail"]
    assert Queue.objects.get(slug="search").partner_seconds is None
