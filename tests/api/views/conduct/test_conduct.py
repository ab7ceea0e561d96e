"""Conduct over the API: how a player stands, appeals, and being away from a match."""

import pytest

from accounts.models import User
from events.models import Notice
from foundation import clock
from matchmaking.conduct import appeals, confirm_bad_manners
from matchmaking.models import Absence, AppealState, Offence, OffenceAppeal
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


def test_what_a_moderator_says_is_for_the_player_and_not_for_servers(world: World) -> None:
    offence, name = offend(world), world.anna.external_id
    appeals.appeal(offence_id=offence.pk, player_id=world.anna.pk, text="It was my brother.")
    upheld = OffenceAppeal.objects.get()
    appeals.decide(upheld, User.objects.create_user("olga"), AppealState.UPHELD, "It was you.")
    for path, who, told in (
        ("me/conduct", OWNER, ("Insults.", "It was you.")),
        (f"me/conduct?player={name}", SERVER, ("", "")),
    ):
        (said,) = world.call("GET", path, who).json()["offences"]
        assert (said["reason"], said["appeal"]["reason"]) == told
        assert said["appeal"]["state"] == "upheld"


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
    assert (again.status_code, again.json()["code"]) == (409, "already_appealed")


def test_away_and_back(world: World) -> None:
    match = world.hidden.pk
    answer = world.call("POST", f"matches/{match}/away", OWNER, body={})
    assert answer.status_code == 200, answer.content
    said = answer.json()
    assert (said["match"], said["player"], said["back_at"]) == (match, world.anna.pk, None)
    name = world.anna.external_id
    world.call("POST", f"matches/{match}/away", SERVER, body={"player": name})
    refused = world.call("POST", f"matches/{match}/back", OWNER, body={})
    assert (refused.status_code, refused.json()["code"]) == (409, "server_tells_back")
    answer = world.call("POST", f"matches/{match}/back", SERVER, body={"player": name})
    assert answer.status_code == 200, answer.content
    assert Absence.objects.get().back_at is not None
    assert Absence.objects.get().away_at <= clock.now()


def test_the_match_says_who_is_away_to_whom_it_concerns(world: World) -> None:
    match, name = world.hidden.pk, world.anna.external_id
    assert world.get(f"matches/{match}", OWNER)["away"] == []
    said = world.call("POST", f"matches/{match}/away", SERVER, body={"player": name}).json()
    assert (said["told_by"], said["back_at"]) == ("server", None)
    assert world.get(f"matches/{match}", OWNER)["away"] == [said]
    assert world.get(f"matches/{match}", SERVER)["away"] == [said]
    shown = world.site.matches[0].pk
    assert world.get(f"matches/{shown}")["away"] is None
    assert world.get(f"matches/{shown}", "other-server")["away"] is None
    world.call("POST", f"matches/{match}/back", SERVER, body={"player": name})
    assert world.get(f"matches/{match}", OWNER)["away"] == []


def test_players_and_servers_hear_of_it_once(world: World) -> None:
    match, name = world.hidden.pk, world.anna.external_id
    for act, caller in (("away", OWNER), ("away", OWNER), ("away", SERVER), ("back", SERVER)):
        body = {"player": name} if caller == SERVER else {}
        assert world.call("POST", f"matches/{match}/{act}", caller, body=body).status_code == 200
    told = Notice.objects.filter(kind__in=["match.away", "match.back"]).order_by("pk")
    # the server's word takes the place of the player's: then only the server can tell that it is back
    assert [one.kind for one in told] == ["match.away", "match.away", "match.back"]
    concerned = [f"player:{one.player_id}" for one in world.hidden.participants.order_by("pk")]
    for one in told:
        assert one.ids == {"match": match, "player": world.anna.pk}
        assert sorted(one.topics) == sorted([*concerned, f"game:{world.game.pk}"])


def test_back_again_is_answered_as_before(world: World) -> None:
    match = world.hidden.pk
    refused = world.call("POST", f"matches/{match}/back", OWNER, body={})
    assert (refused.status_code, refused.json()["code"]) == (409, "not_away")
    world.call("POST", f"matches/{match}/away", OWNER, body={})
    first = world.call("POST", f"matches/{match}/back", OWNER, body={})
    again = world.call("POST", f"matches/{match}/back", OWNER, body={})
    assert (again.status_code, again.json()) == (200, first.json())


def test_a_server_names_somebody_who_does_not_play(world: World) -> None:
    stranger = world.site.arena.players[3]
    for act in ("away", "back"):
        body = {"player": stranger.external_id}
        refused = world.call("POST", f"matches/{world.hidden.pk}/{act}", SERVER, body=body)
        assert (refused.status_code, refused.json()["code"]) == (403, "not_in_match")
        assert refused.json()["player"] == stranger.pk
