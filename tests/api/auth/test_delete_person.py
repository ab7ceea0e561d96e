"""Deleting a person: nothing that names or describes them is left, and nobody else's history changes."""

from io import StringIO
from typing import Any

import pytest
import pytest_django
from allauth.account.models import EmailAddress
from allauth.usersessions.models import UserSession
from django.contrib.admin.models import LogEntry
from django.core.management import CommandError, call_command
from django.test import Client

from accounts.mail.post import post_reset
from accounts.models import AuditEntry, Mail, User
from api.auth.issue import issue_token
from api.auth.scopes import PLAYER_SCOPES
from api.models import PlayerToken, StoredAnswer
from api.site.delete_person import (
    delete_account,
    delete_player,
    foresee_account,
    foresee_player,
)
from events.models import Notice
from foundation import clock
from matchmaking.models import Avoided, Ticket
from ratings.matches.decide import abort
from ratings.matches.result import Result
from ratings.matches.start import start_match
from ratings.merging.merge import merge
from ratings.merging.unmerge import unmerge
from ratings.models import (
    Correction,
    FormerName,
    Match,
    Participant,
    Player,
    RatingChange,
    Sanction,
    SanctionKind,
    Statement,
    SuspendedFrom,
)
from ratings.players.enrol import enrol
from ratings.players.site_ids import is_deleted
from ratings.sanctions import impose
from rooms.models import Room
from tests.api.world import World
from tests.emptying import rows_by_table
from tests.histories.traces import (
    NAME,
    PASSWORD,
    TELLING,
    blame,
    holding,
    leave_traces,
    make_account,
)
from tests.ratings.admin_cast import operator

pytestmark = pytest.mark.django_db


@pytest.fixture
def user(world: World) -> User:
    """An account whose player has been in everything that holds words about a person."""
    user, player = make_account(), world.anna
    olga = operator()  # of whose acts Django keeps a log as well
    old = {"user": user.pk, "email": "quirinus@elsewhere.example", "verified": "on"}
    assert olga.post("/admin/account/emailaddress/add/", old).status_code == 302
    EmailAddress.objects.filter(email=old["email"]).delete()
    again = {"password1": PASSWORD, "password2": PASSWORD}
    assert olga.post(f"/admin/accounts/user/{user.pk}/password/", again).status_code == 302
    assert olga.post(f"/admin/accounts/auditentry/export/?person={NAME}").status_code == 200
    post_reset("quirinus@somewhere.example")
    user.refresh_from_db()
    leave_traces(player, user=user, other=world.site.arena.players[1], said_on=world.hidden)
    browser = Client()
    browser.force_login(user)
    token = {"player": player.pk, "name": "Rosinante", "days": "90", "scopes": ["read"]}
    assert "Rosinante" in browser.post("/accounts/tokens/", token).content.decode()
    match = Match.objects.filter(participants__player=player, state="confirmed")[0]
    blame(match, Result(ranks=(1, 0)))
    return user


def ledger() -> list[tuple[Any, ...]]:
    return list(RatingChange.objects.order_by("pk").values_list("pk", "player", "value_after"))


def test_nothing_is_left_that_tells_of_them(world: World, user: User) -> None:
    for word in TELLING:
        assert holding(word), word
    before = ledger()
    client = Client()
    client.force_login(user)
    call_command("delete_person", "--account", NAME, "--note", "asked for", stdout=StringIO())
    for word in TELLING:
        assert holding(word) == [], word
    assert ledger() == before
    player = Player.objects.get(pk=world.anna.pk)
    assert (player.name, player.user) == (f"Deleted player {player.pk}", None)
    assert not FormerName.objects.filter(player=player).exists()
    assert client.get("/accounts/data/").status_code == 302  # signed out
    assert not Client().login(username=f"deleted-{user.pk}", password=PASSWORD)


def test_a_dry_run_says_what_deleting_then_does_and_changes_nothing(
    world: World, user: User
) -> None:
    Client().post("/accounts/login/", {"login": NAME, "password": PASSWORD})
    Ticket.objects.filter(pk=world.ticket.pk).update(wishes={"language": ["de"]})
    before, out = rows_by_table(), StringIO()
    call_command("delete_person", "--account", NAME, "--dry-run", stdout=out)
    taken = foresee_account(user)
    assert rows_by_table() == before
    said = out.getvalue()
    for line in (
        f"“{NAME}” by “deleted-{user.pk}”",
        f"“{NAME}” by “Deleted player {world.anna.pk}”",
        f"“secret-id-77” by “deleted-{world.anna.pk}”",
        "search in Search",
        f"party {world.party.pk}",
        f"Matches: {Participant.objects.filter(player=world.anna).count()}",
        f"Ledger: {RatingChange.objects.filter(player=world.anna).count()}",
        "Email addresses: 1",
        "Sign-ins: 1",
        f"Former names: {FormerName.objects.filter(player=world.anna).count()}",
        "Nothing was changed: this was a dry run.",
    ):
        assert f"{line}\n" in said, line
    there = {model: model._default_manager.count() for model in taken.deleted}
    assert {LogEntry, Mail, PlayerToken, Avoided, FormerName, UserSession} <= set(there)
    call_command("delete_person", "--account", NAME, "--note", "asked for", stdout=StringIO())
    gone = {model: number - model._default_manager.count() for model, number in there.items()}
    assert gone == taken.deleted
    world.ticket.refresh_from_db()
    assert (world.ticket.state, world.ticket.wishes) == ("cancelled", {})
    assert {Statement, Sanction, Correction, Ticket, AuditEntry, Room} == {
        model for model, number in taken.replaced.items() if number
    }
    emptied = AuditEntry.objects.filter(note="(removed)", before__isnull=True, after__isnull=True)
    assert emptied.count() == taken.replaced[AuditEntry] + 1  # that the access has ended


def test_a_dry_run_of_a_player_alone(world: World) -> None:
    before, out = rows_by_table(), StringIO()
    call_command("delete_person", "--player", str(world.anna.pk), "--dry-run", stdout=out)
    assert rows_by_table() == before
    anna = Player.objects.get(pk=world.anna.pk)
    for name, number in ((anna.name, "Deleted player "), (anna.external_id, "deleted-")):
        assert f"“{name}” by “{number}{world.anna.pk}”\n" in out.getvalue()
    with pytest.raises(CommandError, match="Say why, with --note"):
        call_command("delete_person", "--player", str(world.anna.pk))
    assert rows_by_table() == before


@pytest.mark.parametrize("what", ["--account", "--player"])
def test_whoever_was_merged_into_them_goes_too(world: World, user: User, what: str) -> None:
    known_before, _ = enrol(game=world.anna.game, external_id="zebulon-9", name="Zebulon")
    merge(player=known_before, into=world.anna, by=None, note="same")
    name = NAME if what == "--account" else str(world.anna.pk)
    call_command("delete_person", what, name, "--note", "asked for", stdout=StringIO())
    assert holding("Zebulon") == []


def test_nothing_is_left_of_one_that_counts_for_another(world: World, user: User) -> None:
    merge(
        player=Player.objects.get(pk=world.anna.pk),
        into=world.site.arena.players[1],
        by=None,
        note="x",
        annul_shared=True,
        end_what_runs=True,
    )
    call_command("delete_person", "--account", NAME, "--note", "asked for", stdout=StringIO())
    for word in TELLING:
        assert holding(word) == [], word


@pytest.mark.parametrize("is_undone", [True, False])
def test_nothing_that_others_got_of_them_tells_of_them(world: World, is_undone: bool) -> None:
    """By a merge, also one that was taken back, and by decisions on matches that others played, too."""
    one, _ = enrol(game=world.game, external_id="one-9", name="Zebulon")
    other, third = world.site.arena.players[1], world.site.arena.players[2]
    impose(player=one, kind=SanctionKind.WARNING, reason="Insulted a child", by=None)
    into, _ = enrol(game=world.game, external_id="two-9", name="Yolanda")
    merge(player=one, into=into, by=None, note="As zebulon himself says")
    if is_undone:
        unmerge(player=Player.objects.get(pk=one.pk), by=None, note="Zebulon was wrong")
    ladder, olga = world.site.arena.ladder, User.objects.create_superuser("ottilie")
    acts, named = (one.pk, {}) if is_undone else (into.pk, {into.pk: one.pk})
    began = [
        start_match(ladder=ladder, teams=[[acts], [other.pk]], reported_as=named),
        start_match(ladder=ladder, teams=[[third.pk], [world.site.arena.players[3].pk]]),
    ]
    for match in began:
        abort(match_id=match.pk, by=olga, note="ZEBULON pulled the plug")
    call_command("delete_person", "--player", str(one.pk), "--note", "x", stdout=StringIO())
    assert holding("Insulted a child") == []
    assert Sanction.objects.get(player=into, carried_from__player=one).reason == "(removed)"
    told = AuditEntry.objects.filter(action="match.aborted", target_id=str(began[0].pk)).get()
    assert (told.note, told.after) == ("(removed)", {"state": "aborted"})
    # What is told of matches of others stays theirs.
    kept = AuditEntry.objects.filter(note__icontains="zebulon")
    assert list(kept.values_list("target_id", flat=True)) == [str(began[1].pk)]


def test_answers_that_are_kept_forget_them(world: World, user: User) -> None:
    """And what was done by these keys is not done again."""
    anna, bjorn, other = world.anna, world.site.arena.players[1], world.site.arena.players[2]
    with clock.at(world.site.now):
        kind, what = SanctionKind.SUSPENDED, SuspendedFrom.RESULTS
        impose(player=anna, kind=kind, suspended_from=what, reason="x", by=None)
    result = {
        "ladder": "go",
        "external_id": "late",
        "teams": [["secret-id-77"], [bjorn.external_id]],
        "ranks": [0, 1],
        "played_at": "2026-03-01T10:00:00Z",
    }
    asked: dict[str, tuple[str, str, Any]] = {
        "avoid": ("other-player", "me/avoided", {"avoid": anna.pk}),
        "cancel": ("server-all", f"tickets/{world.ticket.pk}/cancel", {}),
        "batch": ("server-all", "results", {"results": [result]}),
        "own": ("player-play", "me/avoided", {"avoid": other.pk}),
        "else": ("other-player", "me/avoided", {"avoid": other.pk}),
    }

    def send(key: str) -> Any:
        who, path, body = asked[key]
        return world.call("POST", path, who, body, **{"Idempotency-Key": key})

    first = {key: send(key) for key in asked}
    assert {answer.status_code for answer in first.values()} <= {200, 201}
    assert "api_storedanswer" in holding(NAME)
    call_command("delete_person", "--account", NAME, "--note", "asked for", stdout=StringIO())
    for word in TELLING:
        assert holding(word) == [], word
    matches = Match.objects.count()
    for key in ("avoid", "cancel", "batch"):
        again = send(key)
        said = again.json()
        assert (again.status_code, said["code"]) == (409, "answer_gone")
        assert said["done"] == first[key].status_code
    assert Match.objects.count() == matches
    assert not StoredAnswer.objects.filter(key="own").exists()
    assert send("else").content == first["else"].content


def test_a_token_that_was_made_for_them_is_not_answered_again(world: World) -> None:
    world.anna.refresh_from_db()  # other tests have renamed the one in memory
    other = world.site.arena.players[1]

    def send(player: Player, external_id: str) -> Any:
        path = f"players/by-external-id/{external_id}/tokens"
        key = {"Idempotency-Key": f"token-{player.pk}"}
        return world.call("POST", path, "server-all", {}, **key)

    named = {player: player.external_id for player in (world.anna, other)}
    first = {player: send(player, named[player]) for player in named}
    assert {answer.status_code for answer in first.values()} == {201}
    call_command(
        "delete_person", "--player", str(world.anna.pk), "--note", "asked", stdout=StringIO()
    )
    again = send(world.anna, named[world.anna])
    assert (again.status_code, again.json()["code"]) == (409, "answer_gone")
    assert again.json()["done"] == 201
    assert send(other, named[other]).json() == first[other].json()


def test_an_id_that_the_game_has_taken_does_not_keep_them(world: World) -> None:
    taken, _ = enrol(game=world.game, external_id=f"deleted-{world.anna.pk}")
    call_command(
        "delete_person", "--player", str(world.anna.pk), "--note", "asked", stdout=StringIO()
    )
    assert is_deleted(Player.objects.get(pk=world.anna.pk))
    assert not is_deleted(taken)


@pytest.mark.parametrize("name", ["deleted-{}", "de1eted-{}"])
def test_nobody_keeps_an_account_by_the_name_it_would_get(
    world: World, user: User, name: str
) -> None:
    """From before such names were refused."""
    other = User.objects.create_user(name.format(user.pk))
    out = StringIO()
    call_command("delete_person", "--account", NAME, "--dry-run", stdout=out)
    call_command("delete_person", "--account", NAME, "--note", "asked for", stdout=StringIO())
    free = f"deleted-{user.pk}-2" if name.startswith("deleted") else f"deleted-{user.pk}"
    assert f"“{NAME}” by “{free}”\n" in out.getvalue()
    gone = User.objects.get(pk=user.pk)
    assert (gone.username, gone.holds_name, gone.is_active) == (free, False, False)
    other.refresh_from_db()
    assert (other.holds_name, other.is_active) == (True, True)


def test_tokens_end(world: World, user: User) -> None:
    secret = issue_token(player=world.anna, name="bot", scopes=PLAYER_SCOPES)[1]
    call_command("delete_person", "--account", NAME, "--note", "asked for", stdout=StringIO())
    answer = Client().get("/api/v1/me", headers={"Authorization": f"Bearer {secret}"})
    assert answer.status_code == 401


def test_a_browser_left_open_is_not_enough(
    world: World, user: User, settings: pytest_django.Settings
) -> None:
    client = Client()
    client.post("/accounts/login/", {"login": NAME, "password": PASSWORD})
    settings.FRESH_SIGN_IN = 0
    asked = client.post("/accounts/delete/", {"name": NAME})
    assert asked["Location"].startswith("/accounts/reauthenticate/?next=%2Faccounts%2Fdelete%2F%23")
    user.refresh_from_db()
    assert user.is_active


def test_the_owner_deletes_it_after_typing_its_name(world: World, user: User) -> None:
    client = Client()
    client.post("/accounts/login/", {"login": NAME, "password": PASSWORD})
    page = client.get("/accounts/delete/").content.decode()
    assert "This cannot be taken back." in page
    wrong = client.post("/accounts/delete/", {"name": "Somebody"})
    assert "Nothing was deleted" in wrong.content.decode()
    user.refresh_from_db()
    assert user.is_active
    done = client.post("/accounts/delete/", {"name": NAME}, follow=True)
    assert "Your account is deleted." in done.content.decode()
    assert holding(NAME) == []
    entry = AuditEntry.objects.get(action="user.person_deleted")
    assert entry.after == {"players": [world.anna.pk]}


def test_a_player_of_the_game_alone(world: World) -> None:
    player, _ = enrol(game=world.game, external_id="secret-id-77", name="Xanthippe")
    call_command("delete_person", "--player", str(player.pk), "--note", "asked", stdout=StringIO())
    assert holding("Xanthippe") == holding("secret-id-77") == []
    again, is_new = enrol(game=world.game, external_id="secret-id-77", name="Xanthippe")
    assert is_new
    assert again.pk != player.pk


def test_whoever_is_deleted_twice_is_told_of_once(world: World, user: User) -> None:
    player, _ = enrol(game=world.game, external_id="secret-id-77", name="Xanthippe")
    second, _ = enrol(game=world.game, external_id="secret-id-78", name="Xantippe")
    merge(player=second, into=player, by=None, note="x")
    told = AuditEntry.objects.order_by("pk").values_list("action", "after", "note")
    call_command("delete_person", "--account", NAME, "--note", "asked for", stdout=StringIO())
    call_command("delete_person", "--player", str(player.pk), "--note", "asked", stdout=StringIO())
    before = list(told.all())
    gone = f"deleted-{user.pk}"
    call_command("delete_person", "--account", gone, "--note", "again", stdout=StringIO())
    delete_account(user, by=None, note="by another, who had it open")
    for one in (player, second, world.anna):
        call_command("delete_person", "--player", str(one.pk), "--note", "again", stdout=StringIO())
    assert list(told.all()) == before


def test_whoever_was_let_in_again_can_be_deleted_again(world: World, user: User) -> None:
    call_command("delete_person", "--account", NAME, "--note", "asked for", stdout=StringIO())
    user.refresh_from_db()
    user.is_active = True
    user.set_password(PASSWORD)
    user.save()
    Player.objects.filter(pk=world.anna.pk).update(user=user)
    delete_account(user, by=None, note="asked for again")
    assert AuditEntry.objects.filter(action="user.person_deleted").count() == 2
    assert not User.objects.get(pk=user.pk).is_active


def test_servers_are_told_and_end_the_match_that_goes_on(world: World) -> None:
    player, _ = enrol(game=world.game, external_id="going", name="Xanthippe")
    other, _ = enrol(game=world.game, external_id="staying", name="Socrates")
    with clock.at(world.site.now):
        match = start_match(ladder=world.ladder, teams=[[player.pk], [other.pk]])
    foresee_player(player)
    assert not Notice.objects.filter(kind="player.deleted").exists()
    delete_player(player, by=None)
    told = Notice.objects.get(kind="player.deleted")
    assert (told.topics, told.ids) == ([f"game:{world.game.pk}"], {"player": player.pk})
    (open_match,) = world.get("matches?state=playing", "server-read")["results"]
    assert open_match["id"] == match.pk
    word = {"player": f"deleted-{player.pk}", "outcome": "lost"}
    for path, body in (("reports", word), ("leave", {"player": word["player"]})):
        answer = world.call("POST", f"matches/{match.pk}/{path}", "server-all", body=body)
        assert (answer.status_code, answer.json()["code"]) == (404, "unknown_player")
    result = {"ranks": [1, 0], "left": [f"deleted-{player.pk}"]}
    answer = world.call("POST", f"matches/{match.pk}/result", "server-all", body=result)
    assert answer.status_code == 200, answer.content
    assert answer.json()["state"] == "confirmed"


@pytest.mark.parametrize("who", [["--account", "nobody"], ["--player", "99999999"]])
def test_whoever_is_not_there(who: list[str]) -> None:
    with pytest.raises(CommandError, match="Nothing was deleted"):
        call_command("delete_person", *who, "--note", "asked")
