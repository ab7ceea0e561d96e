"""Events told as a game server tells them, and what came of them as the API says."""

from datetime import timedelta
from typing import Any

import pytest

from api.auth.scopes import Scope
from foundation import clock
from ratings.logs.ending import end_silent
from ratings.logs.gaps import give_up_gaps
from ratings.models import Game, LogEvent, Match, Rating
from ratings.systems.frags import Deathmatch, Frag, Side
from tests.api.views.servers.game_server import Server, connect
from tests.ratings.logs.telling import event, frag, rate

pytestmark = pytest.mark.django_db


def position(told: Any, match: str = "m1") -> Any:
    """How far a match is, without its id."""
    return {name: value for name, value in told["matches"][match].items() if name != "id"}


def test_a_duel_of_frags_is_rated_as_the_stream_of_the_source() -> None:
    server, stream = connect(), Deathmatch()
    pairs = [("ann", "ben"), ("ann", "ben"), ("ben", "ann"), ("ann", "ben")]
    for killer, victim in pairs:
        stream.take(Frag(Side(killer), Side(victim)))
    told = server.tell(*(frag(n, *pair) for n, pair in enumerate(pairs, 1)))
    assert (told["stored"], told["known"], told["refused"]) == (4, 0, [])
    assert position(told) == {"complete_to": 4, "missing": [], "over": False}
    expected = {row.competitor.name: row.rating for row in stream.standings()}
    assert server.ratings("ann", "ben") == pytest.approx(expected)
    playing = server.get(f"matches/{told['matches']['m1']['id']}")
    assert (playing["state"], playing["server"], playing["changes"]) == ("playing", "dm1", [])

    over = server.tell(event(5, "end"))
    assert position(over) == {"complete_to": 5, "missing": [], "over": True}
    assert server.ratings("ann", "ben") == pytest.approx(expected)
    match = server.get(f"matches/{told['matches']['m1']['id']}")
    assert (match["state"], match["server"], match["external_id"]) == ("confirmed", "dm1", "dm1/m1")
    names = {
        one["player"]["id"]: one["player"]["external_id"]
        for team in match["teams"]
        for one in team["members"]
    }
    points = {names[it["player"]]: it["points"] for it in match["changes"]}
    assert points == pytest.approx(expected)
    assert {team["outcome"] for team in match["teams"]} == {"won", "lost"}
    assert [team["score"] for team in match["teams"]] == [3, 1]


@pytest.mark.parametrize("is_cut", [False, True])
def test_a_capture_is_made_against_the_mean_of_the_other_team(is_cut: bool) -> None:
    server = connect(start=1000)
    server.tell(
        event(1, "join", player="ann", team="red"), event(2, "join", player="ben", team="blue")
    )
    if is_cut:  # nobody has a rating yet
        rate()
    server.tell(event(3, "capture", player="ann"))
    assert server.ratings("ann", "ben") == {"ann": pytest.approx(1140)}


def test_a_team_kill_costs_the_player_and_not_the_mate() -> None:
    server = connect(start=1000)
    server.tell(
        event(1, "join", player="ann", team="red"),
        event(2, "join", player="cat", team="red"),
        event(3, "suicide", player="ann"),
    )
    rate()
    Rating.objects.update(value=1200)
    server.tell(event(4, "team_kill", player="ann", victim="cat"))
    assert server.ratings("ann", "cat") == {"ann": pytest.approx(1169.610123, abs=1e-6)}


def test_one_bad_event_among_good_ones_is_refused_alone() -> None:
    server = connect()
    told = server.tell(
        frag(1, "ann", "ben"),
        {"match": "m1", "number": 2, "type": "frag", "player": 7, "victim": "ben"},
        frag(3, "ann", ""),
        event(4, "explosion", player="ann"),
        "nonsense",
        frag(2, "ben", "evenmatch:12"),
        frag(2, "ben", "deleted-12"),
        frag(2, "ben", "a/tokens"),
        event(2, "score", player="ann", weight=-1),
        frag(2, "ben", "ann", mood="good"),
        frag(5, "ben", "ann"),
    )
    assert (told["stored"], told["known"]) == (2, 0)
    assert position(told) == {"complete_to": 1, "missing": [[2, 4]], "over": False}
    said = [
        (one["index"], one["code"], one["field"], one["number"], one["match"])
        for one in told["refused"]
    ]
    assert said == [
        (1, "wrong_event", "player", None, None),
        (2, "wrong_event", "victim", 3, "m1"),
        (3, "wrong_event", "type", None, None),
        (4, "wrong_event", None, None, None),
        (5, "reserved_id", None, 2, "m1"),
        (6, "reserved_id", None, 2, "m1"),
        (7, "wrong_players", None, 2, "m1"),
        (8, "wrong_event", "weight", 2, "m1"),
        (9, "wrong_event", "mood", None, None),
    ]
    assert all(one["detail"] for one in told["refused"])


def test_whatever_is_doubled_or_out_of_order_comes_to_the_same() -> None:
    server, stream = connect(), Deathmatch()
    pairs = [("ann", "ben"), ("ben", "cat"), ("cat", "ann"), ("ann", "cat"), ("ben", "ann")]
    for killer, victim in pairs:
        stream.take(Frag(Side(killer), Side(victim)))
    events = [frag(n, *pair) for n, pair in enumerate(pairs, 1)]
    first = server.tell(events[4], events[1], events[1])
    assert (first["stored"], first["known"]) == (2, 1)
    assert position(first) == {"complete_to": 0, "missing": [[1, 1], [3, 4]], "over": False}
    assert server.ratings("ann", "ben", "cat") == {}  # nothing counts before its turn
    second = server.tell(*reversed(events))
    assert (second["stored"], second["known"]) == (3, 2)
    again = server.tell(*events, event(6, "end"))
    assert (again["stored"], again["known"]) == (1, 5)
    expected = {row.competitor.name: row.rating for row in stream.standings()}
    assert server.ratings("ann", "ben", "cat") == pytest.approx(expected)
    late = server.tell(*events, event(6, "end"))
    assert (late["stored"], late["known"], late["refused"]) == (0, 6, [])


def test_a_number_stands_for_one_event() -> None:
    server = connect()
    server.tell(frag(1, "ann", "ben"), event(2, "end"))
    told = server.tell(frag(1, "ben", "ann"), frag(3, "ann", "ben"))
    assert [one["code"] for one in told["refused"]] == ["event_differs", "match_over"]


def test_what_never_comes_is_given_up() -> None:
    server, now = connect(), clock.now()
    with clock.at(now):
        server.tell(frag(1, "ann", "ben"), frag(4, "ann", "ben"))
    with clock.at(now + timedelta(seconds=29)):
        assert give_up_gaps() == 0
    with clock.at(now + timedelta(seconds=31)):
        assert give_up_gaps() == 1
        told = server.tell(frag(2, "ben", "ann"), frag(5, "ann", "ben"))
    assert [(one["index"], one["code"]) for one in told["refused"]] == [(0, "event_given_up")]
    assert position(told) == {"complete_to": 5, "missing": [], "over": False}
    log = server.get(f"matches/{told['matches']['m1']['id']}/events")
    assert [it["number"] for it in log["results"]] == [1, 4, 5]
    assert [(gap["first"], gap["last"]) for gap in log["gaps"]] == [(2, 3)]


def test_a_server_that_falls_silent_ends_its_match() -> None:
    server, now = connect(), clock.now()
    with clock.at(now):
        told = server.tell(frag(1, "ann", "ben"))
        assert server.get("servers/dm1")["playing"] == [told["matches"]["m1"]["id"]]
    with clock.at(now + timedelta(minutes=31)):
        assert end_silent() == 1
        late = server.tell(frag(2, "ann", "ben"))
        assert server.get("servers/dm1")["playing"] == []
    assert [one["code"] for one in late["refused"]] == ["match_over"]
    assert position(late)["over"] is True


def test_an_event_alone_needs_no_list() -> None:
    server = connect()
    answer = server.send(frag(1, "ann", "ben"))
    assert answer.json()["stored"] == 1
    wrong = server.send({"match": "m1", "number": 0, "type": "end"})
    assert wrong.json()["refused"][0]["field"] == "number"
    unread = server.send({"match": "m1"})
    assert (unread.status_code, unread.json()["code"]) == (422, "wrong_event")
    assert unread.json()["field"] == "number"


def test_nothing_but_events_is_no_error() -> None:
    told = connect().tell()
    assert told == {"stored": 0, "known": 0, "refused": [], "matches": {}}


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        (b"", 400, "malformed_body"),
        (b"{", 400, "malformed_body"),
        (b"[" * 100_000, 422, "wrong_event"),
        (b"\xff\xfe", 400, "malformed_body"),
        (b"[]", 422, "wrong_event"),
        (b"7", 422, "wrong_event"),
        (b'{"events": 7}', 422, "wrong_event"),
        (b'{"events": [], "server": "dm2"}', 422, "wrong_event"),
        (b'{"events": [' + b"0," * 400_000 + b"0]}", 422, "invalid_body"),
        (b'{"events": [' + b"0," * 500_001 + b"0]}", 400, "malformed_body"),
        (b" " * (4 * 2**20 + 1), 413, "body_too_large"),
    ],
    ids=lambda value: str(value)[:30],
)
def test_a_body_that_is_none(body: bytes, status: int, code: str) -> None:
    answer = connect().send(body)
    assert (answer.status_code, answer.json()["code"]) == (status, code)


def test_five_thousand_are_taken_at_once_and_no_more() -> None:
    server = connect()
    events = [frag(n, f"p{n % 40}", f"p{n % 39}x") for n in range(1, 5002)]
    told = server.send({"events": events})
    assert (told.status_code, told.json()["code"]) == (422, "invalid_body")
    assert told.json()["errors"][0]["pointer"] == "#/events"
    assert "5000" in told.json()["detail"]
    assert not LogEvent.objects.exists()
    assert server.tell(*events[:5000])["stored"] == 5000


def test_a_key_of_another_game_reaches_no_server_of_this_one() -> None:
    server = connect()
    other = Server(Game.objects.create(slug="chess", name="Chess"))
    answer = other.send({"events": [frag(1, "ann", "ben")]})
    assert (answer.status_code, answer.json()["code"]) == (404, "unknown_server")
    assert other.call("GET", "servers/dm1").status_code == 404
    assert other.get("servers")["results"] == []
    assert server.get("servers")["results"][0]["slug"] == "dm1"
    assert not Match.objects.exists()


def test_a_server_that_is_not_there_is_told_which_are() -> None:
    server = connect()
    server.name = "dm2"
    told = server.send({"events": [frag(1, "ann", "ben")]}).json()
    assert (told["status"], told["code"], told["server"]) == (404, "unknown_server", "dm2")
    assert told["detail"] == "This game has no server “dm2”. It has dm1."


def test_a_key_without_the_scope_tells_nothing() -> None:
    server = connect()
    reader = Server(server.game, "dm1", Scope.READ, Scope.MATCHES_WRITE)
    answer = reader.send({"events": []})
    assert (answer.status_code, answer.json()["needed"]) == (403, ["results:write"])


def test_a_name_that_another_match_has_refuses_the_events_of_that_one_alone() -> None:
    server = connect()
    game, ladder = server.game, server.game.ladders.get()
    Match.objects.create(
        game=game, ladder=ladder, external_id="dm1/m2", played_at=clock.now(), state="abandoned"
    )
    told = server.tell(frag(1, "ann", "ben"), frag(1, "ann", "ben", "m2"))
    assert told["stored"] == 1
    (refused,) = told["refused"]
    assert (refused["index"], refused["code"], refused["field"]) == (1, "wrong_event", "match")
    assert set(told["matches"]) == {"m1"}


def test_an_idempotency_key_is_taken_but_not_needed() -> None:
    server, body = connect(), {"events": [frag(1, "ann", "ben")]}
    first = server.send(body, idempotency_key="a")
    again = server.send(body, idempotency_key="a")
    assert first.json() == again.json()
    assert again["Idempotent-Replayed"] == "true"
    other = server.send({"events": []}, idempotency_key="a")
    assert (other.status_code, other.json()["code"]) == (422, "idempotency_key_reused")
    assert server.send(body).json()["known"] == 1


def test_archived_servers_take_nothing_new() -> None:
    server = connect()
    server.game.servers.update(archived_at=clock.now())
    for answer in (
        server.send({"events": [frag(1, "ann", "ben")]}),
        server.call("GET", "servers/dm1"),
        server.call("PUT", "servers/dm1", {}),
    ):
        assert (answer.status_code, answer.json()["code"]) == (410, "archived")
    assert server.get("servers")["results"] == []
