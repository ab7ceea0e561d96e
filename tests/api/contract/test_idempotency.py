"""`Idempotency-Key`: one effect and one answer, however often and in whatever way a request comes."""

import json
import os
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.db import connection, transaction
from django.test import Client

from api.auth.issue import issue_key
from api.auth.scopes import SERVER_SCOPES
from api.contract.idempotency import forget_old_answers
from api.models import PlayerToken, StoredAnswer
from foundation import clock
from ratings.models import Game, Ladder, Player
from ratings.players.enrol import enrol
from tests.at_once import at_once, in_step

pytestmark = pytest.mark.django_db
TOKENS = "/api/v1/players/by-external-id/ann/tokens"
KEYS = int(os.environ.get("EVENMATCH_TEST_KEYS", "6"))  # docs/results: 1,000


def server(slug: str = "go") -> str:
    game = Game.objects.get_or_create(slug=slug, defaults={"name": slug})[0]
    return issue_key(game=game, name="test", scopes=SERVER_SCOPES)[1]


@pytest.fixture
def secret() -> str:
    return server()


def post(secret: str, key: str | None, body: Any = None, path: str = TOKENS) -> Any:
    headers = {"Authorization": f"Bearer {secret}"}
    if key is not None:
        headers["Idempotency-Key"] = key
    text = body if isinstance(body, str) else json.dumps(body or {})
    return Client().post(path, text, content_type="application/json", headers=headers)


def insist(secret: str, key: str) -> Any:
    """As a good client does: again with the same key while the site is too busy to answer."""
    while (answer := post(secret, key)).status_code == 503:
        assert answer["Retry-After"]
    return answer


def test_the_same_request_again_is_given_the_same_answer(secret: str) -> None:
    first, second = post(secret, "a"), post(secret, "a")
    assert (first.status_code, second.status_code) == (201, 201)
    assert first.content == second.content
    assert first["Content-Type"] == second["Content-Type"] == "application/json"
    assert "Idempotent-Replayed" not in first
    assert second["Idempotent-Replayed"] == "true"
    assert PlayerToken.objects.count() == 1


def test_without_a_key_each_request_has_its_effect(secret: str) -> None:
    assert post(secret, None).content != post(secret, None).content
    assert PlayerToken.objects.count() == 2
    assert not StoredAnswer.objects.exists()


def test_the_order_of_names_and_spaces_in_the_body_do_not_matter(secret: str) -> None:
    first = post(secret, "a", '{"seconds": 60, "scopes": ["read"]}')
    second = post(secret, "a", '{"scopes":["read"],"seconds":60}')
    assert first.content == second.content


@pytest.mark.parametrize(
    ("body", "path"),
    [
        ({"seconds": 61}, TOKENS),
        ({}, TOKENS),
        ({"seconds": 60}, TOKENS.replace("ann", "bob")),
    ],
)
def test_another_request_with_the_same_key_is_refused(secret: str, body: Any, path: str) -> None:
    post(secret, "a", {"seconds": 60})
    answer = post(secret, "a", body, path)
    assert (answer.status_code, answer.json()["code"]) == (422, "idempotency_key_reused")
    assert PlayerToken.objects.count() == 1


def test_a_refused_request_leaves_nothing_and_may_come_again(secret: str) -> None:
    assert post(secret, "a", {"seconds": 1}).status_code == 422
    assert not StoredAnswer.objects.exists()
    assert not Player.objects.exists()
    assert post(secret, "a", {"seconds": 60}).status_code == 201


def test_keys_of_different_callers_are_different(secret: str) -> None:
    other = server()
    assert post(secret, "a").content != post(other, "a").content
    assert StoredAnswer.objects.count() == 2


@pytest.mark.parametrize("key", ["", "x" * 256, "ä", "a\tb"])
def test_a_key_that_is_none_is_refused(secret: str, key: str) -> None:
    answer = post(secret, key)
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid_idempotency_key")


def test_the_longest_key_is_kept(secret: str) -> None:
    assert post(secret, "~" * 255).status_code == 201
    assert StoredAnswer.objects.get().key == "~" * 255


def test_the_secret_in_an_answer_is_not_kept(secret: str) -> None:
    told = post(secret, "a").json()["token"].encode()
    kept = bytes(StoredAnswer.objects.get().body)
    assert told not in kept
    assert b"em_ply" not in kept


def test_answers_are_forgotten_after_two_days(secret: str) -> None:
    post(secret, "old")
    now = clock.now()
    StoredAnswer.objects.update(created_at=now - timedelta(hours=48, seconds=1))
    post(secret, "new")
    StoredAnswer.objects.filter(key="new").update(created_at=now - timedelta(hours=47))
    assert forget_old_answers() == 1
    assert StoredAnswer.objects.get().key == "new"


@pytest.mark.django_db(transaction=True)
def test_each_key_twenty_times_at_once_has_one_effect() -> None:
    secret = server()
    rounds = [partial(insist, secret, f"key {number}") for number in range(KEYS)]
    for found in in_step(rounds, threads=20):
        assert {answer.status_code for answer in found} == {201}
        assert len({answer.content for answer in found}) == 1
        assert sum("Idempotent-Replayed" not in answer for answer in found) <= 1
    assert PlayerToken.objects.count() == KEYS


@pytest.mark.django_db(transaction=True)
def test_a_request_waits_for_the_same_one_and_then_says_so() -> None:
    secret = server()
    post(secret, "other")
    principal = StoredAnswer.objects.get().principal

    def impatient(execute: Any, sql: str, *arguments: Any) -> Any:
        """Wait for a moment only, where the site waits for a while."""
        if sql.lstrip().startswith("INSERT INTO api_storedanswer"):
            session = connection.connection
            assert session.execute("SELECT current_setting('lock_timeout')").fetchone() != ("0",)
            session.execute("SET LOCAL lock_timeout = '100ms'")
        return execute(sql, *arguments)

    def ask() -> Any:
        with connection.execute_wrapper(impatient):
            return post(secret, "a")

    with transaction.atomic():
        StoredAnswer.objects.create(principal=principal, key="a", request="0" * 64)
        (answer,) = at_once([ask])
        transaction.set_rollback(True)
    assert (answer.status_code, answer.json()["code"]) == (409, "in_progress")
    assert answer["Retry-After"] == "1"
    assert post(secret, "a").status_code == 201


@pytest.mark.django_db(transaction=True)
def test_the_effect_and_its_answer_are_there_together_or_not_at_all() -> None:
    secret = server()
    refuse = (
        "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE ''no''; END'"
    )
    trigger = (
        "CREATE TRIGGER refuse BEFORE UPDATE ON api_storedanswer EXECUTE FUNCTION refuse()",
        "DROP TRIGGER refuse ON api_storedanswer; DROP FUNCTION refuse",
    )
    with connection.cursor() as cursor:
        cursor.execute(refuse)
        cursor.execute(trigger[0])
        try:
            client = Client(raise_request_exception=False)
            headers = {"Authorization": f"Bearer {secret}", "Idempotency-Key": "a"}
            answer = client.post(TOKENS, "{}", content_type="application/json", headers=headers)
        finally:
            with connection.cursor() as another:  # the session has been given back after the fault
                another.execute(trigger[1])
    assert answer.status_code == 500
    assert not PlayerToken.objects.exists()
    assert not Player.objects.exists()
    assert post(secret, "a").status_code == 201


def test_the_address_of_what_was_made_is_answered_again(secret: str) -> None:
    game = Game.objects.get()
    Ladder.objects.create(game=game, slug="duel", name="Duel")
    for name in ("ann", "bob"):
        enrol(game=game, external_id=name)
    body = {"ladder": "duel", "teams": [["ann"], ["bob"]]}
    headers = {"Authorization": f"Bearer {secret}", "Idempotency-Key": "once"}
    first, again = (
        Client().post("/api/v1/matches", body, content_type="application/json", headers=headers)
        for _ in range(2)
    )
    assert (first.status_code, again.status_code) == (201, 201), first.content
    assert again["Idempotent-Replayed"] == "true"
    assert first["Location"] == again["Location"] == f"/api/v1/matches/{first.json()['id']}"
