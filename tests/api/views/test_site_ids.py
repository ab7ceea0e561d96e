"""Ids that the site gives to players of accounts: a game's server names them, but is not their master."""

from typing import Any
from urllib.parse import quote

import pytest

from accounts.models import User
from api.models import PlayerToken
from api.site.delete_person import delete_player
from ratings.archiving import archive, restore
from ratings.merging.merge import merge
from ratings.models import Player
from ratings.players.claim import make_player
from tests.api.contract.test_every_error import is_problem
from tests.api.world import World

pytestmark = pytest.mark.django_db
RESULT = {"ladder": "go", "ranks": [0, 1], "played_at": "2026-03-01T10:00:00Z"}


def put(world: World, name: str, body: Any) -> Any:
    return world.call("PUT", f"players/by-external-id/{name}", "server-all", body=body)


def token(world: World, name: str) -> Any:
    return world.call("POST", f"players/by-external-id/{name}/tokens", "server-all", body={})


@pytest.fixture(params=["evenmatch:{}", "account-{}"])
def own(world: World, request: pytest.FixtureRequest) -> Player:
    """A player whom an account has made here; the second as it was named once."""
    user = User.objects.create_user("zoe")
    player = make_player(game=world.game, user=user, name="Zoe")
    Player.objects.filter(pk=player.pk).update(external_id=request.param.format(user.pk))
    player.refresh_from_db()
    return player


def test_a_server_neither_renames_them_nor_gets_their_tokens(world: World, own: Player) -> None:
    for refused in (put(world, own.external_id, {"name": "Fool"}), token(world, own.external_id)):
        is_problem(refused, 422, "reserved_id")
        assert own.external_id in refused.json()["detail"]
    own.refresh_from_db()
    assert own.name == "Zoe"
    assert not PlayerToken.objects.filter(player=own).exists()
    for body in ({}, {"name": "Zoe"}):
        answer = put(world, own.external_id, body)
        assert (answer.status_code, answer.json()["id"]) == (200, own.pk)


def test_a_server_names_them_in_all_else(world: World, own: Player) -> None:
    name = own.external_id
    assert world.get(f"players/by-external-id/{name}", "server-all")["claimed"]
    sent = {"queue": "search", "player": name}
    assert world.call("POST", "tickets", "server-all", body=sent).status_code == 201
    match = {**RESULT, "external_id": "m", "teams": [[name], [world.anna.external_id]]}
    answer = world.call("POST", "results", "server-all", body={"results": [match]})
    assert answer.json()["created"] == 1


def test_a_game_brings_no_player_under_such_an_id(world: World) -> None:
    before = Player.objects.count()
    is_problem(put(world, "evenmatch:999", {}), 422, "reserved_id")
    is_problem(token(world, "evenmatch:999"), 422, "reserved_id")
    teams = [["evenmatch:999"], [world.anna.external_id]]
    results = [
        {**RESULT, "external_id": "m", "teams": teams},
        {**RESULT, "external_id": "n", "teams": [["account-999"], ["zed"]]},
    ]
    answer = world.call("POST", "results", "server-all", body={"results": results}).json()
    assert (answer["results"][0]["code"], answer["created"]) == ("reserved_id", 1)
    assert Player.objects.count() == before + 2


@pytest.mark.parametrize(
    "name",
    [
        "Evenmatch:99",
        " evenmatch:99",
        "even\u200dmatch:99",
        "ｅvenmatch：99",
        "\u0435venmatch:99",
        "evenmatch\ua78999",
        "evénmatch:9",
        "deleted-99",
        "delet\u0435d-10",
        "deleted\u20109",
        "de1eted-9",
        "Deleted player 9",
        "delet\u0435d player\u200d 10",
        "Deleted-player 88",
        "deleted\u20115",
        "#deleted-5",
        "Geloschter Spieler 5",
    ],
)
def test_nor_under_one_that_looks_like_it(world: World, name: str) -> None:
    before = Player.objects.count()
    for refused in (put(world, quote(name), {}), token(world, quote(name))):
        is_problem(refused, 422, "reserved_id")
    match = {**RESULT, "external_id": "m", "teams": [[name], [world.anna.external_id]]}
    answer = world.call("POST", "results", "server-all", body={"results": [match]}).json()
    assert answer["results"][0]["code"] == "reserved_id"
    assert Player.objects.count() == before


@pytest.mark.parametrize(
    "name",
    [
        "Deleted player 99",
        "deIeted PLAYER99",
        "D\u0435leted player １0",
        "Deleted player ٣",
        "Gelöschter Spieler 12",
        "Deleted player #5",
        "Deleted player 99.",
        "Deleted player №99",
        "“Deleted-player” (8)",
    ],
)
def test_nobody_who_lives_is_called_as_the_deleted_are(world: World, name: str) -> None:
    is_problem(put(world, "zed", {"name": name}), 422, "bad_name")
    assert not Player.objects.filter(external_id="zed").exists()
    for fine in ("Deleted player", "Deleted player lol", "Undeleted player 9"):
        assert put(world, "zed", {"name": fine}).json()["name"] == fine
    gone = Player.objects.get(external_id="zed")
    delete_player(gone, by=None)
    gone.refresh_from_db()
    assert put(world, gone.external_id, {"name": gone.name}).json()["name"] == gone.name


def test_an_id_of_before_stays_the_sites_with_another_account(world: World) -> None:
    """Whichever account's number is in it."""
    user = User.objects.create_user("zoe")
    player = make_player(game=world.game, user=user, name="Zoe")
    other = User.objects.create_user("yves")
    Player.objects.filter(pk=player.pk).update(external_id=f"account-{user.pk}", user=other)
    name = f"account-{user.pk}"
    is_problem(put(world, name, {"name": "Fool"}), 422, "reserved_id")
    is_problem(token(world, name), 422, "reserved_id")
    assert put(world, name, {"name": "Zoe"}).status_code == 200
    into = Player.objects.get(pk=world.site.arena.players[1].pk)
    merge(player=player, into=into, by=None, note="same")
    is_problem(token(world, name), 422, "reserved_id")


def test_no_token_comes_of_an_id_that_was_merged_into_theirs(world: World, own: Player) -> None:
    assert put(world, "once", {}).status_code == 201
    once = Player.objects.get(external_id="once")
    merge(player=once, into=own, by=None, note="same")
    is_problem(token(world, "once"), 422, "reserved_id")
    assert not PlayerToken.objects.filter(player=own).exists()


def test_nobody_plays_on_as_somebody_who_was_deleted(world: World) -> None:
    assert put(world, "gone", {}).status_code == 201
    gone = Player.objects.get(external_id="gone")
    delete_player(gone, by=None)
    name = f"deleted-{gone.pk}"
    sent = {"queue": "search", "player": name}
    teams = [[name], [world.site.arena.players[3].external_id]]
    for refused in (
        token(world, name),
        world.call("POST", "tickets", "server-all", body=sent),
        world.call("POST", "parties", "server-all", body={"player": name}),
        world.call("POST", "matches", "server-all", body={"ladder": "go", "teams": teams}),
    ):
        is_problem(refused, 404, "unknown_player")
        assert "was deleted" in refused.json()["detail"]
    match = {**RESULT, "external_id": "m", "teams": teams}
    answer = world.call("POST", "results", "server-all", body={"results": [match]}).json()
    assert answer["results"][0]["code"] == "unknown_player"
    assert world.get(f"players/by-external-id/{name}", "server-all")["id"] == gone.pk


def test_whom_the_game_has_brought_stays_the_games_own(world: World) -> None:
    """Whatever account has claimed the player since."""
    name = "ann-17"
    assert put(world, name, {"name": "Ann"}).status_code == 201
    user = User.objects.create_user("ann", pk=8)
    Player.objects.filter(external_id=name).update(user=user)
    assert put(world, name, {"name": "Änne"}).json()["name"] == "Änne"
    assert token(world, name).status_code == 201


def test_an_archived_game_takes_no_players(world: World) -> None:
    before = Player.objects.count()
    archive(world.game, by=None, note="over")
    is_problem(put(world, "new", {}), 410, "archived")
    is_problem(put(world, world.anna.external_id, {"name": "Anna II"}), 410, "archived")
    is_problem(token(world, "new"), 410, "archived")
    assert Player.objects.count() == before
    restore(world.game, by=None, note="not over")
    assert put(world, "new", {}).status_code == 201
