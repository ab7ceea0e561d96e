"""Game servers in the admin and by the command, ladders that are rated by events, and the log of a match."""

import io

import pytest
from django.core.management import CommandError, call_command

from accounts.models import AuditEntry
from ratings.models import Game, GameServer, Ladder, MatchState, RatedBy, RatingChange
from tests.ratings.admin_cast import operator
from tests.ratings.logs.telling import (
    event,
    frag,
    make_server,
    match_of,
    rate,
    ratings,
    tell,
)
from tests.ratings.replays import rate_all

pytestmark = pytest.mark.django_db
ADD = "/admin/ratings/gameserver/add/"


def page_of(server: GameServer, name: str = "change") -> str:
    return f"/admin/ratings/gameserver/{server.pk}/{name}/"


def test_a_server_needs_a_ladder_of_its_game_that_is_rated_by_events() -> None:
    server = make_server()
    other = Game.objects.create(slug="go", name="Go")
    by_results = Ladder.objects.create(game=server.game, slug="duel", name="Duel")
    given = {"game": str(server.game_id), "name": "New", "slug": "new"}
    client = operator()
    form = client.get(ADD).content.decode()
    assert "Live (Arena)" in form
    assert "Duel (Arena)" not in form
    client.post(ADD, {**given, "ladder": str(by_results.pk)})
    refused = client.post(ADD, {**given, "game": str(other.pk), "ladder": str(server.ladder_id)})
    assert "Live is a ladder of Arena: choose one of Go." in refused.content.decode()
    assert not GameServer.objects.filter(slug="new").exists()
    client.post(ADD, {**given, "ladder": str(server.ladder_id)})
    made = GameServer.objects.get(slug="new")
    assert made.name == "New"
    client.post(page_of(made), {"name": "Renamed", "ladder": str(server.ladder_id), "slug": "x"})
    made.refresh_from_db()
    assert (made.name, made.slug) == ("Renamed", "new")
    assert AuditEntry.objects.filter(target_id=str(made.pk), after__name="Renamed").exists()


def test_a_server_that_has_told_something_is_archived_and_not_deleted() -> None:
    server, silent = make_server(), make_server("dm2")
    tell(server, frag(1, "ann", "ben"))
    client = operator()
    assert client.get(page_of(server, "delete")).status_code == 403
    assert client.get(page_of(silent, "delete")).status_code == 200
    shown = client.get(page_of(server, "archive")).content.decode()
    assert "nothing that it tells is taken" in shown
    client.post(page_of(server, "archive"), {"note": "moved", "confirm": "1"})
    server.refresh_from_db()
    assert server.archived_at is not None
    assert page_of(server) not in client.get("/admin/ratings/gameserver/").content.decode()
    assert AuditEntry.objects.filter(action="gameserver.archived", note="moved").exists()


def test_what_a_ladder_is_rated_by_is_chosen_once() -> None:
    server = make_server()
    client = operator()
    assert 'name="rated_by"' in client.get("/admin/ratings/ladder/add/").content.decode()
    page = f"/admin/ratings/ladder/{server.ladder_id}/change/"
    shown = client.get(page).content.decode()
    assert 'name="rated_by"' not in shown
    assert "events of game servers" in shown


def test_the_log_of_a_match_is_there_to_look_at() -> None:
    server = make_server()
    tell(
        server,
        frag(1, "ann", "ben", weapon="rocket"),
        event(2, "frag", guest="<b>Bot", victim="ben"),
        frag(5, "ben", "ann"),
    )
    rate()
    client = operator()
    address = f"/admin/ratings/match/{match_of().pk}/"
    shown = client.get(f"{address}change/").content.decode()
    assert f"{address}log/" in shown
    assert f"{address}abort/" not in shown
    log = client.get(f"{address}log/").content.decode()
    assert "Told up to number 5, complete up to 2" in log
    assert "rocket" in log
    assert "&lt;b&gt;Bot" in log
    assert "<bdi>ann</bdi>" in client.get(f"{address}log/?after=2").content.decode()
    assert "rocket" not in client.get(f"{address}log/?after=2").content.decode()
    assert client.get(f"{address}log/?after=x").status_code == 404


def test_annulled_the_ratings_are_those_of_a_stream_without_it() -> None:
    """Through the page, as an operator does it."""

    def play(*, with_it: bool) -> dict[str, float]:
        server = make_server(start=300)
        tell(server, frag(1, "ann", "ben"), frag(2, "cat", "ben"), event(3, "end"))
        rate()
        if with_it:
            tell(server, *(frag(number, "ben", "ann", "m2") for number in range(1, 5)))
            rate()
            tell(server, event(5, "end", "m2"))
            rate()
        tell(server, frag(1, "ben", "ann", "m3"), frag(2, "ann", "cat", "m3"))
        rate()
        tell(server, event(3, "end", "m3"))
        rate()
        return ratings()

    before = play(with_it=True)
    match = match_of("m2")
    client = operator()
    page = f"/admin/ratings/match/{match.pk}/annul/"
    assert client.get(page).status_code == 200
    assert client.post(page, {"note": "cheats", "confirm": "1"}).status_code == 302
    match.refresh_from_db()
    assert match.state == MatchState.ANNULLED
    rate_all()
    after = ratings()
    assert after != before
    assert "annulled" in client.get(f"/matches/{match.pk}/").content.decode()
    changes = {it.match_id for it in RatingChange.objects.filter(track__state="live")}
    assert changes == {match_of("m1").pk, match_of("m3").pk}
    Game.objects.update(slug="old")
    Ladder.objects.update(slug="old")
    for name in ("m1", "m2", "m3"):
        log = match_of(name).log
        log.name = f"old-{name}"
        log.save(update_fields=["name"])
    assert play(with_it=False) == after


def test_the_command_makes_a_server_and_changes_it() -> None:
    server = make_server()
    out = io.StringIO()
    call_command("add_server", "arena", "ctf", "--ladder", "live", "--name", "Flags", stdout=out)
    call_command("add_server", "arena", "ctf", "--ladder", "live", "--name", "Banner", stdout=out)
    assert out.getvalue() == "Server ctf was added.\nServer ctf was there; it is changed.\n"
    assert GameServer.objects.get(slug="ctf").name == "Banner"
    Ladder.objects.create(game=server.game, slug="duel", name="Duel", rated_by=RatedBy.RESULTS)
    for given, why in (
        (["arena", "x", "--ladder", "duel"], "rated by results"),
        (["go", "x", "--ladder", "live"], "is one of the game “arena”"),
        (["arena", "Not One", "--ladder", "live"], "valid"),
        (["arena", "x", "--ladder", "none"], "There is no ladder"),
    ):
        with pytest.raises(CommandError, match=why):
            call_command("add_server", *given)


def test_the_command_archives_a_server_by_game_and_name() -> None:
    server = make_server()
    call_command("archive", "server", "arena/dm1", "--note", "over", stdout=io.StringIO())
    server.refresh_from_db()
    assert server.archived_at is not None
    with pytest.raises(CommandError, match="There is no"):
        call_command("archive", "server", "dm1", "--note", "over")
