"""Keys that a process knows: trusted for seconds, and forgotten at once when they are revoked."""

import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest
from django.conf import settings
from django.test import Client

from accounts.models import User
from api.auth import known
from api.auth.issue import issue_key, issue_token, revoke_key, revoke_token, revoke_tokens_of
from api.auth.known import Known
from api.auth.scopes import PLAYER_SCOPES, SERVER_SCOPES
from api.models import PlayerToken, ServerKey
from config.embedded.processes import wait_until
from foundation import clock
from ratings.models import Game, Player
from tests.config.web.serving import Web, plain_client, running

NOW = datetime(2026, 3, 1, tzinfo=UTC)
RIGHTS = frozenset({"token:7", "key:3"})
PROCESSES = 2


@pytest.fixture(scope="module")
def web(django_db_setup: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    """Two processes that would trust what they know for an hour."""
    folder = tmp_path_factory.mktemp("known")
    words = {"EVENMATCH_WEB_PROCESSES": str(PROCESSES), "TESTS_KEYS_TRUSTED": "3600"}
    with running(folder, **words) as web:
        yield web


class Asking:
    """Connections to a server, enough of them for each of its processes to have some."""

    def __init__(self, web: Web, stack: ExitStack) -> None:
        self._address = f"http://127.0.0.1:{web.port}/api/v1/me"
        self._stack = stack
        self.connect_anew()

    def connect_anew(self) -> None:
        """On a busy machine one process may have taken all connections before the other was there."""
        self._stack.close()
        self._clients = [self._stack.enter_context(plain_client()) for _ in range(12)]

    def all_say(self, secret: str, status: int) -> bool:
        """Whether all are answered so."""
        return {self._ask(client, secret) for client in self._clients} == {status}

    def _ask(self, client: httpx.Client, secret: str) -> int:
        headers = {"Authorization": f"Bearer {secret}"}
        return client.get(self._address, headers=headers).status_code


@pytest.fixture
def asking(web: Web) -> Iterator[Asking]:
    with ExitStack() as stack:
        yield Asking(web, stack)


@pytest.mark.full
@pytest.mark.django_db(transaction=True)
def test_all_processes_forget_what_is_revoked_at_once(web: Web, asking: Asking) -> None:
    game = Game.objects.create(slug="go", name="Go")
    user = User.objects.create_user("ann")
    player = Player.objects.create(game=game, external_id="ann", name="Ann", user=user)
    key, secret = issue_key(game=game, name="k", scopes=SERVER_SCOPES)
    ends = clock.now() + timedelta(days=1)
    options: dict[str, Any] = {"player": player, "scopes": PLAYER_SCOPES}
    made, by_key = issue_token(**options, name="made", by=key, expires_at=ends)
    own, own_secret = issue_token(**options, name="own")
    _of_user, of_user = issue_token(**options, name="of the account")
    secrets = [secret, by_key, own_secret, of_user]

    def trusted() -> bool:
        """Whether they are good without a look: a process trusts nothing before it hears Valkey."""
        if web.subscriptions() < PROCESSES:
            asking.connect_anew()
        for one in secrets:
            asking.all_say(one, 200)
        held = (ServerKey, PlayerToken)
        for model in held:
            model._default_manager.update(revoked_at=clock.now())
        said = [asking.all_say(one, 200) for one in secrets]
        for model in held:
            model._default_manager.update(revoked_at=None)
        return all(said) and web.subscriptions() == PROCESSES

    assert wait_until(trusted, seconds=60)
    revoke_token(own)
    assert wait_until(lambda: asking.all_say(own_secret, 401), seconds=20)
    user.is_active = False
    user.save()
    assert wait_until(lambda: asking.all_say(of_user, 401), seconds=20)
    assert wait_until(lambda: asking.all_say(by_key, 401), seconds=20)
    User.objects.filter(pk=user.pk).update(is_active=True)  # tells nobody, and need not
    assert asking.all_say(of_user, 200)
    revoke_tokens_of(user)
    assert wait_until(lambda: asking.all_say(of_user, 401), seconds=20)
    assert asking.all_say(secret, 200)
    PlayerToken.objects.filter(pk=made.pk).update(revoked_at=None)
    assert asking.all_say(by_key, 200)
    revoke_key(key)
    assert wait_until(lambda: asking.all_say(secret, 401), seconds=20)
    assert wait_until(lambda: asking.all_say(by_key, 401), seconds=20)


@pytest.fixture
def rows(monkeypatch: pytest.MonkeyPatch) -> Known:
    monkeypatch.setattr(settings, "KEYS_TRUSTED", 5.0)
    monkeypatch.setattr(known, "hears_of_ended", lambda: True)
    return Known()


def test_a_row_is_trusted_for_seconds(rows: Known, monkeypatch: pytest.MonkeyPatch) -> None:
    seconds = 100.0
    monkeypatch.setattr(time, "monotonic", lambda: seconds)
    rows.keep("ply_a", ("row",), RIGHTS, NOW, rows.mark())
    seconds = 104.5
    assert rows.look("ply_a") == (NOW + timedelta(seconds=4.5), ("row",))
    seconds = 105.0
    assert rows.look("ply_a") is None


def test_its_age_counts_from_before_it_was_read(
    rows: Known, monkeypatch: pytest.MonkeyPatch
) -> None:
    seconds = 100.0
    monkeypatch.setattr(time, "monotonic", lambda: seconds)
    mark = rows.mark()
    seconds = 103.0  # a database that takes its time
    rows.keep("ply_a", ("row",), RIGHTS, NOW, mark)
    assert rows.look("ply_a") == (NOW + timedelta(seconds=3), ("row",))
    seconds = 105.0
    assert rows.look("ply_a") is None


def test_what_is_too_old_is_dropped(rows: Known, monkeypatch: pytest.MonkeyPatch) -> None:
    """When it is asked for, and all of it when something is kept."""
    seconds = 100.0
    monkeypatch.setattr(time, "monotonic", lambda: seconds)
    for name in ("ply_a", "ply_b", "ply_c"):
        rows.keep(name, ("row",), RIGHTS, NOW, rows.mark())
        seconds += 1
    assert list(rows._rows) == ["ply_a", "ply_b", "ply_c"]
    seconds = 107.0
    assert rows.look("ply_c") is None
    assert list(rows._rows) == ["ply_a", "ply_b"]
    rows.keep("ply_d", ("row",), RIGHTS, NOW, rows.mark())
    assert list(rows._rows) == ["ply_d"]
    late = rows.mark()
    seconds = 120.0  # read in more time than it is trusted for
    rows.keep("ply_e", ("row",), RIGHTS, NOW, late)
    assert list(rows._rows) == []


@pytest.mark.django_db
def test_nothing_of_an_account_is_kept_that_opens_it(
    rows: Known, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("api.auth.authentication.KNOWN", rows)
    user = User.objects.create_user("ann", "ann@example.org", "secret words")
    game = Game.objects.create(slug="go", name="Go")
    player = Player.objects.create(game=game, external_id="ann", name="Ann", user=user)
    _token, secret = issue_token(player=player, name="bot", scopes=PLAYER_SCOPES)
    for _request in range(2):  # read, and known
        answer = Client().get("/api/v1/me", headers={"Authorization": f"Bearer {secret}"})
        assert answer.json()["player"]["name"] == "Ann"
    (row,) = rows._rows.values()
    kept = [value in row.values for value in (user.username, user.password, user.email)]
    assert kept == [True, False, False]


@pytest.mark.parametrize("ended", [["key:3"], ["token:7", "key:9"], None])
def test_it_is_forgotten_with_one_of_its_rights(rows: Known, ended: list[str] | None) -> None:
    rows.keep("ply_a", ("row",), RIGHTS, NOW, rows.mark())
    rows.forget(["key:4"])
    assert rows.look("ply_a") is not None
    rows.forget(ended)
    assert rows.look("ply_a") is None


def test_what_was_read_before_something_ended_is_not_kept(rows: Known) -> None:
    mark = rows.mark()
    rows.forget(["key:3"])
    rows.keep("ply_a", ("row",), RIGHTS, NOW, mark)
    assert rows.look("ply_a") is None


def test_nothing_is_kept_while_nothing_is_heard(
    rows: Known, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(known, "hears_of_ended", lambda: False)
    rows.keep("ply_a", ("row",), RIGHTS, NOW, rows.mark())
    assert rows.look("ply_a") is None


def test_rows_are_kept_while_others_are_forgotten(rows: Known) -> None:
    """By another thread: it waits for its turn."""

    class Rights(frozenset[str]):
        def isdisjoint(self, other: Iterable[object]) -> bool:
            keeping.start()
            keeping.join(0.2)
            return super().isdisjoint(other)

    def keep() -> None:
        rows.keep("ply_b", ("row",), RIGHTS, NOW, rows.mark())

    keeping = threading.Thread(target=keep)
    rows.keep("ply_a", ("row",), Rights(RIGHTS), NOW, rows.mark())
    rows.keep("ply_c", ("row",), RIGHTS, NOW, rows.mark())
    rows.forget(["key:3"])
    keeping.join()
    assert [rows.look(name) is None for name in ("ply_a", "ply_b", "ply_c")] == [True, False, True]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("columns", "is_told"), [(None, True), (["is_active"], True), (["last_login"], False)]
)
def test_an_account_that_is_saved_as_inactive_ends_what_is_known_of_its_tokens(
    django_capture_on_commit_callbacks: Any,
    monkeypatch: pytest.MonkeyPatch,
    columns: list[str] | None,
    is_told: bool,
) -> None:
    told: list[frozenset[str]] = []
    monkeypatch.setattr(known.KNOWN, "forget", told.append)
    user = User.objects.create_user("ann")
    game = Game.objects.create(slug="go", name="Go")
    for name, owner in (("ann", user), ("bob", None)):
        player = Player.objects.create(game=game, external_id=name, name=name, user=owner)
        issue_token(player=player, name="bot", scopes=PLAYER_SCOPES)
    with django_capture_on_commit_callbacks(execute=True):
        user.save(update_fields=columns)
    assert told == []
    user.is_active = False
    with django_capture_on_commit_callbacks(execute=True):
        user.save(update_fields=columns)
    own = PlayerToken.objects.get(player__user=user)
    assert told == ([frozenset({f"token:{own.pk}"})] if is_told else [])
