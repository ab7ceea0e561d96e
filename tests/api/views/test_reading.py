"""What reading endpoints say: the same as the pages, the hidden left out, a page at a time, in few queries."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from api.auth.issue import issue_token
from api.auth.scopes import PLAYER_SCOPES
from foundation import clock
from leaderboards.boards import ranking, refresh
from matchmaking.models import Queue
from ratings.archiving import archive
from ratings.models import Match, Rating
from ratings.players.enrol import enrol
from ratings.tracks.parameters import create_track
from tests.api.world import World

pytestmark = pytest.mark.django_db


def walk(world: World, path: str, caller: str = "anonymous") -> list[Any]:
    """All rows of a list, page by page."""
    rows: list[Any] = []
    address: str | None = path
    while address:
        answer = world.get(address.removeprefix("http://testserver/api/v1/"), caller)
        rows += answer["results"]
        address = answer["next"]
    return rows


def told(world: World, path: str, caller: str) -> str:
    """The text of an answer."""
    text: str = world.call("GET", path, caller).content.decode()
    return text


def queries(world: World, path: str, caller: str = "anonymous") -> int:
    with CaptureQueriesContext(connection) as seen:
        world.get(path, caller)
    return len(seen)


def test_the_start_tells_who_calls(world: World) -> None:
    nobody, anna = world.get(""), world.get("", "player-play")
    assert (nobody["caller"], nobody["scopes"]) == (None, [])
    assert (anna["caller"], anna["scopes"]) == (f"player:{world.anna.pk}", ["play"])
    assert nobody["links"]["games"] == "http://testserver/api/v1/games"


def test_games_and_ladders_are_listed_and_normal_ones_are_not(world: World) -> None:
    assert [game["slug"] for game in walk(world, "games?limit=1")] == ["go", "chess"]
    (ladder,) = walk(world, "ladders")
    assert (ladder["slug"], ladder["system"], ladder["players"]) == ("go", "glicko", 4)
    assert ladder["matches"] == len(world.site.matches)
    assert walk(world, "ladders?game=chess") == []
    detail = world.get("ladders/go")
    assert detail["counts"]["total"] == 4
    assert detail["counts"]["total"] == sum(
        detail["counts"][part] for part in ("listed", "inactive", "provisional")
    )


def test_the_leaderboard_is_that_of_the_pages(world: World) -> None:
    with clock.at(world.site.now):
        rows = ranking.page(world.site.track, everyone=True).rows
    told = world.get("ladders/go/leaderboard?everyone=true")["results"]
    assert [(row["rank"], row["player"]["name"]) for row in told] == [
        (row.rank, row.name) for row in rows
    ]
    for said, row in zip(told, rows, strict=True):
        assert said["rating"] == row.value
        assert said["deviation"] == row.deviation
        assert said["status"] == row.status.name.lower()
        assert said["win_share"] == row.wins / row.games


def test_the_leaderboard_is_paged_both_ways(world: World) -> None:
    path = "ladders/go/leaderboard?everyone=true"
    whole = world.get(path)["results"]
    assert walk(world, f"{path}&limit=1") == whole
    last = world.get(f"{path}&limit=1&rank=4")
    assert last["results"] == whole[3:]
    before = world.get(last["previous"].removeprefix("http://testserver/api/v1/"))
    assert before["results"] == whole[2:3]
    around = world.get(f"{path}&limit=1&around={whole[2]['player']['id']}")
    assert around["results"] == whole[2:3]


@pytest.mark.parametrize(
    ("query", "status", "code"),
    [
        ("around=999999", 404, "not_on_board"),
        ("around=1&rank=1", 400, "invalid_parameter"),
        ("cursor=a", 400, "invalid_parameter"),
        ("cursor=xAAAAAAAAAAAAAAAAAAAAAA", 400, "invalid_parameter"),
        ("rank=0", 400, "invalid_parameter"),
        ("everyone=maybe", 400, "invalid_parameter"),
    ],
)
def test_places_that_are_none(world: World, query: str, status: int, code: str) -> None:
    answer = world.call("GET", f"ladders/go/leaderboard?{query}")
    assert (answer.status_code, answer.json()["code"]) == (status, code)


def test_ids_of_the_game_are_for_its_servers_only(world: World) -> None:
    paths = [
        "ladders/go/leaderboard?everyone=true",
        "ladders/go/matches",
        f"players/{world.anna.pk}",
        f"players/{world.anna.pk}/matches",
        f"matches/{world.site.matches[0].pk}",
    ]
    for path in paths:
        assert world.anna.external_id in told(world, path, "server-read")
        for caller in ("anonymous", "other-server", "player-read", "foreign-player"):
            assert world.anna.external_id not in told(world, path, caller)
    served = world.get(f"players/by-external-id/{world.anna.external_id}", "server-read")
    assert served["id"] == world.anna.pk


def test_ratings_are_as_of_now(world: World) -> None:
    (rating,) = world.get(f"players/{world.anna.pk}/ratings")["results"]
    stored = Rating.objects.get(player=world.anna)
    assert rating["rating"] == stored.value
    assert rating["deviation"] > stored.deviation
    assert rating["low"] == rating["rating"] - 2 * rating["deviation"]
    assert (rating["wins"], rating["win_share"]) == (stored.wins, 1.0)
    assert rating["status"] in {"new", "provisional", "established"}


def test_a_player_by_an_archived_ladder_is_gone_not_unknown(world: World) -> None:
    with clock.at(world.site.now):
        archive(world.ladder, by=None)
    for what in ("history", "matches"):
        answer = world.call("GET", f"players/{world.anna.pk}/{what}?ladder=go", "anonymous")
        assert (answer.status_code, answer.json()["code"]) == (410, "archived")
        answer = world.call("GET", f"players/{world.anna.pk}/{what}?ladder=secret", "anonymous")
        assert answer.json()["code"] == "unknown_ladder"  # of normal mode: nobody is told of it


def test_a_match_of_an_archived_ladder_is_there_for_the_games_servers(world: World) -> None:
    """Events name it, and it can be corrected."""
    match = world.site.matches[0]
    paths = f"matches/{match.pk}", f"matches?external_id={match.external_id}"
    with clock.at(world.site.now):
        archive(world.ladder, by=None)
    assert world.get(paths[0], "server-read")["id"] == match.pk
    assert [one["id"] for one in world.get(paths[1], "server-read")["results"]] == [match.pk]
    assert match.pk not in [one["id"] for one in world.get("matches", "server-read")["results"]]
    assert match.pk not in [one["id"] for one in walk(world, f"players/{world.anna.pk}/matches")]
    for caller in ("anonymous", "other-server", "player-read", "foreign-player"):
        answer = world.call("GET", paths[0], caller)
        assert (answer.status_code, answer.json()["code"]) == (410, "archived"), caller
    for caller in ("other-server", "player-read"):
        assert world.get(paths[1], caller)["results"] == []
    with clock.at(world.site.now):
        archive(world.game, by=None)
    for path in (*paths, f"{paths[1]}&state=confirmed"):
        answer = world.call("GET", path, "server-read")
        assert (answer.status_code, answer.json()["code"]) == (410, "archived"), path
    for path, caller in (("matches?external_id=none", "server-read"), (paths[1], "other-server")):
        assert world.get(path, caller)["results"] == []
    hidden = f"matches?external_id={world.hidden.external_id}"  # goes on
    assert [one["id"] for one in world.get(hidden, "server-read")["results"]] == [world.hidden.pk]


def test_what_events_name_is_found_by_its_id(world: World) -> None:
    games = {one["id"]: one["slug"] for one in world.get("games")["results"]}
    assert games[world.game.pk] == world.game.slug
    (ladder,) = world.get("ladders")["results"]
    assert ladder["game"]["id"] == world.game.pk
    queue = Queue.objects.get(slug="search")
    assert [one["id"] for one in world.get("queues")["results"]] == [queue.pk]
    assert world.get("queues/search")["id"] == queue.pk


def test_the_history_is_the_ledger_newest_first(world: World) -> None:
    path = f"players/{world.anna.pk}/history"
    rows = walk(world, f"{path}?limit=1")
    ledger = world.site.track.changes.filter(player=world.anna).order_by("-pk")
    assert [row["id"] for row in rows] == list(ledger.values_list("pk", flat=True))
    assert [row["rating_after"] for row in rows[1:]] == [row["rating_before"] for row in rows[:-1]]
    assert {row["ladder"] for row in rows} == {"go"}
    assert walk(world, f"{path}?ladder=go&limit=2") == rows
    for slug in ("secret", "nowhere"):
        refused = world.call("GET", f"{path}?ladder={slug}")
        assert (refused.status_code, refused.json()["code"]) == (404, "unknown_ladder")


def test_matches_of_a_player_hide_normal_ones_from_others(world: World) -> None:
    path = f"players/{world.anna.pk}/matches?limit=3"
    public = {match["id"] for match in walk(world, path)}
    assert world.hidden.pk not in public
    for caller in ("player-read", "server-read"):
        assert {match["id"] for match in walk(world, path, caller)} == public | {world.hidden.pk}
        of_secret = walk(world, f"{path}&ladder=secret", caller)
        assert [match["id"] for match in of_secret] == [world.hidden.pk]
        assert world.call("GET", f"{path}&ladder=nowhere", caller).status_code == 404
    for caller in ("other-player", "other-server", "foreign-player"):
        assert {match["id"] for match in walk(world, path, caller)} == public


def test_matches_of_a_player_follow_the_one_rule_for_matches(world: World) -> None:
    """Whoever may read a match by its id finds it in its players' lists: also who was the other player."""
    path = f"players/{world.anna.pk}/matches"
    opponent = world.site.arena.players[1]
    with clock.at(world.site.now):
        world.secrets["opponent"] = issue_token(player=opponent, name="bot", scopes=PLAYER_SCOPES)[
            1
        ]
    for caller in (
        "anonymous",
        "opponent",
        "player-read",
        "other-player",
        "server-read",
        "other-server",
    ):
        read = world.call("GET", f"matches/{world.hidden.pk}", caller).status_code == 200
        found = world.hidden.pk in {match["id"] for match in walk(world, path, caller)}
        assert found == read, caller
        if caller == "opponent":
            assert found
            of_secret = walk(world, f"{path}?ladder=secret", caller)
            assert [match["id"] for match in of_secret] == [world.hidden.pk]


def test_matches_of_a_ladder_are_paged_by_when_they_began(world: World) -> None:
    Match.objects.filter(ladder=world.ladder).update(played_at=world.site.matches[0].played_at)
    told = [match["id"] for match in walk(world, "ladders/go/matches?limit=5")]
    assert told == sorted((match.pk for match in world.site.matches), reverse=True)


def test_later_ones_come_first_though_they_were_made_known_earlier(world: World) -> None:
    """And those of a player by when they were made known: the last of them is what is looked for."""
    known, begun = sorted(match.pk for match in world.site.matches), world.site.matches[0].played_at
    for place, pk in enumerate(known):
        Match.objects.filter(pk=pk).update(played_at=begun - timedelta(minutes=place))
    assert [match["id"] for match in walk(world, "ladders/go/matches?limit=2")] == known
    of_anna = [match["id"] for match in walk(world, f"players/{world.anna.pk}/matches?limit=2")]
    assert len(of_anna) > 2
    assert of_anna == sorted(of_anna, reverse=True)


def test_a_match_tells_how_it_ended_and_what_it_did(world: World) -> None:
    match = world.get(f"matches/{world.site.matches[0].pk}")
    assert [team["outcome"] for team in match["teams"]] == ["won", "lost"]
    assert match["state"] == "confirmed"
    anna = next(change for change in match["changes"] if change["player"] == world.anna.pk)
    assert anna["points"] > 0
    assert match["reports"] is None


def test_reports_are_for_the_players_and_the_games_servers(world: World) -> None:
    path = f"matches/{world.hidden.pk}"
    for caller in ("player-read", "server-read"):
        match = world.get(path, caller)
        assert [report["outcome"] for report in match["reports"]] == ["lost"]
        assert match["changes"] == []


def test_a_track_that_is_not_shown_is_told_of_nowhere(world: World) -> None:
    shadow = create_track(
        ladder=world.ladder, system="elo", parameters={}, period_days=None, shown=False
    )
    world.site.arena.rate(shadow)
    refresh.refresh(shadow.pk)
    assert Rating.objects.filter(track=shadow).exists()
    assert len(world.get(f"players/{world.anna.pk}/ratings")["results"]) == 1
    told = {row["id"] for row in walk(world, f"players/{world.anna.pk}/history")}
    assert told.isdisjoint(shadow.changes.values_list("pk", flat=True))


@pytest.mark.parametrize(
    ("path", "most"),
    [
        ("games", 1),
        ("ladders", 5),
        ("ladders/go", 10),
        ("ladders/go/leaderboard?everyone=true", 12),
        ("ladders/go/matches", 5),
        ("players?search=a", 6),
        ("players/{anna}", 1),
        ("players/{anna}/ratings", 12),
        ("players/{anna}/history", 5),
        ("players/{anna}/matches", 6),
        ("matches/{match}", 12),
    ],
)
def test_the_number_of_queries_is_bounded(world: World, path: str, most: int) -> None:
    address = path.format(anna=world.anna.pk, match=world.site.matches[0].pk)
    assert queries(world, address) <= most
    assert queries(world, address, "server-read") <= most + 2


def named(world: World, path: str, caller: str = "anonymous") -> list[str]:
    return [player["name"] for player in walk(world, path, caller)]


def test_players_are_found_as_on_the_page_of_search(world: World) -> None:
    for name in ("Tom Farthing", "Farthings", "farthing", "T0m"):
        enrol(game=world.game, external_id=f"id {name}", name=name)
    enrol(game=world.other_game, external_id="other", name="Tom")
    best_first = ["farthing", "Farthings", "Tom Farthing"]
    assert named(world, "players?search=farthing") == best_first
    assert named(world, "players?search=farthing&limit=1") == best_first  # a page at a time
    assert named(world, "players?search=FARTHING%20TOM") == ["Tom Farthing"]
    assert named(world, "players?search=Tom&limit=1") == ["Tom", "T0m", "Tom Farthing"]
    assert named(world, "players?search=tom&game=chess") == ["Tom"]
    assert named(world, "players?search=tom&game=none") == []
    assert named(world, "players?search=%25") == []
    page = Client().get("/search/", {"q": "Tom"}).content.decode()
    assert re.findall(r"<bdi>([^<]+)</bdi></a></th>", page) == named(world, "players?search=Tom")


def test_who_is_found_is_told_as_alone(world: World) -> None:
    (seen,) = world.get("players?search=anna")["results"]
    assert seen == world.get(f"players/{world.anna.pk}")
    (served,) = world.get("players?search=anna", "server-read")["results"]
    assert (seen["external_id"], served["external_id"]) == (None, world.anna.external_id)


@pytest.mark.parametrize(
    ("query", "parameter", "code"),
    [
        ("", "search", "required"),
        ("search=", "search", "blank"),
        ("search=%20", "search", "blank"),
        (f"search={'a' * 101}", "search", "max_length"),
        ("search=a&game=a%20b", "game", "invalid"),
        ("search=a&cursor=p", "cursor", "invalid"),
        ("search=a&cursor=pMA", "cursor", "invalid"),
        ("search=a&cursor=gAAAAAAAAAAE", "cursor", "invalid"),
        ("search=a&cursor=p%C3%A4", "cursor", "invalid"),
        ("search=a&limit=201", "limit", "max_value"),
        ("search=a&q=a", "q", "unknown_field"),
    ],
)
def test_a_search_is_read_strictly(world: World, query: str, parameter: str, code: str) -> None:
    answer = world.call("GET", f"players?{query}")
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid_parameter")
    (error,) = answer.json()["errors"]
    assert (error["parameter"], error["code"]) == (parameter, code)


def test_a_cursor_survives_names_of_every_writing(world: World) -> None:
    for number, name in enumerate(
        ["田中たろう", "田中さくら", "田中" + "漢" * 90, "田中" + "𝕒" * 90]
    ):
        enrol(game=world.game, external_id=f"id {number}", name=name)
    assert len(named(world, "players?search=田中&limit=1")) == 4


@pytest.mark.parametrize(
    "path", ["ladders/go/matches?", "ladders/go/leaderboard?everyone=true&", "players/{}/history?"]
)
def test_the_number_of_queries_does_not_grow_with_the_rows(world: World, path: str) -> None:
    address = path.format(world.anna.pk)
    assert queries(world, f"{address}limit=2") == queries(world, f"{address}limit=200")


class TestTheCallersMatches:
    """What a server asks for after a restart."""

    def ids(self, world: World, caller: str, query: str = "") -> list[int]:
        return [match["id"] for match in world.get(f"matches{query}", caller)["results"]]

    def test_a_server_finds_those_of_hidden_ladders_too(self, world: World) -> None:
        every = sorted(Match.objects.values_list("pk", flat=True), reverse=True)
        assert self.ids(world, "server-read", "?limit=200") == every
        assert self.ids(world, "server-read", "?state=reported") == [world.hidden.pk]
        assert self.ids(world, "server-read", "?state=playing") == []
        assert self.ids(world, "server-read", "?ladder=secret") == [world.hidden.pk]
        assert self.ids(world, "server-read", "?external_id=hidden") == [world.hidden.pk]
        assert self.ids(world, "server-read", "?external_id=none") == []
        assert self.ids(world, "other-server") == []
        assert world.call("GET", "matches?ladder=none", "server-read").status_code == 404

    def test_a_player_finds_the_own_ones_and_no_ids_of_the_game(self, world: World) -> None:
        assert world.hidden.pk in self.ids(world, "player-read", "?ladder=secret")
        assert self.ids(world, "player-read", "?external_id=hidden") == []
        assert self.ids(world, "other-player", "?ladder=secret") == []

    def test_pages_hold_each_once(self, world: World) -> None:
        first = world.get("matches?limit=2", "server-read")
        path = first["next"].partition("/api/v1/")[2]
        second = world.get(path, "server-read")
        shown = [match["id"] for page in (first, second) for match in page["results"]]
        assert shown == self.ids(world, "server-read", "?limit=4")

    def test_a_state_or_ladder_that_is_none_is_refused(self, world: World) -> None:
        assert world.call("GET", "matches?state=over", "server-read").status_code == 400
        missing = world.call("GET", "matches?ladder=nowhere", "server-read")
        assert (missing.status_code, missing.json()["code"]) == (404, "unknown_ladder")
