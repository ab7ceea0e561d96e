"""Servers that people join and leave: results of any shape, sent as a game's server does, read from API and page."""

from typing import Any

import pytest
from django.test import Client

from ratings.models import Ladder, Player, Rating
from tests.api.views.test_teams import make_ladder, post, rate, result
from tests.api.world import World
from tests.ratings.plain import PLAIN

pytestmark = pytest.mark.django_db
FOUR = ["Nora", "Otto", "Petra", "Quinn"]


def open_ladder(world: World, **values: float) -> Ladder:
    """Up to six, everyone for themselves, with these ratings of before."""
    ladder = make_ladder(world, "open", "zonestats", team_count=6, fewest_teams=2)
    track = ladder.tracks.get()
    for name, value in values.items():
        player = Player(game=world.game, external_id=name)
        player.call(name)
        player.save()
        Rating.objects.create(track=track, player=player, value=value, **{**PLAIN, "revision": 0})
    return ladder


def everyone(world: World, number: int, **figures: tuple[float, float]) -> dict[str, Any]:
    """A match of everyone for themselves: score and minutes by name, the best first."""
    return result(
        world,
        number,
        ladder="open",
        teams=[[name] for name in figures],
        ranks=list(range(len(figures))),
        player_scores={name: score for name, (score, _time) in figures.items()},
        minutes={name: time for name, (_score, time) in figures.items()},
    )


def points_of(world: World, match: int) -> dict[str, float]:
    """What the API says that a match was worth, by name."""
    told = world.get(f"matches/{match}", "server-all")
    names = {
        one["player"]["id"]: one["player"]["name"]
        for team in told["teams"]
        for one in team["members"]
    }
    return {names[change["player"]]: change["points"] for change in told["changes"]}


def test_the_example_of_four_and_one_who_never_came(world: World) -> None:
    """(rating, score, minutes) of the source, on a ladder of six seats."""
    ladder = open_ladder(world, Nora=620, Otto=500, Petra=500, Quinn=380, Rita=500)
    sent = everyone(
        world, 1, Nora=(30, 20), Otto=(20, 15), Petra=(10, 10), Quinn=(10, 10), Rita=(0, 0)
    )
    (told,) = post(world, "results", {"results": [sent]})["results"]
    found = rate(world, ladder)
    golden = {"Nora": 15.831130, "Otto": 7.310586, "Petra": -20.0, "Quinn": -3.141715}
    assert points_of(world, told["match"]) == pytest.approx(golden, abs=1e-6)
    assert found["Nora"] == pytest.approx(635.831130, abs=1e-6)
    assert found["Rita"] == 500
    page = Client().get(f"/matches/{told['match']}/").content.decode()
    for words in ("Rita", "+15.8", "+7.3", "−20.0", "−3.1"):
        assert words in page


def test_the_example_in_which_somebody_ends_above_the_own_limit(world: World) -> None:
    ladder = open_ladder(world, Nora=500, Otto=400, Petra=500)
    sent = everyone(world, 1, Nora=(15, 20), Otto=(37, 2), Petra=(2, 20))
    (told,) = post(world, "results", {"results": [sent]})["results"]
    rate(world, ladder)
    golden = {"Nora": 17.211763, "Otto": 5.576474, "Petra": -22.788237}
    assert points_of(world, told["match"]) == pytest.approx(golden, abs=1e-6)


def test_what_is_beyond_the_shape_says_what_would_be_right(world: World) -> None:
    open_ladder(world)
    alone = everyone(world, 1, Nora=(1, 9))
    crowd = everyone(world, 2, **{f"guest {number}": (1, 9) for number in range(7)})
    pair = {**everyone(world, 3, Nora=(1, 9), Otto=(2, 9)), "teams": [["Nora", "Otto"], ["Petra"]]}
    told = post(world, "results", {"results": [alone, crowd, pair]})["results"]
    assert [one["code"] for one in told] == ["wrong_players"] * 3
    shape = "A match of this ladder has 2 to 6 teams of 1; given were "
    assert [one["detail"] for one in told] == [
        f"{shape}{given}." for given in ("1", "1 + 1 + 1 + 1 + 1 + 1 + 1", "2 + 1")
    ]


def test_servers_begin_matches_of_any_shape(world: World) -> None:
    open_ladder(world, Nora=500, Otto=500, Petra=500)
    body = {"ladder": "open", "teams": [["Nora"], ["Otto"], ["Petra"]]}
    match = post(world, "matches", body, 201)["id"]
    told = post(world, f"matches/{match}/reports", {"player": "Nora", "place": 4}, 422)
    assert "from 1 to 3" in told["detail"]
    figures = {
        "player_scores": dict.fromkeys(FOUR[:3], 5.0),
        "minutes": dict.fromkeys(FOUR[:3], 9.0),
    }
    told = post(world, f"matches/{match}/result", {"ranks": [0, 1, 2], **figures})
    assert told["state"] == "confirmed"


def test_bounds_are_lowered_and_never_raised(world: World) -> None:
    open_ladder(world)

    def put(**body: Any) -> Any:
        return world.call("PUT", "admin/ladders/open", "server-admin", body={"game": "go", **body})

    assert put(fewest_teams=3).status_code == 422
    assert "give 2 or less" in put(fewest_teams=None).json()["errors"][0]["detail"]
    assert put(fewest_teams=2, smallest_team=1).status_code == 200
    (found,) = [
        one for one in world.get("ladders", "server-all")["results"] if one["slug"] == "open"
    ]
    assert (found["fewest_teams"], found["smallest_team"], found["team_count"]) == (2, 1, 6)
