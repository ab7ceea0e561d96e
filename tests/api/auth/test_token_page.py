"""The page of tokens: made, shown once, revoked."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import AuditEntry, User
from api.auth.issue import issue_token
from api.models import PlayerToken
from api.site import forms
from ratings.models import Game, Player
from ratings.players.claim import make_player

pytestmark = pytest.mark.django_db
PAGE = "/accounts/tokens/"


@pytest.fixture
def ann() -> Player:
    user = User.objects.create_user("ann")
    return make_player(game=Game.objects.create(slug="go", name="Go"), user=user, name="Ann")


@pytest.fixture
def client(ann: Player) -> Client:
    client = Client()
    client.force_login(User.objects.get(username="ann"))
    return client


def fill(player: Player, **changes: object) -> dict[str, object]:
    return {"player": player.pk, "name": "bot", "scopes": ["read"], "days": "30", **changes}


def test_it_needs_an_account() -> None:
    assert Client().get(PAGE).status_code == 302
    assert Client().post(reverse("player-token-revoke", args=[1])).status_code == 302


def test_the_secret_is_shown_once_and_works(client: Client, ann: Player) -> None:
    page = client.post(PAGE, fill(ann))
    found = re.search(r"em_ply_[a-z0-9]{8}_[0-9a-f]{64}", page.content.decode())
    assert found is not None
    assert "no-store" in page["Cache-Control"]
    headers = {"Authorization": f"Bearer {found[0]}"}
    answer = Client().get("/api/v1/", headers=headers).json()
    assert (answer["caller"], answer["scopes"]) == (f"player:{ann.pk}", ["read"])
    later = client.get(PAGE).content.decode()
    assert found[0] not in later
    token = PlayerToken.objects.get()
    assert f"em_ply_{token.prefix}_…" in later
    assert token.expires_at is not None
    assert AuditEntry.objects.get().action == "playertoken.added"


def test_a_revoked_token_is_good_no_more(client: Client, ann: Player) -> None:
    token, secret = issue_token(player=ann, name="bot", scopes=["read"])
    page = client.post(reverse("player-token-revoke", args=[token.pk]), follow=True)
    assert "“bot” is revoked." in page.content.decode()
    assert token.prefix not in page.content.decode()
    answer = Client().get("/api/v1/", headers={"Authorization": f"Bearer {secret}"})
    assert answer.json()["code"] == "revoked_token"
    assert AuditEntry.objects.get().action == "playertoken.revoked"


def test_tokens_of_others_are_out_of_reach(client: Client, ann: Player) -> None:
    other = Player.objects.create(game=ann.game, external_id="b", name="Bob", skeleton="bob")
    token, _ = issue_token(player=other, name="secret bot", scopes=["read"])
    assert "secret bot" not in client.get(PAGE).content.decode()
    assert client.post(reverse("player-token-revoke", args=[token.pk])).status_code == 404
    page = client.post(PAGE, fill(other))
    assert "Select a valid choice" in page.content.decode()
    assert PlayerToken.objects.count() == 1


@pytest.mark.parametrize("changes", [{"scopes": []}, {"scopes": ["results:write"]}, {"name": ""}])
def test_what_cannot_be_is_refused(client: Client, ann: Player, changes: dict[str, object]) -> None:
    page = client.post(PAGE, fill(ann, **changes))
    assert "field-errors" in page.content.decode()
    assert not PlayerToken.objects.exists()


def test_there_is_a_most(client: Client, ann: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forms, "MOST_TOKENS", 1)
    client.post(PAGE, fill(ann))
    page = client.post(PAGE, fill(ann))
    assert "This player has 1 tokens. Revoke one first." in page.content.decode()


def test_without_a_player_there_is_a_way_on() -> None:
    client = Client()
    client.force_login(User.objects.create_user("zoe"))
    page = client.get(PAGE).content.decode()
    assert "You don't have a player yet" in page
    assert "Create the token" not in page
