"""What an account takes along: what is its own, and nothing of what others have said."""

import json
from typing import Any

import pytest
from django.test import Client

from accounts.models import AuditEntry, User
from matchmaking.avoid_list import avoid
from matchmaking.models import Preference, Queue
from ratings.merging.merge import merge
from ratings.models import Participant, Player, SanctionKind
from ratings.sanctions import impose
from tests.api.world import World

pytestmark = pytest.mark.django_db
PAGE = "/accounts/data/"


@pytest.fixture
def anna(world: World) -> Client:
    user = User.objects.create_user("anna", password="an old door")
    Player.objects.filter(pk=world.anna.pk).update(user=user)
    client = Client()
    client.force_login(user)
    return client


def taken(client: Client) -> dict[str, Any]:
    answer = client.post(PAGE)
    assert answer.status_code == 200
    assert answer["Content-Disposition"].startswith("attachment")
    assert "no-store" in answer["Cache-Control"]
    found: dict[str, Any] = json.loads(answer.content)
    return found


def test_it_holds_what_is_ones_own(world: World, anna: Client) -> None:
    impose(player=world.anna, kind=SanctionKind.WARNING, reason="Mind your words.", by=None)
    other = world.site.arena.players[1]
    avoid(player=world.anna, other=other)
    queue = Queue.objects.get()
    Preference.objects.create(player=world.anna, queue=queue, character="Bard")
    found = taken(anna)
    assert found["account"]["name"] == "anna"
    (player,) = found["players"]
    assert player["name"] == world.anna.name
    assert player["matches"]
    assert {"match", "ladder", "state", "team", "place"} <= player["matches"][0].keys()
    assert player["ratings"][0]["ladder"] == "go"
    assert player["rating_changes"]
    assert player["sanctions"][0]["reason"] == "Mind your words."
    assert [one["avoided"] for one in player["avoided"]] == [other.pk]
    assert player["tokens"]
    (preference,) = player["preferences"]
    assert (preference["queue"], preference["character"]) == (queue.slug, "Bard")


def test_places_count_from_one_and_say_who_won(world: World, anna: Client) -> None:
    own = Participant.objects.filter(player=world.anna, rank=0)[0]
    other = Participant.objects.exclude(player=world.anna).get(match=own.match_id)
    (player,) = taken(anna)["players"]
    row = next(one for one in player["matches"] if one["match"] == own.match_id)
    assert "rank" not in row
    assert (row["place"], row["team"], row["result"]) == (1, own.team + 1, "won")
    sides = {side["own"]: side for side in row["sides"]}
    assert sides[True]["players"] == [{"id": world.anna.pk, "name": world.anna.name}]
    assert sides[False]["players"] == [{"id": other.player_id, "name": other.player.name}]
    assert (sides[False]["team"], sides[False]["place"]) == (other.team + 1, 2)
    Player.objects.filter(pk=world.anna.pk).update(user=None)
    Player.objects.filter(pk=other.player_id).update(user=User.objects.get(username="anna"))
    (loser,) = taken(anna)["players"]
    row = next(one for one in loser["matches"] if one["match"] == own.match_id)
    assert (row["place"], row["result"]) == (2, "lost")


def test_a_player_merged_into_anothers_is_in_it(world: World, anna: Client) -> None:
    other = world.site.arena.players[1]
    other.user = User.objects.create_user("otto")
    other.save()
    merge(
        player=Player.objects.get(pk=world.anna.pk),
        into=other,
        by=None,
        note="the same",
        annul_shared=True,
        end_what_runs=True,
    )
    assert not Player.objects.filter(user__username="anna").exists()
    (merged,) = taken(anna)["players"]
    assert (merged["id"], merged["name"]) == (world.anna.pk, world.anna.name)
    assert (merged["id_in_the_game"], merged["merged_into"]) == (world.anna.external_id, other.pk)
    assert merged["tokens"]
    assert world.anna.name in anna.get("/accounts/delete/").content.decode()


def test_it_holds_nothing_of_others_and_no_secrets(world: World, anna: Client) -> None:
    impose(player=world.anna, kind=SanctionKind.NOTE, reason="A thought of ours.", by=None)
    other = world.site.arena.players[1]
    avoid(player=other, other=world.anna)
    text = json.dumps(taken(anna))
    assert "A thought of ours." not in text
    (player,) = json.loads(text)["players"]
    assert player["avoided"] == []
    player["matches"] = []  # who was met is no secret
    assert other.name not in json.dumps(player)
    for secret in world.secrets.values():
        assert secret not in text
    user = User.objects.get(username="anna")
    assert user.password not in text


def test_each_is_written_down_and_they_are_few(world: World, anna: Client) -> None:
    for _ in range(5):
        taken(anna)
    assert AuditEntry.objects.filter(action="user.data_exported").count() == 5
    assert anna.post(PAGE).status_code == 429


def test_the_page_says_what_it_is_and_nobody_else_gets_it(world: World, anna: Client) -> None:
    assert "as one file (JSON)" in anna.get(PAGE).content.decode()
    assert "/accounts/login/" in Client().post(PAGE)["Location"]


def test_without_a_player_it_is_short(world: World) -> None:
    client = Client()
    client.force_login(User.objects.create_user("otto"))
    assert taken(client)["players"] == []
