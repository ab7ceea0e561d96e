"""A page of a leaderboard is put into the form of the API once, and nobody gets what is another's or past."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from foundation import kept_pages
from ratings.models import Mode, Player
from tests.api.world import World, make_world
from tests.ratings.arena import Played
from tests.worlds import shared

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("keep_pages")]
BOARD = "ladders/go/leaderboard?everyone=true"


@shared
def world() -> World:
    return make_world(system="elo", days=None)


def test_it_is_read_once(world: World) -> None:
    first = world.get(BOARD)
    with CaptureQueriesContext(connection) as found:
        assert world.get(BOARD) == first
    assert not any("leaderboards_standing" in one["sql"] for one in found)
    assert world.get(f"{BOARD}&limit=2")["results"] == first["results"][:2]


def test_the_board_is_read_with_its_track_alone(world: World) -> None:
    with CaptureQueriesContext(connection) as found:
        assert world.get(BOARD)["results"]
    assert not any('FROM "leaderboards_board"' in one["sql"] for one in found)


def test_a_new_board_is_shown_at_once(world: World) -> None:
    before = world.get(BOARD)
    world.site.play(Played(12.0, 1, 0, 1.0))
    world.site.rate(day=13.0)
    after = world.get(BOARD)
    assert after != before
    kept_pages.forget_pages()
    assert world.get(BOARD) == after


def test_ids_of_the_game_are_its_servers_alone(world: World) -> None:
    def ids(caller: str) -> list[str | None]:
        return [one["player"]["external_id"] for one in world.get(BOARD, caller)["results"]]

    own = ids("server-all")
    assert all(own)
    for caller in ("anonymous", "player-read", "other-server"):
        assert not any(ids(caller)), caller
    assert ids("server-all") == own


def test_what_is_public_no_more_is_not_shown(world: World) -> None:
    world.get(BOARD)
    type(world.ladder).objects.filter(pk=world.ladder.pk).update(mode=Mode.NORMAL)
    assert world.call("GET", BOARD).status_code == 404


def asked_again(world: World, tag: str, caller: str = "anonymous") -> int:
    status: int = world.call("GET", BOARD, caller, **{"If-None-Match": tag}).status_code
    return status


def test_whoever_has_it_is_told_so(world: World) -> None:
    first = world.call("GET", BOARD)
    tag = first["ETag"]
    assert first["Cache-Control"] == "private, no-cache"
    assert "Authorization" in first["Vary"]
    for sent in (tag, tag.removeprefix("W/"), f'"other", {tag}', "*"):
        assert asked_again(world, sent) == 304
    again = world.call("GET", BOARD, **{"If-None-Match": tag})
    assert (again.content, again["ETag"], again["Cache-Control"]) == (
        b"",
        tag,
        "private, no-cache",
    )
    assert asked_again(world, '"other"') == 200
    assert world.call("GET", f"{BOARD}&limit=2")["ETag"] != tag


def test_what_one_has_is_nothing_to_others(world: World) -> None:
    public, own = (world.call("GET", BOARD, it)["ETag"] for it in ("anonymous", "server-all"))
    assert public != own
    assert asked_again(world, own, "server-read") == 304
    assert asked_again(world, own, "player-read") == asked_again(world, public, "server-all") == 200


def test_what_has_another_name_or_is_public_no_more_is_not_the_same(world: World) -> None:
    tag = world.call("GET", BOARD)["ETag"]
    Player.objects.filter(pk=world.anna.pk).update(name="Annabel")
    kept_pages.forget_pages()  # as after some seconds
    assert asked_again(world, tag) == 200
    tag = world.call("GET", BOARD)["ETag"]
    type(world.ladder).objects.filter(pk=world.ladder.pk).update(mode=Mode.NORMAL)
    assert asked_again(world, tag) == 404
