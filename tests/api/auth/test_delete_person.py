"""Deleting a person: nothing that names or describes them is left, and nobody else's history changes."""

from io import StringIO
from typing import Any

import pytest
import pytest_django
from allauth.account.models import EmailAddress
from django.apps import apps
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client

from accounts.models import AuditEntry, User
from api.auth.issue import issue_token
from api.auth.scopes import PLAYER_SCOPES
from matchmaking.avoid_list import avoid
from ratings.matches.correct import correct
from ratings.matches.result import Result
from ratings.models import (
    FormerName,
    Match,
    Player,
    RatingChange,
    SanctionKind,
    Statement,
    name_columns,
)
from ratings.players.enrol import enrol
from ratings.sanctions import impose
from tests.api.world import World

pytestmark = pytest.mark.django_db
NAME, PASSWORD = "Quirinus", "an old door"
TELLING = (
    NAME,
    "quirinus",
    "Xanthippe",
    "secret-id-77",
    "somewhere.example",
    "Foul language",
    "Rosinante",
)


@pytest.fixture
def user(world: World) -> User:
    """An account whose player has been in everything that holds words about a person."""
    user = User.objects.create_user(NAME, password=PASSWORD)
    EmailAddress.objects.create(
        user=user, email="quirinus@somewhere.example", verified=True, primary=True
    )
    player = world.anna
    Player.objects.filter(pk=player.pk).update(
        user=user, external_id="secret-id-77", **name_columns("Xanthippe")
    )
    Player.objects.filter(pk=player.pk).update(**name_columns(NAME))
    player.refresh_from_db()
    other = world.site.arena.players[1]
    avoid(player=player, other=other)
    avoid(player=other, other=player)
    impose(
        player=player, kind=SanctionKind.WARNING, reason="Foul language", by=None, note="Xanthippe"
    )
    browser = Client()
    browser.force_login(user)
    token = {"player": player.pk, "name": "Rosinante", "days": "90", "scopes": ["read"]}
    assert "Rosinante" in browser.post("/accounts/tokens/", token).content.decode()
    Statement.objects.create(match=world.hidden, player=player, comment=f"{NAME} says so")
    match = Match.objects.filter(participants__player=player, state="confirmed")[0]
    reason = f"{NAME.lower()}, once Xanthippe, had swapped the sides."
    correct(match_id=match.pk, result=Result(ranks=(1, 0)), reason=reason)
    return user


def holding(word: str) -> list[str]:
    """Tables in which a text holds the word."""
    found = []
    with connection.cursor() as cursor:
        for model in apps.get_models(include_auto_created=True):
            table = model._meta.db_table
            cursor.execute(
                f"SELECT count(*) FROM {table} AS row WHERE row::text ILIKE %s",  # noqa: S608
                [f"%{word}%"],
            )
            if cursor.fetchone()[0]:
                found.append(table)
    return found


def ledger() -> list[tuple[Any, ...]]:
    return list(RatingChange.objects.order_by("pk").values_list("pk", "player", "value_after"))


def test_nothing_is_left_that_tells_of_them(world: World, user: User) -> None:
    for word in TELLING:
        assert holding(word), word
    before = ledger()
    client = Client()
    client.force_login(user)
    call_command("delete_person", "--account", NAME, "--note", "asked for", stdout=StringIO())
    for word in TELLING:
        assert holding(word) == [], word
    assert ledger() == before
    player = Player.objects.get(pk=world.anna.pk)
    assert (player.name, player.user) == (f"Deleted player {player.pk}", None)
    assert not FormerName.objects.filter(player=player).exists()
    assert client.get("/accounts/data/").status_code == 302  # signed out
    assert not Client().login(username=f"deleted-{user.pk}", password=PASSWORD)


def test_tokens_end(world: World, user: User) -> None:
    secret = issue_token(player=world.anna, name="bot", scopes=PLAYER_SCOPES)[1]
    call_command("delete_person", "--account", NAME, "--note", "asked for", stdout=StringIO())
    answer = Client().get("/api/v1/me", headers={"Authorization": f"Bearer {secret}"})
    assert answer.status_code == 401


def test_a_browser_left_open_is_not_enough(
    world: World, user: User, settings: pytest_django.Settings
) -> None:
    client = Client()
    client.post("/accounts/login/", {"login": NAME, "password": PASSWORD})
    settings.FRESH_SIGN_IN = 0
    asked = client.post("/accounts/delete/", {"name": NAME})
    assert asked["Location"] == "/accounts/reauthenticate/?next=%2Faccounts%2Fdelete%2F"
    user.refresh_from_db()
    assert user.is_active


def test_the_owner_deletes_it_after_typing_its_name(world: World, user: User) -> None:
    client = Client()
    client.post("/accounts/login/", {"login": NAME, "password": PASSWORD})
    page = client.get("/accounts/delete/").content.decode()
    assert "This cannot be taken back." in page
    wrong = client.post("/accounts/delete/", {"name": "Somebody"})
    assert "Nothing was deleted" in wrong.content.decode()
    user.refresh_from_db()
    assert user.is_active
    done = client.post("/accounts/delete/", {"name": NAME}, follow=True)
    assert "Your account is deleted." in done.content.decode()
    assert holding(NAME) == []
    entry = AuditEntry.objects.get(action="user.person_deleted")
    assert entry.after == {"players": [world.anna.pk]}


def test_a_player_of_the_game_alone(world: World) -> None:
    player, _ = enrol(game=world.game, external_id="secret-id-77", name="Xanthippe")
    call_command("delete_person", "--player", str(player.pk), "--note", "asked", stdout=StringIO())
    assert holding("Xanthippe") == holding("secret-id-77") == []
    again, is_new = enrol(game=world.game, external_id="secret-id-77", name="Xanthippe")
    assert is_new
    assert again.pk != player.pk


@pytest.mark.parametrize("who", [["--account", "nobody"], ["--player", "99999999"]])
def test_whoever_is_not_there(who: list[str]) -> None:
    with pytest.raises(CommandError, match="Nothing was deleted"):
        call_command("delete_person", *who, "--note", "asked")
