"""Whoever was deleted stays deleted when a backup of before is restored."""

import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from pytest_django import Settings

from accounts.models import User
from api.models import StoredAnswer
from config.backup.deletions import LIST
from config.management.commands import restore as restoring
from config.tasks import back_up
from ratings.models import Game, Player, Sanction, SanctionKind, SuspendedFrom, name_columns
from ratings.players.enrol import enrol
from ratings.sanctions import impose

pytestmark = pytest.mark.django_db(transaction=True)


def make_player(game: Game, name: str, user: User | None = None) -> Player:
    return Player.objects.create(game=game, external_id=name, user=user, **name_columns(name))


def test_they_are_deleted_again(settings: Settings, tmp_path: Path) -> None:
    settings.DATA_DIR = tmp_path / "data"
    settings.DATA_DIR.mkdir()
    game = Game.objects.create(slug="go", name="Go")
    # Who was the last admin at the time of the backup, and no longer when she was deleted.
    ann = User.objects.create_superuser("ann", password="an old door")
    of_ann, bob, cy = (make_player(game, *one) for one in (("anna", ann), ("bob",), ("cy",)))
    told = b'{"player":{"id":%d,"name":"bob"}}' % bob.pk
    caller = {"principal": "server:1", "key": "a", "request": "0" * 64}
    StoredAnswer.objects.create(**caller, status=201, body=told)
    file = tmp_path / "site.zip"
    call_command("backup", str(file), verbosity=0)
    assert not (tmp_path / LIST).exists()  # nobody was
    dan = make_player(game, "dan")  # later than the backup
    User.objects.create_superuser("olga", password="an old door")
    call_command("delete_person", "--account", "ann", "--note", "asked", stdout=StringIO())
    for player in (bob, dan):
        call_command("delete_person", "--player", str(player.pk), "--note", "x", stdout=StringIO())
    back_up()  # as a worker does each minute: no backups are written here, the list is
    listed = json.loads((settings.DATA_DIR / LIST).read_text())
    assert {(one["kind"], one["id"]) for one in listed} == {
        ("account", ann.pk), ("player", of_ann.pk), ("player", bob.pk), ("player", dan.pk),
    }  # fmt: skip
    assert {tuple(one) for one in listed} == {("kind", "id", "made")}  # no names

    with connection.cursor() as cursor:  # all is lost but the backup and the list
        cursor.execute("SET session_replication_role = replica; DELETE FROM accounts_auditentry")
        cursor.execute("SET session_replication_role = DEFAULT")
    said = StringIO()
    call_command("restore", str(file), "--replace", verbosity=0, stdout=said)
    assert "Deleted again: 2 persons and players" in said.getvalue()  # ann with hers, and bob
    assert User.objects.get().username == f"deleted-{ann.pk}"
    assert Player.objects.get(pk=bob.pk).name == f"Deleted player {bob.pk}"
    assert bytes(StoredAnswer.objects.get().body) == b""
    assert Player.objects.get(pk=of_ann.pk).external_id == f"deleted-{of_ann.pk}"
    assert Player.objects.get(pk=cy.pk).name == "cy"

    other = make_player(game, "erin")  # who gets the number of one that the backup did not know
    assert other.pk == dan.pk
    call_command("backup", str(file), verbosity=0)
    said = StringIO()
    call_command("restore", str(file), "--replace", verbosity=0, stdout=said)
    assert said.getvalue() == ""
    assert Player.objects.get(pk=other.pk).name == "erin"

    (settings.DATA_DIR / LIST).write_text("[{}]")
    with pytest.raises(CommandError, match=f"{LIST} cannot be read"):
        call_command("restore", str(file), "--replace")


@pytest.mark.full
def test_whoever_was_suspended_is_so_after_it(settings: Settings, tmp_path: Path) -> None:
    settings.DATA_DIR = tmp_path / "data"
    settings.DATA_DIR.mkdir()
    game = Game.objects.create(slug="go", name="Go")
    bob = make_player(game, "bob")
    kind, what = SanctionKind.SUSPENDED, SuspendedFrom.SEARCHING
    impose(player=bob, kind=kind, suspended_from=what, reason="x", by=None)
    before, after = tmp_path / "before.zip", tmp_path / "after.zip"
    call_command("backup", str(before), verbosity=0)
    call_command("delete_person", "--player", str(bob.pk), "--note", "x", stdout=StringIO())
    call_command("backup", str(after), verbosity=0)
    for file in (before, after):
        call_command("restore", str(file), "--replace", verbosity=0, stdout=StringIO())
        new, is_new = enrol(game=game, external_id="bob")
        assert is_new
        assert Sanction.objects.get(player=new).suspended_from == "searching"


def test_whoever_is_called_as_the_deleted_are_is_deleted_again(
    settings: Settings, tmp_path: Path
) -> None:
    settings.DATA_DIR = tmp_path / "data"
    settings.DATA_DIR.mkdir()
    game = Game.objects.create(slug="go", name="Go")
    ann = User.objects.create_user("ann", password="an old door")
    User.objects.filter(pk=ann.pk).update(username=f"deleted-{ann.pk}")
    bob = make_player(game, "bob")
    bob.call(f"Deleted player {bob.pk}")
    bob.name_locked = True
    bob.save()
    file = tmp_path / "site.zip"
    call_command("backup", str(file), verbosity=0)
    of_ann = ["--account", f"deleted-{ann.pk}"]
    for who in (of_ann, ["--player", str(bob.pk)]):
        call_command("delete_person", *who, "--note", "x", stdout=StringIO())
    said = StringIO()
    call_command("restore", str(file), "--replace", verbosity=0, stdout=said)
    assert "Deleted again: 2 persons and players" in said.getvalue()
    assert not User.objects.get(pk=ann.pk).is_active
    assert Player.objects.get(pk=bob.pk).external_id == f"deleted-{bob.pk}"
    call_command("backup", str(file), verbosity=0)
    said = StringIO()
    call_command("restore", str(file), "--replace", verbosity=0, stdout=said)
    assert said.getvalue() == ""  # the log tells that they are


@pytest.mark.full
def test_who_only_the_replaced_database_told_of_is_known_to_the_next_restore(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.DATA_DIR = tmp_path / "data"
    settings.DATA_DIR.mkdir()
    bob = make_player(Game.objects.create(slug="go", name="Go"), "bob")
    file = tmp_path / "site.zip"
    call_command("backup", str(file), verbosity=0)
    call_command("delete_person", "--player", str(bob.pk), "--note", "x", stdout=StringIO())

    def ended(*_: object) -> None:
        raise SystemExit

    with monkeypatch.context() as patched:
        patched.setattr(restoring, "delete_again", ended)
        with pytest.raises(SystemExit):
            call_command("restore", str(file), "--replace", verbosity=0)
    assert Player.objects.get(pk=bob.pk).name == "bob"
    call_command("restore", str(file), "--replace", verbosity=0)
    assert Player.objects.get(pk=bob.pk).name == f"Deleted player {bob.pk}"
