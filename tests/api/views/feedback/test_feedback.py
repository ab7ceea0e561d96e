"""Feedback over the API: each word for its author, and for servers that act for the author."""

from typing import Any

import pytest

from matchmaking.models import Feedback
from ratings.models import Player
from tests.api.world import World

pytestmark = pytest.mark.django_db
AUTHOR, OTHER, SERVER = "player-play", "other-player", "server-all"


def ask(
    world: World, method: str, path: str, caller: str, status: int, body: Any = None
) -> dict[str, Any]:
    answer = world.call(method, path, caller, body=body)
    assert answer.status_code == status, answer.content
    found: dict[str, Any] = answer.json() if answer.content else {}
    return found


def met(world: World) -> list[Player]:
    """Whom Anna has played with, in a match that is over."""
    own = world.anna.participations.filter(playing=False).exclude(match__state="aborted")
    others = Player.objects.filter(participations__match__in=own.values("match"))
    return list(others.exclude(pk=world.anna.pk).distinct().order_by("pk"))


def test_a_word_is_said_read_changed_and_taken_back(world: World) -> None:
    bjorn = met(world)[0]
    path = f"me/feedback/{bjorn.pk}"
    said = ask(world, "PUT", path, AUTHOR, 200, {"enjoyed": True, "tags": ["friendly"]})
    assert (said["player"]["id"], said["enjoyed"], said["tags"]) == (bjorn.pk, True, ["friendly"])
    assert ask(world, "GET", "me/feedback", AUTHOR, 200)["results"] == [said]
    assert ask(world, "PUT", path, AUTHOR, 200, {"enjoyed": None})["enjoyed"] is True
    said = ask(world, "PUT", path, AUTHOR, 200, {"enjoyed": False})
    assert (said["enjoyed"], said["tags"]) == (False, [])
    assert ask(world, "GET", "me/feedback", OTHER, 200)["results"] == []
    ask(world, "DELETE", path, OTHER, 404)
    ask(world, "DELETE", path, AUTHOR, 204)
    ask(world, "DELETE", path, AUTHOR, 404)
    assert not Feedback.objects.exists()


def test_a_server_acts_for_its_players(world: World) -> None:
    bjorn, name = met(world)[0], world.anna.external_id
    path = f"me/feedback/{bjorn.pk}"
    ask(world, "PUT", path, SERVER, 200, {"player": name, "enjoyed": True})
    own = ask(world, "GET", "me/feedback", AUTHOR, 200)["results"]
    asked = ask(world, "GET", f"me/feedback?player={name}", SERVER, 200)["results"]
    assert [one["player"]["id"] for one in own] == [bjorn.pk]
    assert [one["player"]["id"] for one in asked] == [bjorn.pk]
    about = ask(world, "GET", f"me/feedback?player={bjorn.external_id}", SERVER, 200)
    assert about["results"] == []
    ask(world, "DELETE", f"{path}?player={name}", SERVER, 204)
    refused = ask(world, "PUT", path, SERVER, 422, {"enjoyed": True})
    assert refused["code"] == "wrong_player_field"


def test_what_is_refused(world: World) -> None:
    strangers = Player.objects.filter(game=world.game).exclude(
        pk__in=[one.pk for one in met(world)]
    )
    for stranger in strangers:  # Anna herself is one of them
        refused = ask(world, "PUT", f"me/feedback/{stranger.pk}", AUTHOR, 409, {"enjoyed": True})
        assert (refused["code"], refused["player"]) == ("not_played_together", stranger.pk)
    foreign = Player.objects.get(external_id="f1")
    refused = ask(world, "PUT", f"me/feedback/{foreign.pk}", AUTHOR, 404, {"enjoyed": True})
    assert refused["code"] == "unknown_player"
    path = f"me/feedback/{met(world)[0].pk}"
    bodies: list[dict[str, Any]] = [
        {},
        {"enjoyed": "yes"},
        {"enjoyed": True, "tags": ["dull"]},
        {"tags": []},
    ]
    for body in bodies:
        assert ask(world, "PUT", path, AUTHOR, 422, body)["code"] == "invalid_body"
    assert not Feedback.objects.exists()
