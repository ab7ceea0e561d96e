"""Deleting a person by the pages of the admin: what they say, what they leave, and who may."""

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.models import Permission
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from accounts.models import AuditEntry, User
from api.site.delete_person import delete_account
from ratings.matches.start import start_match
from ratings.models import Participant, Player, name_columns
from tests.api.world import World
from tests.histories.traces import NAME, holding, leave_traces, make_account

pytestmark = pytest.mark.django_db


@pytest.fixture
def owner(world: World) -> User:
    """Of the player, who has left words everywhere."""
    user = make_account()
    match = world.anna.participations.filter(match__state="confirmed")[0].match
    leave_traces(world.anna, user=user, other=world.site.arena.players[1], said_on=match)
    return user


def operator(*rights: str) -> Client:
    """A superuser, or somebody of the staff with these rights."""
    if rights:
        user = User.objects.create_user("otto", is_staff=True)
        user.user_permissions.set(Permission.objects.filter(codename__in=rights))
    else:
        user = User.objects.create_superuser("olga")
    client = Client()
    client.force_login(user)
    return client


def page_of(thing: User | Player) -> str:
    return reverse(
        f"admin:{thing._meta.app_label}_{thing._meta.model_name}_delete", args=[thing.pk]
    )


@pytest.mark.parametrize("of", ["account", "player"])
def test_says_what_would_go_and_deletes_the_person(world: World, owner: User, of: str) -> None:
    thing: User | Player = owner if of == "account" else world.anna
    client = operator()
    shown = client.get(page_of(thing)).content.decode()
    assert f"“{NAME}” by “Deleted player {world.anna.pk}”" in shown
    assert (page_of(owner) in shown) == (of == "player")  # whose account stays
    assert holding(NAME)
    answer = client.post(page_of(thing), {"note": "asked for by mail"}, follow=True)
    assert answer.status_code == 200
    words = [NAME, "Xanthippe", "secret-id-77"]
    if of == "player":  # the account stays, and is called so
        words = words[1:]
    else:
        words.append("quirinus@somewhere.example")
    assert holding(*words) == []
    action = "user.person_deleted" if of == "account" else "player.person_deleted"
    entry = AuditEntry.objects.get(action=action)
    assert (entry.actor, entry.note) == (User.objects.get(username="olga"), "asked for by mail")
    if of == "account":
        again = client.get(page_of(thing)).content.decode()
        assert "Deleted already, on" in again
        assert "<textarea" not in again
    else:
        assert client.get(page_of(thing)).status_code == 403  # as of any change of a deleted one


def test_a_note_that_names_them_is_refused_and_kept_as_typed(world: World, owner: User) -> None:
    client = operator()
    for thing in (owner, world.anna):
        answer = client.post(page_of(thing), {"note": f"{NAME} asked"})
        assert "The note would keep a name" in answer.content.decode()
        assert f"{NAME} asked</textarea>" in answer.content.decode()
    assert holding("quirinus@somewhere.example")


def test_it_takes_the_right_to(world: World, owner: User) -> None:
    for client in (operator("view_user", "change_user", "view_player", "change_player"), Client()):
        for thing in (owner, world.anna):
            status = client.post(page_of(thing), {"note": "x"}).status_code
            assert status in {302, 403}
    assert holding(NAME)
    User.objects.filter(username="otto").delete()
    client = operator("view_user", "delete_user", "view_player", "delete_player")
    assert client.post(page_of(world.anna), {"note": "asked"}).status_code == 302
    assert client.post(page_of(owner), {"note": "asked"}).status_code == 302
    assert holding(NAME) == []


def test_not_an_opponent_while_a_match_is_undecided(world: World) -> None:
    client = operator()
    User.objects.create_superuser("other")  # who could
    opponent, user = world.site.arena.players[2], User.objects.create_user("anna")
    Player.objects.filter(pk=opponent.pk).update(user=User.objects.get(username="olga"))
    Player.objects.filter(pk=world.anna.pk).update(user=user)
    Participant.objects.filter(playing=True).update(playing=False)
    start_match(ladder=world.ladder, teams=[[world.anna.pk], [opponent.pk]])
    for thing in (user, world.anna):
        assert "This concerns a player of your own" in client.get(page_of(thing)).content.decode()
        answer = client.post(page_of(thing), {"note": "asked"}, follow=True)
        assert "This concerns a player of your own" in answer.content.decode()
    assert not AuditEntry.objects.filter(action__endswith="person_deleted").exists()


@pytest.mark.parametrize("called", ["thi", "3-1", "Google"])
def test_nor_a_note_with_a_name_that_names_nobody_elsewhere(world: World, called: str) -> None:
    """It stands beside the number of the player, and so tells whose that was."""
    Player.objects.filter(pk=world.anna.pk).update(**name_columns(called))
    answer = operator().post(page_of(world.anna), {"note": f"{called} asked"})
    assert "The note would keep a name" in answer.content.decode()
    assert holding(called)


def test_a_deleted_account_says_so_and_stays_as_it_is(world: World, owner: User) -> None:
    client = operator()
    client.post(page_of(owner), {"note": "asked for by mail"})
    page = reverse("admin:accounts_user_change", args=[owner.pk])
    shown = client.get(page).content.decode()
    assert "The person of this account was deleted on" in shown
    assert 'name="username"' not in shown
    assert "reset-link" not in shown
    assert client.post(page, {"username": "again", "is_active": "on"}).status_code == 403
    assert not User.objects.filter(username="again").exists()


def test_what_was_told_of_a_deletion_outlasts_another(world: World, owner: User) -> None:
    """An account may be opened again, past the pages."""
    client = operator()
    client.post(page_of(owner), {"note": "asked for by mail"})
    first = AuditEntry.objects.values().get(action="user.person_deleted")
    User.objects.filter(pk=owner.pk).update(username="again", is_active=True)
    client.post(page_of(owner), {"note": "once more"})
    assert AuditEntry.objects.filter(action="user.person_deleted").count() == 2
    assert AuditEntry.objects.values().get(pk=first["id"]) == first
    assert first["note"] == "asked for by mail"


def test_a_deleted_account_gets_no_address_and_is_no_admin_again(owner: User) -> None:
    root = User.objects.create_superuser("root", password="x")
    delete_account(owner, by=root, note="asked for")
    client = Client()
    client.force_login(root)
    sent = {"user": owner.pk, "email": "back@example.org", "verified": "on", "primary": "on"}
    answer = client.post("/admin/account/emailaddress/add/", sent)
    assert "This account was deleted" in answer.content.decode()
    assert not EmailAddress.objects.filter(user=owner).exists()
    with pytest.raises(CommandError, match="was deleted, and is not opened again"):
        call_command("restore_admin", f"deleted-{owner.pk}", note="lost")
    for command in ("changepassword", "reset_link", "reset_second_factor"):
        asked = {} if command == "changepassword" else {"note": "kept"}
        with pytest.raises(CommandError, match=r"was deleted\. Nothing was changed"):
            call_command(command, f"deleted-{owner.pk}", **asked)
    for page in ("end-access", "reset-factor"):
        address = f"/admin/accounts/user/{owner.pk}/{page}/"
        assert client.get(address).status_code == 403
        assert client.post(address, {"note": "kept"}).status_code == 403
    assert not AuditEntry.objects.filter(note="kept").exists()
    owner.refresh_from_db()
    assert not owner.is_active
    assert not owner.has_usable_password()
