"""Alerts over the API: switched on, changed, seen and switched off."""

from datetime import timedelta
from typing import Any

import pytest

from foundation import clock
from matchmaking.alerts.send import tell_of_searches
from matchmaking.models import AlertWish, Queue, Ticket
from ratings.models import Mode, Player
from tests.api.world import World

pytestmark = pytest.mark.django_db
OWNER, SERVER = "player-play", "server-all"
HERE = "me/alerts/search"


def ask(world: World, method: str, path: str, caller: str, status: int, body: Any = None) -> Any:
    answer = world.call(method, path, caller, body=body)
    assert answer.status_code == status, answer.content
    return answer.json() if answer.content else {}


def test_switched_on_changed_and_off(world: World) -> None:
    ranked = Queue.objects.get(slug="search").ladder.mode == Mode.RANKED
    near = "close" if ranked else "anybody"
    made = ask(world, "PUT", HERE, OWNER, 200, {"near": near, "until": "always"})
    assert made == {"queue": "search", "near": near, "until": None, "told_at": None}
    body = {"near": "anybody", "until": "hours", "hours": 2}
    ask(world, "PUT", HERE, SERVER, 200, {**body, "player": world.anna.external_id})
    (row,) = ask(world, "GET", "me/alerts", OWNER, 200)["results"]
    assert row["near"] == "anybody"
    wish = AlertWish.objects.get()
    assert wish.until == world.site.now + timedelta(hours=2)
    ask(world, "DELETE", HERE, OWNER, 204)
    ask(world, "DELETE", HERE, OWNER, 404)
    assert ask(world, "GET", "me/alerts", OWNER, 200)["results"] == []


def test_the_night_ends_by_the_clocks_of_a_zone(world: World) -> None:
    body = {"near": "anybody", "until": "tonight"}
    utc = ask(world, "PUT", HERE, OWNER, 200, body)["until"]
    there = ask(world, "PUT", HERE, OWNER, 200, {**body, "zone": "Asia/Kolkata"})["until"]
    assert utc[11:16] == "04:00"
    assert there[11:16] == "22:30"
    problem = ask(world, "PUT", HERE, OWNER, 422, {**body, "zone": "Europe/Atlantis"})
    assert "Europe/Atlantis" in str(problem["errors"])


@pytest.mark.parametrize(
    "body",
    [
        {"near": "1500", "until": "always"},
        {"near": "anybody", "until": "hours"},
        {"near": "anybody", "until": "hours", "hours": 0},
        {"near": "anybody", "until": "hours", "hours": 73},
        {"near": "anybody", "until": "always", "hours": 2},
        {"near": "anybody"},
    ],
)
def test_what_makes_no_sense_is_refused(world: World, body: dict[str, Any]) -> None:
    ask(world, "PUT", HERE, OWNER, 422, body)
    assert not AlertWish.objects.exists()


def test_what_a_queue_does_not_have(world: World) -> None:
    queue = Queue.objects.get(slug="search")
    body = {"near": "close", "until": "always"}
    queue.ladder.mode = Mode.NORMAL
    queue.ladder.save()
    assert ask(world, "PUT", HERE, OWNER, 422, body)["code"] == "nearness_hidden"
    ask(world, "PUT", HERE, OWNER, 200, {**body, "near": "anybody"})
    queue.settings = {**queue.settings, "alerts": {"at_most": 0}}
    queue.save()
    problem = ask(world, "PUT", HERE, OWNER, 409, body)
    assert (problem["code"], problem["queue"]) == ("no_alerts", "search")
    assert ask(world, "PUT", "me/alerts/nowhere", OWNER, 404, body)["code"] == "unknown_queue"
    ask(world, "PUT", HERE, "foreign-player", 422, body)


def test_the_notice_says_where_and_not_who(world: World) -> None:
    ticket = Ticket.objects.get(queue__slug="search", state="waiting")
    told = Player.objects.filter(game=world.anna.game).exclude(tickets__live=True)
    name = told.exclude(participations__playing=True).earliest("pk").external_id
    body = {"near": "anybody", "until": "always", "player": name}
    ask(world, "PUT", HERE, SERVER, 200, body)
    now = ticket.waiting_since + timedelta(seconds=20)
    Ticket.objects.filter(pk=ticket.pk).update(seen_at=now)
    with clock.at(now):
        assert tell_of_searches() == 1
    notices = ask(world, "GET", f"me/notices?player={name}", SERVER, 200)["results"]
    assert (notices[0]["kind"], notices[0]["group"]) == ("alert.anybody", "alerts")
    assert notices[0]["url"].endswith("/play/in/search/")
    assert set(notices[0]["facts"]) == {"queue", "slug"}
    assert world.anna.name not in str(notices[0])
