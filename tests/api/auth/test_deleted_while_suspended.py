"""No suspension ends by deleting oneself: it goes on for whoever plays under the same id, and names nobody."""

from dataclasses import replace
from datetime import datetime, timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client

from accounts.models import AuditEntry, User
from api.site.delete_person import delete_player
from config.tasks import forget
from foundation import clock
from ratings.matches.played_match import PlayedMatch
from ratings.matches.record import record_results
from ratings.merging.merge import merge
from ratings.models import (
    Game,
    KeptSuspension,
    Match,
    Player,
    Sanction,
    SanctionKind,
    SuspendedFrom,
)
from ratings.players.enrol import add_players, enrol
from ratings.sanctions import SuspendedError, impose
from tests.api.world import World
from tests.emptying import rows_by_table
from tests.histories.traces import PASSWORD, holding
from tests.ratings.admin_cast import operator, staff, told
from tests.ratings.match_files import FileRow, file_of, take_in

pytestmark = pytest.mark.django_db

ID, DAY = "petra-77", timedelta(days=1)
REASON = "Carried over: somebody who played under this id was suspended when they were deleted."


def suspend(
    player: Player,
    what: SuspendedFrom = SuspendedFrom.ALL,
    until: datetime | None = None,
) -> None:
    kind = SanctionKind.SUSPENDED
    impose(player=player, kind=kind, suspended_from=what, reason="A bot.", by=None, until=until)


def petra(
    world: World,
    what: SuspendedFrom = SuspendedFrom.ALL,
    until: datetime | None = None,
) -> Player:
    """A player whom the game brings, suspended."""
    player, _ = enrol(game=world.game, external_id=ID, name="Petra")
    suspend(player, what, until)
    return player


def of_new(game: Game, external_id: str = ID) -> list[tuple[Any, ...]]:
    """What is imposed on the player whom the game calls so now."""
    columns = ("kind", "suspended_from", "until", "reason")
    mine = Sanction.objects.filter(player__game=game, player__external_id=external_id)
    return list(mine.order_by("suspended_from").values_list(*columns))


def play(world: World) -> PlayedMatch:
    """A match that they have won, as the game's server tells of it."""
    began = clock.now() - DAY
    return PlayedMatch(
        ladder="go",
        external_id="first",
        teams=((ID,), (world.site.arena.players[1].external_id,)),
        ranks=(0, 1),
        played_at=began,
        ended_at=began + timedelta(hours=1),
    )


@pytest.mark.parametrize("is_for_good", [True, False])
def test_whoever_deletes_the_account_and_comes_back_is_still_suspended(
    world: World, is_for_good: bool
) -> None:
    until = None if is_for_good else clock.now() + 3 * DAY
    old = petra(world, until=until)
    user = User.objects.create_user("quitter", password=PASSWORD)
    Player.objects.filter(pk=old.pk).update(user=user)
    client = Client()
    client.post("/accounts/login/", {"login": "quitter", "password": PASSWORD})
    assert "a code from which your id cannot be read" in client.get("/accounts/delete/").text
    client.post("/accounts/delete/", {"name": "quitter"})
    assert holding(ID) == []
    assert holding("A bot") == []
    kept = KeptSuspension.objects.get()
    assert (kept.game, kept.suspended_from, kept.until) == (world.game, "all", until)

    for times in range(2):
        made = world.call("PUT", f"players/by-external-id/{ID}", "server-all", {})
        assert made.status_code == (200 if times else 201)
    asked = {"queue": world.ticket.queue.slug, "player": ID}
    refused = world.call("POST", "tickets", "server-all", asked)
    said = refused.json()
    assert (refused.status_code, said["code"]) == (403, "suspended")
    assert said["until"] == (until and until.isoformat().replace("+00:00", "Z"))
    assert of_new(world.game) == [("suspended", "all", until, REASON)]
    entry = AuditEntry.objects.get(action="player.sanctioned", after__reason=REASON)
    assert (entry.actor, entry.target_id) == (None, str(made.json()["id"]))
    assert not KeptSuspension.objects.exists()
    # Again and again.
    delete_player(Player.objects.get(pk=made.json()["id"]), by=None)
    enrol(game=world.game, external_id=ID)
    assert of_new(world.game) == [("suspended", "all", until, REASON)]


def test_all_that_is_in_force_is_kept_and_nothing_else(world: World) -> None:
    now = clock.now()
    player = petra(world, SuspendedFrom.SEARCHING)
    suspend(player, SuspendedFrom.PARTIES, now + DAY)
    impose(player=player, kind=SanctionKind.HIDDEN, reason="x", by=None)
    Sanction.objects.create(
        player=player,
        kind="suspended",
        suspended_from="results",
        reason="x",
        imposed_at=now - 2 * DAY,
        until=now - DAY,
    )
    delete_player(player, by=None)
    chess = world.other_game
    add_players(chess.pk, [ID])  # an id of another game is another's
    assert of_new(chess) == []
    add_players(world.game.pk, ["somebody", ID])
    assert of_new(world.game, "somebody") == []
    assert of_new(world.game) == [
        ("suspended", "parties", now + DAY, REASON),
        ("suspended", "searching", None, REASON),
    ]


def test_by_results(world: World) -> None:
    delete_player(petra(world, SuspendedFrom.RESULTS), by=None)
    other, third = (it.external_id for it in world.site.arena.players[2:4])
    played = play(world)
    fair = replace(played, external_id="second", teams=((other,), (third,)))
    answers = record_results(game=world.game, results=[played, fair])
    assert isinstance(answers[0].error, SuspendedError)
    assert answers[1].is_new
    assert not Match.objects.filter(external_id="first").exists()
    assert of_new(world.game) == [("suspended", "results", None, REASON)]


def test_by_results_that_it_does_not_forbid(world: World) -> None:
    old = petra(world, SuspendedFrom.SEARCHING)
    played = play(world)
    (before,) = record_results(game=world.game, results=[played])
    assert before.is_new
    delete_player(old, by=None)
    (answer,) = record_results(game=world.game, results=[played])
    assert answer.error is not None  # it is known, of somebody else now
    assert not Player.objects.filter(external_id=ID).exists()
    (answer,) = record_results(game=world.game, results=[replace(played, external_id="next")])
    assert answer.is_new
    assert of_new(world.game) == [("suspended", "searching", None, REASON)]


def test_what_is_sent_once_more_makes_nobody_known(world: World) -> None:
    old, _ = enrol(game=world.game, external_id=ID)
    played = play(world)
    record_results(game=world.game, results=[played])
    suspend(old)
    delete_player(old, by=None)
    record_results(game=world.game, results=[played])
    assert holding(ID) == []
    assert KeptSuspension.objects.count() == 1


@pytest.mark.usefixtures("world")
def test_by_an_import() -> None:
    take_in(file_of([FileRow("2020-01-01", ID, "bob", "1")]))
    player = Player.objects.get(external_id=ID)
    suspend(player)
    delete_player(player, by=None)
    take_in(file_of([FileRow("2020-01-02", ID, "bob", "1"), FileRow("2020-01-03", "x", "y", "1")]))
    assert of_new(player.game) == [("suspended", "all", None, REASON)]
    assert Sanction.objects.exclude(player=player).count() == 1


def test_ids_of_players_who_were_merged_into_them(world: World) -> None:
    """Also where the player who stayed has an id of the site, which no game brings."""
    old, _ = enrol(game=world.game, external_id=ID)
    stays, _ = enrol(game=world.game, external_id="evenmatch:777")
    merge(player=old, into=stays, by=None, note="x")
    suspend(stays)
    out = StringIO()
    before = rows_by_table()
    call_command("delete_person", "--player", str(stays.pk), "--dry-run", stdout=out)
    assert "Suspensions of the deleted: 1\n" in out.getvalue()
    assert rows_by_table() == before
    delete_player(stays, by=None)
    add_players(world.game.pk, [ID])
    assert of_new(world.game) == [("suspended", "all", None, REASON)]
    assert not KeptSuspension.objects.exists()


def test_those_whose_time_is_over_are_forgotten(world: World) -> None:
    now = clock.now()
    player = petra(world, until=now + DAY)
    suspend(player, SuspendedFrom.SEARCHING)
    delete_player(player, by=None)
    with clock.at(now + DAY / 2):
        forget()
    assert KeptSuspension.objects.count() == 2
    with clock.at(now + DAY):
        forget()
        assert KeptSuspension.objects.get().until is None
        enrol(game=world.game, external_id=ID)
    assert of_new(world.game) == [("suspended", "searching", None, REASON)]


def test_what_is_over_is_not_imposed(world: World) -> None:
    now = clock.now()
    delete_player(petra(world, until=now + DAY), by=None)
    with clock.at(now + DAY):
        enrol(game=world.game, external_id=ID)
    assert of_new(world.game) == []


def test_an_operator_finds_it_by_the_id_and_forgets_it(world: World) -> None:
    delete_player(petra(world), by=None)
    kept = KeptSuspension.objects.get()
    client, page = operator(), "/admin/ratings/keptsuspension/"
    forgetting = f"{page}{kept.pk}/forget/"
    assert str(kept) in client.get(page, {"q": ID}).text
    assert str(kept) not in client.get(page, {"q": "petra-7"}).text
    assert forgetting in client.get(f"{page}{kept.pk}/change/").text
    looking = staff("view_sanction")
    assert forgetting not in looking.get(f"{page}{kept.pk}/change/").text
    assert looking.post(forgetting, {"note": "x"}).status_code == 403
    assert told(client, forgetting, {"note": "It was his sister."}) == (
        "The suspension is forgotten."
    )
    entry = AuditEntry.objects.get(action="suspension.forgotten")
    assert entry.before == {"game": world.game.pk, "suspended_from": "all", "until": None}
    assert entry.note == "It was his sister."
    enrol(game=world.game, external_id=ID)
    assert of_new(world.game) == []


def test_an_operator_brings_it_over_too(world: World) -> None:
    """By a new player, or another id of one who is there."""
    for number, external_id in enumerate(("petra-77", "petra-78")):
        player, _ = enrol(game=world.game, external_id=external_id, name=f"Petra {number}")
        suspend(player)
        delete_player(player, by=None)
    sent = {"game": world.game.pk, "external_id": "petra-77", "name": "Somebody", "user": ""}
    staff("add_player", "view_player").post("/admin/ratings/player/add/", sent)
    assert of_new(world.game, "petra-77") == [("suspended", "all", None, REASON)]
    other, _ = enrol(game=world.game, external_id="other-1", name="Other")
    client, page = operator(), f"/admin/ratings/player/{other.pk}/change/"
    form = client.get(page).context["adminform"].form
    sent = {"external_id": "petra-78", "name": "Other", "user": "", "opened_as": form.opened_as}
    assert client.post(page, sent).status_code == 302
    assert of_new(world.game, "petra-78") == [("suspended", "all", None, REASON)]
    assert not KeptSuspension.objects.exists()
