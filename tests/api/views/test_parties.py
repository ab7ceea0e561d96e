"""Parties over the API: opening, coming, going, leading; for players and for the game's servers."""

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from api.auth.issue import issue_token
from api.auth.scopes import PLAYER_SCOPES
from foundation import clock
from matchmaking.models import Party, PartyMember
from ratings.archiving import archive
from ratings.models import Ladder, Player
from tests.api.world import World

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def squads(world: World) -> Ladder:
    """A ladder of teams of two; Anna's own party has ended."""
    Party.objects.all().delete()
    return Ladder.objects.create(game=world.game, slug="squads", name="Squads", team_size=2)


@pytest.fixture
def tokens(world: World) -> list[str]:
    """What the first four players send, by number; the world knows them as `squad-0` and so on."""
    people = world.site.arena.players[:4]
    for number, player in enumerate(people):
        secret = issue_token(player=player, name="test", scopes=PLAYER_SCOPES)[1]
        world.secrets[f"squad-{number}"] = secret
    return [f"squad-{number}" for number in range(len(people))]


def ask(
    world: World, method: str, path: str, caller: str, status: int, body: Any = None, **headers: str
) -> Any:
    given = {} if body is None and method == "POST" else body
    answer = world.call(method, path, caller, body=given, **headers)
    assert answer.status_code == status, answer.content
    return answer.json()


def people(world: World) -> list[Player]:
    return list(world.site.arena.players)


def test_two_players_gather(world: World, tokens: list[str]) -> None:
    anna, bjorn = people(world)[:2]
    answer = world.call("POST", "parties", tokens[0], body={})
    party = answer.json()
    assert answer.status_code == 201
    assert answer["Location"] == f"/api/v1/parties/{party['id']}"
    assert (party["leader"], party["largest"], party["ticket"]) == (anna.pk, 2, None)
    joined = ask(world, "POST", "parties/join", tokens[1], 200, {"code": party["code"].lower()})
    assert [one["id"] for one in joined["members"]] == [anna.pk, bjorn.pk]
    assert [one["external_id"] for one in joined["members"]] == [None, None]
    again = ask(world, "POST", "parties/join", tokens[1], 200, {"code": party["code"]})
    assert again == joined == ask(world, "GET", f"parties/{party['id']}", tokens[0], 200)
    assert world.get("me", tokens[1])["party"] == party["id"]
    full = ask(world, "POST", "parties/join", tokens[2], 409, {"code": party["code"]})
    assert (full["code"], full["largest"]) == ("party_full", 2)
    ask(world, "GET", f"parties/{party['id']}", tokens[2], 404)


def test_leading_is_handed_over_and_members_are_removed(world: World, tokens: list[str]) -> None:
    anna, bjorn, carla = people(world)[:3]
    party = ask(world, "POST", "parties", tokens[0], 201)
    ask(world, "POST", "parties/join", tokens[1], 200, {"code": party["code"]})
    path = f"parties/{party['id']}"
    refused = ask(world, "POST", f"{path}/lead", tokens[1], 403, {"member": bjorn.pk})
    assert (refused["code"], refused["leader"]) == ("not_leader", anna.pk)
    refused = ask(world, "POST", f"{path}/remove", tokens[0], 409, {"member": carla.pk})
    assert (refused["code"], refused["player"]) == ("not_in_party", carla.pk)
    led = ask(world, "POST", f"{path}/lead", tokens[0], 200, {"member": bjorn.pk})
    assert led["leader"] == bjorn.pk
    left = ask(world, "POST", f"{path}/remove", tokens[1], 200, {"member": anna.pk})
    assert [one["id"] for one in left["members"]] == [bjorn.pk]
    assert left["code"] != party["code"]
    ask(world, "GET", path, tokens[0], 404)
    unknown = ask(world, "POST", "parties/join", tokens[0], 404, {"code": party["code"]})
    assert unknown["code"] == "unknown_party"


def test_leaving_and_the_end(world: World, tokens: list[str]) -> None:
    bjorn = people(world)[1]
    party = ask(world, "POST", "parties", tokens[0], 201)
    ask(world, "POST", "parties/join", tokens[1], 200, {"code": party["code"]})
    path = f"parties/{party['id']}"
    assert ask(world, "POST", f"{path}/leave", tokens[0], 200)["leader"] == bjorn.pk
    ask(world, "POST", f"{path}/leave", tokens[0], 404)
    last = ask(world, "POST", f"{path}/leave", tokens[1], 200)
    assert last["members"] == []
    assert last["ended_at"] is not None
    assert world.get("me", tokens[1])["party"] is None


def test_a_server_acts_for_its_players(world: World) -> None:
    anna, bjorn = people(world)[:2]
    server, path = "server-all", "parties"
    assert ask(world, "POST", path, server, 422)["code"] == "wrong_player_field"
    party = ask(world, "POST", path, server, 201, {"player": anna.external_id})
    assert party["members"][0]["external_id"] == anna.external_id
    joining = {"player": bjorn.external_id, "code": party["code"]}
    ask(world, "POST", f"{path}/join", server, 200, joining)
    path = f"parties/{party['id']}"
    sent = {"player": anna.external_id, "member": bjorn.pk}
    assert ask(world, "POST", f"{path}/lead", server, 200, sent)["leader"] == bjorn.pk
    ask(world, "POST", f"{path}/leave", server, 200, {"player": anna.external_id})
    refused = ask(world, "POST", f"{path}/leave", server, 409, {"player": anna.external_id})
    assert refused["code"] == "not_in_party"
    ask(world, "POST", f"{path}/leave", server, 200, {"player": bjorn.external_id})
    ended = ask(world, "GET", path, server, 200)
    assert (ended["members"], ended["ended_at"] is None) == ([], False)
    over = ask(world, "POST", f"{path}/leave", server, 409, {"player": bjorn.external_id})
    assert over["code"] == "party_over"
    ask(world, "GET", path, "other-server", 404)


def test_a_player_is_in_one_party(world: World, tokens: list[str]) -> None:
    party = ask(world, "POST", "parties", tokens[0], 201)
    other = ask(world, "POST", "parties", tokens[1], 201)
    for path, body in (("parties", {}), ("parties/join", {"code": other["code"]})):
        refused = ask(world, "POST", path, tokens[0], 409, body)
        assert (refused["code"], refused["party"]) == ("already_in_party", party["id"])


def test_a_game_without_teams(world: World, tokens: list[str], squads: Ladder) -> None:
    squads.delete()
    assert ask(world, "POST", "parties", tokens[0], 409)["code"] == "no_teams"


def test_once_only(world: World, tokens: list[str]) -> None:
    once = {"Idempotency-Key": "gather"}
    first = ask(world, "POST", "parties", tokens[0], 201, {}, **once)
    assert ask(world, "POST", "parties", tokens[0], 201, {}, **once) == first
    assert PartyMember.objects.filter(live=True).count() == 1


def test_none_is_opened_in_an_archived_game(world: World, tokens: list[str]) -> None:
    with clock.at(world.site.now):
        archive(world.game, by=None)
    assert ask(world, "POST", "parties", tokens[0], 410)["code"] == "archived"


def test_a_server_finds_all_live_parties_again(world: World, tokens: list[str]) -> None:
    first, second, third = (ask(world, "POST", "parties", tokens[it], 201) for it in (0, 2, 3))
    ask(world, "POST", "parties/join", tokens[1], 200, {"code": first["code"]})
    ask(world, "POST", f"parties/{third['id']}/leave", tokens[3], 200)
    page = world.get("parties?limit=1", "server-read")
    rest = world.get(page["next"].partition("/api/v1/")[2], "server-read")
    alone = [world.get(f"parties/{it['id']}", "server-read") for it in (first, second)]
    assert [*page["results"], *rest["results"]] == alone
    assert [len(one["members"]) for one in alone] == [2, 1]
    assert alone[0]["members"][0]["external_id"] == people(world)[0].external_id
    assert rest["next"] is None
    assert world.get("parties", "other-server")["results"] == []


def test_a_player_is_listed_the_own_party_alone(world: World, tokens: list[str]) -> None:
    party = ask(world, "POST", "parties", tokens[0], 201)
    assert world.get("parties", tokens[0])["results"] == [party]
    assert world.get("parties", tokens[2])["results"] == []


def test_the_number_of_queries_does_not_grow_with_the_parties(
    world: World, tokens: list[str]
) -> None:
    counted: list[int] = []
    for opened in tokens[:3]:
        ask(world, "POST", "parties", opened, 201)
        with CaptureQueriesContext(connection) as found:
            world.get("parties", "server-all")
        counted.append(len(found))
    assert counted[1] == counted[2]
