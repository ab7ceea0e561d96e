"""Telling: who is told, once, by which ways and when."""

from datetime import UTC, datetime, time, timedelta
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.db import IntegrityError, transaction
from pytest_django.fixtures import Settings

from accounts.models import User
from api.site.delete_person import delete_player
from events.models import Notice as Told
from foundation import clock
from notifications.kinds import Group, nowhere, register
from notifications.models import Choice, Delivery, Notice, PushSubscription, QuietHours, Way
from notifications.quiet import quiet_until
from notifications.tell import take_back, tell
from ratings.merging.merge import merge
from ratings.models import Player
from tests.ratings.arena import START, Arena

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("declared")]

ALL = frozenset(Way)


@pytest.fixture(autouse=True)
def _kinds(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("notifications.kinds._kinds", {})
    settings.MAIL_CONFIGURED = True
    register("test.site", Group.PLAY, "Come.", leads_to=nowhere)
    register("test.all", Group.PLAY, "Come.", leads_to=nowhere, ways=ALL)
    register(
        "test.soon", Group.OFFERS, "Now!", leads_to=nowhere, ways=ALL, lasts=timedelta(minutes=1)
    )


@pytest.fixture
def arena() -> Arena:
    arena = Arena(4)
    user = User.objects.create_user("Ada", "ada@example.org")
    EmailAddress.objects.create(user=user, email="ada@example.org", verified=True, primary=True)
    Player.objects.filter(pk=arena.players[0].pk).update(user=user)
    for number in (1, 2):
        PushSubscription.objects.create(
            account=user, endpoint=f"https://push.example/{number}", p256dh="p", auth="a"
        )
    return arena


def ids(arena: Arena) -> list[int]:
    return [player.pk for player in arena.players]


def deliveries() -> list[tuple[str, datetime]]:
    return list(Delivery.objects.order_by("way", "pk").values_list("way", "due_at"))


def test_each_is_told_once_about_one_thing(arena: Arena) -> None:
    assert tell("test.site", ids(arena), about="thing:1", data={"thing": 1}) == 4
    assert tell("test.site", ids(arena)[:2], about="thing:1", data={"thing": 2}) == 0
    assert tell("test.site", ids(arena)[:2], about="thing:2") == 2
    assert tell("test.site", [ids(arena)[0]]) == 1
    assert tell("test.site", [ids(arena)[0]]) == 1
    assert Notice.objects.count() == 8
    assert Notice.objects.filter(about="thing:1", data={"thing": 1}).count() == 4
    told = Told.objects.filter(kind="notice.made", topics__contains=[f"player:{ids(arena)[2]}"])
    assert [row.ids["player"] for row in told] == [ids(arena)[2]]


def test_nothing_is_told_of_what_did_not_happen(arena: Arena) -> None:
    def tell_and_fail() -> None:
        with transaction.atomic():
            tell("test.all", ids(arena))
            Player.objects.filter(pk=ids(arena)[0]).update(name="")

    with pytest.raises(IntegrityError):
        tell_and_fail()
    assert not Notice.objects.exists()
    assert not Delivery.objects.exists()
    with pytest.raises(ValueError, match=r"no kind of notice is called 'test.none'"):
        tell("test.none", ids(arena))


def test_ways_are_the_kinds_unless_a_player_chose(arena: Arena) -> None:
    with clock.at(START):
        tell("test.all", ids(arena))
    assert deliveries() == [("mail", START), ("push", START), ("push", START)]
    Delivery.objects.all().delete()
    for way in ("mail", "site"):
        Choice.objects.create(
            player=arena.players[0], group=Group.PLAY, way=way, wanted=way == "mail"
        )
    Choice.objects.create(player=arena.players[1], group=Group.PLAY, way="site", wanted=False)
    with clock.at(START):
        assert tell("test.site", ids(arena), about="chosen") == 3
    assert deliveries() == [("mail", START)]
    by_player = dict(Notice.objects.filter(about="chosen").values_list("player", "on_site"))
    assert by_player == {ids(arena)[0]: False, ids(arena)[2]: True, ids(arena)[3]: True}


def test_without_an_address_that_is_confirmed_or_with_mail_off_nothing_is_mailed(
    arena: Arena, settings: Settings
) -> None:
    settings.MAIL_CONFIGURED = False
    tell("test.all", ids(arena))
    settings.MAIL_CONFIGURED = True
    EmailAddress.objects.update(verified=False)
    tell("test.all", ids(arena))
    assert {way for way, _ in deliveries()} == {"push"}
    Delivery.objects.all().delete()
    User.objects.update(is_active=False)
    assert tell("test.all", ids(arena)) == 4
    assert deliveries() == []


def test_in_quiet_hours_what_passes_is_not_sent_and_the_rest_later(arena: Arena) -> None:
    QuietHours.objects.create(
        player=arena.players[0], begins=time(22), ends=time(7), zone="Europe/Berlin"
    )
    night = datetime(2026, 1, 10, 23, 30, tzinfo=UTC)
    with clock.at(night):
        tell("test.all", ids(arena))
        tell("test.soon", ids(arena))
    assert {due for _, due in deliveries()} == {datetime(2026, 1, 11, 6, tzinfo=UTC)}
    assert len(deliveries()) == 3
    assert Notice.objects.filter(kind="test.soon", on_site=True).count() == 4


@pytest.mark.parametrize(
    ("begins", "ends", "zone", "at", "until"),
    [
        (22, 7, "UTC", (3, 1, 21, 59), None),
        (22, 7, "UTC", (3, 1, 22, 0), (3, 2, 7, 0)),
        (22, 7, "UTC", (3, 2, 6, 59), (3, 2, 7, 0)),
        (22, 7, "UTC", (3, 2, 7, 0), None),
        (9, 17, "UTC", (3, 2, 8, 59), None),
        (9, 17, "UTC", (3, 2, 9, 0), (3, 2, 17, 0)),
        # The night in which clocks go forward in Berlin: seven is an hour sooner.
        (22, 7, "Europe/Berlin", (3, 28, 21, 30), (3, 29, 5, 0)),
        (22, 7, "America/New_York", (1, 10, 4, 0), (1, 10, 12, 0)),
        (22, 7, "Nowhere/Land", (3, 1, 22, 0), (3, 2, 7, 0)),
    ],
)
def test_quiet_hours(begins: int, ends: int, zone: str, at: Any, until: Any) -> None:
    def moment(month: int, day: int, hour: int, minute: int) -> datetime:
        return datetime(2026, month, day, hour, minute, tzinfo=UTC)

    expected = None if until is None else moment(*until)
    assert quiet_until(time(begins), time(ends), zone, moment(*at)) == expected


def test_a_merged_player_is_told_as_who_it_is_and_a_deleted_one_nothing(arena: Arena) -> None:
    first, second, third, fourth = arena.players
    merge(player=second, into=first, by=None, note="x")
    delete_player(third, by=None)
    assert tell("test.site", ids(arena), about="x") == 2
    told = set(Notice.objects.values_list("player", flat=True))
    assert told == {first.pk, fourth.pk}


def test_what_nobody_needs_to_read_goes(arena: Arena) -> None:
    tell("test.all", ids(arena), about="thing:1")
    tell("test.all", ids(arena), about="thing:2")
    assert take_back("test.all", "thing:1", players=ids(arena)[:1]) == 1
    assert take_back("test.all", "thing:1") == 3
    assert take_back("test.all", "thing:1") == 0
    assert Delivery.objects.count() == 3
    assert set(Notice.objects.values_list("about", flat=True)) == {"thing:2"}
    changed = Told.objects.filter(kind="notice.changed").values_list("ids", flat=True)
    assert sorted(row["player"] for row in changed) == ids(arena)


def test_the_words_of_a_kind_are_declared_once() -> None:
    with pytest.raises(ValueError, match=r"two kinds of notices are called 'test.site'"):
        register("test.site", Group.PLAY, "Go.", leads_to=nowhere)
