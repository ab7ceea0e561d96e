"""The whole loop over the API: search, offer, match, reports, rating."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from foundation import clock
from matchmaking.models import Queue, Ticket, TicketState
from matchmaking.sweep.run import run_queue
from ratings.models import Match, MatchState
from ratings.tasks import rate_due_tracks
from tests.api.world import World

pytestmark = pytest.mark.django_db

Send = Callable[..., Any]


@pytest.fixture
def queue(world: World) -> Queue:
    Ticket.objects.filter(pk=world.ticket.pk).delete()  # Anna shall be free
    return Queue.objects.create(ladder=world.ladder, slug="go", name="Go", gap_start=10_000)


@pytest.fixture
def send(world: World, queue: Queue) -> Send:
    """POST and expect a status; gives the body."""

    def send(path: str, body: Any, caller: str = "server-all", status: int = 200) -> Any:
        answer = world.call("POST", path, caller, body=body)
        assert answer.status_code == status, answer.content
        return answer.json()

    return send


@pytest.fixture
def pair(world: World, queue: Queue, send: Send) -> list[dict[str, Any]]:
    """Two tickets that are offered a match: of Anna by her token, and of another by the server."""
    Match.objects.filter(pk=world.hidden.pk).delete()
    other = world.site.arena.players[2]
    send("tickets", {"queue": "go"}, "player-play", 201)
    send("tickets", {"queue": "go", "player": other.external_id}, status=201)
    with clock.at(world.site.now):
        assert run_queue(queue.pk).offers == 1
    tickets: list[dict[str, Any]] = world.get("tickets", "server-all")["results"]
    assert [ticket["state"] for ticket in tickets] == [TicketState.OFFERED] * 2
    return tickets


def begin(send: Send, pair: list[dict[str, Any]]) -> int:
    """Let both accept; gives the match."""
    mine, other = pair
    first = send(f"tickets/{mine['id']}/accept", {"offer": mine["offer"]["id"]}, "player-play")
    assert first["offer"]["is_accepted"]
    last = send(f"tickets/{other['id']}/accept", {})
    assert last["state"] == TicketState.MATCHED
    match: int = last["match"]
    return match


def test_a_player_and_a_server_play_a_match(
    world: World, pair: list[dict[str, Any]], send: Send
) -> None:
    match = begin(send, pair)
    assert world.get("me", "player-play")["match"] == match
    told = send(f"matches/{match}/reports", {"outcome": "won"}, "player-play")
    assert told["state"] == MatchState.REPORTED
    other = world.site.arena.players[2].external_id
    done = send(f"matches/{match}/reports", {"outcome": "lost", "player": other})
    assert done["state"] == MatchState.CONFIRMED
    assert world.get("me", "player-play")["match"] is None
    with clock.at(world.site.now + timedelta(days=400)):
        rate_due_tracks()
    assert len(world.get(f"matches/{match}", "player-play")["reports"]) == 2


def test_the_server_decides(world: World, pair: list[dict[str, Any]], send: Send) -> None:
    match = begin(send, pair)
    anna = world.anna.external_id
    for _ in range(2):
        done = send(f"matches/{match}/result", {"ranks": [1, 0], "left": [anna]})
        assert done["state"] == MatchState.CONFIRMED
    refused = send(f"matches/{match}/abort", {}, status=409)
    assert refused["code"] == "match_decided"


def test_leaving(world: World, pair: list[dict[str, Any]], send: Send) -> None:
    match = begin(send, pair)
    assert send(f"matches/{match}/leave", {}, "player-play")["state"] == MatchState.CONFIRMED


def test_who_declines_ends_and_the_other_waits_on(
    world: World, pair: list[dict[str, Any]], send: Send
) -> None:
    mine, other = pair
    assert send(f"tickets/{mine['id']}/decline", {}, "player-play")["state"] == "cancelled"
    waiting = world.get(f"tickets/{other['id']}", "server-all")
    assert waiting["state"] == TicketState.WAITING
    assert waiting["waiting_since"] == other["waiting_since"]
    assert send(f"tickets/{other['id']}/cancel", {})["state"] == "cancelled"
    assert send(f"tickets/{other['id']}/accept", {}, status=409)["code"] == "offer_over"


def test_refusals(world: World, send: Send) -> None:
    Match.objects.filter(pk=world.hidden.pk).delete()
    anna = world.anna.external_id
    for body, caller, status, code in [
        ({"queue": "nowhere"}, "player-play", 404, "unknown_queue"),
        ({"queue": "go"}, "server-all", 422, "wrong_player_field"),
        ({"queue": "go", "player": anna}, "player-play", 422, "wrong_player_field"),
        ({"queue": "go", "player": "nobody"}, "server-all", 404, "unknown_player"),
        ({"queue": "go", "player": f"{anna} "}, "server-all", 404, "unknown_player"),
        ({"queue": "go"}, "foreign-player", 422, "wrong_game"),
        ({}, "player-play", 422, "invalid_body"),
    ]:
        assert send("tickets", body, caller, status)["code"] == code
    ticket = send("tickets", {"queue": "go"}, "player-play", 201)["id"]
    again = send("tickets", {"queue": "go"}, "player-play", 409)
    assert (again["code"], again["ticket"]) == ("already_searching", ticket)
    assert send(f"tickets/{ticket}/accept", {}, "player-play", 409)["code"] == "no_offer"
    for stranger in ("other-player", "other-server"):
        assert send(f"tickets/{ticket}/cancel", {}, stranger, 404)["code"] == "not_found"


def test_a_server_arranges_a_match(world: World, send: Send) -> None:
    Match.objects.filter(pk=world.hidden.pk).delete()
    first, second = (player.external_id for player in world.site.arena.players[:2])
    body = {"ladder": "go", "teams": [[first], [second]], "external_id": "final"}
    match = send("matches", body, status=201)
    assert match["state"] == MatchState.PLAYING
    refused = send("matches", {**body, "external_id": "final 2"}, status=409)
    assert (refused["code"], refused["match"]) == ("already_playing", match["id"])
    assert send(f"matches/{match['id']}/abort", {})["state"] == MatchState.ABORTED
    again = send("matches", body, status=409)
    assert (again["code"], again["match"]) == ("match_exists", match["id"])
    assert again["detail"] == f"This match is there already: match {match['id']}."
    for changed in ({"teams": [[second], [first]]}, {"map": "Moor"}, {"neutral": True}):
        other = send("matches", {**body, **changed}, status=409)
        assert other["code"] == "match_exists"
        assert other["detail"] == "This game already has another match with this id."
    wrong = {**body, "external_id": "x", "teams": [[first], ["nobody"]]}
    assert send("matches", wrong, status=404)["code"] == "unknown_player"
    wrong["teams"] = [[first], [f"{second} "]]  # another than `second`, and not made known yet
    assert send("matches", wrong, status=404)["code"] == "unknown_player"
    nowhere = {**body, "external_id": "x", "ladder": "nowhere"}
    assert send("matches", nowhere, status=404)["code"] == "unknown_ladder"


def test_a_server_speaks_for_no_players_of_another_game(world: World, send: Send) -> None:
    Match.objects.filter(pk=world.hidden.pk).delete()
    first, second = (player.external_id for player in world.site.arena.players[:2])
    match = send("matches", {"ladder": "go", "teams": [[first], [second]]}, status=201)["id"]
    for path, said in (("reports", {"outcome": "lost"}), ("leave", {})):
        body = {"player": first, **said}
        refused = send(f"matches/{match}/{path}", body, "other-server", 404)
        assert refused["code"] == "not_found"
    assert not Match.objects.get(pk=match).reports.exists()


def test_a_match_is_known_again_whatever_its_result_has_named(world: World, send: Send) -> None:
    Match.objects.filter(pk=world.hidden.pk).delete()
    first, second = (player.external_id for player in world.site.arena.players[:2])
    body = {"ladder": "go", "teams": [[first], [second]], "external_id": "final"}
    match = send("matches", body, status=201)["id"]
    send(f"matches/{match}/result", {"ranks": [0, 1], "characters": {first: "Mage"}})
    again = send("matches", body, status=409)
    assert again["detail"] == f"This match is there already: match {match}."


def test_a_batch_answers_one_by_one(send: Send) -> None:
    played = {
        "ladder": "go",
        "external_id": "b1",
        "teams": [["x1"], ["x2"]],
        "ranks": [0, 1],
        "played_at": "2026-03-01T20:15:00Z",
    }
    wrong = [
        {**played, "external_id": "b2", "ranks": "01"},
        {**played, "external_id": "b3", "teams": [["x1"], ["x1"]]},
        {**played, "external_id": "b4", "played_at": "yesterday"},
        {**played, "external_id": "b5", "extra": 1},
        {**played, "external_id": "b6", "played_at": "1969-12-31T23:59:59Z"},
        {name: value for name, value in played.items() if name != "teams"},
        "text",
    ]
    answer = send("results", {"results": [played, *wrong, played]})
    statuses = [one["status"] for one in answer["results"]]
    assert statuses == ["created", *["refused"] * len(wrong), "known"]
    pointers = [one.get("pointer") for one in answer["results"]]
    assert pointers[1:8] == [
        "#/results/1/ranks",
        "#/results/2",
        "#/results/3/played_at",
        "#/results/4/extra",
        "#/results/5/played_at",
        "#/results/6/teams",
        "#/results/7",
    ]
    assert "between the years 1970 and 9000" in answer["results"][5]["detail"]
    assert (answer["created"], answer["known"], answer["refused"]) == (1, 1, 7)
