"""Guests of matches over the API: kept in the record, shown, and left out of the rating."""

from typing import Any

import pytest
from django.test import Client

from foundation import clock
from ratings.models import Ladder, Match, Participant, Player
from ratings.tasks import rate_due_tracks
from ratings.tracks.parameters import create_track
from tests.api.world import World

pytestmark = pytest.mark.django_db
BOT = {"name": "bot <b>Cratos</b>", "team": 1, "score": 12, "minutes": 8.5}


def make_ladder(world: World, slug: str, system: str, **rules: Any) -> Ladder:
    ladder = Ladder.objects.create(game=world.game, slug=slug, name=slug, **rules)
    create_track(ladder=ladder, system=system, parameters={}, period_days=None, shown=True)
    return ladder


def result(world: World, ladder: str, number: int = 1, **more: Any) -> dict[str, Any]:
    return {
        "ladder": ladder,
        "external_id": f"{ladder}-{number}",
        "teams": [["ann"], ["bo"]],
        "ranks": [0, 1],
        "scores": [20, 4],
        "minutes": {"ann": 20, "bo": 20},
        "played_at": world.site.now.isoformat(),
        **more,
    }


def send(world: World, *results: dict[str, Any]) -> Any:
    answer = world.call("POST", "results", "server-all", body={"results": list(results)})
    assert answer.status_code == 200, answer.content
    return answer.json()["results"]


def ratings_of(world: World, ladder: Ladder) -> dict[str, tuple[float, float | None]]:
    with clock.at(world.site.now):
        rate_due_tracks()
    rows = ladder.tracks.get().ratings.values_list("player__external_id", "value", "deviation")
    return {name: (value, deviation) for name, value, deviation in rows}


@pytest.mark.parametrize("system", ["zonestats", "trueskill", "elo"])
@pytest.mark.parametrize("team", [0, 1, 2])
def test_ratings_are_those_without_the_guest(world: World, system: str, team: int) -> None:
    without = make_ladder(world, "without", system)
    among = make_ladder(world, "among", system)
    guests = [{**BOT, "team": team}]
    for one in send(world, result(world, "without"), result(world, "among", guests=guests)):
        assert (one["status"], one["rated"]) == ("created", True)
    found = ratings_of(world, among)
    assert found == ratings_of(world, without)
    assert found.keys() == {"ann", "bo"}
    if system == "zonestats":  # the source's example of two players at 500
        assert [round(found[name][0]) for name in ("ann", "bo")] == [520, 480]


def test_a_free_for_all_with_a_bot_between(world: World) -> None:
    rules = {"team_count": 3, "fewest_teams": 2}
    without = make_ladder(world, "without", "zonestats", **rules)
    among = make_ladder(world, "among", "zonestats", **rules)
    three: dict[str, Any] = {
        "teams": [["ann"], ["bo"], ["cy"]],
        "ranks": [0, 1, 2],
        "scores": [20, 10, 4],
        "minutes": {"ann": 20, "bo": 20, "cy": 20},
    }
    bot = {"name": "bot", "team": 3, "score": 15, "minutes": 20}
    send(world, result(world, "without", **three), result(world, "among", **three, guests=[bot]))
    assert ratings_of(world, among) == ratings_of(world, without)


def test_guests_are_told_and_become_nobody(world: World) -> None:
    make_ladder(world, "duels", "elo")
    sent = result(world, "duels", guests=[BOT, {"name": "amy", "team": 0}])
    (one,) = send(world, sent)
    match = world.get(f"matches/{one['match']}", "server-all")
    assert match["guests"] == [
        {"name": "amy", "team": 0, "score": None, "minutes": None},
        {**BOT, "score": 12.0},
    ]
    assert Participant.objects.filter(match=one["match"]).count() == 2
    assert not Player.objects.filter(external_id__in=["amy", BOT["name"]]).exists()
    page = Client().get(f"/matches/{one['match']}/").content.decode()
    assert "bot &lt;b&gt;Cratos&lt;/b&gt;" in page
    assert "<b>Cratos" not in page


def test_the_same_again_is_known_and_other_guests_differ(world: World) -> None:
    make_ladder(world, "duels", "elo")
    other = {"name": "bot", "team": 0, "score": 0.1}
    (first,) = send(world, result(world, "duels", guests=[BOT, other]))
    (again,) = send(world, result(world, "duels", guests=[other, BOT]))
    assert again == {**first, "status": "known"}
    for guests in ([BOT], [], [BOT, {**other, "score": 0.2}]):
        (differs,) = send(world, result(world, "duels", guests=guests))
        assert (differs["code"], differs["match"]) == ("match_exists", first["match"])


def test_a_player_among_bots_alone_is_kept_and_not_rated(world: World) -> None:
    ladder = make_ladder(world, "duels", "zonestats")
    alone: dict[str, Any] = {"teams": [["ann"]], "ranks": [0], "scores": [3], "minutes": {}}
    (kept,) = send(world, result(world, "duels", **alone, guests=[BOT]))
    assert (kept["status"], kept["rated"]) == ("created", False)
    assert ratings_of(world, ladder) == {}
    match = Match.objects.get(pk=kept["match"])
    assert (match.state, match.ladder_seq) == ("confirmed", None)
    assert world.get(f"matches/{match.pk}", "server-all")["rated"] is False
    for path in (match.get_absolute_url(), ladder.get_absolute_url(), "/"):
        assert Client().get(path).status_code == 200
    player = Player.objects.get(external_id="ann", game=world.game)
    assert Client().get(player.get_absolute_url()).status_code == 200
    (refused,) = send(world, result(world, "duels", 2, **alone))
    assert refused["code"] == "wrong_players"


@pytest.mark.parametrize(
    ("guests", "code"),
    [
        ([BOT] * 101, "wrong_result"),
        ([{**BOT, "name": ""}], "wrong_result"),
        ([{**BOT, "name": "x" * 61}], "wrong_result"),
        ([{**BOT, "name": "a\nb"}], "wrong_result"),
        ([{**BOT, "name": "a\0b"}], "invalid_body"),
        ([{**BOT, "score": 1e10}], "wrong_result"),
        ([{**BOT, "minutes": -1}], "invalid_body"),
        ([{**BOT, "team": 100}], "invalid_body"),
        ([{**BOT, "player": 1}], "invalid_body"),
        ([{"name": "bot"}], "invalid_body"),
        ("bot", "invalid_body"),
    ],
)
def test_what_cannot_be_kept_is_refused(world: World, guests: Any, code: str) -> None:
    make_ladder(world, "duels", "elo")
    wrong, sound = send(
        world, result(world, "duels", guests=guests), result(world, "duels", 2, guests=[BOT])
    )
    assert (wrong["status"], wrong["code"]) == ("refused", code)
    assert sound["status"] == "created"
