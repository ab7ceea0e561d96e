"""Setting up a game by the API: made once, changed as often as asked, and never beyond what the key is for."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import AuditEntry
from api.auth.issue import issue_key, revoke_key
from api.auth.scopes import SERVER_SCOPES, Scope
from api.models import ServerKey
from foundation import clock
from matchmaking.models import Queue
from ratings.archiving import archive
from ratings.models import Game, Ladder, RatingTrack
from tests.api.world import World

pytestmark = pytest.mark.django_db
ADMIN = [Scope.ADMIN.value]


def put(world: World, path: str, body: Any, status: int = 200, caller: str = "site-admin") -> Any:
    answer = world.call("PUT", f"admin/{path}", caller, body)
    assert answer.status_code == status, answer.content
    return answer.json()


def actions() -> list[str]:
    return list(AuditEntry.objects.order_by("pk").values_list("action", flat=True))


def pointers(told: Any) -> list[str]:
    assert told["code"] == "invalid_body", told
    return [error["pointer"] for error in told["errors"]]


def test_a_game_is_made_once_and_changed_in_what_is_given(world: World) -> None:
    before = len(actions())
    made: Any = None
    for status in (201, 200):
        put(world, "games/arena", {"name": "Arena", "disputes_at_most": 5}, status)
        ladder: dict[str, Any] = {"game": "arena", "team_size": 2, "established_after": 10}
        put(world, "ladders/squad-ladder", ladder, status)
        track = put(
            world, "ladders/squad-ladder/tracks/trueskill", {"parameters": {"beta": 5}}, status
        )
        queue: dict[str, Any] = {"ladder": "squad-ladder", "settings": {"region": {"use": "must"}}}
        made = put(world, "queues/squad-queue", queue, status)
    assert actions()[before:] == ["game.added", "ladder.added", "track.created", "queue.added"]
    entry = AuditEntry.objects.latest("pk")
    assert entry.actor is None
    assert entry.through.startswith("test (em_srv_")
    assert (track["shown"], track["version"], track["parameters"]["beta"]) == (True, 1, 5.0)
    # The gaps suit TrueSkill's scale, on which 100 points would be anybody against anybody.
    assert (made["gap_start"] < 20, made["settings"]["region"], made["warnings"]) == (
        True,
        {"use": "must"},
        [],
    )
    put(world, "games/arena", {"appeals_to": "mail@example.org", "note": "asked for"})
    assert Game.objects.get(slug="arena").disputes_at_most == 5
    assert AuditEntry.objects.latest("pk").note == "asked for"
    # Rules and parameters go through versions.
    put(world, "ladders/squad-ladder", {"name": "Squads", "established_after": 12})
    track = put(world, "ladders/squad-ladder/tracks/trueskill", {"parameters": {"tau": 0.2}})
    assert (track["version"], track["parameters"]["established_after"]) == (3, 12)
    assert track["parameters"]["beta"] == 5.0
    queue = {"gap_cap": 50, "settings": {"maps": {"names": "Canyon; Moor"}}, "is_open": False}
    made = put(world, "queues/squad-queue", queue)
    assert made["settings"]["region"] == {"use": "must"}
    assert made["settings"]["maps"] == {"names": "Canyon; Moor"}
    assert (made["is_open"], made["gap_cap"]) == (False, 50.0)
    # Another system runs in the shadow, and one by map beside both.
    shadow = put(world, "ladders/squad-ladder/tracks/zonestats", {"period_days": 7}, 201)
    assert (shadow["shown"], shadow["period_days"]) == (False, 7.0)
    ordered = put(world, "ladders/squad-ladder/tracks/trueskill", {"ordered_by": "rating"})
    assert (track["ordered_by"], ordered["ordered_by"]) == ("conservative", "rating")
    put(world, "ladders/squad-ladder/tracks/elo", {}, 201)
    wrong = put(world, "ladders/squad-ladder/tracks/elo", {"ordered_by": "conservative"}, 409)
    assert wrong["code"] == "system_has_no_deviation"
    by_map = put(world, "ladders/squad-ladder/tracks/trueskill?apart=map", {}, 201)
    assert (by_map["apart"], by_map["shown"]) == ("map", True)
    listed = world.get("admin/ladders/squad-ladder/tracks", "site-admin")["results"]
    assert [track["system"] for track in listed] == ["trueskill", "zonestats", "elo", "trueskill"]


def test_a_page_of_queues_asks_as_often_for_five_as_for_one(
    world: World, django_assert_num_queries: Any
) -> None:
    put(world, "ladders/team-ladder", {"game": "go", "team_size": 2}, 201)
    for number in range(2):
        put(world, f"queues/go-{number}", {"ladder": "go"}, 201)
        put(world, f"queues/team-{number}", {"ladder": "team-ladder"}, 201)
    with CaptureQueriesContext(connection) as seen:
        (one,) = world.get("admin/queues?limit=1", "site-admin")["results"]
    with django_assert_num_queries(len(seen)):
        five = world.get("admin/queues?limit=5", "site-admin")["results"]
    # And says of each what it says of it alone.
    assert five == [world.get(f"admin/queues/{queue['slug']}", "site-admin") for queue in five]
    assert (len(five), five[0]) == (5, one)
    assert [bool(queue["warnings"]) for queue in five] == [
        "team" in queue["slug"] for queue in five
    ]


@pytest.mark.parametrize(
    ("path", "body", "pointer"),
    [
        ("games/arena", {"nmae": "x"}, "#/nmae"),
        ("games/arena", {"disputes_at_most": 101}, "#/disputes_at_most"),
        (f"games/{'x' * 51}", {}, "#"),
        ("ladders/new", {}, "#/game"),
        ("ladders/new", {"game": "nowhere"}, "#/game"),
        ("ladders/new", {"game": "chess", "team_count": 1}, "#/team_count"),
        ("ladders/new", {"game": "chess", "mode": "secret"}, "#/mode"),
        ("ladders/secret/tracks/glicko", {"period_days": None}, "#/period_days"),
        ("ladders/secret/tracks/glicko", {"period_days": 10**400}, "#/period_days"),
        ("ladders/secret/tracks/elo", {"parameters": {"k": 5}}, "#/parameters/k"),
        ("ladders/secret/tracks/elo", {"parameters": {"k_new": "5"}}, "#/parameters/k_new"),
        ("ladders/secret/tracks/elo", {"parameters": {"k_new": 10**400}}, "#/parameters/k_new"),
        ("ladders/secret/tracks/elo", {"parameters": {"k_new": None}}, "#/parameters/k_new"),
        ("ladders/secret/tracks/elo", {"parameters": {"k_new": "\0"}}, "#/parameters/k_new"),
        ("ladders/secret/tracks/elo", {"parameters": [5]}, "#/parameters"),
        ("queues/new", {}, "#/ladder"),
        ("queues/new", {"ladder": "nowhere"}, "#/ladder"),
        ("queues/new", {"ladder": "go", "settings": {"x": {}}}, "#/settings/x"),
        (
            "queues/new",
            {"ladder": "go", "settings": {"region": {"use": "so"}}},
            "#/settings/region/use",
        ),
        (
            "queues/search",
            {"settings": {"teams": {"roles": "tank 9"}}},
            "#/settings/teams/roles",
        ),
        ("queues/search", {"accept_seconds": 1}, "#/accept_seconds"),
        ("queues/search", {"gap_start": 50, "gap_cap": 10}, "#"),
        ("queues/new", {"ladder": "go", "gap_start": 50, "gap_cap": 10}, "#"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_what_is_wrong_is_named(world: World, path: str, body: Any, pointer: str) -> None:
    before = (actions(), Game.objects.count(), Ladder.objects.count(), Queue.objects.count())
    assert pointers(put(world, path, body, 422)) == [pointer]
    assert before == (
        actions(),
        Game.objects.count(),
        Ladder.objects.count(),
        Queue.objects.count(),
    )


def test_what_is_made_stays_what_it_is(world: World) -> None:
    for path, body, field in (
        ("ladders/go", {"mode": "normal"}, "mode"),
        ("ladders/go", {"team_size": 2}, "team_size"),
        ("ladders/go", {"game": "chess"}, "game"),
        ("queues/search", {"ladder": "secret"}, "ladder"),
    ):
        told = put(world, path, body, 409)
        assert (told["code"], told["field"]) == ("cannot_change", field)
    put(world, "ladders/secret/tracks/elo", {}, 201)
    told = put(world, "ladders/secret/tracks/elo", {"period_days": 7}, 409)
    assert (told["field"], told["present"]) == ("period_days", None)
    assert put(world, "ladders/secret/tracks/chess", {}, 404)["code"] == "not_found"
    again = RatingTrack.objects.get(ladder__slug="secret")
    again.pk, again.shown = None, False
    again.save(force_insert=True)
    assert put(world, "ladders/secret/tracks/elo", {}, 409)["code"] == "several_tracks"


def test_a_key_of_one_game_reaches_no_other(world: World) -> None:
    put(world, "ladders/blitz", {"game": "chess"}, 201)
    put(world, "queues/blitz", {"ladder": "blitz"}, 201)
    for path in ("ladders", "queues"):
        told = put(world, f"{path}/blitz", {}, 409, "server-admin")
        assert told["code"] == "slug_taken"
        assert world.call("GET", f"admin/{path}/blitz", "server-admin").status_code == 404
        listed = world.get(f"admin/{path}", "server-admin")["results"]
        assert {one["game"] for one in listed} == {"go"}
        assert world.get(f"admin/{path}?game=chess", "site-admin")["results"] != []
    told = put(world, "games/new", {}, 403, "server-admin")
    assert told["code"] == "key_of_one_game"
    assert pointers(put(world, "ladders/new", {"game": "chess"}, 422, "server-admin")) == ["#/game"]
    assert pointers(put(world, "queues/new", {"ladder": "blitz"}, 422, "server-admin")) == [
        "#/ladder"
    ]
    assert put(world, "ladders/new", {}, 201, "server-admin")["game"] == "go"
    path = "ladders/blitz/tracks/elo"
    assert put(world, path, {}, 404, "server-admin")["code"] == "not_found"


def test_keys_are_made_with_less_than_the_key_that_makes_them_and_end_with_it(world: World) -> None:
    ends = world.site.now + timedelta(days=10)
    with clock.at(world.site.now):
        maker, secret = issue_key(game=world.game, name="deploy", scopes=ADMIN, expires_at=ends)
    world.secrets["deploy"] = secret
    headers = {"Idempotency-Key": "host"}
    body = {"name": "host", "scopes": ["read", "results:write"], "days": 30}
    answers = [world.call("POST", "admin/keys", "deploy", body, **headers) for _ in range(2)]
    made = answers[0].json()
    assert [answer.status_code for answer in answers] == [201, 201]
    assert answers[1].json() == made
    assert made["expires_at"].startswith(f"{ends:%Y-%m-%dT%H:%M}")
    assert answers[0]["Location"].endswith(f"/api/v1/admin/keys/{made['id']}")
    assert AuditEntry.objects.latest("pk").through == f"deploy (em_srv_{maker.prefix})"
    world.secrets["host"] = made["key"]
    assert world.get("me", "host")["scopes"] == ["read", "results:write"]
    assert world.call("GET", "admin/games", "host").status_code == 403
    named = put(world, f"keys/{made['id']}", {"name": "host 2"}, caller="deploy")
    assert (named["name"], named["issued_by"]) == ("host 2", maker.pk)
    told = world.call("POST", "admin/keys", "deploy", {"name": "x", "scopes": ADMIN}).json()
    assert pointers(told) == ["#/scopes/0"]
    assert pointers(
        world.call("POST", "admin/keys", "deploy", {"name": "x", "game": "chess"}).json()
    ) == ["#/game"]
    # No key that could do the same is shown, named or ended.
    listed = world.get("admin/keys", "deploy")["results"]
    assert not any("admin" in one["scopes"] for one in listed)
    assert world.call("DELETE", f"admin/keys/{maker.pk}", "deploy").status_code == 404
    with clock.at(world.site.now):
        revoke_key(maker)
    assert world.call("GET", "me", "host").json()["code"] == "revoked_token"


def test_a_key_that_is_revoked_meanwhile_makes_none(world: World) -> None:
    from api.contract.problems import ProblemError

    maker, _ = issue_key(game=world.game, name="deploy", scopes=ADMIN)
    stale = ServerKey.objects.get(pk=maker.pk)
    revoke_key(maker)
    with pytest.raises(ProblemError, match="revoked_token"):
        issue_key(game=world.game, name="late", scopes=["read"], issued_by=stale)
    for wrong in (
        {"game": None, "scopes": list(SERVER_SCOPES)},
        {"game": None, "scopes": [*ADMIN, "read"]},
        {"game": world.game, "scopes": ADMIN, "issued_by": stale},
    ):
        with pytest.raises(Exception, match="admin"):
            issue_key(name="wrong", **wrong)


def test_a_deployment_sees_that_what_it_sets_up_is_archived(world: World) -> None:
    queue = f"queues/{world.ticket.queue.slug}"
    system = world.ladder.tracks.filter(facet="").order_by("pk")[0].system
    things = ("games/go", "ladders/go", f"ladders/go/tracks/{system}", queue)
    assert [put(world, thing, {})["archived_at"] for thing in things] == [None] * 4
    with clock.at(world.site.now):
        archive(world.ladder, by=None)
    seen = [put(world, thing, {})["archived_at"] is not None for thing in things]
    assert seen == [False, True, True, True]
    with clock.at(world.site.now):
        archive(world.game, by=None)
    at = put(world, "games/go", {})["archived_at"]
    assert at is not None
    listed = world.get("admin/ladders?game=go", "site-admin")["results"]
    assert all(ladder["archived_at"] for ladder in listed)


def test_nothing_new_is_made_in_what_is_archived(world: World) -> None:
    with clock.at(world.site.now):
        archive(world.ladder, by=None)
    new = [("queues/late", {"ladder": "go"}), ("ladders/go/tracks/zonestats", {})]
    for path, body in new:
        assert put(world, path, body, 410)["code"] == "archived"
    with clock.at(world.site.now):
        archive(world.game, by=None)
    assert put(world, "ladders/late", {"game": "go"}, 410)["code"] == "archived"
    body = {"name": "late", "game": "go"}
    answer = world.call("POST", "admin/keys", "site-admin", body)
    assert (answer.status_code, answer.json()["code"]) == (410, "archived")
    assert not Ladder.objects.filter(slug="late").exists()
    assert not Queue.objects.filter(slug="late").exists()
    assert not ServerKey.objects.filter(name="late").exists()


def test_lists_have_the_ids_that_events_name(world: World) -> None:
    for path, thing in (
        ("games", world.game),
        ("ladders", world.ladder),
        ("queues", world.ticket.queue),
    ):
        first = world.get(f"admin/{path}", "server-admin")["results"][0]
        assert (first["id"], first["slug"]) == (thing.pk, thing.slug)
