"""Games tell what players did, and read what it says of their ratings."""

from typing import Any

import pytest

from api.models import ServerKey
from api.site.delete_person import delete_player
from api.site.own_data import _of_player
from foundation import clock
from ratings.behaviour.features import declare
from ratings.behaviour.learn import learn_track
from ratings.models import Behaviour, Game, Match, Participant
from ratings.systems.behaviour import WINDOWS
from tests.api.world import World
from tests.ratings.behaviour.told import told_arena

pytestmark = pytest.mark.django_db


@pytest.fixture
def told(world: World) -> str:
    """The address at which is told of the hidden match, in which are Anna and Björn."""
    declare(world.game, "accuracy")
    declare(world.game, "deaths")
    return f"matches/{world.hidden.pk}/behaviour"


def put(world: World, path: str, players: object, status: int = 200) -> dict[str, Any]:
    answer = world.call("PUT", path, "server-all", {"players": players})
    assert answer.status_code == status, answer.content
    found: dict[str, Any] = answer.json()
    return found


def test_a_server_tells_what_players_did(world: World, told: str) -> None:
    anna, bjorn = (world.site.arena.players[number] for number in (0, 1))
    players = {anna.external_id: {"accuracy": 0.5, "deaths": 3}, bjorn.external_id: {"deaths": 1}}
    assert put(world, told, players) == {"match": world.hidden.pk, "players": 2}
    put(world, told, {anna.external_id: {"accuracy": 1}})
    kept = dict(Behaviour.objects.values_list("participant__player", "features"))
    assert kept == {anna.pk: {"accuracy": 1.0}, bjorn.pk: {"deaths": 1.0}}


@pytest.mark.parametrize(
    ("features", "code"),
    [
        ({"aim": 1}, "unknown_feature"),
        ({}, "invalid_body"),
        ({"accuracy": "0.5"}, "invalid_body"),
        ({"accuracy": True}, "invalid_body"),
        ({"accuracy": None}, "invalid_body"),
        ({"accuracy": 1e13}, "invalid_body"),
        ({"accuracy": float("inf")}, "malformed_body"),
        ({f"feature{number}": 1 for number in range(33)}, "invalid_body"),
        (0.5, "invalid_body"),
    ],
    ids=str,
)
def test_what_is_no_behaviour_is_refused(
    world: World, told: str, features: object, code: str
) -> None:
    answer = world.call(
        "PUT", told, "server-all", {"players": {world.anna.external_id: features}}
    ).json()
    assert answer["code"] == code
    assert not Behaviour.objects.exists()


def test_strangers_to_the_match_are_refused(world: World, told: str) -> None:
    other = world.site.arena.players[2].external_id
    assert put(world, told, {other: {"deaths": 1}}, 403)["code"] == "not_in_match"
    assert put(world, told, {"nobody": {"deaths": 1}}, 404)["code"] == "unknown_player"


def test_without_a_model_there_is_no_estimate(world: World, told: str) -> None:
    put(world, told, {world.anna.external_id: {"accuracy": 0.5}})
    assert world.get(f"players/{world.anna.pk}/estimates", "server-all") == {"results": []}
    path = f"ladders/{world.ladder.slug}/estimate"
    answer = world.call("POST", path, "server-all", {"matches": [{"accuracy": 0.5}]})
    assert answer.json() == {"estimate": None}


def test_an_estimate_comes_with_its_error_and_what_it_rests_on(world: World) -> None:
    _swap_game(world)
    arena, track = told_arena()
    with clock.at(world.site.now):
        (*_few, model) = learn_track(track.pk)
    _serve(world, arena.game)
    rows = [{"accuracy": 1.0, "luck": 0.0}] * max(WINDOWS)
    answer = world.call("POST", "ladders/go/estimate", "server-all", {"matches": rows}).json()
    found = answer["estimate"]
    assert 1000 < found.pop("rating") < 2500
    assert found == {
        "ladder": "go",
        "error": model.error,
        "error_of_start": model.errors["start"],
        "error_of_mean": model.errors["mean"],
        "matches": 10,
        "model": model.chosen,
        "features": ["accuracy", "luck"],
        "players": model.players,
        "learned_at": world.site.now.isoformat().replace("+00:00", "Z"),
    }
    player = arena.players[0]
    (own,) = world.get(f"players/{player.pk}/estimates", "server-all")["results"]
    assert own["matches"] == 10
    unknown = world.call("POST", "ladders/go/estimate", "server-all", {"matches": [{"aim": 1}]})
    assert (unknown.status_code, unknown.json()["feature"]) == (422, "aim")


def _swap_game(world: World) -> None:
    """Let the names of the world's game and ladder be free."""
    Game.objects.filter(pk=world.game.pk).update(slug="before")
    world.ladder.slug = "before"
    world.ladder.save()


def _serve(world: World, game: Game) -> None:
    """Let the world's key be that of another game."""
    ServerKey.objects.filter(game=world.game).update(game=game)


def test_deleted_people_leave_no_behaviour(world: World, told: str) -> None:
    put(world, told, {world.anna.external_id: {"accuracy": 0.5}})
    (own,) = _of_player(world.anna)["behaviour"]
    assert (own["match"], own["features"]) == (world.hidden.pk, {"accuracy": 0.5})
    with clock.at(world.site.now):
        delete_player(world.anna, by=None)
    assert not Behaviour.objects.exists()
    assert Participant.objects.filter(match=Match.objects.get(pk=world.hidden.pk)).count() == 2
