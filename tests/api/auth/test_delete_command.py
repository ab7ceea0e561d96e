"""`manage.py delete_person`: what it is told, and what it answers."""

from io import StringIO

import pytest
from allauth.account.models import EmailAddress
from django.core.management import CommandError, call_command

from accounts.models import AuditEntry
from ratings.models import Player, name_columns
from tests.api.world import World
from tests.emptying import rows_by_table
from tests.histories.traces import NAME, make_account

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("option", [[], ["--dry-run"]])
@pytest.mark.parametrize(
    "note",
    [
        "zebulon asked",
        "Yolanda asked",
        f"{NAME.lower()} asked",
        "asked by quirinus@somewhere.example",
        "asked by unconfirmed@else.example",
        "asked for steam-77",
    ],
)
def test_a_note_that_names_them_is_refused(world: World, note: str, option: list[str]) -> None:
    """By the name, a former one, the account's, its addresses, or the id in the game."""
    user, anna = make_account(), world.anna
    EmailAddress.objects.create(user=user, email="unconfirmed@else.example", verified=False)
    for name in ("Yolanda", "Zebulon"):
        Player.objects.filter(pk=anna.pk).update(
            user=user, external_id="steam-77", **name_columns(name)
        )
    before = rows_by_table()
    for who in (["--account", NAME], ["--player", str(anna.pk)]):
        with pytest.raises(CommandError, match="The note would keep a name, an address or an id"):
            call_command("delete_person", *who, "--note", note, *option)
    assert rows_by_table() == before


def test_whoever_asks_again_is_told_since_when(world: World) -> None:
    user = make_account()
    Player.objects.filter(pk=world.anna.pk).update(user=user)
    call_command("delete_person", "--account", NAME, "--note", "asked", stdout=StringIO())
    entry = AuditEntry.objects.get(action="user.person_deleted")
    day = f"{entry.at:%Y-%m-%d %H:%M} UTC"
    for who in (["--account", f"deleted-{user.pk}"], ["--player", str(world.anna.pk)]):
        out = StringIO()
        call_command("delete_person", *who, "--note", "again", stdout=out)
        said = f"Deleted already, on {day}. Nothing was changed, and the note is not kept.\n"
        assert out.getvalue() == said
        out = StringIO()
        call_command("delete_person", *who, "--dry-run", stdout=out)
        assert out.getvalue() == said
    assert not AuditEntry.objects.filter(note="again").exists()
