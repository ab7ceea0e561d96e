"""Conduct over the API: how a player stands, appeals, and being away from a match."""

import pytest

from foundation import clock
from matchmaking.conduct import confirm_bad_manners
from matchmaking.models import Absence, Offence
from tests.api.world import World

pytestmark = pytest.mark.django_db
OWNER, OTHER, SERVER = "player-play", "other-player", "server-all"


def offend(world: World, times: int = 1) -> Offence:
    for _time in range(times):
        offence = confirm_bad_manners(world.anna, None, None, "Insults.")
    return offence


def test_a_clean_record(world: World) -> None:
    answer = world.call("GET", "me/conduct", OWNER)
    assert answer.status_code == 200
    said = answer.json()
    assert (said["points"], said["step"], said["offences"]) == (0, "none", [])
    assert (said["cooling_until"], said["clean_at"]) == (None, None)


def test_why_and_until_when(world: World) -> None:
    offend(world)
    said = world.call("GET", "me/conduct", OWNER).json()
    assert said["step"] == "among_like"
    assert said["points"] == pytest.approx(1.5, rel=1e-3)
    (offence,) = said["offences"]
    assert (offence["kind"], offence["points"], offence["reason"]) == ("manners", 1.5, "Insults.")
    assert offence["appeal"] is None
    assert said["among_like_until"] < said["clean_at"]
    assert world.call("GET", "me/conduct", OTHER).json()["offences"] == []
    name = world.anna.external_id
    assert world.call("GET", f"me/conduct?player={name}", SERVER).json()["step"] == "among_like"


def test_cooling_off_says_until_when(world: World) -> None:
    offend(world, 2)
    answer = world.call("POST", "tickets", OWNER, body={"queue": world.ticket.queue.slug})
    assert answer.status_code == 409, answer.content
    assert answer.json()["code"] == "cooling_off"
    assert int(answer["Retry-After"]) > 600
    said = world.call("GET", "me/conduct", OWNER).json()
    assert said["step"] == "cooling_off"
    assert said["cooling_until"] == answer.json()["until"]


def test_an_appeal(world: World) -> None:
    offence = offend(world)
    path, body = f"me/conduct/{offence.pk}/appeal", {"text": "It was my brother."}
    assert world.call("POST", path, OTHER, body=body).status_code == 404
    answer = world.call("POST", path, OWNER, body=body)
    assert answer.status_code == 201, answer.content
    assert answer.json()["appeal"]["state"] == "open"
    again = world.call("POST", path, OWNER, body=body)
    assert (again.status_code, again.json()["code"]) == (409, "appealed_already")


def test_away_and_back(world: World) -> None:
    match = world.hidden.pk
    answer = world.call("POST", f"matches/{match}/away", OWNER, body={})
    assert answer.status_code == 200, answer.content
    said = answer.json()
    assert (said["match"], said["player"], said["back_at"]) == (match, world.anna.pk, None)
    name = world.anna.external_id
    world.call("POST", f"matches/{match}/away", SERVER, body={"player": name})
    refused = world.call("POST", f"matches/{match}/back", OWNER, body={})
    assert (refused.status_code, refused.json()["code"]) == (409, "too_late_back")
    answer = world.call("POST", f"matches/{match}/back", SERVER, body={"player": name})
    assert answer.status_code == 200, answer.content
    assert Absence.objects.get().back_at is not None
    assert Absence.objects.get().away_at <= clock.now()
