"""Matches of teams, and of everybody against everybody, over the API from the first word to the ratings."""

from typing import Any

import pytest

from foundation import clock
from ratings.models import Ladder, Match, MatchState, Participant
from ratings.tasks import rate_due_tracks
from ratings.tracks.parameters import create_track
from tests.api.world import World

pytestmark = pytest.mark.django_db
NAMES = [f"squad {number}" for number in range(6)]


def make_ladder(world: World, slug: str, system: str = "trueskill", **rules: Any) -> Ladder:
    ladder = Ladder.objects.create(game=world.game, slug=slug, name=slug, **rules)
    create_track(ladder=ladder, system=system, parameters={}, period_days=None, shown=True)
    return ladder


@pytest.fixture
def pairs(world: World) -> Ladder:
    return make_ladder(world, "pairs", team_size=2)


def post(world: World, path: str, body: Any, status: int = 200, caller: str = "server-all") -> Any:
    answer = world.call("POST", path, caller, body=body)
    assert answer.status_code == status, answer.content
    return answer.json()


def result(world: World, number: int, **more: Any) -> dict[str, Any]:
    return {
        "ladder": "pairs",
        "external_id": f"squads-{number}",
        "teams": [NAMES[:2], NAMES[2:4]],
        "ranks": [0, 1],
        "played_at": world.site.now.isoformat(),
        **more,
    }


def rate(world: World, ladder: Ladder) -> dict[str, float]:
    with clock.at(world.site.now):
        rate_due_tracks()
    track = ladder.tracks.get()
    return dict(track.ratings.values_list("player__external_id", "value"))


def test_a_batch_of_teams_is_rated(world: World, pairs: Ladder) -> None:
    batch = [
        result(world, 1),
        result(world, 2, ranks=[0, 0], neutral=True, minutes={NAMES[0]: 5, NAMES[1]: 9.5}),
        result(world, 3, teams=[NAMES[:2], NAMES[2:3]]),
        result(world, 4, player_scores={NAMES[0]: 7, NAMES[3]: 2}, scores=[9, 3]),
    ]
    told = post(world, "results", {"results": batch})
    assert [one["status"] for one in told["results"]] == [
        "created",
        "created",
        "refused",
        "created",
    ]
    assert told["results"][2]["code"] == "wrong_players"
    found = rate(world, pairs)
    assert found.keys() == set(NAMES[:4])
    assert found[NAMES[0]] > found[NAMES[2]]
    neutral = Match.objects.get(external_id="squads-2")
    assert neutral.is_neutral
    seats = Participant.objects.filter(match__external_id="squads-4").order_by("team", "pk")
    assert list(seats.values_list("score", flat=True)) == [7, 9, 3, 2]
    again = post(world, "results", {"results": batch[1:2]})
    assert again["known"] == 1
    changed = post(world, "results", {"results": [{**batch[1], "neutral": False}]})
    (refused,) = changed["results"]
    assert (refused["code"], refused["match"]) == ("match_exists", again["results"][0]["match"])


def test_the_match_tells_its_teams(world: World, pairs: Ladder) -> None:
    told = post(world, "results", {"results": [result(world, 1, minutes={NAMES[0]: 3})]})
    rate(world, pairs)
    match = world.get(f"matches/{told['results'][0]['match']}", "server-all")
    assert match["neutral"] is False
    assert [[one["minutes"] for one in team["members"]] for team in match["teams"]] == [
        [3.0, None],
        [None, None],
    ]
    assert len(match["changes"]) == 4
    assert sum(change["points"] > 0 for change in match["changes"]) == 2


def test_teams_are_arranged_and_report(world: World, pairs: Ladder) -> None:
    post(world, "results", {"results": [result(world, 1)]})  # the players become known
    body = {"ladder": "pairs", "teams": [NAMES[:2], NAMES[2:4]], "neutral": True}
    match = post(world, "matches", body, 201)["id"]
    assert Match.objects.get(pk=match).is_neutral
    told = post(world, f"matches/{match}/reports", {"player": NAMES[1], "outcome": "lost"})
    assert told["state"] == MatchState.REPORTED
    told = post(world, f"matches/{match}/reports", {"player": NAMES[2], "outcome": "won"})
    assert told["state"] == MatchState.CONFIRMED
    found = rate(world, pairs)
    assert len(found) == 4
    assert pairs.tracks.get().changes.filter(match=match).count() == 4


def test_a_server_decides_between_more_teams(world: World) -> None:
    ladder = make_ladder(world, "crowd", team_count=4)
    teams = [[name] for name in NAMES[:4]]
    first = result(world, 1, ladder="crowd", teams=teams, ranks=[2, 0, 1, 1])
    post(world, "results", {"results": [first]})
    match = post(world, "matches", {"ladder": "crowd", "teams": teams}, 201)["id"]
    figures = {"player_scores": {NAMES[0]: 12.5}, "minutes": {NAMES[3]: 4}, "neutral": True}
    told = post(world, f"matches/{match}/result", {"ranks": [3, 0, 1, 2], **figures})
    assert told["state"] == MatchState.CONFIRMED
    seats = Participant.objects.filter(match=match).order_by("team")
    assert list(seats.values_list("rank", "score", "minutes")) == [
        (3, 12.5, None),
        (0, None, None),
        (1, None, None),
        (2, None, 4.0),
    ]
    found = rate(world, ladder)
    assert max(found, key=lambda name: found[name]) == NAMES[1]
    assert Match.objects.get(pk=match).is_neutral


def test_players_of_more_teams_say_their_places(world: World) -> None:
    make_ladder(world, "crowd", team_count=4)
    teams = [[name] for name in NAMES[:4]]
    first = result(world, 1, ladder="crowd", teams=teams, ranks=[0, 1, 2, 3])
    post(world, "results", {"results": [first]})
    match = post(world, "matches", {"ladder": "crowd", "teams": teams}, 201)["id"]
    path = f"matches/{match}/reports"
    for wrong in ({"outcome": "lost"}, {"place": 5}, {"place": 1, "outcome": "won"}, {}):
        told = post(world, path, {"player": NAMES[0], **wrong}, 422)
        assert told["code"] == "wrong_result"
    for name, place in zip(NAMES[:4], (2, 4, 1, 3), strict=True):
        told = post(world, path, {"player": name, "place": place})
    assert told["state"] == MatchState.CONFIRMED
    seats = Participant.objects.filter(match=match).order_by("team")
    assert list(seats.values_list("rank", flat=True)) == [1, 3, 0, 2]


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"player_scores": {NAMES[5]: 1}}, NAMES[5]),
        ({"minutes": {NAMES[0]: -1}}, "0 or more"),
        ({"minutes": {NAMES[0]: "long"}}, "number"),
        ({"player_scores": [1, 2]}, "object"),
        ({"neutral": "perhaps"}, "true or false"),
    ],
)
def test_wrong_figures_refuse_the_match(
    world: World, pairs: Ladder, more: dict[str, Any], words: str
) -> None:
    told = post(world, "results", {"results": [result(world, 1, **more), result(world, 2)]})
    assert [one["status"] for one in told["results"]] == ["refused", "created"]
    assert words in told["results"][0]["detail"]


def test_a_ladder_of_scores_and_minutes_asks_for_both(world: World) -> None:
    ladder = make_ladder(world, "zones", "zonestats", team_size=2)
    everyone = dict.fromkeys(NAMES[:4], 5.0)
    plain = result(world, 1, ladder="zones", scores=[3, 1])
    for more, words in (
        ({}, "what each player counted"),
        ({"player_scores": everyone}, "how long each player took part"),
        (
            {"player_scores": everyone, "minutes": {**everyone, NAMES[2]: 0, NAMES[3]: 0}},
            "two teams",
        ),
    ):
        told = post(world, "results", {"results": [{**plain, **more}]})["results"][0]
        assert told["code"] == "wrong_result"
        assert words in told["detail"]
    full = {"player_scores": {**everyone, NAMES[0]: 9.0}, "minutes": everyone}
    post(world, "results", {"results": [{**plain, **full}]})
    match = post(world, "matches", {"ladder": "zones", "teams": plain["teams"]}, 201)["id"]
    refused = post(world, f"matches/{match}/result", {"ranks": [0, 1]}, 422)
    assert refused["code"] == "wrong_result"
    post(world, f"matches/{match}/result", {"ranks": [0, 1], **full})
    found = rate(world, ladder)
    assert found[NAMES[0]] > 500
    assert ladder.tracks.get().changes.count() == 8


def test_ids_that_cannot_be_are_refused_before_anybody_looks(world: World, pairs: Ladder) -> None:
    post(world, "results", {"results": [result(world, 1)]})
    body = {"ladder": "pairs", "teams": [NAMES[:2], NAMES[2:4]]}
    match = post(world, "matches", body, 201)["id"]
    for name in ("a\0b", "x" * 500):
        wrong = {"ranks": [0, 1], "minutes": {name: 1}}
        assert post(world, f"matches/{match}/result", wrong, 422)["code"] == "invalid_body"
    unknown = {"ranks": [0, 1], "minutes": {"nobody": 1}}
    assert post(world, f"matches/{match}/result", unknown, 404)["code"] == "unknown_player"


def test_players_are_named_as_the_game_names_them(world: World, pairs: Ladder) -> None:
    post(world, "results", {"results": [result(world, 1)]})
    told = post(world, "matches", {"ladder": "pairs", "teams": [NAMES[:2], NAMES[1:3]]}, 422)
    assert (told["code"], NAMES[1] in told["detail"]) == ("wrong_players", True)
    body = {"ladder": "pairs", "teams": [NAMES[:2], NAMES[2:4]]}
    path = f"matches/{post(world, 'matches', body, 201)['id']}/result"
    stranger = world.anna.external_id
    for more in ({"left": [stranger]}, {"minutes": {stranger: 1}}):
        told = post(world, path, {"ranks": [0, 1], **more}, 403)
        assert (told["code"], told["player"]) == ("not_in_match", world.anna.pk)
        assert stranger in told["detail"]
    for wrong, place in (
        ({"minutes": {NAMES[0]: -1}}, f"#/minutes/{NAMES[0]}"),
        ({"characters": {NAMES[0]: "Ma\nge"}}, f"#/characters/{NAMES[0]}"),
    ):
        (error,) = post(world, path, {"ranks": [0, 1], **wrong}, 422)["errors"]
        assert (error["pointer"], "given" in error) == (place, True)
