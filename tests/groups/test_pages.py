"""The pages of groups: what stands there, and what their buttons do, with and without JavaScript."""

import html

import pytest
from django.test import Client

from accounts.models import AuditEntry, User
from foundation import clock
from groups import membership, suggest
from groups.models import DrawWish, Group, GroupRules, Membership
from matchmaking.models import Party
from notifications.models import Notice
from people import befriend
from rooms.models import Room
from tests.groups.test_groups import made, members
from tests.matchmaking.hall import make_hall
from tests.matchmaking.visiting import HTMX, make_account, text_of

pytestmark = pytest.mark.django_db


def shown(client: Client, address: str) -> str:
    return html.unescape(text_of(client, address))


def test_a_group_is_made_changed_and_dissolved() -> None:
    hall = make_hall(2)
    anna, bernd = make_account(hall, 0, "anna"), make_account(hall, 1, "bernd")
    slug = hall.ladder.game.slug
    assert Client().get("/groups/").status_code == 302
    assert "no group yet" in shown(anna, "/groups/")
    form = {"name": "Evenings", "note": "From eight.", "access": "open", "most": 5}
    assert anna.post(f"/groups/new/{slug}/", {**form, "most": 100}).status_code == 422
    answer = anna.post(f"/groups/new/{slug}/", form)
    group = Group.objects.get()
    assert answer.headers["Location"] == f"/groups/{group.pk}/"
    text = shown(anna, f"/groups/{group.pk}/")
    assert "Evenings" in text
    assert "From eight." in text
    assert bernd.get(f"/groups/{group.pk}/change/").status_code == 404
    change = {**form, "access": "closed", "note": ""}
    assert anna.post(f"/groups/{group.pk}/change/", change).status_code == 302
    assert bernd.get(f"/groups/{group.pk}/").status_code == 404
    anna.post(f"/groups/{group.pk}/dissolve/")
    assert not Group.objects.exists()


def test_buttons_go_all_the_way() -> None:
    hall = make_hall(3)
    anna, bernd, carla = (
        make_account(hall, number, name) for number, name in enumerate(("anna", "bernd", "carla"))
    )
    one, two, _three = hall.players
    group = made(hall)
    page = f"/groups/{group.pk}/"
    assert bernd.get(page).status_code == 404
    befriend.befriend(player=one, other=two)
    befriend.befriend(player=two, other=one)
    assert '<option value="Bernd">' in shown(anna, page)
    anna.post(f"{page}invite/", {"name": "Bernd"})
    anna.post(f"{page}invite/", {"name": "Nobody"})
    assert "No player of the game has exactly this name." in shown(anna, page)
    # No sign that cannot be kept, as nothing can have it.
    assert anna.post(f"{page}invite/", {"name": "\0Nobody\0"}).status_code == 302
    assert anna.get("/groups/?q=%00%00Evening").status_code == 200
    assert "You're invited" in shown(bernd, "/groups/")
    bernd.post(f"{page}decline/")
    assert bernd.get(page).status_code == 404
    anna.post(f"{page}invite/", {"name": "Bernd"})
    anna.post(f"{page}withdraw/", {"player": two.pk})
    anna.post(f"{page}invite/", {"name": "Bernd"})
    bernd.post(f"{page}join/")
    assert members(group) == [one.pk, two.pk]
    bernd.post(f"{page}show/", {"shows": "1"})
    assert Membership.objects.get(player=two).shows
    assert "as your friends do" in shown(bernd, page)
    anna.post(f"{page}owner/", {"player": two.pk})
    assert Group.objects.get().owner == two
    bernd.post(f"{page}remove/", {"player": one.pk})
    assert members(group) == [two.pk]
    bernd.post(f"{page}leave/")
    assert not Group.objects.exists()
    assert carla.post(f"{page}join/").status_code == 404


def test_the_page_says_nothing_twice() -> None:
    hall = make_hall(2)
    anna = make_account(hall, 0, "anna")
    group = made(hall, access="open")
    text = text_of(anna, f"/groups/{group.pk}/", headers=HTMX)
    assert text.lstrip().startswith("<div")
    again = html.unescape(text.partition('hx-get="')[2].partition('"')[0])
    assert anna.get(again, headers=HTMX).status_code == 204
    membership.join(group_id=group.pk, player=hall.players[1])
    assert anna.get(again, headers=HTMX).status_code == 200


def test_the_group_comes_into_a_party_with_one_press() -> None:
    hall = make_hall(4, team_size=2)
    anna, bernd = make_account(hall, 0, "anna"), make_account(hall, 1, "bernd")
    one, two, three, _four = hall.players
    group = made(hall, access="open")
    for player in (two, three):
        membership.join(group_id=group.pk, player=player)
    bernd.post(f"/people/{three.pk}/block/")
    for _ in range(2):
        led = bernd.post(f"/groups/{group.pk}/party/")
        assert led.headers["Location"] == f"/play/in/{hall.queue.slug}/"
    party = Party.objects.get()
    notice = Notice.objects.get(kind="group.party")
    assert (notice.player, notice.data["code"]) == (one, party.code)
    anna.post(f"/play/party/{party.code}/join/")
    assert set(party.members.values_list("player", flat=True)) == {one.pk, two.pk}


def test_a_room_is_open_to_a_group() -> None:
    hall = make_hall(3)
    anna, bernd, carla = (
        make_account(hall, number, name) for number, name in enumerate(("anna", "bernd", "carla"))
    )
    address = f"/rooms/open/{hall.ladder.slug}/"
    assert "members of a group" not in shown(anna, address)
    group = made(hall, access="open")
    membership.join(group_id=group.pk, player=hall.players[1])
    assert "members of a group" in shown(anna, address)
    form = {
        "name": "Room",
        "category": "casual",
        "access": "group",
        "map_choice": "game",
        "start_rule": "host",
        "rated": "on",
    }
    assert anna.post(address, form).status_code == 422
    assert carla.post(address, {**form, "group_id": group.pk}).status_code == 422
    anna.post(address, {**form, "group_id": group.pk})
    room = Room.objects.get()
    assert room.group == group
    carla.post(f"/rooms/{room.pk}/join/")
    assert "Only members of its group may come." in shown(carla, f"/rooms/{room.pk}/")
    assert "Only members of its group may come." in shown(carla, "/rooms/?list=all")
    assert f'id="join-{room.pk}"' in shown(bernd, "/rooms/")
    bernd.post(f"/rooms/{room.pk}/join/")
    assert set(room.members.values_list("player", flat=True)) == {
        one.pk for one in hall.players[:2]
    }


def test_wishes_are_chosen_there() -> None:
    hall = make_hall(1)
    anna = make_account(hall, 0, "anna")
    own, slug = hall.players[0], hall.ladder.game.slug
    anna.post(f"/groups/suggestions/{slug}/", {"wanted": "1"})
    assert suggest.wants(own.pk)
    assert "Nothing yet." in shown(anna, "/groups/")
    anna.post(f"/groups/suggestions/{slug}/", {"wanted": "0"})
    assert not suggest.wants(own.pk)
    wish = {"wanted": "1", "queue": hall.queue.pk, "language": "de"}
    anna.post(f"/groups/random/{slug}/", wish)
    found = DrawWish.objects.get()
    assert (found.player, found.queue, found.language) == (own, hall.queue, "de")
    anna.post(f"/groups/random/{slug}/", {**wish, "language": "xx"})
    assert DrawWish.objects.get().language == "de"
    assert "Take me out of the draw" in shown(anna, "/groups/")
    GroupRules.objects.create(game=hall.ladder.game, drawn_at=clock.now())
    assert 'Next draw: <time datetime="' in shown(anna, "/groups/")
    anna.post(f"/groups/random/{slug}/", {"wanted": "0"})
    assert not DrawWish.objects.exists()
    GroupRules.objects.update(draws=False, suggests=False)
    text = shown(anna, "/groups/")
    assert "Random group" not in text
    assert "Suggested to you" not in text


def test_an_operator_finds_and_dissolves_groups() -> None:
    hall = make_hall(2)
    group = made(hall)
    made(hall, 1, name="Mornings")
    admin = Client()
    admin.force_login(User.objects.create_superuser("ada", "ada@example.org", "difference"))
    text = text_of(admin, "/admin/groups/group/?q=even")
    assert f"/admin/groups/group/{group.pk}/change/" in text
    assert "Mornings" not in text
    answer = admin.post(f"/admin/groups/group/{group.pk}/dissolve/", {"note": "Hateful name"})
    assert answer.status_code == 302
    assert Group.objects.get().name == "Mornings"
    assert AuditEntry.objects.filter(action="group.dissolved", note="Hateful name").exists()
