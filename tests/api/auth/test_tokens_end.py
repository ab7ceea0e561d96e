"""A token never outlives the key that made it, whatever happens to either."""

from datetime import timedelta
from threading import Event
from typing import Any

import pytest
from django.db import transaction
from django.test import Client

from accounts.models import AuditEntry, User
from api.auth.issue import issue_key, issue_token
from api.auth.scopes import PLAYER_SCOPES, SERVER_SCOPES
from api.auth.stream_rights import rights_of
from api.contract.problems import ProblemError
from api.models import PlayerToken, ServerKey
from events.live.readers import lost_rights
from foundation import clock
from ratings.merging.merge import merge
from ratings.models import Game, Player
from ratings.players.enrol import enrol
from tests.api.auth.deleting import delete_while, somebody_waits
from tests.at_once import at_once
from tests.processes import wait_until

pytestmark = pytest.mark.django_db
HOUR = timedelta(hours=1)


@pytest.fixture
def game() -> Game:
    return Game.objects.create(slug="go", name="Go")


def made_by(game: Game, **options: Any) -> tuple[ServerKey, str, str]:
    """A key, its secret, and that of a token it has made over the API for a week."""
    key, secret = issue_key(game=game, name="server", scopes=SERVER_SCOPES, **options)
    answer = Client().post(
        "/api/v1/players/by-external-id/ann/tokens",
        {"seconds": 7 * 24 * 3600},
        content_type="application/json",
        headers={"Authorization": f"Bearer {secret}"},
    )
    assert answer.status_code == 201, answer.content
    return key, secret, answer.json()["token"]


def said_to(secret: str) -> tuple[int, str]:
    answer = Client().get("/api/v1/me", headers={"Authorization": f"Bearer {secret}"})
    return answer.status_code, answer.json().get("code", "")


def test_it_expires_with_the_key_at_the_latest(game: Game) -> None:
    end = clock.now() + HOUR
    made_by(game, expires_at=end)
    assert PlayerToken.objects.get().expires_at == end


def test_it_ends_when_the_key_is_revoked_without_a_word_of_it(game: Game) -> None:
    key, _secret, token = made_by(game)
    assert said_to(token) == (200, "")
    ServerKey.objects.filter(pk=key.pk).update(revoked_at=clock.now())
    assert said_to(token) == (401, "revoked_token")


def test_it_ends_when_the_key_is_made_to_expire_sooner(game: Game) -> None:
    key, _secret, token = made_by(game)
    ServerKey.objects.filter(pk=key.pk).update(expires_at=clock.now() + HOUR)
    assert said_to(token) == (200, "")
    with clock.at(clock.now() + 2 * HOUR):
        assert said_to(token) == (401, "expired_token")


def taken_back(secret: str, name: str = "ann") -> int:
    answer = Client().delete(
        f"/api/v1/players/by-external-id/{name}/tokens",
        headers={"Authorization": f"Bearer {secret}"},
    )
    return answer.status_code


def test_a_server_takes_back_what_servers_of_the_game_have_made(game: Game) -> None:
    key, secret, token = made_by(game)
    other = made_by(game)[2]
    player = Player.objects.get(external_id="ann")
    rights = rights_of(PlayerToken.objects.latest("pk"))
    own = issue_token(player=player, name="own", scopes=PLAYER_SCOPES)[1]
    assert taken_back(secret, "nobody") == 404
    assert said_to(token) == said_to(other) == (200, "")
    for _again in range(2):
        assert taken_back(secret) == 204
        assert said_to(token) == said_to(other) == (401, "revoked_token")
        assert said_to(own) == (200, "")
    assert lost_rights(rights)  # by which open streams end
    entry = AuditEntry.objects.get(action="player.tokens_revoked")
    assert (entry.target_id, entry.after) == (str(player.pk), {"tokens": 2})
    assert (entry.actor, entry.through) == (None, f"server (em_srv_{key.prefix})")


def test_a_server_takes_back_tokens_of_its_own_game_alone(game: Game) -> None:
    token = made_by(game)[2]
    _key, foreign, of_foreigner = made_by(Game.objects.create(slug="chess", name="Chess"))
    assert taken_back(foreign) == 204
    assert said_to(of_foreigner) == (401, "revoked_token")
    assert said_to(token) == (200, "")


def test_a_players_own_token_hangs_on_no_key(game: Game) -> None:
    player, _ = enrol(game=game, external_id="ann")
    _token, secret = issue_token(player=player, name="own", scopes=PLAYER_SCOPES)
    assert said_to(secret) == (200, "")


def owned(game: Game) -> tuple[User, Player, str]:
    """An account, its player, and the secret of a token that acts as the player."""
    user = User.objects.create_user("ann-account")
    player = Player.objects.create(game=game, external_id="ann", name="Ann", user=user)
    secret = issue_token(player=player, name="own", scopes=PLAYER_SCOPES)[1]
    assert said_to(secret)[0] == 200
    return user, player, secret


def test_it_ends_when_the_account_is_deleted(game: Game) -> None:
    user, player, secret = owned(game)
    user.delete()
    assert said_to(secret)[0] == 401
    player.refresh_from_db()
    other = issue_token(player=player, name="of a server", scopes=PLAYER_SCOPES)[1]
    assert said_to(other)[0] == 200  # whoever has no account


@pytest.mark.parametrize("new", ["nobody", "bob-account"])
def test_it_ends_when_the_player_goes_to_somebody_else(game: Game, new: str) -> None:
    _user, player, secret = owned(game)
    player.user = None if new == "nobody" else User.objects.create_user(new)
    player.save()
    assert said_to(secret)[0] == 401


def test_it_stays_when_the_account_does(game: Game) -> None:
    user, player, secret = owned(game)
    player.name = "Anna"
    player.save()
    user.save()
    assert said_to(secret)[0] == 200


def test_it_stays_when_a_player_gets_an_account(game: Game) -> None:
    player = Player.objects.create(game=game, external_id="ann", name="Ann")
    secret = issue_token(player=player, name="of a server", scopes=PLAYER_SCOPES)[1]
    player.user = User.objects.create_user("ann-account")
    player.save()
    assert said_to(secret)[0] == 200


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("is_by_server", [True, False])
def test_none_is_made_of_a_player_who_is_merged_at_this_moment(
    game: Game, is_by_server: bool
) -> None:
    """It would act for the other's account, whose tokens have ended by then."""
    key = issue_key(game=game, name="host", scopes=SERVER_SCOPES)[0] if is_by_server else None
    bob = User.objects.create_user("bob-account")
    into = Player.objects.create(game=game, external_id="bob", name="Bob", user=bob)
    player = Player.objects.create(game=game, external_id="ann", name="Ann")
    is_merging, is_answered = Event(), Event()

    def joins() -> str:
        with transaction.atomic():
            merge(player=player, into=into, by=None, note="x")
            is_merging.set()
            wait_until(lambda: is_answered.is_set() or somebody_waits())
        return "merged"

    def asks() -> str:
        is_merging.wait(60)
        read = Player.objects.get(pk=player.pk)  # as it is until the merge is committed
        try:
            issue_token(player=read, name="x", scopes=PLAYER_SCOPES, by=key)
        except ProblemError as error:
            return error.problem.code
        finally:
            is_answered.set()
        return "made"

    assert at_once([joins, asks]) == ["merged", "busy"]
    assert not PlayerToken.objects.filter(revoked_at=None).exists()
    token, _secret = issue_token(
        player=into, name="x", scopes=PLAYER_SCOPES, by=key, expires_at=clock.now() + HOUR
    )
    assert token.player == into


@pytest.mark.django_db(transaction=True)
def test_nor_of_one_whose_account_is_deleted_at_this_moment(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    user, player, _secret = owned(game)

    def ask() -> None:
        issue_token(player=player, name="x", scopes=PLAYER_SCOPES)

    assert delete_while(user, ask, monkeypatch) == ["deleted", "unknown_player"]
    assert not PlayerToken.objects.exists()
