"""On a ladder that is rated by events nobody but its servers begins, reports, decides or corrects a match."""

from typing import Any

import pytest

from api.auth.issue import issue_key
from api.auth.scopes import SERVER_SCOPES, Scope
from ratings.models import Ladder, Match, Player
from rooms.models import Lobby
from tests.api.views.servers.game_server import Server, connect
from tests.ratings.logs.telling import event, frag

pytestmark = pytest.mark.django_db
PLAYED = {
    "ladder": "live",
    "external_id": "x1",
    "teams": [["ann"], ["ben"]],
    "ranks": [0, 1],
    "played_at": "2026-11-21T18:50:00Z",
}


def everything(*, is_over: bool = False) -> tuple[Server, int]:
    """A server with all rights, and a match of two that one of the game tells."""
    match = connect().tell(frag(1, "ann", "ben"), *[event(2, "end")] * is_over)["matches"]["m1"]
    return Server(Ladder.objects.get(slug="live").game, "dm1", *SERVER_SCOPES), match["id"]


def is_refused(answer: Any) -> None:
    told = answer.json()
    assert (told["status"], told["code"], told["ladder"]) == (409, "rated_by_events", "live")


def test_results_are_refused_one_by_one() -> None:
    server, _match = everything()
    Ladder.objects.create(game=server.game, slug="duels", name="Duels")
    other = {**PLAYED, "ladder": "duels", "external_id": "x2"}
    told = server.call("POST", "results", {"results": [PLAYED, other]}).json()
    assert (told["refused"], told["created"]) == (1, 1)
    first = told["results"][0]
    assert (first["code"], first["ladder"]) == ("rated_by_events", "live")
    assert (first["pointer"], first["status"]) == ("#/results/0", "refused")


def test_no_match_is_arranged() -> None:
    server, _match = everything()
    is_refused(server.call("POST", "matches", {"ladder": "live", "teams": [["ann"], ["ben"]]}))
    assert Match.objects.count() == 1


@pytest.mark.parametrize(
    ("verb", "body"),
    [
        ("reports", {"player": "ann", "outcome": "won"}),
        ("leave", {"player": "ann"}),
        ("away", {"player": "ann"}),
        ("back", {"player": "ann"}),
        ("result", {"ranks": [0, 1]}),
        ("abort", {}),
    ],
)
def test_nobody_else_says_how_a_match_ends(verb: str, body: Any) -> None:
    server, match = everything()
    is_refused(server.call("POST", f"matches/{match}/{verb}", body))
    assert server.get(f"matches/{match}")["state"] == "playing"


@pytest.mark.parametrize(
    ("verb", "body"),
    [
        ("correction", {"ranks": [1, 0], "reason": "the wrong way round"}),
        ("result", {"ranks": [1, 0]}),
        ("rematch", {"player": "ann"}),
    ],
)
def test_nor_is_one_that_is_over_changed_or_repeated(verb: str, body: Any) -> None:
    server, match = everything(is_over=True)
    is_refused(server.call("POST", f"matches/{match}/{verb}", body))


def test_no_challenge_is_made() -> None:
    server, _match = everything()
    ben = Player.objects.get(external_id="ben").pk
    body = {"player": "ann", "ladder": "live"}
    is_refused(server.call("POST", "challenges", {**body, "challenged": ben}))
    is_refused(server.call("POST", "challenges", body))


def test_no_room_is_opened() -> None:
    server, _match = everything()
    Lobby.objects.update_or_create(game=server.game, defaults={"is_open": True})
    is_refused(server.call("POST", "rooms", {"player": "ann", "ladder": "live", "name": "Here"}))


def test_no_queue_is_made() -> None:
    server, _match = everything()
    server.secret = issue_key(game=None, name="deploy", scopes=[Scope.ADMIN])[1]
    answer = server.call("PUT", "admin/queues/search", {"ladder": "live"}).json()
    assert (answer["status"], answer["code"]) == (422, "invalid_body")
    (error,) = answer["errors"]
    assert error["pointer"] == "#/ladder"
    assert "rated by events" in error["detail"]


def test_ladders_say_by_what_they_are_rated_and_stay_so() -> None:
    server, _match = everything()
    assert server.get("ladders/live")["rated_by"] == "events"
    server.secret = issue_key(game=None, name="deploy", scopes=[Scope.ADMIN])[1]
    made = server.call("PUT", "admin/ladders/flags", {"game": "arena", "rated_by": "events"})
    assert (made.status_code, made.json()["rated_by"]) == (201, "events")
    refused = server.call("PUT", "admin/ladders/flags/tracks/glicko", {}).json()
    assert refused["code"] == "invalid_body"
    track = server.call("PUT", "admin/ladders/flags/tracks/frags", {})
    assert (track.status_code, track.json()["period_days"]) == (201, None)
    told = server.call("PUT", "admin/ladders/flags", {"rated_by": "results"}).json()
    assert (told["status"], told["code"], told["field"]) == (409, "cannot_change", "rated_by")
    assert told["present"] == "events"
    assert server.call("PUT", "admin/ladders/flags", {"rated_by": "events"}).status_code == 200
    usual = server.call("PUT", "admin/ladders/duels", {"game": "arena"})
    assert usual.json()["rated_by"] == "results"
    wrong = server.call("PUT", "admin/ladders/duels", {"rated_by": "moon"}).json()
    assert wrong["errors"][0]["pointer"] == "#/rated_by"
