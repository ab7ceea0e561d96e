"""Every change through a form leaves an entry: accounts, games, players, queues, and what packages bring."""

from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.models import Group, Permission
from django.db.models import Model
from django.test import Client
from django.urls import reverse

from accounts.audit import record
from accounts.models import AuditEntry, User
from matchmaking.models import Queue
from ratings.models import Game, Player
from tests.ratings.admin_cast import World, make_world, operator

pytestmark = pytest.mark.django_db


@pytest.fixture
def world() -> World:
    return make_world(matches=1)


@pytest.fixture
def client() -> Client:
    return operator()


def page_of(thing: Model, view: str = "change") -> str:
    name = f"admin:{thing._meta.app_label}_{thing._meta.model_name}_{view}"
    return reverse(name, args=[thing.pk])


def opened(client: Client, thing: Model, **changes: Any) -> dict[str, Any]:
    """What a browser that has just opened the form sends."""
    page = client.get(page_of(thing))
    form = page.context["adminform"].form
    values: dict[str, Any] = {"opened_as": page.context["opened_as"]}
    for bound in form:
        value = bound.value()
        if value is not None and value is not False and not bound.field.disabled:
            values[bound.html_name] = value
    return {**values, **changes}


def last_entry() -> AuditEntry:
    return AuditEntry.objects.latest("id")


def test_a_changed_game_is_recorded_with_only_what_changed(world: World, client: Client) -> None:
    client.post(page_of(world.game), opened(client, world.game, name="Schach"))
    entry = last_entry()
    assert (entry.action, entry.target_type, entry.target_id) == (
        "game.changed",
        "ratings.game",
        str(world.game.pk),
    )
    assert (entry.before, entry.after) == ({"name": "Chess"}, {"name": "Schach"})
    assert entry.actor == User.objects.get(username="olga")


def test_saving_without_a_change_records_nothing(world: World, client: Client) -> None:
    count = AuditEntry.objects.count()
    assert client.post(page_of(world.game), opened(client, world.game)).status_code == 302
    assert AuditEntry.objects.count() == count


def test_a_new_and_a_deleted_game_are_recorded(client: Client) -> None:
    given = {"name": "Go", "slug": "go", "disputes_at_most": "3"}
    client.post(reverse("admin:ratings_game_add"), given)
    game = Game.objects.get(slug="go")
    assert last_entry().after == {
        "slug": "go",
        "name": "Go",
        "description": "",
        "simulated": False,
        "disputes_at_most": 3,
        "appeals_to": "",
        "refused_words": "",
    }
    client.post(page_of(game, "delete"), {"post": "yes"})
    entry = last_entry()
    assert (entry.action, entry.target_id) == ("game.deleted", str(game.pk))
    assert entry.before is not None
    assert entry.before["slug"] == "go"
    assert not Game.objects.filter(slug="go").exists()


def test_a_game_with_ladders_is_not_deleted(world: World, client: Client) -> None:
    assert client.post(page_of(world.game, "delete"), {"post": "yes"}).status_code == 403


def test_a_renamed_player_is_recorded_and_found_by_the_new_name(
    world: World, client: Client
) -> None:
    client.post(page_of(world.anna), opened(client, world.anna, name="Änne"))
    assert last_entry().after == {"name": "Änne"}
    assert Player.objects.get(pk=world.anna.pk).skeleton == "anne"


def test_nobody_is_renamed_to_what_the_deleted_are_called(world: World, client: Client) -> None:
    sent = opened(client, world.anna, name="Deleted pIayer 99")
    page = client.post(page_of(world.anna), sent)
    assert "looks like the name of a deleted player" in page.content.decode()
    assert Player.objects.get(pk=world.anna.pk).name == world.anna.name


def test_a_claimed_player_may_not_look_like_another(world: World, client: Client) -> None:
    for player, name in ((world.anna, "ann"), (world.boris, "bob")):
        Player.objects.filter(pk=player.pk).update(user=User.objects.create_user(name))
    page = client.post(page_of(world.boris), opened(client, world.boris, name="ANNA"))
    assert "A name that looks like this one is taken." in page.content.decode()


def test_a_closed_queue_is_recorded(world: World, client: Client) -> None:
    queue = Queue.objects.create(ladder=world.ladder, slug="blitz", name="Blitz queue")
    sent = opened(client, queue, note="holidays")
    sent.pop("is_open")
    client.post(page_of(queue), sent)
    entry = last_entry()
    assert (entry.before, entry.after) == ({"is_open": True}, {"is_open": False})
    assert client.post(page_of(queue, "delete"), {"post": "yes"}).status_code == 403


def test_rights_given_to_an_account_are_recorded(client: Client) -> None:
    clerk = User.objects.create_user("carl")
    right = Permission.objects.get(codename="view_match")
    sent = opened(client, clerk, is_staff="on", user_permissions=[right.pk])
    client.post(page_of(clerk), sent)
    entry = last_entry()
    assert entry.action == "user.changed"
    assert entry.before == {"is_staff": False, "user_permissions": []}
    assert entry.after == {"is_staff": True, "user_permissions": [right.pk]}


def test_a_new_account_is_recorded_without_its_password(client: Client) -> None:
    words = {"password1": "a long secret", "password2": "a long secret"}
    sent = {"username": "carl", "usable_password": "true", **words}
    client.post(reverse("admin:accounts_user_add"), sent)
    assert last_entry().action == "user.added"
    assert last_entry().after == {"username": "carl"}


def test_a_new_password_is_recorded_but_not_what_it_is(client: Client) -> None:
    clerk = User.objects.create_user("carl")
    words = {"password1": "a long secret", "password2": "a long secret"}
    address = reverse("admin:auth_user_password_change", args=[clerk.pk])
    client.post(address, {"usable_password": "true", **words})
    clerk.refresh_from_db()
    assert clerk.check_password("a long secret")
    entry = last_entry()
    assert (entry.action, entry.before, entry.after) == ("user.password_changed", None, None)


def test_only_a_superuser_hands_out_rights_or_touches_who_has_them(client: Client) -> None:
    clerk = User.objects.create_user("carl", is_staff=True)
    clerk.user_permissions.add(Permission.objects.get(codename="change_user"))
    theirs = Client()
    theirs.force_login(clerk)
    sent = opened(theirs, clerk, first_name="Carl", is_superuser="on")
    theirs.post(page_of(clerk), sent)
    clerk.refresh_from_db()
    assert (clerk.first_name, clerk.is_superuser) == ("Carl", False)
    olga = User.objects.get(username="olga")
    assert theirs.post(page_of(olga), {"username": "x"}).status_code == 403
    colleague = User.objects.create_user("dora", is_staff=True)
    for other in (olga, colleague):
        password = reverse("admin:auth_user_password_change", args=[other.pk])
        assert theirs.get(password).status_code == 403
    visitor = User.objects.create_user("vera")
    assert theirs.get(page_of(visitor)).context["has_change_permission"]


def test_what_packages_bring_is_recorded_too(client: Client) -> None:
    client.post(reverse("admin:auth_group_add"), {"name": "clerks"})
    assert last_entry().action == "group.added"
    client.post(page_of(Group.objects.get(name="clerks")), {"name": "judges"})
    assert last_entry().after == {"name": "judges"}
    address = EmailAddress.objects.create(user=User.objects.get(), email="a@example.org")
    client.post(page_of(address), opened(client, address, verified="on"))
    assert last_entry().after == {"verified": True}


def test_an_edit_in_between_is_not_overwritten(world: World, client: Client) -> None:
    mine = opened(client, world.game, name="Schach")
    Game.objects.filter(pk=world.game.pk).update(name="Chess 2")
    page = client.post(page_of(world.game), mine)
    assert "Stored now: Name: Chess 2." in page.content.decode()
    assert 'value="Schach"' in page.content.decode()
    world.game.refresh_from_db()
    assert world.game.name == "Chess 2"
    client.post(page_of(world.game), {**mine, "opened_as": page.context["opened_as"]})
    assert last_entry().before == {"name": "Chess 2"}
    assert last_entry().after == {"name": "Schach"}


def test_the_log_shows_what_changed(world: World, client: Client) -> None:
    client.post(page_of(world.game), opened(client, world.game, name="Schach"))
    page = client.get(reverse("admin:accounts_auditentry_changelist")).content.decode()
    assert "name: Chess → Schach" in page


def test_the_log_shows_why_beside_what_changed(client: Client) -> None:
    """In few columns: reasons that stand beyond the edge of the screen are not read."""
    olga = User.objects.get(username="olga")
    record(actor=olga, action="a", target=olga, after={"name": "<b>"}, note="because <i>")
    record(actor=olga, action="b", target=olga, note="only why")
    address = reverse("admin:accounts_auditentry_changelist")
    page = client.get(address).content.decode()
    assert "<strong>because &lt;i&gt;</strong><br>name: – → &lt;b&gt;" in page
    assert ">only why</td>" in page
    table = page[page.index('id="result_list"') :]
    assert table.count('scope="col"') == 5


@pytest.mark.parametrize(
    ("values", "field", "said"),
    [
        ({"user": "tom", "email": "A@example.org"}, "email", "Another account has confirmed"),
        ({"user": "olga", "email": "a@example.org"}, "email", "This account has this address"),
        ({"user": "olga", "email": "b@example.org"}, "primary", "Another address of this account"),
    ],
)
def test_an_address_that_is_taken_is_refused_in_words(
    client: Client, values: dict[str, str], field: str, said: str
) -> None:
    User.objects.create_user("tom")
    olga = User.objects.get(username="olga")
    EmailAddress.objects.create(user=olga, email="a@example.org", verified=True, primary=True)
    user = User.objects.get(username=values["user"])
    sent = {"user": user.pk, "email": values["email"], "verified": "on", "primary": "on"}
    answer = client.post(reverse("admin:account_emailaddress_add"), sent)
    form = answer.context["adminform"].form
    assert said in str(form.errors[field])
    assert "__all__" not in form.errors
    assert EmailAddress.objects.count() == 1


def test_the_admin_offers_no_page_that_it_refuses() -> None:
    """Django shows the form of a new account to those only who may change accounts too."""
    clerk = User.objects.create_user("clerk", is_staff=True)
    clerk.user_permissions.add(Permission.objects.get(codename="add_user"))
    client = Client()
    client.force_login(clerk)
    address = reverse("admin:accounts_user_add")
    assert address not in client.get(reverse("admin:index")).content.decode()
    assert client.get(address).status_code == 403
    clerk.user_permissions.add(Permission.objects.get(codename="change_user"))
    assert address in client.get(reverse("admin:index")).content.decode()
    assert client.get(address).status_code == 200
