"""The API of merged players: their ids lead to the other, act for it, and remember under whom something came."""

from typing import Any

import pytest

from api.auth.issue import issue_token
from api.auth.scopes import PLAYER_SCOPES
from api.models import PlayerToken
from foundation import clock
from matchmaking.models import TicketMember
from ratings.merging.merge import merge
from ratings.merging.unmerge import unmerge
from ratings.models import Match, Participant, Player
from tests.api.world import World

pytestmark = pytest.mark.django_db

RESULT = {"ladder": "go", "ranks": [0, 1], "played_at": "2026-03-01T10:00:00Z"}


def joined(world: World) -> tuple[Player, Player]:
    """Dmitri is Otto."""
    one, two = (Player.objects.get(pk=world.site.arena.players[it].pk) for it in (2, 3))
    with clock.at(world.site.now):
        merge(player=two, into=one, by=None, note="x", annul_shared=True)
    two.refresh_from_db()
    return one, two


def parted(world: World, player: Player) -> None:
    with clock.at(world.site.now):
        unmerge(player=player, by=None, note="x")


def recorded(world: World, name: str, *players: str) -> Any:
    body = {"results": [{**RESULT, "external_id": name, "teams": [[it] for it in players]}]}
    answer = world.call("POST", "results", "server-results:write", body=body)
    return answer.json()["results"][0]


def test_the_number_leads_to_the_other(world: World) -> None:
    one, two = joined(world)
    for below in ("", "/ratings", "/history", "/matches?limit=5"):
        answer = world.call("GET", f"players/{two.pk}{below}")
        said = answer.json()
        assert (answer.status_code, said["code"], said["merged_into"]) == (
            308,
            "player_merged",
            one.pk,
        )
        assert answer["Location"] == f"/api/v1/players/{one.pk}{below}"
        assert "no-store" in answer["Cache-Control"]
    parted(world, two)
    assert world.get(f"players/{two.pk}")["id"] == two.pk


def test_the_id_in_the_game_acts_for_the_other(world: World) -> None:
    one, two = joined(world)
    path = f"players/by-external-id/{two.external_id}"
    assert world.get(path, "server-all")["id"] == one.pk
    answer = world.call("PUT", path, "server-all", body={"name": "Otto the Great"})
    assert (answer.status_code, answer.json()["name"]) == (
        200,
        one.name,
    )  # who is not the one named
    made = recorded(world, "late-1", two.external_id, world.anna.external_id)
    assert made["status"] == "created"
    assert recorded(world, "late-1", two.external_id, world.anna.external_id)["status"] == "known"
    played = Participant.objects.get(match=made["match"], team=0)
    assert (played.player, played.reported_as) == (one, two)
    both = recorded(world, "late-2", two.external_id, one.external_id)
    assert (both["status"], both["code"]) == ("refused", "wrong_players")
    found = [it["id"] for it in world.get(f"players?search={two.name}")["results"]]
    assert one.pk in found
    assert two.pk not in found
    parted(world, two)
    played.refresh_from_db()
    assert (played.player, played.reported_as) == (two, None)


def test_an_arranged_match_is_reported_under_either_id(world: World) -> None:
    one, two = joined(world)
    Match.objects.filter(pk=world.hidden.pk).delete()
    bjorn = world.site.arena.players[1]
    body = {"ladder": "go", "teams": [[two.external_id], [bjorn.external_id]]}
    match = world.call("POST", "matches", "server-all", body=body).json()["id"]
    played = Participant.objects.get(match=match, team=0)
    assert (played.player, played.reported_as) == (one, two)
    sent = {"ranks": [0, 1], "left": [two.external_id]}
    assert world.call("POST", f"matches/{match}/result", "server-all", body=sent).status_code == 200
    played.refresh_from_db()
    assert played.left_early


def test_tokens_act_for_the_other_and_searches_remember(world: World) -> None:
    with clock.at(world.site.now):
        two = world.site.arena.players[3]
        _token, world.secrets["dmitri"] = issue_token(player=two, name="x", scopes=PLAYER_SCOPES)
    one, two = joined(world)
    assert world.get("me", "dmitri")["player"]["id"] == one.pk
    answer = world.call("POST", "tickets", "dmitri", body={"queue": "search"})
    assert answer.status_code == 201
    member = TicketMember.objects.get(ticket=answer.json()["id"])
    assert (member.player, member.reported_as) == (one, two)
    parted(world, two)
    assert world.get("me", "dmitri")["player"]["id"] == two.pk
    assert PlayerToken.objects.filter(player=two, revoked_at=None).exists()
