"""What the API says of sanctions: to the player all of it, to others who and until when."""

from datetime import timedelta
from typing import Any

import pytest

from foundation import clock
from matchmaking.models import Queue, Ticket, TicketMember
from matchmaking.parties.lifecycle import open_party
from ratings.archiving import archive
from ratings.models import (
    Ladder,
    Match,
    MatchState,
    Participant,
    Player,
    Sanction,
    SanctionKind,
    SuspendedFrom,
)
from ratings.sanctions import impose
from tests.api.world import World

pytestmark = pytest.mark.django_db


def suspend(world: World, **more: Any) -> Sanction:
    with clock.at(world.site.now):
        return impose(
            player=world.anna,
            kind=SanctionKind.SUSPENDED,
            suspended_from=SuspendedFrom.ALL,
            reason="Left 9 of 10 matches.",
            by=None,
            **more,
        )


def free(world: World) -> None:
    """Let Anna be in no match and no search."""
    Match.objects.filter(pk=world.hidden.pk).delete()
    TicketMember.objects.filter(player=world.anna).delete()
    Ticket.objects.filter(members__isnull=True).delete()
    Queue.objects.get_or_create(slug="go", defaults={"ladder": world.ladder, "name": "Go"})


def test_a_search_is_refused_with_one_code_and_its_end(world: World) -> None:
    free(world)
    until = world.site.now + timedelta(days=3)
    suspend(world, until=until)
    answer = world.call("POST", "tickets", "player-play", body={"queue": "go"})
    said = answer.json()
    assert (answer.status_code, said["code"]) == (403, "suspended")
    assert (said["player"], said["until"], said["appeal"]) == (
        world.anna.pk,
        until.isoformat().replace("+00:00", "Z"),
        "",
    )
    me = world.get("me", "player-play")
    assert said["until"] == me["sanctions"][0]["until"]
    assert "Left 9 of 10 matches." in said["detail"]


def test_me_lists_what_is_in_force(world: World) -> None:
    suspend(world)
    with clock.at(world.site.now):
        impose(player=world.anna, kind=SanctionKind.NOTE, reason="For us.", by=None)
    (told,) = world.get("me", "player-play")["sanctions"]
    assert told["kind"] == "suspended"
    assert told["suspended_from"] == "all"
    assert told["reason"] == "Left 9 of 10 matches."
    assert told["until"] is None
    assert world.get("me", "server-all")["sanctions"] == []


def test_a_server_reads_what_a_player_it_names_is_in_and_what_is_imposed(world: World) -> None:
    until, before = world.site.now + timedelta(days=3), world.site.now - timedelta(seconds=9)
    suspend(world, until=until)
    asked = f"me?player={world.anna.external_id}"
    for caller in ("server-read", "server-tickets:write"):
        me = world.get(asked, caller)
        assert me["player"]["id"] == world.anna.pk
        own = world.get("me", "player-read")
        assert (me["party"], me["match"]) == (own["party"], own["match"])
        assert me["party"] == world.party.pk
        assert me["ticket"]["id"] == own["ticket"]["id"] == world.ticket.pk
        assert me["ticket"]["players"][0]["external_id"] == world.anna.external_id
        (told,) = me["sanctions"]
        assert (told["kind"], told["suspended_from"], told["reason"]) == ("suspended", "all", "")
        assert told["until"] == world.get("me", "player-play")["sanctions"][0]["until"] is not None
    Match.objects.filter(pk=world.hidden.pk).update(state=MatchState.PLAYING)
    Participant.objects.filter(match=world.hidden, player=world.anna).update(playing=True)
    Ticket.objects.update(seen_at=before)
    assert world.get(asked, "server-read")["match"] == world.hidden.pk
    assert Ticket.objects.get(pk=world.ticket.pk).seen_at == before  # no sign of life
    answer = world.call("GET", asked, "player-read")
    assert (answer.status_code, answer.json()["code"]) == (422, "wrong_player_field")
    answer = world.call("GET", "me?player=nobody", "server-read")
    assert answer.json()["code"] == "unknown_player"


@pytest.mark.parametrize("path", ["tickets", "parties", "parties/join"])
def test_a_server_that_acts_for_the_player_is_not_told_why(world: World, path: str) -> None:
    free(world)
    Ladder.objects.filter(game=world.game).update(team_size=2)
    party = open_party(player=Player.objects.get(pk=world.site.arena.players[1].pk))
    suspend(world)
    more = {"tickets": {"queue": "go"}, "parties/join": {"code": party.code}}.get(path, {})
    answer = world.call("POST", path, "player-play", body=more)
    assert "Left 9 of 10 matches." in answer.json()["detail"]
    sent = {**more, "player": world.anna.external_id}
    answer = world.call("POST", path, "server-all", body=sent)
    assert (answer.status_code, answer.json()["code"]) == (403, "suspended")
    assert answer.json()["player"] == world.anna.pk
    assert "Left 9" not in answer.content.decode()


def test_a_server_learns_who_and_not_why(world: World) -> None:
    free(world)
    until = world.site.now + timedelta(days=3)
    suspend(world, until=until)
    first, second = (player.external_id for player in world.site.arena.players[:2])
    body = {"ladder": "go", "teams": [[first], [second]], "external_id": "final"}
    answer = world.call("POST", "matches", "server-all", body=body)
    assert (answer.status_code, answer.json()["code"]) == (403, "suspended")
    assert "Left 9" not in answer.content.decode()
    result = {
        "ladder": "go",
        "external_id": "played",
        "teams": [[first], [second]],
        "ranks": [0, 1],
        "played_at": (world.site.now - timedelta(hours=1)).isoformat(),
    }
    answer = world.call("POST", "results", "server-all", body={"results": [result]})
    (told,) = answer.json()["results"]
    assert (told["code"], told["player"], told["appeal"]) == ("suspended", world.anna.pk, "")
    assert told["suspended_from"] == "all"
    assert told["until"] == until.isoformat().replace("+00:00", "Z")
    with clock.at(world.site.now):
        archive(world.ladder, by=None)
    answer = world.call("POST", "results", "server-all", body={"results": [result]})
    (told,) = answer.json()["results"]
    assert (told["code"], told["ladder"]) == ("archived", world.ladder.slug)
