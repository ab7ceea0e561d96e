"""Server keys and tokens in the admin: made, shown once, revoked, recorded."""

import re
from typing import Any

import pytest
from django.contrib.auth.models import Group, Permission
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse

from accounts.models import AuditEntry, User
from accounts.roles import give_roles
from api.auth.issue import issue_key, issue_token
from api.models import PlayerToken, ServerKey
from ratings.models import Game
from ratings.players.enrol import enrol
from tests.ratings.admin_cast import operator

pytestmark = pytest.mark.django_db
ADD = "/admin/api/serverkey/add/"


@pytest.fixture
def game() -> Game:
    return Game.objects.create(slug="go", name="Go")


@pytest.fixture
def client() -> Client:
    return operator()


def fill(game: Game, **changes: Any) -> dict[str, Any]:
    return {"game": game.pk, "name": "host 1", "scopes": ["read", "results:write"], **changes}


def caller(secret: str) -> Any:
    return Client().get("/api/v1/", headers={"Authorization": f"Bearer {secret}"}).json()


def test_a_new_key_is_shown_once_and_recorded(game: Game, client: Client) -> None:
    page = client.post(ADD, fill(game))
    found = re.search(r"em_srv_[a-z0-9]{8}_[0-9a-f]{64}", page.content.decode())
    assert found is not None, page.content.decode()
    assert "no-store" in page["Cache-Control"]
    key = ServerKey.objects.get()
    assert caller(found[0])["caller"] == f"server:{key.pk}"
    assert key.created_by is not None
    assert key.created_by.username == "olga"
    entry = AuditEntry.objects.latest("pk")
    assert entry.action == "serverkey.added"
    assert found[0] not in str(entry.after)
    change = client.get(reverse("admin:api_serverkey_change", args=[key.pk])).content.decode()
    assert f"em_srv_{key.prefix}_…" in change
    assert found[0] not in change


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        (
            {"expires_at_0": "2020-01-01", "expires_at_1": "00:00"},
            "expiry date must be in the future",
        ),
        ({"scopes": []}, "This field is required"),
        ({"scopes": ["play"]}, "Select a valid choice"),
    ],
)
def test_what_cannot_be_is_refused(
    game: Game, client: Client, changes: dict[str, Any], words: str
) -> None:
    assert words in client.post(ADD, fill(game, **changes)).content.decode()
    assert not ServerKey.objects.exists()


def test_a_revoked_key_ends_with_the_tokens_it_made(game: Game, client: Client) -> None:
    key, secret = issue_key(game=game, name="host 1", scopes=["players:write"])
    headers = {"Authorization": f"Bearer {secret}"}
    path = "/api/v1/players/by-external-id/ann/tokens"
    made = Client().post(path, {}, content_type="application/json", headers=headers).json()
    assert caller(made["token"])["caller"].startswith("player:")
    address = reverse("admin:api_serverkey_change", args=[key.pk])
    opened = client.get(address).context["opened_as"]
    sent = {"name": "host 1", "revoke": "on", "note": "leaked", "opened_as": opened}
    assert client.post(address, sent).status_code == 302
    assert caller(secret)["code"] == "revoked_token"
    assert caller(made["token"])["code"] == "revoked_token"
    entry = AuditEntry.objects.latest("pk")
    assert (entry.action, entry.note) == ("serverkey.changed", "leaked")
    assert list(entry.after or {}) == ["revoked_at"]


def test_keys_are_not_deleted(game: Game, client: Client) -> None:
    key, _ = issue_key(game=game, name="host 1", scopes=["read"])
    address = reverse("admin:api_serverkey_delete", args=[key.pk])
    assert client.post(address, {"post": "yes"}).status_code == 403


def test_tokens_are_revoked_and_not_made(game: Game, client: Client) -> None:
    player, _ = enrol(game=game, external_id="ann")
    token, secret = issue_token(player=player, name="bot", scopes=["read"])
    assert client.get("/admin/api/playertoken/add/").status_code == 403
    address = reverse("admin:api_playertoken_change", args=[token.pk])
    opened = client.get(address).context["opened_as"]
    client.post(address, {"name": "bot", "revoke": "on", "opened_as": opened})
    assert caller(secret)["code"] == "revoked_token"
    assert PlayerToken.objects.get().revoked_at is not None
    for name in ("serverkey", "playertoken"):
        assert client.get(f"/admin/api/{name}/?q=bot").status_code == 200


def test_a_key_of_all_games_only_sets_them_up(game: Game, client: Client) -> None:
    words = "has the scope “admin” and no other"
    assert words in client.post(ADD, {**fill(game), "game": ""}).content.decode()
    assert (
        words
        in client.post(ADD, {**fill(game, scopes=["admin", "read"]), "game": ""}).content.decode()
    )
    page = client.post(ADD, {**fill(game, scopes=["admin"]), "game": ""}).content.decode()
    assert "lets a deployment set up all games" in page
    assert "all games" in client.get("/admin/api/serverkey/").content.decode()
    key = ServerKey.objects.get()
    made, _ = issue_key(game=game, name="made", scopes=["read"], issued_by=key)
    for values in ({"scopes": ["read"]}, {"scopes": ["admin", "read"]}):
        with pytest.raises(IntegrityError), transaction.atomic():
            ServerKey.objects.filter(pk=key.pk).update(**values)
    with pytest.raises(IntegrityError), transaction.atomic():
        ServerKey.objects.filter(pk=made.pk).update(scopes=["admin"])


def test_nobody_makes_a_key_that_may_do_more_than_they_may(game: Game) -> None:
    user = User.objects.create_user("kim", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename="add_serverkey"))
    client = Client()
    client.force_login(user)
    refused = client.post(ADD, fill(game, scopes=["admin"])).content.decode()
    assert "Select a valid choice" in refused
    assert 'value="admin"' not in refused
    give_roles()
    user.groups.add(Group.objects.get(name="Organiser"))
    tuner = Permission.objects.filter(codename="change_ratingtrack")
    user.user_permissions.add(*tuner)
    client.post(ADD, fill(game, scopes=["admin"]))
    assert ServerKey.objects.get().scopes == ["admin"]
