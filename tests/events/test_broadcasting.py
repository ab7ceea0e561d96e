"""Telling: after commit, in one message, and never an error."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import redis
from django.conf import settings as django_settings
from django.db import transaction
from pytest_django import Settings

from events.live import broadcast
from tests.events.listening import OwnValkey

pytestmark = pytest.mark.django_db(transaction=True)


class Radio:
    """Hears what is published on the channel of the test."""

    def __init__(self, subscription: Any) -> None:
        self._subscription = subscription

    def heard(self) -> list[dict[str, Any]]:
        """Everything published since the last call; a message of our own marks the end."""
        with redis.Redis.from_url(django_settings.REDIS_URL) as client:
            client.publish(django_settings.LIVE_CHANNEL, b"end")
        messages: list[dict[str, Any]] = []
        for message in self._subscription.listen():
            if message["data"] == b"end":
                return messages
            for told in map(json.loads, message["data"].splitlines()):
                assert told.pop("offset", None) or told["kind"] == "resync"  # each is kept
                messages.append(told)
        raise AssertionError("the subscription ended")


@pytest.fixture
def radio() -> Iterator[Radio]:
    """A second listener beside the streams."""
    with redis.Redis.from_url(django_settings.REDIS_URL) as client, client.pubsub() as subscription:
        subscription.subscribe(django_settings.LIVE_CHANNEL)
        assert subscription.get_message(timeout=60)["type"] == "subscribe"
        yield Radio(subscription)


def test_it_tells_after_commit(radio: Radio) -> None:
    with transaction.atomic():
        broadcast(["player:1"], "offer.made", offer=5)
        assert radio.heard() == []
    assert radio.heard() == [{"topics": ["player:1"], "kind": "offer.made", "ids": {"offer": 5}}]


def test_what_is_rolled_back_is_not_told(radio: Radio) -> None:
    with transaction.atomic():
        broadcast(["player:1"], "offer.made", offer=5)
        transaction.set_rollback(True)
    assert radio.heard() == []


def test_thousands_of_players_are_one_message(radio: Radio) -> None:
    players = [f"player:{pk}" for pk in range(5000)]
    broadcast(players, "match.started")
    [message] = radio.heard()
    assert message["topics"] == players


def test_a_topic_given_twice_is_told_once_and_none_is_not_told(radio: Radio) -> None:
    broadcast(iter(["site", "site"]), "match.started")
    broadcast([], "match.started")
    assert [message["topics"] for message in radio.heard()] == [["site"]]


def test_nothing_is_raised_while_valkey_is_away(settings: Settings) -> None:
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    with transaction.atomic():
        broadcast(["player:1"], "offer.made", offer=5)
    broadcast(["player:1"], "offer.made", offer=6)


def test_nothing_is_raised_while_valkey_hangs(settings: Settings, tmp_path: Path) -> None:
    valkey = OwnValkey(tmp_path)
    valkey.server.start()
    try:
        settings.REDIS_URL, settings.REDIS_PATIENCE = valkey.url, 0.5
        with valkey.stopped():
            broadcast(["player:1"], "offer.made", offer=5)
    finally:
        valkey.server.stop()


def test_a_connection_of_before_a_restart_is_no_obstacle(
    settings: Settings, tmp_path: Path
) -> None:
    valkey = OwnValkey(tmp_path)
    valkey.server.start()
    try:
        settings.REDIS_URL = valkey.url
        broadcast(["site"], "first")
        valkey.kill()
        valkey.server.start()
        with redis.Redis.from_url(valkey.url) as client, client.pubsub() as subscription:
            subscription.subscribe(django_settings.LIVE_CHANNEL)
            assert subscription.get_message(timeout=60)["type"] == "subscribe"
            broadcast(["site"], "second")
            message = subscription.get_message(timeout=60)
        assert json.loads(message["data"])["kind"] == "second"
    finally:
        valkey.server.stop()
