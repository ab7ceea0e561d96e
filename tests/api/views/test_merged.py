"""The API of merged players: their ids lead to the other, act for it, and remember under whom something came."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import AuditEntry, User
from api.auth.issue import end_of, issue_key, issue_token, revoke_tokens_as, revoke_tokens_of
from api.auth.scopes import PLAYER_SCOPES
from api.auth.stream_rights import rights_of
from api.models import PlayerToken
from events.live.readers import lost_rights
from foundation import clock
from matchmaking.models import TicketMember
from ratings.merging.merge import merge
from ratings.merging.unmerge import unmerge
from ratings.models import Match, Participant, Player
from ratings.players.accounts import give_to, move_player
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


def served_token(world: World, player: Player, name: str) -> PlayerToken:
    """One that the game's server has made for the player."""
    with clock.at(world.site.now):
        key, _secret = issue_key(game=world.game, name="host", scopes=["players:write"])
        token, world.secrets[name] = issue_token(
            player=player, name="x", scopes=PLAYER_SCOPES, expires_at=end_of(1), by=key
        )
    return token


def opens(world: World, name: str) -> bool:
    return bool(world.call("GET", "me", name).status_code == 200)


@pytest.mark.parametrize("comes", ["before", "later"])
def test_nobody_acts_as_an_account_by_a_player_merged_into_its_own(
    world: World, comes: str
) -> None:
    """Whether it has the player when the merge is made, or gets it afterwards."""
    one, two = (Player.objects.get(pk=world.site.arena.players[it].pk) for it in (2, 3))
    pat = User.objects.create_user("pat")
    if comes == "before":
        give_to(one, pat)
    token = served_token(world, two, "dmitri")
    rights = rights_of(token)
    assert opens(world, "dmitri")
    joined(world)
    if comes == "later":
        assert world.get("me", "dmitri")["player"]["id"] == one.pk
        move_player(player=one, to=pat, by=None, note="x")
    assert not opens(world, "dmitri")
    assert f"token:{token.pk}" in lost_rights(rights)
    parted(world, Player.objects.get(pk=two.pk))
    assert not opens(world, "dmitri")


def test_what_acts_as_an_account_by_a_merged_player_is_listed_and_ends(world: World) -> None:
    """Such as its own, which came along with it."""
    one, two = (Player.objects.get(pk=world.site.arena.players[it].pk) for it in (2, 3))
    pat = User.objects.create_user("pat")
    give_to(two, pat)
    served_token(world, two, "served")
    with clock.at(world.site.now):
        own, world.secrets["dmitri"] = issue_token(player=two, name="mine", scopes=PLAYER_SCOPES)
    joined(world)
    assert not opens(world, "served")
    assert world.get("me", "dmitri")["player"]["id"] == one.pk
    client = Client()
    client.force_login(pat)
    for page in ("account-security", "player-tokens"):
        assert "mine" in client.get(reverse(page)).content.decode()
    for by_player in (False, True):
        PlayerToken.objects.filter(pk=own.pk).update(revoked_at=None)
        _ended = revoke_tokens_as(one) if by_player else revoke_tokens_of(pat)
        own.refresh_from_db()
        assert own.revoked_at is not None


def test_a_server_takes_back_tokens_by_the_id_of_the_merged_player(world: World) -> None:
    """They are those of the one who stays, whichever id they were made for."""
    one, two = (Player.objects.get(pk=world.site.arena.players[it].pk) for it in (2, 3))
    tokens = [served_token(world, one, "otto"), served_token(world, two, "dmitri")]
    joined(world)
    assert opens(world, "otto")
    assert opens(world, "dmitri")
    path = f"players/by-external-id/{two.external_id}/tokens"
    assert world.call("DELETE", path, "server-players:write").status_code == 204
    assert not opens(world, "otto")
    assert not opens(world, "dmitri")
    told = AuditEntry.objects.get(action="player.tokens_revoked")
    assert (told.target_id, told.after) == (str(one.pk), {"tokens": len(tokens)})
