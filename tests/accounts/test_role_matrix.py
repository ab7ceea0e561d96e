"""Every page and action of the admin against every ready role. A new one fails until it has a row."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib import admin
from django.contrib.auth.models import Group, Permission
from django.test import Client
from django.urls import NoReverseMatch, URLPattern, URLResolver, get_resolver, reverse

from accounts import audit
from accounts.models import ReadyRole, User
from accounts.roles import ROLES, give_roles
from ratings.models import Match, Player
from tests.accounts.role_matrix import ACTIONS, PAGES
from tests.ratings.admin_cast import make_world

pytestmark = pytest.mark.django_db
# What the admin has beside pages: signing in and out, scripts, words of menus.
_NO_PAGES = {"login", "logout", "jsi18n", "autocomplete", "view_on_site", "password_change"}
_NO_PAGES |= {"password_change_done", "app_list", "index"}
_NOWHERE = "424242"  # no row has this id


@pytest.fixture
def staff() -> dict[str, Client]:
    """Somebody of each role, and somebody of staff without any, by role."""
    ReadyRole.objects.all().delete()
    Group.objects.all().delete()
    give_roles()
    clients = {}
    for role in ("", *ROLES):
        user = User.objects.create_user(f"clerk-{role}".lower(), is_staff=True)
        if role:
            user.groups.add(Group.objects.get(name=role))
        clients[role] = Client()
        clients[role].force_login(user)
    return clients


def pages() -> Iterator[tuple[str, int]]:
    """The admin's own addresses: their names, and how many parameters each takes."""
    (site,) = (
        part
        for part in get_resolver().url_patterns
        if isinstance(part, URLResolver) and part.namespace == "admin"
    )

    def inside(resolver: URLResolver, before: int) -> Iterator[tuple[str, int]]:
        for part in resolver.url_patterns:
            number = before + len(part.pattern.regex.groupindex)
            if isinstance(part, URLResolver):
                yield from inside(part, number)
            elif isinstance(part, URLPattern) and part.name and part.name not in _NO_PAGES:
                yield part.name, number

    yield from dict.fromkeys(inside(site, 0))


def address_of(name: str, parameters: int) -> str | None:
    """An address with a row that exists, where there is one."""
    model = next(
        (
            model
            for model in admin.site._registry
            if name.startswith(f"{model._meta.app_label}_{model._meta.model_name}_")
        ),
        None,
    )
    row: Any = model._default_manager.first() if model else None
    try:
        return reverse(f"admin:{name}", args=[row.pk if row else _NOWHERE] * parameters)
    except NoReverseMatch:
        return None


def is_let_in(client: Client, address: str) -> bool:
    """Whether the page is shown; of one that only takes forms, whether an empty one is looked at."""
    answer = client.get(address)
    if answer.status_code == 405:
        answer = client.post(address)
    away = answer.headers.get("Location", "")
    if address.endswith("/history/") and away == reverse("admin:index"):
        return False  # of a row that is not there: so it is for whoever asks
    return answer.status_code != 403 and "login" not in away


@pytest.mark.full
def test_each_role_sees_the_pages_of_its_row(staff: dict[str, Client]) -> None:
    make_world(matches=1)
    found = {}
    for name, parameters in pages():
        address = address_of(name, parameters)
        if address is None:
            continue
        roles = [role for role, client in staff.items() if is_let_in(client, address)]
        assert "" not in roles, f"{name} is open to staff without any right"
        found[name] = " ".join(roles)
    assert found == PAGES


@pytest.mark.full
def test_no_role_is_led_where_it_is_not_let_in(staff: dict[str, Client]) -> None:
    world = make_world(matches=1)
    owner = User.objects.create_user("owner")
    Player.objects.filter(pk=world.anna.pk).update(user=owner)
    entry = audit.record(actor=owner, action="user.changed", target=owner)
    shown = {
        "ratings_player_change": world.anna.pk,
        "ratings_ladder_change": world.ladder.pk,
        "ratings_ratingtrack_change": world.elo.pk,
        "ratings_ratingtrack_changelist": None,
        "accounts_auditentry_change": entry.pk,
        "accounts_auditentry_changelist": None,
    }
    led: dict[str, set[str]] = {"user": set(), "ratingtrack": set()}
    for role, client in staff.items():
        for name, pk in shown.items():
            answer = client.get(reverse(f"admin:{name}", args=[] if pk is None else [pk]))
            if answer.status_code == 403:
                continue
            text = answer.content.decode()
            for way, kind in re.findall(
                r'href="(/admin/\w+/(user|ratingtrack)/\d+/(?:change|tune)/)"', text
            ):
                assert client.get(way).status_code == 200, (role, name, way)
                if kind == "user" or way.endswith("/tune/"):
                    led[kind].add(role)
    assert led == {"user": {"Support"}, "ratingtrack": {"Tuner"}}


def test_nor_by_the_lines_of_a_thing(staff: dict[str, Client]) -> None:
    """Whose right to look at players was taken from a role: a match tells who played it, and leads to nobody."""
    make_world(matches=1)
    page, client = (
        reverse("admin:ratings_match_change", args=[Match.objects.get().pk]),
        staff["Viewer"],
    )
    for is_led in (True, False):
        text = client.get(page).content.decode()
        assert ('href="/admin/ratings/player/' in text) is is_led
        Group.objects.get(name="Viewer").permissions.remove(
            Permission.objects.get(content_type__app_label="ratings", codename="view_player")
        )


def test_each_role_is_offered_the_actions_of_its_row(staff: dict[str, Client]) -> None:
    found: dict[str, str] = {}
    for role, client in staff.items():
        request: Any = client.get(reverse("admin:index")).wsgi_request
        for model, model_admin in admin.site._registry.items():
            if not model_admin.has_view_or_change_permission(request):
                continue
            for action in model_admin.get_actions(request):
                name = f"{model._meta.label_lower}: {action}"
                found[name] = f"{found.get(name, '')} {role}".strip()
    assert found == ACTIONS
