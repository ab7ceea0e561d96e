"""Ready roles: made once, given what is new, and never overwritten."""

import pytest
from django.contrib.auth.models import Group, Permission
from django.contrib.contenttypes.models import ContentType
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from accounts.models import ReadyRole, User
from accounts.roles import ROLES, give_roles
from ratings.models import Game, Player, name_columns

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def none_yet() -> None:
    """As before the first migration, whatever the tests' database was made with."""
    ReadyRole.objects.all().delete()
    Group.objects.all().delete()


def rights(name: str) -> set[str]:
    rows = Permission.objects.filter(group__name=name)
    return {
        f"{app}.{code}" for app, code in rows.values_list("content_type__app_label", "codename")
    }


def test_all_rights_exist_and_are_given() -> None:
    assert sorted(give_roles()) == sorted(ROLES)
    assert {name: rights(name) for name in ROLES} == dict(ROLES)
    assert give_roles() == []


def test_migrating_gives_them() -> None:
    call_command("migrate", verbosity=0)
    assert rights("Moderator") == ROLES["Moderator"]


def test_what_operators_change_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    give_roles()
    taken = Permission.objects.get(codename="change_match")
    Group.objects.get(name="Moderator").permissions.remove(taken)
    Group.objects.get(name="Viewer").delete()
    Group.objects.get(name="Tuner").permissions.add(taken)
    assert give_roles() == []
    assert rights("Moderator") == ROLES["Moderator"] - {"ratings.change_match"}
    assert rights("Tuner") == ROLES["Tuner"] | {"ratings.change_match"}
    assert not Group.objects.filter(name="Viewer").exists()
    later = {**ROLES, "Moderator": ROLES["Moderator"] | {"matchmaking.change_queue"}}
    monkeypatch.setattr("accounts.roles.ROLES", later)
    assert give_roles() == ["Moderator"]
    assert rights("Moderator") == later["Moderator"] - {"ratings.change_match"}


def test_a_group_of_that_name_that_was_there_is_left_alone() -> None:
    Group.objects.create(name="Moderator")
    assert "Moderator" not in give_roles()
    assert rights("Moderator") == set()


def test_no_role_leads_to_rights_of_others() -> None:
    closed = {
        "account.emailaddress",
        "accounts.user",
        "api.playertoken",
        "api.serverkey",
        "auth.group",
        "auth.permission",
    }
    assert closed <= {f"{of.app_label}.{of.model}" for of in ContentType.objects.all()}
    for name, given in ROLES.items():
        changing = {right for right in given if not right.partition(".")[2].startswith("view_")}
        models = {f"{right.partition('.')[0]}.{right.rpartition('_')[2]}" for right in changing}
        assert not models & closed, name


@pytest.mark.parametrize(
    ("role", "may"), [("Moderator", True), ("Support", False), ("Viewer", False), ("Tuner", False)]
)
def test_a_moderator_can_sanction_and_others_cannot(role: str, may: bool) -> None:
    give_roles()
    clerk = User.objects.create_user("carl", is_staff=True)
    clerk.groups.add(Group.objects.get(name=role))
    game = Game.objects.create(slug="chess", name="Chess")
    player = Player.objects.create(game=game, external_id="ann", **name_columns("Ann"))
    client = Client()
    client.force_login(clerk)
    page = client.get(reverse("admin:ratings_player_change", args=[player.pk]))
    assert page.status_code == 200
    address = reverse("admin:ratings_sanction_impose", args=[player.pk])
    assert (address in page.content.decode()) is may
    assert client.get(address).status_code == (200 if may else 403)


@pytest.mark.parametrize("role", ["Moderator", "Support"])
def test_ids_by_which_games_act_are_no_matter_of_roles(role: str) -> None:
    """With another id a player is somebody else's, or out of a suspension."""
    give_roles()
    clerk = User.objects.create_user("carl", is_staff=True)
    clerk.groups.add(Group.objects.get(name=role))
    game = Game.objects.create(slug="chess", name="Chess")
    player = Player.objects.create(game=game, external_id="ann", **name_columns("Ann"))
    client = Client()
    client.force_login(clerk)
    address = reverse("admin:ratings_player_change", args=[player.pk])
    client.post(address, {"external_id": "mine", "name": "Anne", "opened_as": ""})
    player.refresh_from_db()
    assert (player.external_id, player.name) == ("ann", "Anne")
