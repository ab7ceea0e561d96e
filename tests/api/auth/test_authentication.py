"""Keys and tokens: good until they expire, are revoked, or their account is closed."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from api.auth.issue import forget_expired_tokens, issue_key, issue_token, revoke_key
from api.models import PlayerToken, ServerKey
from foundation import clock
from ratings.models import Game, Player
from ratings.players.claim import make_player
from ratings.players.enrol import enrol
from tests.ratings.arena import START

pytestmark = pytest.mark.django_db
MINUTE = timedelta(minutes=1)


@pytest.fixture
def game() -> Game:
    return Game.objects.create(slug="go", name="Go")


@pytest.fixture
def ann(game: Game) -> Player:
    return make_player(game=game, user=User.objects.create_user("ann"), name="Ann")


def ask(secret: str, **headers: str) -> Any:
    return Client().get("/api/v1/", headers={"Authorization": f"Bearer {secret}", **headers})


def test_one_digit_makes_another_key(game: Game) -> None:
    _, secret = issue_key(game=game, name="host", scopes=["read"])
    assert ask(secret).status_code == 200
    last = "0" if secret[-1] != "0" else "1"
    for other in (secret[:-1] + last, secret.replace("srv", "ply"), secret + "0", secret.upper()):
        assert ask(other).json()["code"] == "invalid_token"


def test_the_scheme_may_be_written_in_any_case(game: Game) -> None:
    _, secret = issue_key(game=game, name="host", scopes=["read"])
    answer = Client().get("/api/v1/", headers={"Authorization": f"bearer  {secret}"})
    assert answer.status_code == 200


def test_a_key_is_good_until_the_moment_it_expires(game: Game) -> None:
    with clock.at(START):
        _, secret = issue_key(game=game, name="host", scopes=["read"], expires_at=START + MINUTE)
    with clock.at(START + MINUTE - timedelta(microseconds=1)):
        assert ask(secret).status_code == 200
    with clock.at(START + MINUTE):
        assert ask(secret).json()["code"] == "expired_token"


def test_tokens_of_a_closed_account_are_refused(ann: Player) -> None:
    _, secret = issue_token(player=ann, name="bot", scopes=["read"])
    assert ask(secret).status_code == 200
    User.objects.update(is_active=False)
    assert ask(secret).json()["code"] == "account_closed"


def test_the_last_use_is_written_once_a_minute(game: Game) -> None:
    with clock.at(START):
        key, secret = issue_key(game=game, name="host", scopes=["read"])
    for seconds, noted in ((0, 0), (1, 0), (59, 0), (60, 60), (61, 60), (200, 200)):
        with clock.at(START + timedelta(seconds=seconds)):
            ask(secret)
        key.refresh_from_db()
        assert key.last_used_at == START + timedelta(seconds=noted)


def test_signing_in_takes_one_query(ann: Player) -> None:
    _, secret = issue_token(player=ann, name="bot", scopes=["read"])
    ask(secret)
    with CaptureQueriesContext(connection) as queries:
        assert ask(secret).status_code == 200
    assert len(queries) == 1


def test_revoking_again_keeps_the_first_moment(game: Game) -> None:
    with clock.at(START):
        key, _ = issue_key(game=game, name="host", scopes=["read"])
        revoke_key(key)
    with clock.at(START + MINUTE):
        revoke_key(key)
    assert key.revoked_at == START


def test_tokens_that_expired_long_ago_are_forgotten(game: Game) -> None:
    player, _ = enrol(game=game, external_id="ann")
    for name, days in (("old", 1), ("recent", 20), ("new", None)):
        expires_at = None if days is None else START + timedelta(days=days)
        with clock.at(START):
            issue_token(player=player, name=name, scopes=["read"], expires_at=expires_at)
    with clock.at(START + timedelta(days=32)):
        assert forget_expired_tokens() == 1
    assert {token.name for token in PlayerToken.objects.all()} == {"recent", "new"}


@pytest.mark.parametrize(
    "wrong",
    [
        {"scopes": []},
        {"scopes": ["play"]},
        {"name": ""},
        {"prefix": "SHORT"},
        {"digest": "plain secret"},
        {"expires_at": START},
        {"revoked_at": START},
    ],
)
def test_the_database_refuses_keys_that_cannot_be(game: Game, wrong: dict[str, Any]) -> None:
    key, _ = issue_key(game=game, name="host", scopes=["read"])
    with pytest.raises(IntegrityError), transaction.atomic():
        ServerKey.objects.filter(pk=key.pk).update(**wrong)


def test_a_token_that_a_server_made_must_expire(game: Game) -> None:
    key, _ = issue_key(game=game, name="host", scopes=["read"])
    player, _ = enrol(game=game, external_id="ann")
    token, _ = issue_token(player=player, name="bot", scopes=["read"])
    with pytest.raises(IntegrityError), transaction.atomic():
        PlayerToken.objects.filter(pk=token.pk).update(issued_by=key)


def test_a_session_is_no_way_in(ann: Player) -> None:
    client = Client()
    client.force_login(User.objects.get())
    assert client.get("/api/v1/").json()["caller"] is None
