"""By which ways a player is told, when it is quiet, and browsers: over the API."""

from typing import Any

import pytest
from pytest_django.fixtures import Settings

from accounts.models import User
from notifications.models import Choice, QuietHours
from ratings.models import Player
from tests.api.world import World
from tests.notifications.receiver import Browser

pytestmark = pytest.mark.django_db
OWNER, OTHER, SERVER = "player-play", "other-player", "server-all"
HERE, BROWSERS = "me/notices/choices", "me/notices/browsers"
NIGHT = {"begins": "22:00", "ends": "07:30", "zone": "Europe/Berlin"}


def ask(world: World, method: str, path: str, caller: str, status: int, body: Any = None) -> Any:
    answer = world.call(method, path, caller, body=body)
    assert answer.status_code == status, answer.content
    return answer.json() if answer.content else {}


def test_quiet_hours_are_set_seen_changed_and_ended(world: World) -> None:
    assert ask(world, "GET", HERE, OWNER, 200)["quiet_hours"] is None
    assert ask(world, "POST", HERE, OWNER, 200, {"quiet_hours": NIGHT})["quiet_hours"] == NIGHT
    assert ask(world, "POST", HERE, OWNER, 200, {})["quiet_hours"] == NIGHT
    body = {"player": world.anna.external_id, "quiet_hours": {**NIGHT, "ends": "00:00"}}
    assert ask(world, "POST", HERE, SERVER, 200, body)["quiet_hours"]["ends"] == "00:00"
    assert ask(world, "GET", HERE, OWNER, 200)["quiet_hours"]["ends"] == "00:00"
    assert ask(world, "GET", HERE, OTHER, 200)["quiet_hours"] is None
    assert ask(world, "POST", HERE, OWNER, 200, {"quiet_hours": None})["quiet_hours"] is None
    assert not QuietHours.objects.exists()


@pytest.mark.parametrize(
    "wrong",
    [
        "24:00",
        "7:30",
        "07:60",
        "22:00:00",
        "22.00",
        "\u0662\u0662:00",
        "",
        " 22:00",
        22,
        None,
        True,
    ],
)
def test_what_is_no_time_of_the_day(world: World, wrong: Any) -> None:
    body = {"quiet_hours": {**NIGHT, "begins": wrong}}
    problem = ask(world, "POST", HERE, OWNER, 422, body)
    (error,) = problem["errors"]
    assert (problem["code"], error["pointer"]) == ("invalid_body", "#/quiet_hours/begins")
    if wrong is not None:
        assert error["detail"] == "Must be a time such as 07:30."
    assert not QuietHours.objects.exists()


@pytest.mark.parametrize("left_out", ["begins", "ends", "zone"])
def test_quiet_hours_have_two_times_and_a_zone(world: World, left_out: str) -> None:
    body = {"quiet_hours": {name: NIGHT[name] for name in NIGHT if name != left_out}}
    problem = ask(world, "POST", HERE, OWNER, 422, body)
    assert [error["pointer"] for error in problem["errors"]] == [f"#/quiet_hours/{left_out}"]


@pytest.mark.parametrize("wrong", [{"ends": "22:00"}, {"zone": "Europe/Atlantis"}])
def test_quiet_hours_that_make_no_sense(world: World, wrong: dict[str, str]) -> None:
    problem = ask(world, "POST", HERE, OWNER, 422, {"quiet_hours": {**NIGHT, **wrong}})
    assert problem["code"] == "wrong_quiet_hours"
    assert next(iter(wrong.values())) in problem["detail"]
    assert not QuietHours.objects.exists()


def test_ways_are_chosen_by_group(world: World) -> None:
    before = {row["group"]: row for row in ask(world, "GET", HERE, OWNER, 200)["groups"]}
    chosen = {"group": "play", "mail": not before["play"]["mail"]}
    found = ask(world, "POST", HERE, OWNER, 200, {"groups": [chosen]})["groups"]
    assert {row["group"]: row for row in found} == before | {"play": before["play"] | chosen}
    assert ask(world, "GET", HERE, OWNER, 200)["groups"] == found
    problem = ask(world, "POST", HERE, OWNER, 422, {"groups": [{"group": "weather"}]})
    (error,) = problem["errors"]
    assert error["pointer"] == "#/groups/0/group"
    for group in before:
        assert group in error["detail"]
    assert "talk" not in error["detail"]  # of which there are no kinds


def test_a_way_is_all_of_a_group_none_or_as_usual(world: World) -> None:
    def play(**ways: Any) -> Any:
        body = {"groups": [{"group": "play", **ways}]}
        found = ask(world, "POST", HERE, OWNER, 200, body)
        return next(row for row in found["groups"] if row["group"] == "play")

    before = ask(world, "GET", HERE, OWNER, 200)["groups"]
    usual = {"group": "play", "site": True, "mail": None, "push": None}
    assert next(row for row in before if row["group"] == "play") == usual
    # What is read may be sent back as it is.
    assert ask(world, "POST", HERE, OWNER, 200, {"groups": before})["groups"] == before
    assert not Choice.objects.exists()
    assert play(mail=True) == {**usual, "mail": True}
    assert Choice.objects.get().wanted
    assert play(mail=False, site=False) == {**usual, "mail": False, "site": False}
    assert play(push=True) == {**usual, "mail": False, "site": False, "push": True}
    assert play(site=None, mail=None, push=None) == usual
    assert not Choice.objects.exists()
    body = {"groups": [{"group": "play", "mail": "usual"}]}
    (error,) = ask(world, "POST", HERE, OWNER, 422, body)["errors"]
    assert error["pointer"] == "#/groups/0/mail"


def test_browsers_are_of_a_player_with_an_account(world: World) -> None:
    keys = {"endpoint": "https://127.0.0.1/anna", **Browser().keys}
    for method, path in (("GET", BROWSERS), ("DELETE", f"{BROWSERS}/1")):
        assert ask(world, method, path, OWNER, 409)["code"] == "no_account"
    assert ask(world, "POST", BROWSERS, OWNER, 409, keys)["code"] == "no_account"


def test_browsers_come_and_go(world: World, settings: Settings) -> None:
    settings.PUSH_TO_PRIVATE = True
    user = User.objects.create_user("Anna", "anna@example.org")
    Player.objects.filter(pk=world.anna.pk).update(user=user)
    keys = {"endpoint": "https://127.0.0.1/anna", **Browser().keys}
    made = ask(world, "POST", BROWSERS, OWNER, 201, keys)
    assert ask(world, "POST", BROWSERS, OWNER, 200, keys)["id"] == made["id"]
    found = ask(world, "GET", BROWSERS, OWNER, 200)
    assert [row["id"] for row in found["browsers"]] == [made["id"]]
    assert found["key"]
    assert keys["endpoint"] not in str(found)
    ask(world, "DELETE", f"{BROWSERS}/{made['id']}", OWNER, 204)
    ask(world, "DELETE", f"{BROWSERS}/{made['id']}", OWNER, 404)
    wrong = ask(world, "POST", BROWSERS, OWNER, 422, {**keys, "auth": "zzz"})
    assert wrong["code"] == "wrong_push_keys"


def test_push_goes_to_public_addresses_alone(world: World) -> None:
    user = User.objects.create_user("Anna", "anna@example.org")
    Player.objects.filter(pk=world.anna.pk).update(user=user)
    keys = {"endpoint": "https://127.0.0.1/anna", **Browser().keys}
    assert ask(world, "POST", BROWSERS, OWNER, 422, keys)["code"] == "wrong_push_address"
