"""What is shown of ways is what `tell` does, by the page and by its own words: all of a group, none, or as usual."""

from html import unescape
from re import search

import pytest
from allauth.account.models import EmailAddress
from django.test import Client
from pytest_django.fixtures import Settings

from accounts.models import User
from notifications.kinds import Group, kinds, usual, usual_words
from notifications.models import Choice, Delivery, Notice, PushSubscription, Way
from notifications.preferences import choices_of, choose
from notifications.tell import tell
from ratings.models import Player
from tests.matchmaking.hall import make_hall

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("declared")]

PAGE = "/notifications/choices/"


@pytest.fixture
def player(settings: Settings) -> Player:
    settings.MAIL_CONFIGURED = True
    user = User.objects.create_user("Ada", "ada@example.org")
    EmailAddress.objects.create(user=user, email="ada@example.org", verified=True, primary=True)
    PushSubscription.objects.create(
        account=user, endpoint="https://push.example/1", p256dh="p", auth="a"
    )
    player: Player = make_hall(players=1).players[0]
    Player.objects.filter(pk=player.pk).update(user=user)
    player.refresh_from_db()
    return player


@pytest.fixture
def client(player: Player) -> Client:
    client = Client()
    assert player.user is not None
    client.force_login(player.user)
    return client


def told_by(player: Player, kind: str) -> set[str]:
    """By which ways a player is told a thing now."""
    tell(kind, [player.pk], data={"ladder": "Duel", "name": "Evenings"})
    found = set(Delivery.objects.values_list("way", flat=True))
    found |= {"site"} if Notice.objects.filter(on_site=True).exists() else set()
    Notice.objects.all().delete()
    return found


def shown(client: Client) -> dict[str, str]:
    """What a browser would send of the form as it is shown."""
    page = client.get(PAGE).content.decode()
    form = page[page.index('name="player"') : page.index('id="id_begins"')]
    found = {}
    for part in form.split("<input")[1:]:
        tag = part.partition(">")[0]
        if 'type="checkbox"' in tag and " checked" in tag:
            found[tag.partition('name="')[2].partition('"')[0]] = "on"
    for part in form.split("<select")[1:]:
        name = part.partition('name="')[2].partition('"')[0]
        chosen = search(r'<option value="(\w+)" selected>', part)
        assert chosen is not None, part
        found[name] = chosen[1]
    return found


def test_of_every_kind_is_told_what_is_shown(player: Player) -> None:
    for group in choices_of(player.pk):
        for kind in [one for one in kinds() if one.group == group.group]:
            told = told_by(player, kind.code)
            for way, is_wanted in group.ways.items():
                assert is_wanted in (None, way.value in told), (kind.code, way, told)


def test_what_is_not_told_of_a_whole_group_is_said_in_words() -> None:
    partly = {(group, way) for group in Group for way in Way if usual(group, way) is None}
    assert partly == {(Group.PLAY, Way.MAIL), (Group.PLAY, Way.PUSH)}
    for group, way in partly:
        assert str(usual_words(group, way)) != "some of these"
    mailed = [kind.code for kind in kinds() if Way.MAIL in kind.ways and kind.group == Group.PLAY]
    assert mailed == ["appointment.proposed", "appointment.reminded"]


def test_saving_the_page_as_it_is_shown_changes_nothing(player: Player, client: Client) -> None:
    form = shown(client)
    assert (form["play-mail"], form["play-push"], form["play-site"]) == ("usual", "usual", "on")
    assert "people-mail" not in form
    page = unescape(client.get(PAGE).content.decode())
    assert "As usual: times that are proposed, and reminders of appointments" in page
    client.post(PAGE, {**form, "player": player.pk, "zone": "UTC"})
    assert not Choice.objects.exists()
    assert shown(client) == form
    assert told_by(player, "appointment.proposed") == {"site", "mail", "push"}
    assert told_by(player, "challenge.made") == {"site", "push"}
    assert told_by(player, "challenge.declined") == {"site"}


def test_what_is_asked_for_is_kept_and_sent(player: Player, client: Client) -> None:
    form = {**shown(client), "player": player.pk, "zone": "UTC"}
    client.post(PAGE, {**form, "play-mail": "on", "people-mail": "on"})
    assert told_by(player, "challenge.made") == {"site", "mail", "push"}
    assert told_by(player, "challenge.declined") == {"site", "mail"}
    assert told_by(player, "friend.asked") == {"site", "mail"}
    form = {**form, **shown(client)}
    assert (form["play-mail"], form["people-mail"]) == ("on", "on")
    client.post(PAGE, {**form, "play-mail": "off", "play-push": "off"})
    assert told_by(player, "appointment.proposed") == {"site"}
    client.post(PAGE, {**form, "play-mail": "usual", "play-push": "usual"})
    assert told_by(player, "appointment.proposed") == {"site", "mail", "push"}
    assert told_by(player, "challenge.made") == {"site", "push"}


def test_as_usual_what_waits_and_is_not_usual_is_not_sent(player: Player) -> None:
    choose(player.pk, {("play", "mail"): True})
    for kind in ("challenge.made", "appointment.proposed"):
        tell(kind, [player.pk], data={"ladder": "Duel"})
    choose(player.pk, {("play", "mail"): None})
    waiting = Delivery.objects.filter(way="mail").values_list("notice__kind", flat=True)
    assert list(waiting) == ["appointment.proposed"]
    assert not Choice.objects.exists()
