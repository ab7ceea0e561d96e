"""What opens an account, and one that was prepared for somebody else."""

from typing import Any

from django.test import Client

from accounts.models import User
from api.auth.issue import issue_token
from api.auth.scopes import PLAYER_SCOPES
from ratings.models import Game, Player
from tests.accounts.mailing import PASSWORD, add_address

VICTIM, EVIL = "vera@example.org", "evil@example.org"


def signed_in(client: Client) -> bool:
    return client.get("/accounts/security/").status_code == 200


def sign_in(name: str, password: str = PASSWORD) -> Client:
    client = Client()
    client.post("/accounts/login/", {"login": name, "password": password})
    return client


def token_of(user: User) -> str:
    game, _ = Game.objects.get_or_create(slug="chess", name="Chess")
    player = Player.objects.create(game=game, name=user.username, skeleton=user.username, user=user)
    scopes = [scope.value for scope in PLAYER_SCOPES]
    return issue_token(player=player, name="for ever", scopes=scopes)[1]


def opens(token: str) -> bool:
    answer = Client().get("/api/v1/me", headers={"Authorization": f"Bearer {token}"})
    return answer.status_code != 401


def reset(client: Client, path: str, password: str) -> Any:
    form = client.get(path, follow=True)
    way = form.redirect_chain[-1][0] if form.redirect_chain else path
    return client.post(way, {"password1": password, "password2": password})


def prepared_account() -> User:
    """An account made long before with the victim's address, as sites without confirmation let it be."""
    user = User.objects.create_user("mallory", VICTIM, PASSWORD)
    add_address(user, EVIL, verified=True, primary=True)
    add_address(user, VICTIM, verified=False)
    return user
