"""Pages of the admin about what players are told: looked at, searched, and not changed."""

import pytest
from allauth.account.models import EmailAddress
from django.db import transaction
from django.test import Client
from django.urls import reverse

from accounts.models import User
from accounts.roles import give_roles
from matchmaking.models import AlertWish
from notifications.models import Delivery, Notice, PushSubscription
from notifications.tell import tell
from ratings.models import Player
from tests.matchmaking.hall import make_hall

pytestmark = pytest.mark.django_db

SECRET = "https://push.example.org/send/only-the-site-knows"


@pytest.fixture
def told() -> Player:
    hall = make_hall(2)
    player = hall.players[0]
    player.user = User.objects.create_user("Ada", "ada@example.org")
    player.save()
    EmailAddress.objects.create(user=player.user, email="ada@example.org", verified=True)
    PushSubscription.objects.create(
        account=player.user, endpoint=SECRET, p256dh="public-key", auth="shared-secret"
    )
    AlertWish.objects.create(player=player, queue=hall.queue, near="close")
    with transaction.atomic():
        ids = [one.pk for one in hall.players]
        tell("alert.near", ids, data={"queue": "Blitz", "slug": "blitz"})
    return player


def staff(role: str) -> Client:
    give_roles()
    user = User.objects.create_user(role, is_staff=True)
    user.groups.add(*user.groups.model.objects.filter(name=role))
    client = Client()
    client.force_login(user)
    return client


def test_support_looks_and_searches(told: Player) -> None:
    client = staff("Support")
    for model in ("notice", "delivery", "pushsubscription"):
        address = reverse(f"admin:notifications_{model}_changelist")
        page = client.get(address).content.decode()
        assert "/change/" in page
        assert "/add/" not in page
    notices = reverse("admin:notifications_notice_changelist")
    found = client.get(notices, {"q": str(told.pk)}).content.decode()
    assert found.count('class="field-kind') == 1
    assert client.get(notices, {"q": "nobody at all"}).content.decode().count("field-kind") == 0
    assert (
        "player 0" in client.get(reverse("admin:matchmaking_alertwish_changelist")).content.decode()
    )


def test_what_a_notice_said_and_nothing_that_lets_push(told: Player) -> None:
    client = staff("Support")
    notice = Notice.objects.get(player=told)
    page = client.get(reverse("admin:notifications_notice_change", args=[notice.pk]))
    assert "Somebody near your strength is searching in Blitz." in page.content.decode()
    for row in (PushSubscription.objects.get(), Delivery.objects.get()):
        name = f"admin:notifications_{row._meta.model_name}_change"
        shown = client.get(reverse(name, args=[row.pk])).content.decode()
        assert "Ada" in shown or "notice" in shown.lower()
        for secret in (SECRET, "only-the-site-knows", "public-key", "shared-secret"):
            assert secret not in shown
    listed = client.get(reverse("admin:notifications_pushsubscription_changelist"), {"q": "ada"})
    assert "push.example.org" in listed.content.decode()


@pytest.mark.parametrize("model", ["notice", "delivery", "pushsubscription"])
def test_nobody_changes_or_deletes_and_others_do_not_look(told: Player, model: str) -> None:
    boss = Client()
    boss.force_login(User.objects.create_superuser("boss", "boss@example.org", "x"))
    pks = {
        "notice": Notice.objects.earliest("pk").pk,
        "delivery": Delivery.objects.earliest("pk").pk,
        "pushsubscription": PushSubscription.objects.earliest("pk").pk,
    }
    pk = pks[model]
    change = reverse(f"admin:notifications_{model}_change", args=[pk])
    assert boss.post(change, {"kind": "x"}).status_code == 403
    assert boss.post(reverse(f"admin:notifications_{model}_delete", args=[pk])).status_code == 403
    assert boss.get(reverse(f"admin:notifications_{model}_add")).status_code == 403
    assert staff("Viewer").get(change).status_code == 403


def test_what_is_between_players_is_not_shown(told: Player) -> None:
    other = Player.objects.exclude(pk=told.pk).get()
    with transaction.atomic():
        tell("friend.asked", [told.pk], about=f"friend:{other.pk}", data={"by": other.pk})
    client = staff("Support")
    pages = {
        notice.kind: client.get(
            reverse("admin:notifications_notice_change", args=[notice.pk])
        ).content.decode()
        for notice in Notice.objects.filter(player=told)
    }
    assert "Blitz" in pages["alert.near"]
    assert other.name not in pages["friend.asked"]
    assert f"friend:{other.pk}" not in pages["friend.asked"]
