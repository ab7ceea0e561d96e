"""`manage.py add_server_key`."""

import io

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from accounts.models import AuditEntry
from api.models import ServerKey
from ratings.models import Game

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def game() -> Game:
    return Game.objects.create(slug="go", name="Go")


def made(*options: str) -> str:
    out = io.StringIO()
    call_command("add_server_key", "go", "--name", "host 1", *options, stdout=out)
    return out.getvalue().strip()


def test_the_key_that_is_printed_works_and_is_recorded() -> None:
    secret = made()
    answer = Client().get("/api/v1/", headers={"Authorization": f"Bearer {secret}"}).json()
    key = ServerKey.objects.get()
    assert answer["caller"] == f"server:{key.pk}"
    assert secret.startswith(f"em_srv_{key.prefix}_")
    assert secret not in str(vars(key))
    entry = AuditEntry.objects.get()
    assert (entry.action, entry.target_id, entry.actor) == ("serverkey.added", str(key.pk), None)


def test_scopes_and_days_are_kept() -> None:
    made("--scopes", "results:write", "read", "--days", "1")
    key = ServerKey.objects.get()
    assert key.scopes == ["results:write", "read"]
    assert key.expires_at is not None
    assert (key.expires_at - key.created_at).days == 1


def test_what_cannot_be_is_refused() -> None:
    with pytest.raises(CommandError, match=r"There is no game “chess”. Games: go."):
        call_command("add_server_key", "chess", "--name", "x")
    for days in ("nan", "inf", "-inf", "-1", "0", "1e300", "soon"):
        with pytest.raises(CommandError, match=f"“{days}”: must be a number of days above 0"):
            made(f"--days={days}")
    with pytest.raises(CommandError, match="invalid choice"):
        made("--scopes", "play")
    assert not ServerKey.objects.exists()


def test_a_key_that_sets_up_games_is_asked_for() -> None:
    made()
    assert "admin" not in ServerKey.objects.get().scopes
    made("--scopes", "admin")
    assert ServerKey.objects.latest("pk").scopes == ["admin"]
    call_command("add_server_key", "--all-games", "--name", "deploy", stdout=io.StringIO())
    key = ServerKey.objects.latest("pk")
    assert (key.game, key.scopes) == (None, ["admin"])
    with pytest.raises(CommandError, match="scope “admin” and no other"):
        call_command("add_server_key", "--all-games", "--name", "x", "--scopes", "read", "admin")
    with pytest.raises(CommandError, match="Give a game, or --all-games"):
        made("--all-games")
    with pytest.raises(CommandError, match="There is no game “”"):
        call_command("add_server_key", "--name", "x")
