"""No permission of a member of staff is a way to more: each is tried alone, against every form of the admin."""

from itertools import groupby
from typing import Any
from urllib.parse import urlencode

import pytest
from allauth.account.models import EmailAddress
from django.conf import settings
from django.contrib import admin
from django.contrib.auth.models import Group, Permission
from django.contrib.auth.tokens import default_token_generator
from django.http import HttpResponse, HttpResponseForbidden
from django.template.response import TemplateResponse
from django.test import Client
from django.urls import NoReverseMatch, reverse

from accounts.models import User
from api.auth.issue import issue_key, issue_token
from api.auth.scopes import PLAYER_SCOPES, SERVER_SCOPES
from api.models import PlayerToken, ServerKey
from ratings.models import Player
from tests.ratings.admin_cast import World, make_world
from tests.worlds import shared

pytestmark = pytest.mark.django_db
WEAK = "an old door"


class Cast:
    """Those whose rights and keys are wanted: a superuser, staff, and accounts that have players or rights."""

    def __init__(self) -> None:
        self.world: World = make_world(matches=1)
        self.everything = Group.objects.create(name="everything")
        self.everything.permissions.set(Permission.objects.all())
        self.own_group = Group.objects.create(name="helpers")
        self.root = User.objects.create_superuser("root", "root@example.org", WEAK)
        self.staff = User.objects.create_user("staff", "", WEAK, is_staff=True)
        self.steward = User.objects.create_user("steward", "", WEAK)
        self.steward.groups.add(self.everything)
        self.anna = User.objects.create_user("anna", "anna@example.org", WEAK)
        for user in (self.root, self.anna):
            EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
        Player.objects.filter(pk=self.world.anna.pk).update(user=self.anna)
        self.key, _ = issue_key(
            game=self.world.game, name="server", scopes=[scope.value for scope in SERVER_SCOPES]
        )
        self.token, _ = issue_token(
            player=self.world.anna, name="bot", scopes=[scope.value for scope in PLAYER_SCOPES]
        )
        self.thief = User.objects.create_user("thief", "", WEAK, is_staff=True)
        self.thief.groups.add(self.own_group)
        wanted = ["add_user", "change_user", "change_group", "add_serverkey"]
        some = Permission.objects.filter(codename__in=wanted)
        self.rights = [str(pk) for pk in some.values_list("pk", flat=True)]

    def guarded(self) -> dict[str, object]:
        """What nobody may change or gain by a single permission."""
        return {
            "accounts of others": sorted(
                User.objects.filter(
                    pk__in=[self.root.pk, self.staff.pk, self.steward.pk]
                ).values_list("pk", "username", "password", "is_active")
            ),
            "staff": sorted(User.objects.filter(is_staff=True).values_list("pk", flat=True)),
            "superusers": sorted(
                User.objects.filter(is_superuser=True).values_list("pk", flat=True)
            ),
            "rights of accounts": sorted(User.user_permissions.through.objects.values_list()),
            "groups of accounts": sorted(User.groups.through.objects.values_list()),
            "rights of groups": sorted(Group.permissions.through.objects.values_list()),
            "e-mail addresses": sorted(
                User.objects.filter(pk__in=[self.root.pk, self.anna.pk, self.thief.pk]).values_list(
                    "pk", "email"
                )
            ),
            "confirmed addresses": sorted(
                EmailAddress.objects.filter(verified=True).values_list("user_id", "email")
            ),
            "players of accounts": sorted(
                Player.objects.exclude(user=None).values_list("pk", "user_id")
            ),
            "secrets of tokens": sorted(PlayerToken.objects.values_list("prefix", "digest")),
            "other keys": sorted(
                ServerKey.objects.exclude(created_by=self.thief).values_list("prefix", "digest")
            ),
        }

    def fields(self, number: int = 0) -> dict[str, Any]:
        """Everything that a form might take and that would be worth something; with names that no other `number`
        has, so that no form is refused for one that is taken.
        """
        return {
            "username": f"root-{number}",
            "is_superuser": "on",
            "is_staff": "on",
            "is_active": "on",
            "groups": [str(self.everything.pk)],
            "user_permissions": self.rights,
            "permissions": self.rights,
            "name": f"helpers {number}",
            "email": f"thief-{number}@example.org",
            "scopes": [scope.value for scope in SERVER_SCOPES],
            "verified": "on",
            "primary": "on",
            "user": str(self.thief.pk),
            "password": WEAK,
            "password1": "thieves like it here",
            "password2": "thieves like it here",
            "usable_password": "true",
            "ip": "127.0.0.1",
            "user_agent": "mine",
            "note": "because",
            "game": str(self.world.game.pk),
            "player": str(self.world.boris.pk),
            "external_id": f"somebody new {number}",
            "opened_as": "",
        }

    def objects(self, model: type[Any]) -> list[Any]:
        """The rows of a model at which an attack is worth while."""
        chosen: dict[type[Any], list[Any]] = {
            User: [self.root, self.staff, self.steward, self.thief, self.anna],
            Group: [self.own_group, self.everything],
        }
        return chosen.get(model) or list(model._default_manager.all()[:1])


@shared
def cast() -> Cast:
    """They and their rights."""
    return Cast()


@pytest.fixture(autouse=True)
def _undrawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw no page of the hundreds that answer: what counts is what a form changes."""

    def leave_empty(answer: TemplateResponse) -> TemplateResponse:
        answer.content = b""
        return answer

    monkeypatch.setattr(TemplateResponse, "render", leave_empty)
    refuse = f"{settings.ROOT_URLCONF}.handler403"
    monkeypatch.setattr(refuse, lambda *_, **__: HttpResponseForbidden(), raising=False)


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def send(client: Client, address: str, given: dict[str, Any]) -> HttpResponse:
    """Send a form as one who is signed in, and still is."""
    answer: Any = client.post(
        address, urlencode(given, doseq=True), content_type="application/x-www-form-urlencoded"
    )
    assert not answer.headers.get("Location", "").startswith(reverse("admin:login")), address
    found: HttpResponse = answer
    return found


def forms(cast: Cast) -> list[tuple[str, type[Any]]]:
    """The address of every form of the admin that adds or changes something that exists here."""
    found: list[tuple[str, type[Any]]] = []
    for model in admin.site._registry:
        name = f"admin:{model._meta.app_label}_{model._meta.model_name}"
        found.append((reverse(f"{name}_add"), model))
        found += [(reverse(f"{name}_change", args=[one.pk]), model) for one in cast.objects(model)]
    for user in (cast.root, cast.staff, cast.steward):
        found.append((reverse("admin:auth_user_password_change", args=[user.pk]), User))
        found.append((reverse("admin:accounts_user_reset_link", args=[user.pk]), User))
    return found


def concerns(permission: Permission, model: type[Any]) -> bool:
    """Whether the form is of the thing that the permission names."""
    content_type = permission.content_type
    return (content_type.app_label, content_type.model) == (
        model._meta.app_label,
        model._meta.model_name,
    )


@pytest.mark.full
def test_no_permission_alone_leads_to_more(cast: Cast) -> None:
    before, attacks = cast.guarded(), forms(cast)
    hers = reverse("admin:accounts_user_changelist")
    rights = User.user_permissions.through.objects
    client = signed_in(cast.thief)
    permissions = Permission.objects.select_related("content_type").order_by("content_type")
    for thing, of_it in groupby(permissions, lambda held: held.content_type):
        for held in of_it:
            # A form of another thing is closed before it is read: the test below shows that.
            addresses = [address for address, model in attacks if concerns(held, model)]
            if not addresses:  # of a thing that the admin does not show
                continue
            cast.thief.user_permissions.set([held])
            before["rights of accounts"] = sorted(rights.values_list())
            for number, address in enumerate(addresses):
                send(client, address, cast.fields(100 * held.pk + number))
            if thing.model == "user":
                popup = f"{reverse('admin:accounts_user_add')}?_popup=1&_to_field=id"
                send(client, popup, cast.fields(held.pk))
                page = client.get(hers, {"password__startswith": "md5"})
                assert page.status_code in {302, 400, 403}, held
            assert sorted(rights.values_list()) == before["rights of accounts"], held
        assert cast.guarded() == before, thing
    assert len(before["rights of accounts"]) == 1  # type: ignore[arg-type]


def test_the_same_forms_sent_by_a_superuser_change_all_of_that(cast: Cast) -> None:
    """Else they were refused for something that is wrong with them."""
    chief = User.objects.create_superuser("chief")
    before = cast.guarded()
    client = signed_in(chief)
    for number, (address, _model) in enumerate(forms(cast)):
        send(client, address, cast.fields(number))
    changed = {name for name, value in cast.guarded().items() if value != before[name]}
    assert before.keys() - changed == {"secrets of tokens"}  # which no form gives out


def test_forms_are_closed_to_permissions_of_other_things(cast: Cast) -> None:
    client = signed_in(cast.thief)
    held = Permission.objects.get(codename="change_user")
    cast.thief.user_permissions.set([held])
    given = cast.fields()
    for address, model in forms(cast):
        if not concerns(held, model):
            assert send(client, address, given).status_code == 403, address


def test_all_permissions_together_do_not_lead_to_more_either(cast: Cast) -> None:
    """Short of those who hand out keys of servers: that is what their permission is for."""
    cast.thief.user_permissions.set(Permission.objects.exclude(codename="delete_user"))
    before = cast.guarded()
    client = signed_in(cast.thief)
    for number, (address, _model) in enumerate(forms(cast)):
        send(client, address, cast.fields(number))
    assert cast.guarded() == before


def test_an_operator_may_still_set_the_password_of_a_player(cast: Cast) -> None:
    cast.thief.user_permissions.add(Permission.objects.get(codename="change_user"))
    client = signed_in(cast.thief)
    address = reverse("admin:auth_user_password_change", args=[cast.anna.pk])
    send(client, address, cast.fields())
    assert User.objects.get(username="anna").check_password("thieves like it here")


def test_a_link_made_for_another_is_of_no_use_to_a_superuser(cast: Cast) -> None:
    token = default_token_generator.make_token(cast.anna)
    assert not default_token_generator.check_token(cast.root, token)


def test_deleting_is_closed_where_rights_are(cast: Cast) -> None:
    kinds = ("user", "group", "emailaddress")
    cast.thief.user_permissions.set(
        Permission.objects.filter(codename__in=[f"delete_{kind}" for kind in kinds])
    )
    client = signed_in(cast.thief)
    for thing in (cast.root, cast.staff, cast.steward, cast.everything):
        name = f"admin:{thing._meta.app_label}_{thing._meta.model_name}_delete"
        assert send(client, reverse(name, args=[thing.pk]), {"post": "yes"}).status_code == 403
    with pytest.raises(NoReverseMatch):
        reverse("admin:sessions_session_changelist")
