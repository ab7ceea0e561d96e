"""Web Push: encrypted for one browser, sent to public addresses alone, and nobody held up by another's server."""

import socket
from datetime import timedelta
from typing import Any

import pytest
from django.db import transaction
from py_vapid import Vapid02
from pytest_django.fixtures import Settings

from accounts.models import User
from foundation import clock, timekeeping
from matchmaking.avoid_list import avoid, avoided_among
from notifications import words
from notifications.kinds import Group, nowhere, register
from notifications.models import Delivery, Notice, PushSubscription, Way
from notifications.push import send
from notifications.push.addresses import WrongPushAddressError, addresses_of
from notifications.push.keys import public_key
from notifications.push.send import send_due
from notifications.push.subscribe import (
    WrongPushKeysError,
    browsers_of,
    forget_browser,
    subscribe,
)
from notifications.reading import mark_read
from notifications.retention import SILENT_DAYS, forget
from notifications.tell import tell
from ratings.models import Game, Player
from tests.foundation.moved_clock import jump
from tests.notifications.browsers import ada, add
from tests.notifications.receiver import Browser, Receiver
from tests.ratings.arena import Arena

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("declared")]


@pytest.fixture(autouse=True)
def _kinds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("notifications.kinds._kinds", {})
    monkeypatch.setattr(words, "_hiders", [avoided_among])
    register(
        "test.push",
        Group.PLAY,
        "%(by)s waits.",
        leads_to=nowhere,
        players=["by"],
        ways=[Way.SITE, Way.PUSH],
    )


def tell_ada(arena: Arena, **more: Any) -> None:
    with transaction.atomic():
        tell("test.push", [arena.players[0].pk], data={"by": arena.players[1].pk}, **more)


def row(name: str) -> PushSubscription:
    return PushSubscription.objects.get(endpoint__endswith=name)


def later(**parts: float) -> Any:
    return clock.at(clock.now() + timedelta(**parts))


def test_a_browser_reads_what_nobody_else_can(arena: Arena, receiver: Receiver) -> None:
    browser = add(receiver, "anna")
    tell_ada(arena)
    assert send_due() == 1
    ((path, headers, body),) = receiver.taken
    said = browser.read(body)
    assert path == "/anna"
    assert said["title"].endswith("waits.")
    assert arena.players[1].name in said["title"]
    assert said["url"] == "/notifications/"
    assert arena.players[1].name.encode() not in body
    assert (headers["Content-Encoding"], headers["Urgency"]) == ("aes128gcm", "normal")
    assert 0 < int(headers["TTL"]) <= 24 * 3600
    assert Vapid02.verify(headers["Authorization"])
    assert headers["Authorization"].endswith(f"k={public_key()}")
    assert send_due() == 0
    assert not Delivery.objects.exists()
    assert row("anna").sent_at is not None


def test_who_is_blocked_is_named_nowhere(arena: Arena, receiver: Receiver) -> None:
    browser = add(receiver, "anna")
    tell_ada(arena)
    avoid(player=arena.players[0], other=arena.players[1])
    send_due()
    assert browser.read(receiver.bodies("anna")[0])["title"] == "A player waits."


def test_what_was_read_meanwhile_is_not_pushed(arena: Arena, receiver: Receiver) -> None:
    add(receiver, "anna")
    tell_ada(arena)
    mark_read([arena.players[0].pk])
    assert send_due() == 0
    assert receiver.taken == []
    assert not Delivery.objects.exists()


@pytest.mark.parametrize("status", [404, 410])
def test_a_browser_that_is_gone_is_forgotten(arena: Arena, receiver: Receiver, status: int) -> None:
    add(receiver, "gone")
    add(receiver, "here")
    receiver.answers["gone"] = status, {}
    tell_ada(arena)
    assert send_due() == 1
    assert [one.endpoint for one in browsers_of(ada().pk)] == [receiver.address("here")]
    assert not Delivery.objects.exists()


@pytest.mark.full
@pytest.mark.parametrize("status", [401, 403])
def test_no_browser_is_forgotten_for_a_fault_that_may_be_ours(
    arena: Arena, receiver: Receiver, status: int
) -> None:
    add(receiver, "anna")
    receiver.answers["anna"] = status, {}
    for day in range(SILENT_DAYS + 2):
        with later(days=day):
            tell_ada(arena)
            send_due()
    with later(days=SILENT_DAYS + 2):
        forget()
        assert row("anna").failures > 1
    receiver.answers.clear()
    with later(days=SILENT_DAYS + 3):
        tell_ada(arena)
        assert send_due() >= 1
    assert row("anna").failures == 0


def test_one_that_never_answers_holds_up_itself_alone(
    arena: Arena, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(send, "LONGEST_CALL", 1.0)
    add(receiver, "slow")
    add(receiver, "anna")
    receiver.drips.add("slow")
    tell_ada(arena)
    assert send_due() == 1
    assert len(receiver.bodies("anna")) == 1
    slow = row("slow")
    assert (slow.failures, slow.paused_until is not None) == (1, True)
    tell_ada(arena)
    assert send_due() == 1
    assert len(receiver.bodies("slow")) == 1
    assert len(receiver.bodies("anna")) == 2


def test_those_that_take_pushes_come_before_any_number_of_made_up_ones(
    arena: Arena, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    add(receiver, "anna")
    PushSubscription.objects.update(sent_at=clock.now())
    other = User.objects.create_user("Eve")
    Player.objects.filter(pk=arena.players[2].pk).update(user=other)
    keys = Browser().keys
    # At a port at which nobody listens.
    PushSubscription.objects.bulk_create(
        PushSubscription(account=other, endpoint=f"https://127.0.0.1:9/{number}", **keys)
        for number in range(60)
    )
    with transaction.atomic():
        tell("test.push", [arena.players[2].pk], data={"by": arena.players[1].pk})
    tell_ada(arena)
    monkeypatch.setattr(send, "_ROUNDS", 1)
    assert send_due() == 1
    assert len(receiver.bodies("anna")) == 1


def test_failures_wait_longer_each_time_and_end(arena: Arena, receiver: Receiver) -> None:
    add(receiver, "anna")
    receiver.answers["anna"] = 500, {"Retry-After": "7200"}
    tell_ada(arena)
    with later(seconds=0):
        send_due()
        paused = row("anna").paused_until
        assert paused is not None
        assert paused - clock.now() == timedelta(hours=2)
    for hours in range(1, 40):
        with later(hours=hours):
            send_due()
    assert not Delivery.objects.exists()  # of use for a day at most
    assert 3 < len(receiver.taken) < 20


def test_a_clock_that_was_ahead_keeps_no_push(arena: Arena, receiver: Receiver) -> None:
    add(receiver, "anna")
    receiver.answers["anna"] = 500, {}
    with later(days=400):
        tell_ada(arena)
        assert send_due() == 0
    assert row("anna").paused_until is not None
    receiver.answers.clear()
    assert send_due() == 1
    ((_path, headers, _body),) = receiver.taken[1:]
    assert int(headers["TTL"]) == 24 * 3600


def test_a_clock_that_is_ahead_throws_no_push_away(arena: Arena, receiver: Receiver) -> None:
    add(receiver, "anna")
    assert timekeeping.is_steady()
    tell_ada(arena)
    jump(timedelta(days=400))
    assert send_due() == 0
    assert Delivery.objects.exists()
    jump(-timedelta(days=400))
    assert timekeeping.is_steady()
    assert send_due() == 1


def test_nobody_is_followed_elsewhere(arena: Arena, receiver: Receiver) -> None:
    add(receiver, "anna")
    receiver.answers["anna"] = 307, {"Location": receiver.address("inside")}
    tell_ada(arena)
    assert send_due() == 0
    assert receiver.bodies("inside") == []
    assert row("anna").failures == 1


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1", "localhost", "10.1.2.3", "192.168.0.1", "172.16.0.9", "169.254.169.254", "100.64.0.1",
        "[::1]", "[fe80::1]", "[fd00::1]", "[::ffff:127.0.0.1]", "[::ffff:10.0.0.1]", "[64:ff9b::a00:1]",
        "[2002:7f00:1::]", "[::]", "[::7f00:1]", "[::ffff:0:7f00:1]", "[5f00::1]", "224.0.0.1", "2130706433", "0x7f.1",
        "192.0.0.8", "192.88.99.1", "[3fff::1]",
    ],
)  # fmt: skip
def test_private_addresses_are_refused(host: str) -> None:
    with pytest.raises(WrongPushAddressError):
        subscribe(account=User(), endpoint=f"https://{host}/x", **Browser().keys)


@pytest.mark.parametrize(
    "address",
    [
        "http://push.example.org/x", "https://push.example.org:8443/x", "https://a:b@93.184.216.34/x", "https:///x",
        "file:///etc/passwd", "https://93.184.216.34/x y", "https://93.184.216.34/" + 1000 * "x",
        "https://93.184.216.34/#x", "https://[93/x", "https://nowhere.invalid/x",
    ],
)  # fmt: skip
def test_what_is_no_address_of_a_browser_is_refused(address: str) -> None:
    with pytest.raises(WrongPushAddressError):
        addresses_of(address)


def test_hosts_that_are_not_there_and_those_of_this_network_are_one_answer() -> None:
    """Else whoever has an account could try out the names of this network."""
    said = set()
    for host in ("localhost", "nowhere.invalid"):
        with pytest.raises(WrongPushAddressError) as refusal:
            addresses_of(f"https://{host}/x")
        said.add(str(refusal.value).replace(host, ""))
    assert len(said) == 1


def test_a_public_address_is_taken() -> None:
    assert addresses_of("https://93.184.216.34/x") == ["93.184.216.34"]


def test_a_name_that_leads_inside_later_is_not_called(
    arena: Arena, receiver: Receiver, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    add(receiver, "anna")
    settings.PUSH_TO_PRIVATE = False
    real = socket.getaddrinfo
    name = "push.example.org"
    PushSubscription.objects.update(endpoint=f"https://{name}/anna")
    monkeypatch.setattr(
        socket, "getaddrinfo", lambda host, *rest, **more: real("127.0.0.1", *rest, **more)
    )
    tell_ada(arena)
    assert send_due() == 0
    assert receiver.taken == []
    assert "public network" in row("anna").trouble


def test_a_browser_belongs_to_who_is_signed_in_there(receiver: Receiver, arena: Arena) -> None:
    browser = add(receiver, "shared")
    other = User.objects.create_user("Eve")
    address = receiver.address("shared")
    _pk, is_new = subscribe(account=other, endpoint=address, **browser.keys)
    assert not is_new
    assert [one.account for one in PushSubscription.objects.all()] == [other]
    stranger = {**Browser().keys, "auth": "AAAAAAAAAAAAAAAAAAAAAA"}
    with pytest.raises(WrongPushKeysError):
        subscribe(account=ada(), endpoint=address, **stranger)
    with pytest.raises(WrongPushKeysError):
        subscribe(account=ada(), endpoint=address, p256dh="x", auth="y")


def test_an_account_has_ten_browsers_at_most(receiver: Receiver, arena: Arena) -> None:
    for number in range(12):
        add(receiver, f"browser-{number}")
    assert len(browsers_of(ada().pk)) == 10
    assert not PushSubscription.objects.filter(endpoint__endswith="browser-1").exists()


def test_the_key_follows_from_the_secret_key_of_the_site(settings: Settings) -> None:
    before = public_key()
    assert public_key() == before
    settings.SECRET_KEY = "another"
    assert public_key() != before
    assert Notice.objects.count() == 0


def test_a_browser_that_was_added_for_one_player_is_told_of_that_one_alone(
    arena: Arena, receiver: Receiver
) -> None:
    """Else the server of one game, which may add one, would read what happens in all others."""
    first, second = arena.players[0], arena.players[2]
    Player.objects.filter(pk=second.pk).update(user=ada(), game=Game.objects.create(slug="other"))
    add(receiver, "own")
    address, keys = receiver.address("of-one"), Browser().keys
    pk, _is_new = subscribe(first.pk, account=ada(), endpoint=address, **keys)
    for player in (first, second):
        with transaction.atomic():
            tell("test.push", [player.pk], data={"by": arena.players[1].pk})
    while send_due():
        pass
    assert len(receiver.bodies("own")) == 2
    assert len(receiver.bodies("of-one")) == 1
    assert not forget_browser(ada().pk, pk, player_id=second.pk)
    assert not forget_browser(ada().pk, row("own").pk, player_id=first.pk)
    assert forget_browser(ada().pk, pk, player_id=first.pk)
