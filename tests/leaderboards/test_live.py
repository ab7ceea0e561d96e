"""The address of live events: who may listen to what."""

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from accounts.models import User
from events.live import end_streams, open_streams
from events.live.hub import Hub
from ratings.models import Game, Ladder, Player
from ratings.models.ladders import Mode

pytestmark = pytest.mark.django_db


@pytest.fixture
def game() -> Game:
    return Game.objects.create(slug="chess", name="Chess")


@pytest.fixture
def alice(game: Game) -> Player:
    """She has an account."""
    user = User.objects.create_user("alice", password="an old door")
    return Player.objects.create(game=game, external_id="a", name="Alice", user=user)


@pytest.fixture
def bob(game: Game) -> Player:
    """Without an account."""
    return Player.objects.create(game=game, external_id="b", name="Bob")


def ask(client: Client, *topics: str) -> int:
    """Open a stream and read it to its end, which comes at once; the status."""
    response = client.get("/live/", {"topic": topics})
    end_streams()
    list(response)
    return response.status_code


def test_a_stream_says_what_it_is(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("events.live.hub._hub", Hub())  # pages of other tests may listen still
    response = client.get("/live/", {"topic": "site"})
    assert response.streaming
    assert response["Content-Type"] == "text/event-stream"
    assert "no-store" in response["Cache-Control"]
    assert response["X-Accel-Buffering"] == "no"
    assert open_streams() == 1
    events = iter(response)
    assert next(events).startswith(b"retry: 3000\n\n")
    end_streams()
    list(events)
    assert open_streams() == 0


def test_ranked_ladders_are_for_everybody_and_others_for_nobody(client: Client, game: Game) -> None:
    ranked = Ladder.objects.create(game=game, slug="blitz", name="Blitz")
    normal = Ladder.objects.create(game=game, slug="fun", name="Fun", mode=Mode.NORMAL)
    assert ask(client, f"ladder:{ranked.pk}") == 200
    assert ask(client, f"ladder:{normal.pk}") == 403
    assert ask(client, "site", f"ladder:{ranked.pk}", f"ladder:{normal.pk}") == 403
    assert ask(client, f"ladder:0{ranked.pk}") == 403


def test_ones_own_players_are_for_oneself(client: Client, alice: Player, bob: Player) -> None:
    assert ask(client, "player") == 403
    assert ask(client, f"player:{alice.pk}") == 403
    assert alice.user is not None
    client.force_login(alice.user)
    assert ask(client, "player") == 200
    assert ask(client, f"player:{alice.pk}", "site") == 200
    assert ask(client, f"player:{bob.pk}") == 403


@pytest.mark.parametrize(
    "topic",
    ["", "*", "everything", "site ", "ladder:", "ladder:x", "ladder:" + "9" * 30, "player:1"],
)
def test_what_is_no_topic_is_refused(client: Client, topic: str) -> None:
    assert ask(client, topic) == 403


def test_there_is_something_to_listen_to_and_not_too_much(client: Client) -> None:
    assert ask(client) == 403
    assert ask(client, *(f"ladder:{pk}" for pk in range(21))) == 403


def test_what_a_stream_costs(
    client: Client, alice: Player, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    assert alice.user is not None
    client.force_login(alice.user)
    with django_assert_num_queries(4):  # session, user, ladders, players
        assert ask(client, "player", f"ladder:{alice.game_id}") == 403
    with django_assert_num_queries(0):
        assert ask(Client(), "site") == 200
