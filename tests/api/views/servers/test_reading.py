"""The log of a match, for whoever may see the match."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from api.auth.issue import issue_token
from api.auth.scopes import Scope
from foundation import clock
from ratings.logs.gaps import give_up_gaps
from ratings.merging.merge import merge
from ratings.models import Ladder, Match, Mode, Player
from ratings.players.enrol import enrol
from tests.api.views.servers.game_server import connect
from tests.ratings.logs.telling import event, frag

pytestmark = pytest.mark.django_db


def ask(path: str, secret: str = "") -> Any:
    headers = {"Authorization": f"Bearer {secret}"} if secret else {}
    return Client(headers=headers).get(f"/api/v1/{path}")


def log_of(told: Any, match: str = "m1") -> str:
    return f"matches/{told['matches'][match]['id']}/events"


def test_every_kind_is_told_as_it_was_sent() -> None:
    server, at = connect(), "2026-11-21T18:21:01Z"
    told = server.tell(
        event(1, "begin", map="Canyon", at=at),
        event(2, "join", player="ann", team="red"),
        event(3, "frag", player="ann", victim_guest="Bot", weapon="rocket", weight=2),
        event(4, "round", team="red"),
        event(5, "team_kill", guest="Bot", victim="ann"),
        event(6, "end"),
    )
    page = server.get(log_of(told))
    assert (page["complete_to"], page["over"], page["gaps"], page["next"]) == (6, True, [], None)
    rows = page["results"]
    assert [row["type"] for row in rows] == ["begin", "join", "frag", "round", "team_kill", "end"]
    assert (rows[0]["at"], rows[0]["map"], rows[0]["player"]) == (at, "Canyon", None)
    assert (rows[1]["team"], rows[1]["weapon"]) == ("red", "")
    frag_told = rows[2]
    assert frag_told["player"]["external_id"] == "ann"
    assert (frag_told["victim"], frag_told["victim_guest"]) == (None, "Bot")
    assert (frag_told["weapon"], frag_told["weight"], frag_told["counts"]) == ("rocket", 2, False)
    assert rows[3]["team"] == "red"
    assert (rows[4]["guest"], rows[4]["victim"]["external_id"]) == ("Bot", "ann")
    assert ask(log_of(told)).json()["results"][2]["player"]["external_id"] is None


def test_it_is_read_page_by_page_and_on_while_the_match_goes_on() -> None:
    server = connect()
    told = server.tell(*(frag(n, "ann", "ben") for n in range(1, 8)))
    address = log_of(told)
    seen, path = [], f"{address}?limit=3"
    while path:
        page = server.get(path)
        seen += [row["number"] for row in page["results"]]
        path = (page["next"] or "").partition("/api/v1/")[2]
    assert seen == [1, 2, 3, 4, 5, 6, 7]
    assert page["over"] is False
    server.tell(frag(8, "ben", "ann"), event(10, "end"))
    rest = server.get(f"{address}?after=7")
    assert [row["number"] for row in rest["results"]] == [8]  # the last waits for the ninth
    assert (rest["complete_to"], rest["over"]) == (8, False)
    assert server.get(f"{address}?after=8")["results"] == []


def test_gaps_stand_on_the_page_that_comes_to_them() -> None:
    server, now = connect(), clock.now()
    with clock.at(now):
        told = server.tell(*(frag(n, "ann", "ben") for n in (1, 2, 5, 6, 9)))
    with clock.at(now + timedelta(minutes=1)):
        assert give_up_gaps() == 1
    with clock.at(now + timedelta(minutes=2)):
        assert give_up_gaps() == 1
    gaps = [
        [(gap["first"], gap["last"]) for gap in server.get(f"{log_of(told)}?{query}")["gaps"]]
        for query in ("limit=2", "limit=2&after=2", "after=6", "limit=3", "after=9")
    ]
    assert gaps == [[], [(3, 4)], [(7, 8)], [(3, 4)], []]


@pytest.mark.parametrize(
    "query", ["after=-1", "after=x", "limit=201", "cursor=x", "after=1&after=2"]
)
def test_parameters_that_cannot_be(query: str) -> None:
    server = connect()
    told = server.tell(frag(1, "ann", "ben"))
    assert ask(f"{log_of(told)}?{query}").json()["code"] == "invalid_parameter"


def test_on_a_ladder_of_normal_mode_it_is_for_players_and_servers() -> None:
    server = connect(start=500)
    told = server.tell(frag(1, "ann", "ben"))
    assert ask(log_of(told)).status_code == 200
    Ladder.objects.update(mode=Mode.NORMAL)
    stranger = enrol(game=server.game, external_id="cat")[0]
    ann = Player.objects.get(external_id="ann")
    tokens = [
        issue_token(player=player, name="x", scopes=[Scope.READ])[1] for player in (stranger, ann)
    ]
    assert ask(log_of(told)).status_code == 404
    assert ask(log_of(told), tokens[0]).status_code == 404
    own = ask(log_of(told), tokens[1])
    assert own.status_code == 200
    server.tell(event(2, "end"))
    server.ratings("ann")
    for secret in (tokens[1], server.secret):
        for path in (log_of(told), log_of(told).removesuffix("/events")):
            said = ask(path, secret).json()
            assert said.get("changes", []) == []
            assert "rating" not in str(said)


def test_matches_that_no_server_tells_have_none() -> None:
    server = connect()
    ladder = Ladder.objects.create(game=server.game, slug="duels", name="Duels")
    match = Match.objects.create(
        game=server.game, ladder=ladder, external_id="x", played_at=clock.now(), state="aborted"
    )
    assert ask(f"matches/{match.pk}/events").json()["code"] == "not_found"
    assert server.get(f"matches/{match.pk}")["server"] is None
    assert ask("matches/999999/events").json()["code"] == "not_found"


def test_a_match_of_an_archived_ladder_is_gone_but_for_the_games_servers() -> None:
    server = connect()
    told = server.tell(frag(1, "ann", "ben"), event(2, "end"))
    Ladder.objects.update(archived_at=clock.now())
    for path in (log_of(told), log_of(told).removesuffix("/events")):
        assert ask(path).json()["code"] == "archived"
        assert ask(path, server.secret).status_code == 200


def test_whoever_was_merged_into_another_is_shown_as_that_one() -> None:
    server = connect()
    told = server.tell(frag(1, "ann", "ben"), event(2, "end"))
    ann2 = enrol(game=server.game, external_id="ann-2")[0]
    merge(player=Player.objects.get(external_id="ann"), into=ann2, by=None, note="")
    (row, _end) = server.get(log_of(told))["results"]
    assert row["player"]["external_id"] == "ann-2"
